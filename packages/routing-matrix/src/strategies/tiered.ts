import { powerOfTwoChoices, type SelectionStrategy, type StrategyCandidate } from '../strategy.ts';
import { defaultTierShares, handOnShares, type TierShares } from '../tiers.ts';

/** How {@link tieredStrategy} divides the work. */
export interface TieredOptions {
  /** @default { primary: .70, secondary: .25, tertiary: .05 } */
  readonly shares?: TierShares;
  /** Share of choices made blindly among all candidates, at the start. @default 0.1 */
  readonly epsilon?: number;
  /** Exploration falls as `epsilon / (1 + decisions / epsilonDecay)`. @default 200 */
  readonly epsilonDecay?: number;
  /** It never falls below this. @default 0.01 */
  readonly epsilonFloor?: number;
  /** Candidates whose score is at most this far below the best of their tier are near-equals. @default 0.05 */
  readonly nearEqual?: number;
}

/**
 * Tiers with fixed shares and decaying exploration, as the source describes them (RTM-7): with probability ε any
 * candidate, all alike; else a tier by its share and, within it, power of two choices among those that score
 * nearly as well as the best. Candidates below the threshold are reached by exploration only; when nobody
 * reaches the threshold, exploration is all there is.
 */
export function tieredStrategy(options: TieredOptions = {}): SelectionStrategy {
  const shares = options.shares ?? defaultTierShares;
  const { epsilon = 0.1, epsilonDecay = 200, epsilonFloor = 0.01, nearEqual = 0.05 } = options;

  return {
    name: 'tiered',
    distribution({ candidates, experience }) {
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
  // The tolerance keeps a difference of exactly the margin inside, whatever its last binary digit.
  return candidates.filter(({ score }) => score >= best - margin - 1e-9);
}
