import type { Logger, Page, Unsubscribe } from '@bonafide/internal';
import type { RoutingConfig, RoutingConfigInput } from '../config.ts';
import type { RoutingEvents } from '../events.ts';
import type { BenchmarkVerdict } from '../evidence/composite.ts';
import type { Measurements, Outcome } from '../evidence/outcome.ts';
import type { QuarantinedRecord } from '../log/routing-log.ts';
import type { MutationProposal } from '../mutation/proposal.ts';
import type { PlatformRef } from '../platform.ts';
import type { DecisionRecord, DirectiveAction, DirectiveSource } from '../records.ts';
import type { SnapshotStore } from '../recovery/snapshot.ts';
import type { SelectionStrategy } from '../selection/strategy.ts';
import type { RoutingStore } from '../store.ts';
import type { MatrixEntry } from '../views/entry.ts';
import type { DueProbe } from '../views/probes.ts';
import type { ChangeView, ThresholdsView } from '../views/thresholds.ts';
import type { Budgets } from './budgets.ts';
import type { Maintenance } from './propose-variables.ts';

/** Options of {@link createRoutingMatrix}. */
export interface RoutingMatrixOptions {
  /** Store of the log. The matrix never closes it. */
  readonly store: RoutingStore;
  /** Returns the current time in ms since epoch. @default Date.now */
  readonly clock?: () => number;
  /** 0 ≤ x < 1. @default Math.random */
  readonly random?: () => number;
  /**
   * Returns an unused id for decisions without a `jobId` and directives without an `id`. @default crypto.randomUUID
   */
  readonly newId?: () => string;
  readonly config?: RoutingConfigInput;
  /** Snapshots, so that opening does not read the whole log. @default none */
  readonly snapshots?: SnapshotStore;
  /**
   * Strategy of the choice among candidates: `learned` has the least regret in the package's simulation, `tiered`
   * gives fixed shares to tiers of trust. @default 'learned'
   */
  readonly strategy?: 'learned' | 'tiered' | SelectionStrategy;
  /**
   * False for a tool that works beside the agent, so that it does not raise the alerts which the agent should. @default true
   */
  readonly raiseAlerts?: boolean;
  readonly logger?: Logger;
}

/** A platform's description of itself. */
export interface Registration {
  readonly platform: PlatformRef;
  /** Name, stored as one sanitized line of at most 128 bytes. */
  readonly name?: string | null;
  /** Its task types; each gets an entry. At most 256, others and those that cannot be stored are ignored. */
  readonly taskTypes?: readonly string[];
  /** Price of one job, msat. */
  readonly priceMsat?: number | null;
  /** Version that it claims; a new major version may end the fourth rejection and later ones. */
  readonly version?: string | null;
  readonly at?: number;
}

/** One judged attempt of a benchmark. */
export interface BenchmarkInput {
  readonly platform: PlatformRef;
  readonly taskType: string;
  /** Unique id of the attempt; a repeated id has no effect. */
  readonly attemptId: string;
  readonly verdict: BenchmarkVerdict;
  /** Time of the verdict, ms since epoch. @default now */
  readonly at?: number;
}

/** One finished production job. */
export interface OutcomeInput {
  /** Unique together with the platform; a repeated pair has no effect. */
  readonly jobId: string;
  readonly platform: PlatformRef;
  readonly taskType: string;
  readonly outcome: Outcome;
  readonly measurements?: Measurements;
  /** Value of the job, msat. */
  readonly valueMsat?: number | null;
  /** Time of its end, ms since epoch. @default now */
  readonly at?: number;
}

/** A directive about a platform, of an operator or a policy. */
export interface DirectiveInput {
  readonly platform: PlatformRef;
  readonly action: DirectiveAction;
  /** Reason for the log. */
  readonly reason: string;
  /** Origin: 'policy' for verdicts of a ledger, so that deciding needs no ledger. @default 'operator' */
  readonly source?: DirectiveSource;
  /** True when a `refuse` rests on a violation: no trial is left. @default false */
  readonly violation?: boolean;
  /** Task type; `null` or absent for all. */
  readonly taskType?: string | null;
  /** End of a suspension, ms since epoch; absent for a suspension until `resume`. */
  readonly untilAt?: number | null;
  /** Unique id; a repeated id has no effect. @default a new id */
  readonly id?: string;
  readonly at?: number;
}

/** A job to assign. */
export interface TaskRequest {
  readonly taskType: string;
  /**
   * Makes the decision idempotent: the same job gets the same platforms, also after a restart, and also when they are fewer than
   * requested. A decision without platforms is not kept: a later call decides again.
   */
  readonly jobId?: string | null;
  /**
   * Id of a conversation or a series of jobs. Its next job of the same type goes to the platform that got the last one, unless
   * that one failed, or the platform is degraded, has too little trust, has not earned a job of this value, asks for more than 1.5
   * times its lowest price of the session, or exceeds its share.
   */
  readonly session?: string | null;
  /** Value of the job, msat. It limits platforms below the threshold. */
  readonly valueMsat?: number | null;
  /** Size relative to a typical job; prices are per size 1. @default 1 for the price, unknown to the strategy */
  readonly size?: number | null;
  /** Time until the result is due, ms. A later result counts as a failure for the learned strategy. */
  readonly deadlineMs?: number | null;
  /** Difficulty, 0 (easy) to 1. */
  readonly difficulty?: number | null;
}

