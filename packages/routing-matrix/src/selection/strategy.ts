import type { BenchmarkRecord, DecisionRecord, OutcomeRecord, TaskFeatures } from '../records.ts';
import type { workingTiers } from '../scoring/tiers.ts';
import type { JsonValue } from '../store.ts';

/** The job of a decision. */
export interface StrategyTask extends TaskFeatures {
  /** Number of earlier decisions for this task type. */
  readonly experience: number;
  /** Trust that the operator asks for production work of this type, .1..0.9. */
  readonly threshold: number;
  /** Value up to which platforms below the threshold may be tried, msat; `null` for any value. */
  readonly exposureCapMsat: number | null;
}

/** A candidate of a decision. */
export interface StrategyCandidate {
  readonly platformId: string;
  /** Key of its operator. */
  readonly operator: string;
  readonly tier: (typeof workingTiers)[number];
  /** Trust (routeTrust), 0..0.9. */
  readonly trust: number;
  /** Score, 0..1; see {@link scoreCandidates}. */
  readonly score: number;
  /** Expected price of this job, msat; `null` when unknown. */
  readonly priceMsat: number | null;
  /** Usual latency, ms; `null` when unknown. */
  readonly latencyMs: number | null;
  /** Number of its open jobs. */
  readonly inFlight: number;
  /** Number of benchmarks and outcomes of this task type. */
  readonly observations: number;
  /** Time since its first record, ms. */
  readonly ageMs: number;
  /**
   * Share of its normal work that it gets, 0..1. The matrix applies it to the distribution: a strategy may ignore it.
   */
  readonly allocation: number;
  /** True when its trust is below the task type's threshold: exploration may choose it. */
  readonly explorationOnly: boolean;
}

/** Probability of one candidate, and the reason. */
export interface StrategyShare {
  readonly probability: number;
  readonly reason: string;
  /** True when it has not earned a job of this value and is offered for want of a better one. @default false */
  readonly degraded?: boolean;
}

/** Time and randomness of a decision. */
export interface StrategyContext {
  /** Time of the decision, ms since epoch. */
  readonly now: number;
  /** Returns a number with 0 ≤ x < 1, for strategies that sample. */
  readonly random: () => number;
}

/** A record that a strategy learns from, in the order of the log. */
export type ObservedRecord = (DecisionRecord | BenchmarkRecord | OutcomeRecord) & {
  /** Sequence number in the log. */
  readonly seq: number;
  /** Features of the job: of a decision its own, of an outcome its decision's; `null` when there was none. */
  readonly features: TaskFeatures | null;
};

/**
 * Port of selection strategies. A strategy is a pure fold over the log: `init` starts it, `observe` gets every
 * decision, benchmark and outcome once and in order, and `distribution` answers from what was observed without
 * changing it. So a restart reproduces it exactly. One instance serves one matrix.
 *
 * `distribution` returns one probability per candidate in the given order, finite, ≥ 0, with a sum of 1, alone or with
 * a reason. The matrix checks it before anything is logged (`STRATEGY_FAILED`, also when the list of candidates was sorted
 * in place), draws from it and logs the probability, so that regret can be estimated off-policy. A strategy that ranks deterministically must still spread
 * its choice over near-equal candidates, see {@link powerOfTwoChoices}.
 */
export interface SelectionStrategy {
  readonly name: string;
  /** Version of its state; another version replays the log. */
  readonly version: string;
  /**
   * True for a strategy that judges by its own evidence which platforms are good enough. The matrix then hands it
   * every qualified platform with `explorationOnly` set by trust, instead of excluding those below the minimum.
   */
  readonly judgesCandidates?: boolean;
  /** Starts from nothing, or from what `snapshot` returned. */
  init?(snapshot?: JsonValue): void;
  observe?(record: ObservedRecord): void;
  distribution(
    task: StrategyTask,
    candidates: readonly StrategyCandidate[],
    context: StrategyContext,
  ): readonly (number | StrategyShare)[];
  /** Returns its state as JSON. */
  snapshot?(): JsonValue;
}

/** Computes the probabilities of the power of two choices. Arguments are valid. */
export function powerOfTwoChoices(loads: readonly number[]): number[] {
  const count = loads.length;
  if (count === 1) return [1];
  const pairs = (count * (count - 1)) / 2;
  const [first] = loads;
  if (loads.every((load) => load === first)) return new Array<number>(count).fill((count - 1) / 2 / pairs);
  const howMany = new Map<number, number>();
  for (const load of loads) howMany.set(load, (howMany.get(load) ?? 0) + 1);
  const shareOf = new Map<number, number>();
  let busier = count;
  for (const [load, equal] of [...howMany].sort(([a], [b]) => a - b)) {
    busier -= equal;
    shareOf.set(load, (busier + (equal - 1) / 2) / pairs);
  }
  return loads.map((load) => shareOf.get(load) as number);
}

/** Draws an index by probabilities. Arguments are valid. */
export function drawIndex(
  shares: readonly (number | { readonly probability: number })[],
  draw: number,
): number {
  let total = 0;
  for (const share of shares) total += typeof share === 'number' ? share : share.probability;
  let left = draw * total;
  let last = -1;
  for (let index = 0; index < shares.length; index += 1) {
    const share = shares[index] as number | { readonly probability: number };
    const probability = typeof share === 'number' ? share : share.probability;
    if (probability <= 0) continue;
    last = index;
    left -= probability;
    if (left < 0) return index;
  }
  return last;
}
