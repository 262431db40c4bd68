import type { Criterion, CriterionScore } from './criteria.ts';
import type { Outcome } from './outcome.ts';
import type { PlatformRef } from './platform.ts';
import type { Tier } from './tiers.ts';

/** {@link Measurements} as they are stored: what was not measured is `null`. */
export interface StoredMeasurements {
  readonly passRate: number | null;
  readonly latencyMs: number | null;
  readonly executionMs: number | null;
  readonly quality: number | null;
  readonly softLimitExceeded: boolean | null;
  readonly memoryShare: number | null;
  readonly coverage: number | null;
  readonly errorKind: string | null;
  readonly costMsat: number | null;
}

/** A platform became known, or what it says of itself changed. */
export interface PlatformRecord {
  readonly kind: 'platform';
  readonly id: string;
  readonly at: number;
  readonly taskType: null;
  readonly platform: PlatformRef;
  readonly name: string | null;
  readonly taskTypes: readonly string[];
  /** What it asks for one job, msat. */
  readonly priceMsat: number | null;
}

/** One attempt of a benchmark was judged. */
export interface BenchmarkRecord {
  readonly kind: 'benchmark';
  readonly id: string;
  readonly at: number;
  readonly taskType: string;
  readonly platform: PlatformRef;
  readonly attemptId: string;
  readonly outcome: Outcome;
  readonly smokeFailed: boolean;
  readonly measurements: StoredMeasurements;
}

/** One production job came to its end. */
export interface OutcomeRecord {
  readonly kind: 'outcome';
  readonly id: string;
  readonly at: number;
  readonly taskType: string;
  readonly platform: PlatformRef;
  readonly jobId: string;
  readonly outcome: Outcome;
  readonly valueMsat: number | null;
  readonly measurements: StoredMeasurements;
}

/**
 * What an operator can order about a platform. `pin`: it gets every job of the task type that it may get.
 * `deny`: it gets none. `suspend`: it gets none until a time (an SLA's suspension, a maintenance window).
 * `unpin`, `allow` and `resume` take it back.
 */
export type DirectiveAction = 'pin' | 'unpin' | 'deny' | 'allow' | 'suspend' | 'resume';

/** An order was given. */
export interface DirectiveRecord {
  readonly kind: 'directive';
  readonly id: string;
  readonly at: number;
  /** `null`: for every task type. */
  readonly taskType: string | null;
  readonly platform: PlatformRef;
  readonly action: DirectiveAction;
  /** End of a suspension, ms since epoch; `null`: until it is resumed. */
  readonly untilAt: number | null;
  readonly reason: string;
}

/** Why a platform was not a candidate. */
export type ExclusionReason =
  | 'excluded'
  | 'blacklisted'
  | 'denied'
  | 'suspended'
  | 'cooling'
  | 'rejected'
  | 'unqualified'
  | 'below-minimum'
  | 'below-threshold'
  | 'over-share';

/** One platform as a decision saw it. */
export interface DecisionCandidate {
  readonly platformId: string;
  readonly tier: Tier;
  /** 0..0.9 */
  readonly trust: number;
  /** 0..1 */
  readonly score: number;
  /** Probability of the first draw, 0..1. */
  readonly probability: number;
  readonly criteria: Readonly<Record<Criterion, CriterionScore>>;
}

/** One chosen platform (RTM-9). */
export interface DecisionPick {
  readonly platform: PlatformRef;
  readonly platformId: string;
  readonly name: string | null;
  readonly tier: Tier;
  /** 0..0.9 */
  readonly trust: number;
  /** Probability with which it was drawn, given the picks before it; 0 < p ≤ 1 (RTM-8c). */
  readonly probability: number;
  readonly reason: string;
}

/** One choice of platforms with everything it rested on (RTM-8c). */
export interface DecisionRecord {
  readonly kind: 'decision';
  readonly id: string;
  readonly at: number;
  readonly taskType: string;
  readonly jobId: string | null;
  readonly valueMsat: number | null;
  readonly strategy: string;
  /** How many platforms were asked for. */
  readonly wanted: number;
  /** The chosen ones, of different operators; fewer than wanted, or none, when there were no more. */
  readonly picks: readonly DecisionPick[];
  /** The candidates of the first draw, the chosen first, then the likeliest; see `loggedCandidates`. */
  readonly candidates: readonly DecisionCandidate[];
  /** How many candidates there were. */
  readonly candidateCount: number;
  /** Who was left out and why, at most `loggedCandidates`. */
  readonly excluded: readonly { readonly platformId: string; readonly reason: ExclusionReason }[];
  readonly excludedCount: number;
}

/** Everything that the log can say. */
export type RoutingRecord =
  | PlatformRecord
  | BenchmarkRecord
  | OutcomeRecord
  | DirectiveRecord
  | DecisionRecord;