/** Options of a selection. */
export interface SelectOptions {
  /** Number of platforms, each of a different operator. @default 1 */
  readonly n?: number;
  /** Excluded platforms. */
  readonly exclude?: readonly PlatformRef[];
  /**
   * Returns how alike the answers of two platforms are, 0..1, for example because they share relays or gave the same wrong
   * answers; see `platformSimilarity`. A platform keeps 1 − its similarity to the most similar one that was chosen before it, or is
   * in `besides`, of its normal probability, so that replicas check each other.
   */
  readonly similarity?: (a: PlatformRef, b: PlatformRef) => number;
  /** Platforms that were asked for this job before, for `similarity`. They may be chosen again unless `exclude` names them. */
  readonly besides?: readonly PlatformRef[];
  /** Random source of this selection. @default the matrix's */
  readonly random?: () => number;
}

/** The result of recording. */
export interface Recorded {
  /** False for a repeated id: nothing changed. */
  readonly recorded: boolean;
  /** The current entry. */
  readonly entry: MatrixEntry;
}

/** A page of logged decisions. */
export type DecisionPage = Page<DecisionRecord>;

/**
 * Decides which platform gets a job. Its state is a fold over its log: input is appended durably before it takes
 * effect, in one order, and once. The log is read on the first call.
 *
 * Every method rejects with `CLOSED` after `close()`, and with `STORE_FAILED` when the store fails; nothing changes
 * then.
 */
export interface RoutingMatrix {
  /** Registers a platform or updates its description. An equal description writes nothing. */
  register(registration: Registration): Promise<{ readonly recorded: boolean }>;
  /** Records a judged benchmark attempt. Idempotent by `attemptId`. */
  recordBenchmark(benchmark: BenchmarkInput): Promise<Recorded>;
  /** Records a finished production job. Idempotent by job and platform. */
  recordOutcome(outcome: OutcomeInput): Promise<Recorded>;
  /** Pins, denies, refuses or suspends a platform, or reverts such a directive. */
  direct(directive: DirectiveInput): Promise<{ readonly recorded: boolean }>;
  /**
   * Chooses platforms for a job and logs the decision before it returns. `picks` is empty when no platform is
   * eligible; `excluded` names the reasons. Of the decisions of one job without platforms only the first is logged.
   */
  select(task: TaskRequest, options?: SelectOptions): Promise<DecisionRecord>;
  /** Returns every entry, by task type and then by trust. */
  entries(filter?: { readonly taskType?: string }): Promise<MatrixEntry[]>;
  entry(taskType: string, platform: PlatformRef): Promise<MatrixEntry | null>;
  /** Returns the benchmarks that are due: evaluations, retries, and probes of silent or degraded platforms. */
  dueProbes(): Promise<DueProbe[]>;
  /** Returns logged decisions, newest first. */
  decisions(query?: {
    readonly taskType?: string;
    /** Largest number of decisions, 1–1000. @default 50 */
    readonly limit?: number;
    readonly cursor?: string;
  }): Promise<DecisionPage>;
  /**
   * Applies records that other processes appended to the same log. Every write, `select`, `entry` and `entries` do
   * this too.
   */
  refresh(): Promise<void>;
  /** Returns the records of the log that could not be parsed; no view contains them. */
  quarantined(): Promise<readonly QuarantinedRecord[]>;
  /** Returns the current thresholds, the other variables and their logical time. */
  thresholds(): Promise<ThresholdsView>;
  /** Returns the changes of thresholds of the last days, oldest first. */
  mutations(filter?: { readonly taskType?: string }): Promise<ChangeView[]>;
  /**
   * Applies a proposal: of an operator, or of another agent. A clock that knows the current one replaces it, an older one
   * has no effect, and two that do not know each other are merged conservatively.
   */
  applyMutation(proposal: Partial<MutationProposal>, source?: 'operator' | 'agent'): Promise<ThresholdsView>;
  /** Restores the thresholds of a time within the last seven days. */
  rollbackThresholds(to: { readonly at: number; readonly taskType?: string }): Promise<ThresholdsView>;
  /**
   * Raises alerts that depend on time and adapts timeouts, parallelism and other variables in one batch. Call it every few
   * minutes with what you observed.
   */
  maintain(observations?: Maintenance): Promise<void>;
  /**
   * Quarantines platforms that the registry does not list any more, until they are registered again. Call it after a
   * recovery, and when the registry changed.
   *
   * @returns The quarantined platforms.
   */
  reconcile(known: Iterable<PlatformRef>): Promise<PlatformRef[]>;
  /** Writes a snapshot, unless nothing changed since the last one. `close` does it too. */
  snapshot(): Promise<void>;
  /** Returns a snapshot with the sequence number of its last record, for a backup. */
  exportSnapshot(): Promise<{ readonly seq: number; readonly snapshot: string }>;
  /** Calls `maintain` every minute and `snapshot` every five, until `close`. */
  start(options?: { readonly maintainEveryMs?: number; readonly snapshotEveryMs?: number }): void;
  /**
   * Registers a listener.
   *
   * @throws RoutingError `INVALID_INPUT` for an unknown name, and for a listener that is not a function.
   */
  on<Name extends keyof RoutingEvents & string>(
    name: Name,
    listener: (event: RoutingEvents[Name]) => unknown,
  ): Unsubscribe;
  /** Budgets of payments. `select` leaves out platforms whose price does not fit. */
  readonly budgets: Budgets;
  readonly config: RoutingConfig;
  /** Waits for pending writes and closes the matrix. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
