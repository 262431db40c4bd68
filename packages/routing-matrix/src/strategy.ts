import type { workingTiers } from './tiers.ts';

/** A platform that may be chosen, as a strategy sees it. */
export interface StrategyCandidate {
  readonly platformId: string;
  readonly tier: (typeof workingTiers)[number];
  /** 0..0.9 */
  readonly trust: number;
  /** 0..1, see {@link scoreCandidates}. */
  readonly score: number;
  /** Jobs that are with it now. */
  readonly inFlight: number;
  /** Benchmarks and outcomes seen so far. */
  readonly observations: number;
  /** True when its trust is below the task type's threshold: it may be chosen by exploration only (RTM-6). */
  readonly explorationOnly: boolean;
}

/** What a strategy decides on. */
export interface StrategyInput {
  readonly taskType: string;
  readonly candidates: readonly StrategyCandidate[];
  /** Decisions that were made for this task type so far. */
  readonly experience: number;
  /** 0 ≤ x < 1; for strategies that draw samples to find their distribution. */
  readonly random: () => number;
}

/** How likely one candidate is to be chosen, and why. */
export interface StrategyShare {
  readonly probability: number;
  readonly reason: string;
}

/**
 * The port behind which ways of choosing stand (RTM-7). A strategy does not choose: it says how likely each
 * candidate is, one share per candidate in the order given, non-negative and with a sum of 1. The caller draws
 * and logs the probability, so that regret can be estimated off-policy later (RTM-8c). A strategy that ranks
 * deterministically must still spread its choice over near-equals, see {@link powerOfTwoChoices}.
 */
export interface SelectionStrategy {
  readonly name: string;
  distribution(input: StrategyInput): readonly StrategyShare[];
}

/**
 * The exact probabilities of 'draw two different ones at random, take the one with less load' (RTM-8), in the
 * order given; equal loads are decided by a fair coin. Ranking on load that is a minute old herds: it succeeds
 * 19 % of the time where this succeeds 86 %.
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

/** Draws an index by `probabilities`; `draw` in 0 ≤ x < 1. Never an index whose probability is 0. */
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
