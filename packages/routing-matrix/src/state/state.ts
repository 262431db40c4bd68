import { type BudgetBook, emptyBook } from '../budget/book.ts';
import type { RoutingConfig } from '../config.ts';
import type { Outcome } from '../evidence/outcome.ts';
import type { Attempt } from '../evidence/qualification.ts';
import type { UsualRate } from '../lifecycle/cusum.ts';
import type { Lifecycle } from '../lifecycle/stage.ts';
import { type MutationState, noMutations } from '../mutation/thresholds.ts';
import type { PlatformRef } from '../platform.ts';
import type { AlertRecord, DirectiveSource, PlatformRecord, TaskFeatures } from '../records.ts';
import type { RunningQuantile } from '../statistics/running-quantile.ts';
import type { SampleWindow } from '../statistics/window.ts';
import type { SourceDirectives } from './directives.ts';
import type { SessionPlatform } from './sessions.ts';

/**
 * Qualification of a platform for a task type. `EVALUATING`: registered, not qualified. `ACTIVE`: qualified.
 * `CONDITIONAL`: qualified for work with a low threshold. `REJECTED`: failed its evaluation; cools down, or is due for
 * another. `BLACKLISTED`: its operator attacked the judge; permanent.
 */
export type QualificationStatus = 'EVALUATING' | 'ACTIVE' | 'CONDITIONAL' | 'REJECTED' | 'BLACKLISTED';

/** State of one platform in one task type. */
export interface EntryState {
  readonly platform: PlatformRef;
  readonly platformId: string;
  readonly taskType: string;
  status: QualificationStatus;
  statusReason: string;
  lifecycle: Lifecycle;
  /** Level of the CUSUM statistic of its production outcomes. */
  cusum: number;
  /** Success rate that the CUSUM statistic compares with. */
  usual: UsualRate;
  /** Number of timeouts since its last other outcome. */
  timeoutRun: number;
  trust: number | null;
  /** Mean composite of the last decided evaluation. */
  score: number | null;
  /** Attempts of the current evaluation. */
  attempts: (Attempt & { readonly latencyMs: number | null })[];
  failedEvaluations: number;
  cooldownUntilAt: number | null;
  rejectedAt: number | null;
  /** Version of its description when it was rejected. */
  rejectedVersion: string | null;
  /** True when every attempt of the last evaluation failed. */
  straightFailures: boolean;
  /** True once an operator allowed another evaluation. */
  readmitted: boolean;
  /** Consecutive benchmark successes since qualification: k of {@link successGain}. */
  benchmarkRun: number;
  benchmarks: number;
  lastBenchmarkAt: number | null;
  readonly outcomes: Record<Outcome, number>;
  lastVerifiedAt: number | null;
  /** Beta(1 + good, 1 + bad), both fading (see `evidenceHalfLifeMs`). */
  good: number;
  bad: number;
  evidenceAt: number;
  /** Successes and judged pieces of work by day, for the success rate of 30 days. */
  readonly days: Map<number, { successes: number; total: number }>;
  readonly latency: SampleWindow;
  readonly cost: SampleWindow;
  readonly memory: SampleWindow;
  readonly coverage: SampleWindow;
}

/** State of one platform over all task types. */
export interface PlatformState {
  readonly platform: PlatformRef;
  readonly platformId: string;
  registration: PlatformRecord | null;
  registrations: number;
  /** Time of its first record, ms since epoch. */
  readonly firstSeenAt: number;
  /** Number of its production outcomes over all task types. */
  judged: number;
  /** Time of its last job, ms since epoch; 0 without one. */
  lastPickedAt: number;
  /** Its jobs without an outcome by id, oldest first. */
  readonly openJobs: Map<string, OpenJob>;
  /** Directives about it, by source. */
  readonly directives: Map<DirectiveSource, SourceDirectives>;
}

/** A job that was assigned and has no outcome. */
export interface OpenJob {
  readonly at: number;
  readonly taskType: string;
  /** Value, msat; `null` when unknown. */
  readonly valueMsat: number | null;
  readonly session: string | null;
}

/** State of one task type. */
export interface TaskState {
  decisions: number;
  /** Recent picks, oldest first, and their number by platform. */
  recent: { readonly at: number; readonly operator: string }[];
  readonly recentCounts: Map<string, number>;
  /** Platforms that decisions consider; `null` until it is made, see {@link shortlistOf}. */
  shortlist: readonly string[] | null;
  readonly latency: SampleWindow;
  readonly execution: SampleWindow;
  /** Deadline of a typical job. */
  readonly usualDeadline: SampleWindow;
  /** Jobs by their time, since the last change of the timeout. */
  readonly timing: { early: number; near: number; silent: number };
  /** Value that 60 % of its jobs do not exceed, msat. */
  readonly usualValue: RunningQuantile;
  /** Pinned platforms, by source. */
  readonly pins: Map<DirectiveSource, string>;
}

/** Result of the fold. Its shape is internal; read it through {@link entryView} and {@link entryViews}. */
export interface MatrixState {
  readonly config: RoutingConfig;
  /** Sequence number of the last applied record. */
  seq: number;
  /** Id of that record; '' before the first. */
  lastId: string;
  readonly platforms: Map<string, PlatformState>;
  /** Operator's key → ids of its platforms. */
  readonly services: Map<string, string[]>;
  readonly tasks: Map<string, TaskState>;
  /** Task type → platform → entry. */
  readonly entries: Map<string, Map<string, EntryState>>;
  /** Platform → task types. */
  readonly taskTypesOf: Map<string, Set<string>>;
  /** Blacklisted operators' keys with time and reason. */
  readonly blacklist: Map<string, { readonly at: number; readonly recordId: string }>;
  /** Platforms pinned for every task type, by source. */
  readonly pinsForAll: Map<DirectiveSource, string>;
  /** Features of recent jobs by id, oldest first; at most {@link rememberedJobs}. */
  readonly jobs: Map<string, TaskFeatures>;
  /** Platform of the last job of recent sessions, oldest first; see {@link rememberSession}. */
  readonly sessions: Map<string, SessionPlatform>;
  readonly budgets: BudgetBook;
  readonly mutations: MutationState;
  /** Names of the last outcomes and benchmarks before the state with which a restored log begins; see {@link recordName}. */
  readonly recordedBefore: ReadonlySet<string>;
  /** Alerts by the name of their condition, oldest first; at most {@link rememberedAlerts}. */
  readonly alerts: Map<string, AlertState>;
}

/** An alert that was raised at least once. */
export interface AlertState {
  /** Number of records about it. */
  changes: number;
  raised: boolean;
  at: number;
  alert: AlertRecord['alert'];
}

const states = new WeakSet<object>();

/** Marks an object as a state that this package made. */
function marked(state: MatrixState): MatrixState {
  states.add(state);
  return state;
}

/** Tells whether a value is a state that this package made: nothing else has its shape. */
export const isState = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && states.has(value);

/** Returns the state before the first record, or with these parts of a later one. */
export function emptyState(config: RoutingConfig, parts: Partial<MatrixState> = {}): MatrixState {
  return marked({
    seq: 0,
    lastId: '',
    platforms: new Map(),
    services: new Map(),
    tasks: new Map(),
    entries: new Map(),
    taskTypesOf: new Map(),
    blacklist: new Map(),
    pinsForAll: new Map(),
    jobs: new Map(),
    sessions: new Map(),
    budgets: emptyBook(),
    mutations: noMutations(),
    recordedBefore: new Set(),
    alerts: new Map(),
    ...parts,
    config,
  });
}
