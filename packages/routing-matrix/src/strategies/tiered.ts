import * as z from 'zod';
import { notNegative, parseOptions, unit } from '../schemas.ts';
import { defaultTierShares, handOnShares, sharesSchema, type TierShares } from '../scoring/tiers.ts';
import { powerOfTwoChoices, type SelectionStrategy, type StrategyCandidate } from '../selection/strategy.ts';

/** Options of {@link tieredStrategy}. */
export interface TieredOptions {
  /** Shares of the tiers. @default { primary: .70, secondary: .25, tertiary: .05 } */
  readonly shares?: TierShares;
  /** Share of uniformly random choices at the start. @default 0.1 */
  readonly epsilon?: number;
  /** Decay of exploration: `epsilon / (1 + decisions / epsilonDecay)`. @default 200 */
  readonly epsilonDecay?: number;
  /** Lower limit of exploration. @default 0.01 */
  readonly epsilonFloor?: number;
  /** Largest distance from the best score of a tier at which candidates count as equal. @default 0.05 */
  readonly nearEqual?: number;
}

const optionsSchema = z.strictObject({
  shares: sharesSchema.default(defaultTierShares),
  epsilon: unit.default(0.1),
  epsilonDecay: z.number().positive().default(200),
  epsilonFloor: unit.default(0.01),
  nearEqual: notNegative.default(0.05),
});

/**
 * Creates a strategy with fixed shares per tier and decaying exploration: with probability ε a uniformly random
 * candidate; else a tier by its share and, within it, the power of two choices among candidates that score nearly as
 * well as the best. Candidates below the threshold are chosen by exploration only; without any candidate above it,
 * every choice is exploration.
 */
export function tieredStrategy(options: TieredOptions = {}): SelectionStrategy {
  const { shares, epsilon, epsilonDecay, epsilonFloor, nearEqual } = parseOptions(
    optionsSchema,
    options,
    'tieredStrategy',
  );

  return {
    name: 'tiered',
    version: '1',
    distribution({ experience }, candidates) {
      const qualified = candidates.filter((candidate) => !candidate.explorationOnly);
      const decayed = Math.max(epsilonFloor, epsilon / (1 + experience / epsilonDecay));
      const exploration = qualified.length === 0 ? 1 : Math.min(1, decayed);
      const blind = exploration / candidates.length;

      const members = (tier: keyof TierShares) => qualified.filter((candidate) => candidate.tier === tier);
      const byTier = {
        primary: members('primary'),
        secondary: members('secondary'),
        tertiary: members('tertiary'),
      };
      const share = handOnShares(shares, (tier) => byTier[tier].length === 0);
      const exploited = new Map<string, { probability: number; among: number }>();
      for (const tier of ['primary', 'secondary', 'tertiary'] as const) {
        const best = nearEquals(byTier[tier], nearEqual);
        const choice = powerOfTwoChoices(best.map(({ inFlight }) => inFlight));
        for (const [index, candidate] of best.entries()) {
          exploited.set(candidate.platformId, {
            probability: (1 - exploration) * share[tier] * (choice[index] ?? 0),
            among: best.length,
          });
        }
      }

      return candidates.map((candidate) => {
        const merit = exploited.get(candidate.platformId);
        if (merit === undefined) {
          const why = candidate.explorationOnly ? 'below the threshold' : `${candidate.tier} tier, outscored`;
          return { probability: blind, reason: `exploration only: ${why}` };
        }
        const place = merit.among === 1 ? 'best' : `one of ${merit.among} near-equals`;
        return { probability: blind + merit.probability, reason: `${candidate.tier} tier, ${place}` };
      });
    },
  };
}

function nearEquals(candidates: readonly StrategyCandidate[], margin: number): readonly StrategyCandidate[] {
  let best = 0;
  for (const { score } of candidates) best = Math.max(best, score);
  // The tolerance includes a difference of exactly the margin despite binary rounding.
  return candidates.filter(({ score }) => score >= best - margin - 1e-9);
}
