import type { Outcome } from './evidence/outcome.ts';
import type { MutationProposal } from './mutation/proposal.ts';
import type { PlatformRef } from './platform.ts';
import type { CriteriaScale, Criterion, CriterionScore } from './scoring/criteria.ts';
import type { Tier } from './scoring/tiers.ts';
import type { JsonValue } from './store.ts';

/** {@link Measurements} as stored: `null` for a value that was not measured. */
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

/** A platform registered or changed its description. */
export interface PlatformRecord {
  readonly kind: 'platform';
  readonly id: string;
  readonly at: number;
  readonly taskType: null;
  readonly platform: PlatformRef;
  readonly name: string | null;
  readonly taskTypes: readonly string[];
  /** Price of one job, msat. */
  readonly priceMsat: number | null;
  /** Version that it claims. */
  readonly version: string | null;
}

/** A benchmark attempt was judged. */
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

/** A production job ended. */
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
 * Action of a directive. `pin`: the platform gets every job of the task type that it is eligible for. `deny`: it gets
 * none. `refuse`: it gets no production work; unless an operator or a violation is behind it, one small trial a day stays
 * allowed. `suspend`: it gets none until a given time (an SLA's suspension, a maintenance window). `remove` and
 * `quarantine`: it gets none until `readmit`; a quarantine by a policy also ends when the platform is registered again.
 *
 * `unpin`, `allow` (of `deny` and `refuse`), `resume` and `readmit` (of `remove` and `quarantine`) revert what the same
 * source ordered, for one task type or for all. The strictest order of all sources holds. `readmit` by an operator also
 * ends a rejection, suspension or removal that the matrix decided.
 */
export type DirectiveAction =
  | 'pin'
  | 'unpin'
  | 'deny'
  | 'refuse'
  | 'allow'
  | 'suspend'
  | 'resume'
  | 'readmit'
  | 'remove'
  | 'quarantine';

/** Origin of a directive: a person, or a policy such as the verdicts of a ledger. */
export type DirectiveSource = 'operator' | 'policy';

/** A directive was given. */
export interface DirectiveRecord {
  readonly kind: 'directive';
  readonly id: string;
  readonly at: number;
  /** `null`: for every task type. */
  readonly taskType: string | null;
  readonly platform: PlatformRef;
  readonly action: DirectiveAction;
  /** End of a suspension, ms since epoch; `null` for a suspension until `resume`. */
  readonly untilAt: number | null;
  readonly source: DirectiveSource;
  /** True when a `refuse` rests on a violation. */
  readonly violation: boolean;
  readonly reason: string;
}

/** An operator set the budget of a task type, or of all together. */
export interface BudgetRecord {
  readonly kind: 'budget';
  readonly id: string;
  readonly at: number;
  /** `null`: for all task types together. */
  readonly taskType: string | null;
  readonly dailyMsat: number | null;
  readonly monthlyMsat: number | null;
  readonly rollover: number;
  readonly flexible: boolean;
}

/** Origin of a {@link MutationRecord}. */
export type MutationSource = 'operator' | 'agent' | 'extended' | 'rollback';

/** Thresholds or other variables were changed on purpose. Changes that follow from outcomes are not logged on their own. */
export interface MutationRecord {
  readonly kind: 'mutation';
  readonly id: string;
  readonly at: number;
  readonly taskType: null;
  readonly source: MutationSource;
  readonly proposal: MutationProposal;
}

/** An alert was raised, or its condition ended. Its id makes every alert fire once among all processes. */
export interface AlertRecord {
  readonly kind: 'alert';
  readonly id: string;
  readonly at: number;
  readonly taskType: string | null;
  /** Name of the condition. */
  readonly key: string;
  readonly raised: boolean;
  readonly alert: { readonly [name: string]: JsonValue };
}

/** The state of another log, with which a log begins that was restored from a backup. */
export interface BaseRecord {
  readonly kind: 'base';
  readonly id: string;
  readonly at: number;
  readonly taskType: null;
  readonly snapshot: string;
}

/** A payment was planned. Whether it fits the budgets follows from the records before it. */
export interface ReservationRecord {
  readonly kind: 'reservation';
  readonly id: string;
  readonly at: number;
  readonly taskType: string;
  readonly reservationId: string;
  readonly jobId: string | null;
  readonly amountMsat: number;
}

/** A reserved payment was made, or given up with 0. */
export interface SettlementRecord {
  readonly kind: 'settlement';
  readonly id: string;
  readonly at: number;
  readonly taskType: string;
  readonly reservationId: string;
  readonly paidMsat: number;
}

/** Reason for excluding a platform. */
export type ExclusionReason =
  | 'excluded'
  | 'blacklisted'
  | 'denied'
  | 'refused'
  | 'suspended'
  | 'removed'
  | 'quarantined'
  | 'cooling'
  | 'rejected'
  | 'unqualified'
  | 'below-minimum'
  | 'below-threshold'
  | 'over-exposure'
  | 'over-share'
  | 'over-budget'
  | 'at-capacity';

/** One platform at the time of a decision. */
export interface DecisionCandidate {
  readonly platformId: string;
  readonly tier: Tier;
  /** Trust, 0..0.9. */
  readonly trust: number;
  /** Score, 0..1. */
  readonly score: number;
  /** Expected price of the job, msat; `null` when unknown. */
  readonly priceMsat: number | null;
  /** Usual latency, ms; `null` when unknown. */
  readonly latencyMs: number | null;
  /** Number of its open jobs. */
  readonly inFlight: number;
  /** Time since its first record, ms. */
  readonly ageMs: number;
  /** Probability of the first draw, 0..1. */
  readonly probability: number;
  readonly criteria: Readonly<Record<Criterion, CriterionScore>>;
}

/** One chosen platform. */
export interface DecisionPick {
  readonly platform: PlatformRef;
  readonly platformId: string;
  readonly name: string | null;
  readonly tier: Tier;
  /** Trust, 0..0.9. */
  readonly trust: number;
  /** Probability of drawing it given the earlier picks; 0 < p ≤ 1. */
  readonly probability: number;
  readonly reason: string;
}

/** Features of a job that a strategy may learn from; `null` for what the caller did not state. */
export interface TaskFeatures {
  readonly taskType: string;
  /** Value of the job, msat. */
  readonly valueMsat: number | null;
  /** Size relative to a typical job, which has 1. Prices are per size 1. */
  readonly size: number | null;
  /** Time until the result is due, ms. */
  readonly deadlineMs: number | null;
  /** Difficulty, 0 (easy) to 1. */
  readonly difficulty: number | null;
}

/** One selection with all inputs of the decision. */
export interface DecisionRecord {
  readonly kind: 'decision';
  readonly id: string;
  readonly at: number;
  readonly taskType: string;
  readonly jobId: string | null;
  /** Session of the job; `null` without one. */
  readonly session: string | null;
  /** Value of the job, msat. */
  readonly valueMsat: number | null;
  /** Size relative to a typical job. */
  readonly size: number | null;
  /** Time until the result is due, ms. */
  readonly deadlineMs: number | null;
  /** Difficulty, 0..1. */
  readonly difficulty: number | null;
  readonly strategy: string;
  readonly strategyVersion: string;
  /**
   * True when no platform has earned a job of this value and the best one was chosen nevertheless: give the job to
   * several platforms, or check its result by hand.
   */
  readonly degraded: boolean;
  /** Number of requested platforms. */
  readonly wanted: number;
  /** Chosen platforms of different operators; fewer than requested when there were no more. */
  readonly picks: readonly DecisionPick[];
  /** Candidates of the first draw: chosen ones first, then by probability; see `loggedCandidates`. */
  readonly candidates: readonly DecisionCandidate[];
  /** Number of candidates. */
  readonly candidateCount: number;
  /** What the criteria of the candidates are relative to. @default the criteria are logged themselves */
  readonly scale?: CriteriaScale | undefined;
  /** Number of platforms on the shortlist that was considered; `null` when all were. */
  readonly shortlisted: number | null;
  /** Excluded platforms with reasons, at most `loggedCandidates`. */
  readonly excluded: readonly { readonly platformId: string; readonly reason: ExclusionReason }[];
  readonly excludedCount: number;
}

/** A record of the log. */
export type RoutingRecord =
  | PlatformRecord
  | BenchmarkRecord
  | OutcomeRecord
  | DirectiveRecord
  | DecisionRecord
  | BudgetRecord
  | ReservationRecord
  | SettlementRecord
  | MutationRecord
  | AlertRecord
  | BaseRecord;
