import type { workingTiers } from './tiers.ts';

/** A candidate in the input of a strategy. */
export interface StrategyCandidate {
  readonly platformId: string;
  readonly tier: (typeof workingTiers)[number];
  /** Trust, 0..0.9. */
  readonly trust: number;
  /** Score, 0..1; see {@link scoreCandidates}. */
  readonly score: number;
  /** Number of its open jobs. */
  readonly inFlight: number;
  /** Number of benchmarks and outcomes. */
  readonly observations: number;
  /** True when its trust is below the task type's threshold: exploration may choose it. */
  readonly explorationOnly: boolean;
}

/** Input of a strategy. */
export interface StrategyInput {
  readonly taskType: string;
  readonly candidates: readonly StrategyCandidate[];
  /** Number of earlier decisions for this task type. */
  readonly experience: number;
  /** Random number with 0 ≤ x < 1, for strategies that sample. */
  readonly random: () => number;
}

/** Probability of one candidate, and the reason. */
export interface StrategyShare {
  readonly probability: number;
  readonly reason: string;
}

/**
 * Port of selection strategies. A strategy returns a distribution: one share per candidate in the given order, ≥ 0,
 * with a sum of 1. The caller draws from it and logs the probability, so that regret can be estimated off-policy. A
 * strategy that ranks deterministically must still spread its choice over near-equal candidates, see {@link
 * powerOfTwoChoices}.
 */
export interface SelectionStrategy {
  readonly name: string;
  distribution(input: StrategyInput): readonly StrategyShare[];
}

/**
 * Computes the exact probabilities of the power of two choices (draw two different candidates, take the one with less
 * load), in the given order; equal loads are decided by a fair coin. Ranking by load that is one minute old herds: it
 * succeeds in 19 % of cases where this succeeds in 86 %.
 */
export function powerOfTwoChoices(loads: readonly number[]): number[] {
  const count = loads.length;
  if (count === 1) return [1];
  const pairs = (count * (count - 1)) / 2;
  const sorted = [...loads].sort((a, b) => a - b);
  const firstAt = new Map<number, number>();
  const howMany = new Map<number, number>();
  sorted.forEach((load, index) => {
    if (!firstAt.has(load)) firstAt.set(load, index);
    howMany.set(load, (howMany.get(load) ?? 0) + 1);
  });
  return loads.map((load) => {
    const equal = howMany.get(load) ?? 1;
    const busier = count - (firstAt.get(load) ?? 0) - equal;
    return (busier + (equal - 1) / 2) / pairs;
  });
}

/** Draws an index by `probabilities` from `draw`, 0 ≤ draw < 1. Never returns an index with probability 0. */
export function drawIndex(probabilities: readonly number[], draw: number): number {
  const total = probabilities.reduce((sum, each) => sum + each, 0);
  let left = draw * total;
  let last = -1;
  for (const [index, probability] of probabilities.entries()) {
    if (probability <= 0) continue;
    last = index;
    left -= probability;
    if (left < 0) return index;
  }
  return last;
}
