import { type BudgetBook, emptyBook, reserve, setBudget, settle } from './budget/book.ts';
import type { Baseline } from './composite.ts';
import { compositeScore } from './composite.ts';
import { configuredThreshold, type RoutingConfig } from './config.ts';
import { afterBenchmarkSuccess, conditionalScore, initialTrust } from './initial-trust.ts';
import { nextCusum } from './lifecycle/cusum.ts';
import { mayBeEvaluated } from './lifecycle/re-engagement.ts';
import { signalsOf } from './lifecycle/signals.ts';
import {
  afterReadmission,
  afterRemoval,
  afterWork,
  type Lifecycle,
  lifecycleAt,
  normalLifecycle,
} from './lifecycle/stage.ts';
import { applyJudgedJob, applyMutation, type MutationState, noMutations } from './mutation/thresholds.ts';
import { ownValue } from './numbers.ts';
import { moveTrust, type Outcome } from './outcome.ts';
import { type PlatformRef, platformId } from './platform.ts';
import { type Attempt, cooldownMs, qualify } from './qualification.ts';
import type {
  AlertRecord,
  BenchmarkRecord,
  DecisionRecord,
  DirectiveRecord,
  OutcomeRecord,
  PlatformRecord,
  RoutingRecord,
  StoredMeasurements,
} from './records.ts';
import { RunningQuantile } from './running-quantile.ts';
import { shortlistDecisions, shortlistOf } from './shortlist.ts';
import type { TaskFeatures } from './strategy.ts';
import { SampleWindow } from './window.ts';

/**
 * Qualification of a platform for a task type. `EVALUATING`: registered, not qualified. `ACTIVE`: qualified.
 * `CONDITIONAL`: qualified for work with a low threshold. `REJECTED`: failed its evaluation; cools down, or is due for
 * another. `BLACKLISTED`: its operator attacked the judge; permanent.
 */
export type QualificationStatus = 'EVALUATING' | 'ACTIVE' | 'CONDITIONAL' | 'REJECTED' | 'BLACKLISTED';

/**
 * Status of a platform in a task type: its {@link QualificationStatus}, or the {@link Stage} of a qualified one that
 * degraded. `SUSPECTED_DEGRADED`: full allocation, watched more closely. `REDUCED`: half of it. `SUSPENDED`: none.
 * `HALF_OPEN`: a growing share after a suspension. `REMOVED`: none, until it is discovered again.
 */
export type EntryStatus =
  | QualificationStatus
  | 'SUSPECTED_DEGRADED'
  | 'REDUCED'
  | 'SUSPENDED'
  | 'HALF_OPEN'
  | 'REMOVED';

/** A change caused by a record, for listeners. */
export type Change =
  | {
      readonly type: 'trust';
      readonly platform: PlatformRef;
      readonly taskType: string;
      readonly before: number | null;
      readonly after: number | null;
      /** Id of the record that caused it. */
      readonly recordId: string;
    }
  | {
      readonly type: 'status';
      readonly platform: PlatformRef;
      readonly taskType: string;
      readonly before: EntryStatus;
      readonly after: EntryStatus;
      readonly reason: string;
      readonly recordId: string;
    }
  | {
      /** The success rate of a platform fell so clearly that the threshold of its task type should be looked at. */
      readonly type: 'success-fell';
      readonly platform: PlatformRef;
      readonly taskType: string;
      readonly recordId: string;
    };

const dayMs = 86_400_000;
/** Success rate that counts as usual before there is evidence. */
const expectedRate = 0.9;
const entrySamples = 100;
const taskSamples = 500;

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
  /** Start time of its jobs without an outcome, by job id. */
  readonly openJobs: Map<string, number>;
  /** End of its suspension by task type ('' for all); `Infinity` until it is resumed. */
  readonly suspendedUntil: Map<string, number>;
  /** True while the registry does not list it. */
  quarantined: boolean;
  /** Task types for which it is denied ('' for all). */
  readonly denied: Set<string>;
  /** Task types for which it is refused ('' for all), with whether a trial a day is left. */
  readonly refused: Map<string, { readonly trial: boolean }>;
}

/** State of one task type. */
export interface TaskState {
  decisions: number;
  /** Recent picks, oldest first, and their number by platform. */
  recent: { readonly at: number; readonly platformId: string }[];
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
  /** The pinned platform. */
  pinned: string | null;
}

/** Result of the fold. Its shape is internal; read it through {@link entryView} and {@link entryViews}. */
export interface MatrixState {
  readonly config: RoutingConfig;
  /** Sequence number of the last applied record. */
  seq: number;
  /** Id of that record; '' before the first. */
  lastId: string;
  readonly platforms: Map<string, PlatformState>;
  readonly tasks: Map<string, TaskState>;
  /** Task type → platform → entry. */
  readonly entries: Map<string, Map<string, EntryState>>;
  /** Platform → task types. */
  readonly taskTypesOf: Map<string, Set<string>>;
  /** Blacklisted operators' keys with time and reason. */
  readonly blacklist: Map<string, { readonly at: number; readonly recordId: string }>;
  /** The platform pinned for every task type. */
  pinnedForAll: string | null;
  /** Features of recent jobs by id, oldest first; at most {@link rememberedJobs}. */
  readonly jobs: Map<string, TaskFeatures>;
  readonly budgets: BudgetBook;
  readonly mutations: MutationState;
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

const rememberedAlerts = 10_000;

/** Number of jobs whose features are remembered for their outcomes. */
const rememberedJobs = 10_000;

/** Returns the state before the first record. */
export function emptyState(config: RoutingConfig): MatrixState {
  return {
    config,
    seq: 0,
    lastId: '',
    platforms: new Map(),
    tasks: new Map(),
    entries: new Map(),
    taskTypesOf: new Map(),
    blacklist: new Map(),
    pinnedForAll: null,
    jobs: new Map(),
    budgets: emptyBook(),
    mutations: noMutations(),
    alerts: new Map(),
  };
}

/** Returns the features of the job that a record is about; `null` when no decision for it is remembered. */
export function featuresOf(state: MatrixState, record: RoutingRecord): TaskFeatures | null {
  if (record.kind === 'outcome') return state.jobs.get(record.jobId) ?? null;
  if (record.kind !== 'decision') return null;
  const { taskType, valueMsat, size, deadlineMs, difficulty } = record;
  return { taskType, valueMsat, size, deadlineMs, difficulty };
}

/** Applies one record. Mutates `state`, so that a million records fold in seconds. */
export function applyRecord(state: MatrixState, record: RoutingRecord): Change[] {
  switch (record.kind) {
    case 'platform':
      return applyPlatform(state, record);
    case 'benchmark':
      return applyBenchmark(state, record);
    case 'outcome':
      return applyOutcome(state, record);
    case 'directive':
      return applyDirective(state, record);
    case 'decision':
      return applyDecision(state, record);
    case 'budget':
      setBudget(state.budgets, record);
      return [];
    case 'reservation':
      reserve(state.budgets, record);
      return [];
    case 'settlement':
      settle(state.budgets, record);
      return [];
    case 'mutation':
      applyMutation(state.mutations, record, (taskType) => configuredThreshold(state.config, taskType));
      for (const taskType of Object.keys(
        record.proposal.extendedMutations.TIMEOUT_CONFIGURATION?.byTaskType ?? {},
      )) {
        Object.assign(taskOf(state, taskType).timing, { early: 0, near: 0, silent: 0 });
      }
      return [];
    case 'alert':
      return applyAlert(state, record);
    case 'base':
      // The reader of the log replaces the state by that of the snapshot: see `openRoutingLog` and `replay`.
      return [];
  }
}

/**
 * Returns the baseline of a task type: medians of recorded results; the configured figures until there are enough.
 */
export function baselineOf(state: MatrixState, taskType: string): Baseline {
  const task = state.tasks.get(taskType);
  const configured = ownValue(state.config.baselines, taskType);
  const seen = (window: SampleWindow | undefined, q: number) =>
    window !== undefined && window.count >= state.config.baselineSamples ? window.quantile(q) : null;
  return {
    latencyMs: seen(task?.latency, 0.5) ?? configured?.latencyMs ?? null,
    latencyP95Ms: seen(task?.latency, 0.95) ?? configured?.latencyP95Ms ?? null,
    executionMs: seen(task?.execution, 0.5) ?? configured?.executionMs ?? null,
  };
}

function applyAlert(state: MatrixState, { key, raised, at, alert }: AlertRecord): Change[] {
  const changes = (state.alerts.get(key)?.changes ?? 0) + 1;
  state.alerts.delete(key);
  state.alerts.set(key, { changes, raised, at, alert });
  const oldest = state.alerts.keys().next();
  if (state.alerts.size > rememberedAlerts && !oldest.done) state.alerts.delete(oldest.value);
  return [];
}

function applyPlatform(state: MatrixState, record: PlatformRecord): Change[] {
  const platform = platformOf(state, record.platform, record.at);
  platform.registration = record;
  platform.registrations += 1;
  platform.quarantined = false;
  for (const taskType of record.taskTypes) entryOf(state, record.platform, taskType, record.at);
  return [];
}

function applyBenchmark(state: MatrixState, record: BenchmarkRecord): Change[] {
  const entry = entryOf(state, record.platform, record.taskType, record.at);
  if (record.outcome === 'INFRA') return [];
  const before = standing(state, entry, record.at);
  const { outcome, measurements } = record;
  const baseline = baselineOf(state, record.taskType);
  const passRate = measurements.passRate ?? 0;
  const score = compositeScore(
    { ...measurements, outcome, passRate, smokeFailed: record.smokeFailed },
    baseline,
  );
  entry.benchmarks += 1;
  entry.lastBenchmarkAt = Math.max(entry.lastBenchmarkAt ?? 0, record.at);
  observe(state, entry, outcome, measurements, record.at);

  if (outcome === 'SECURITY_VIOLATION') return blacklist(state, entry, record);
  if (entry.status === 'BLACKLISTED') return [];
  if (entry.trust !== null) live(state, entry, record, baseline);
  if (entry.status === 'ACTIVE') {
    keepVerified(entry, outcome, measurements, baseline);
  } else if (entry.status !== 'REJECTED' || mayBeEvaluated(entry, platformStateOf(state, entry), record.at)) {
    entry.attempts.push({ outcome, score, latencyMs: measurements.latencyMs });
    if (entry.status === 'REJECTED') setStatus(entry, 'EVALUATING', 'evaluated again');
    decideEvaluation(state, entry, baseline, record.at);
  }
  return changes(state, entry, before, record);
}

const platformStateOf = (state: MatrixState, entry: EntryState) => state.platforms.get(entry.platformId);

/**
 * Applies a benchmark of a qualified platform: a success adds the next {@link successGain}, any other outcome costs
 * as much as in production.
 */
function keepVerified(
  entry: EntryState,
  outcome: Outcome,
  measurements: StoredMeasurements,
  baseline: Baseline,
): void {
  const trust = entry.trust ?? 0;
  if (outcome === 'SUCCESS') {
    entry.trust = afterBenchmarkSuccess(trust, entry.benchmarkRun);
    entry.benchmarkRun += 1;
  } else {
    entry.trust = moveTrust(trust, outcome, measurements, baseline.latencyMs);
    entry.benchmarkRun = 0;
  }
}

function decideEvaluation(state: MatrixState, entry: EntryState, baseline: Baseline, at: number): void {
  const decision = qualify(entry.attempts, state.config);
  if (decision.verdict === 'CONTINUE' || decision.score === null) return;
  const latencies = entry.attempts.flatMap(({ latencyMs }) => (latencyMs === null ? [] : [latencyMs]));
  const sorted = latencies.sort((a, b) => a - b);
  const latencyMs = sorted[Math.max(0, Math.ceil(sorted.length / 2) - 1)] ?? null;
  entry.score = decision.score;
  entry.attempts = [];
  if (decision.verdict === 'REJECTED') {
    entry.failedEvaluations += 1;
    // A second cooldown never shortens the first.
    entry.cooldownUntilAt = Math.max(
      entry.cooldownUntilAt ?? 0,
      at + cooldownMs(entry.failedEvaluations, decision.straightFailures),
    );
    entry.rejectedAt = at;
    entry.rejectedVersion = platformStateOf(state, entry)?.registration?.version ?? null;
    entry.straightFailures = decision.straightFailures;
    entry.readmitted = false;
    entry.trust = null;
    setStatus(entry, 'REJECTED', decision.reason);
    return;
  }
  // Three consecutive successes qualify regardless of the other dimensions, at the lowest step or above.
  const start = initialTrust({
    score: Math.max(decision.score, conditionalScore),
    latencyMs,
    baselineMs: baseline.latencyMs,
  });
  if (entry.trust === null) {
    entry.lifecycle = { ...normalLifecycle(at), suspensions: entry.lifecycle.suspensions };
  }
  entry.trust = Math.max(entry.trust ?? 0, start ?? 0);
  entry.benchmarkRun = 0;
  setStatus(entry, decision.verdict === 'ACTIVE' ? 'ACTIVE' : 'CONDITIONAL', decision.reason);
}

function applyOutcome(state: MatrixState, record: OutcomeRecord): Change[] {
  const entry = entryOf(state, record.platform, record.taskType, record.at);
  const platform = platformOf(state, record.platform, record.at);
  platform.openJobs.delete(record.jobId);
  entry.outcomes[record.outcome] += 1;
  if (record.outcome === 'INFRA') return [];
  platform.judged += 1;
  const before = standing(state, entry, record.at);
  const baseline = baselineOf(state, record.taskType);
  const size = state.jobs.get(record.jobId)?.size ?? 1;
  observe(state, entry, record.outcome, record.measurements, record.at, size);
  countAgainstDeadline(state, record);
  const suspend = applyJudgedJob(state.mutations, record, {
    configured: configuredThreshold(state.config, record.taskType),
    baselineMs: baseline.latencyMs,
    platform: entry.platformId,
    moves: state.config.adaptiveThresholds,
  });
  if (record.outcome === 'SECURITY_VIOLATION') return blacklist(state, entry, record);
  if (entry.trust !== null && entry.status !== 'BLACKLISTED') {
    entry.trust = moveTrust(entry.trust, record.outcome, record.measurements, baseline.latencyMs);
    const proposed = live(state, entry, record, baseline, suspend);
    return [...changes(state, entry, before, record), ...proposed];
  }
  return changes(state, entry, before, record);
}

/** Counts how a job stood to its deadline, for the proposal of another timeout. */
function countAgainstDeadline(
  state: MatrixState,
  { taskType, jobId, outcome, measurements }: OutcomeRecord,
): void {
  const deadlineMs = state.jobs.get(jobId)?.deadlineMs ?? null;
  if (deadlineMs === null) return;
  const { timing } = taskOf(state, taskType);
  const { latencyMs, errorKind } = measurements;
  if (latencyMs === null) {
    if (outcome === 'ERROR' && errorKind === 'timeout') timing.silent += 1;
    return;
  }
  const share = latencyMs / deadlineMs;
  if (share < 0.5) timing.early += 1;
  else if (share >= 0.8 && share <= 1) timing.near += 1;
}

/** Moves a qualified platform along its life cycle. */
function live(
  state: MatrixState,
  entry: EntryState,
  record: BenchmarkRecord | OutcomeRecord,
  baseline: Baseline,
  suspend = false,
): Change[] {
  const config = state.config.lifecycle;
  const { outcome, measurements, at, kind } = record;
  const success = outcome === 'SUCCESS';
  const timeout = outcome === 'ERROR' && measurements.errorKind === 'timeout';
  entry.timeoutRun = timeout ? entry.timeoutRun + 1 : 0;
  const before = entry.cusum;
  const judged = entry.good + entry.bad;
  if (kind === 'outcome' && judged >= config.minOutcomes) {
    // The expected rate weighs as much as twenty works, so that a few failures of a new platform do not lower the bar.
    const usual = (20 * expectedRate + entry.good) / (20 + judged);
    entry.cusum = nextCusum(entry.cusum, success, usual, config.cusumDrop);
  }
  const { stage } = entry.lifecycle;
  entry.lifecycle = afterWork(
    entry.lifecycle,
    {
      at,
      kind,
      success,
      signals: suspend ? ['severe'] : signalsOf(entry, { outcome, measurements, at }, baseline, config),
      maySuspend: () => enoughWithout(state, entry, at),
    },
    config,
  );
  if (entry.lifecycle.stage === 'normal' && stage !== 'normal') entry.cusum = 0;
  if (before >= config.cusumPropose || entry.cusum < config.cusumPropose) return [];
  const { platform, taskType } = entry;
  return [{ type: 'success-fell', platform, taskType, recordId: record.id }];
}

/** Tells whether enough platforms of the task type would be left without this one: three, and half of them. */
function enoughWithout(state: MatrixState, entry: EntryState, at: number): boolean {
  let [working, suspended] = [0, 1];
  for (const other of state.entries.get(entry.taskType)?.values() ?? []) {
    if (other === entry || other.trust === null || other.status === 'BLACKLISTED') continue;
    const { stage } = lifecycleAt(other.lifecycle, at, state.config.lifecycle);
    if (stage === 'suspended') suspended += 1;
    else if (stage !== 'removed') working += 1;
  }
  return working >= state.config.minActivePlatforms && working >= suspended;
}

function applyDirective(state: MatrixState, record: DirectiveRecord): Change[] {
  const platform = platformOf(state, record.platform, record.at);
  const scope = record.taskType ?? '';
  switch (record.action) {
    case 'pin':
      setPin(state, record.taskType, platform.platformId);
      break;
    case 'unpin':
      setPin(state, record.taskType, null, platform.platformId);
      break;
    case 'deny':
      platform.denied.add(scope);
      break;
    case 'refuse':
      platform.refused.set(scope, { trial: record.source === 'policy' && !record.violation });
      break;
    case 'allow':
      platform.denied.delete(scope);
      platform.refused.delete(scope);
      break;
    case 'suspend':
      platform.suspendedUntil.set(scope, record.untilAt ?? Number.POSITIVE_INFINITY);
      break;
    case 'resume':
      platform.suspendedUntil.delete(scope);
      break;
    case 'quarantine':
      platform.quarantined = true;
      break;
    case 'readmit':
    case 'remove':
      return changeStages(state, platform, record);
  }
  return [];
}

/** Lets the entries of a platform return, or removes them. */
function changeStages(state: MatrixState, platform: PlatformState, record: DirectiveRecord): Change[] {
  const changed: Change[] = [];
  if (record.action === 'readmit') platform.quarantined = false;
  for (const taskType of state.taskTypesOf.get(platform.platformId) ?? []) {
    const entry = state.entries.get(taskType)?.get(platform.platformId);
    if (entry === undefined || (record.taskType !== null && record.taskType !== taskType)) continue;
    const before = standing(state, entry, record.at);
    if (record.action === 'remove') {
      entry.lifecycle = afterRemoval(entry.lifecycle, record.at, record.reason);
    } else {
      if (entry.lifecycle.stage === 'removed' && entry.status !== 'BLACKLISTED') {
        entry.trust = null;
        entry.attempts = [];
        setStatus(entry, 'EVALUATING', 'discovered anew');
      }
      entry.readmitted = entry.status === 'REJECTED';
      entry.lifecycle = afterReadmission(entry.lifecycle, record.at);
    }
    changed.push(...changes(state, entry, before, record));
  }
  return changed;
}

function setPin(state: MatrixState, taskType: string | null, to: string | null, only?: string): void {
  if (taskType === null) {
    if (only === undefined || state.pinnedForAll === only) state.pinnedForAll = to;
    return;
  }
  const task = taskOf(state, taskType);
  if (only === undefined || task.pinned === only) task.pinned = to;
}

function applyDecision(state: MatrixState, record: DecisionRecord): Change[] {
  const task = taskOf(state, record.taskType);
  // Made from the state before the decision, as the process that decided did.
  task.shortlist ??= shortlistOf(state, record.taskType);
  task.decisions += 1;
  if (task.decisions % shortlistDecisions === 0) task.shortlist = null;
  if (record.valueMsat !== null) task.usualValue.add(record.valueMsat);
  if (record.deadlineMs !== null) task.usualDeadline.push(record.deadlineMs);
  const features = featuresOf(state, record);
  if (record.jobId !== null && features !== null) {
    state.jobs.set(record.jobId, features);
    const oldest = state.jobs.keys().next();
    if (state.jobs.size > rememberedJobs && !oldest.done) state.jobs.delete(oldest.value);
  }
  forgetShares(task, record.at - state.config.shareWindowMs);
  for (const { platform } of record.picks) {
    const picked = platformOf(state, platform, record.at);
    task.recent.push({ at: record.at, platformId: picked.platformId });
    task.recentCounts.set(picked.platformId, (task.recentCounts.get(picked.platformId) ?? 0) + 1);
    picked.lastPickedAt = Math.max(picked.lastPickedAt, record.at);
    if (record.jobId === null) continue;
    for (const [jobId, at] of picked.openJobs) {
      if (at > record.at - state.config.inFlightTtlMs) break;
      picked.openJobs.delete(jobId);
    }
    picked.openJobs.set(record.jobId, record.at);
  }
  return [];
}

/** Drops picks that left the window of the share rule. */
function forgetShares(task: TaskState, windowStart: number): void {
  let old = 0;
  for (const { at, platformId: id } of task.recent) {
    if (at > windowStart) break;
    old += 1;
    const left = (task.recentCounts.get(id) ?? 1) - 1;
    if (left === 0) task.recentCounts.delete(id);
    else task.recentCounts.set(id, left);
  }
  if (old > 0) task.recent.splice(0, old);
}

/** Blacklists every entry of the operator, for all services and task types. */
function blacklist(state: MatrixState, entry: EntryState, record: BenchmarkRecord | OutcomeRecord): Change[] {
  const { pubkey } = entry.platform;
  if (!state.blacklist.has(pubkey)) state.blacklist.set(pubkey, { at: record.at, recordId: record.id });
  const changed: Change[] = [];
  for (const byPlatform of state.entries.values()) {
    for (const other of byPlatform.values()) {
      if (other.platform.pubkey !== pubkey) continue;
      const before = standing(state, other, record.at);
      condemn(other);
      changed.push(...changes(state, other, before, record));
    }
  }
  return changed;
}

function condemn(entry: EntryState): void {
  entry.trust = 0;
  entry.attempts = [];
  setStatus(entry, 'BLACKLISTED', 'SECURITY_VIOLATION: its work attacked the judge');
}

/** Records observations that are independent of the decision. */
function observe(
  state: MatrixState,
  entry: EntryState,
  outcome: Outcome,
  measurements: StoredMeasurements,
  at: number,
  size = 1,
): void {
  const good = outcome === 'SUCCESS' ? 1 : outcome === 'PARTIAL' ? 0.5 : 0;
  const fade = 0.5 ** (Math.max(0, at - entry.evidenceAt) / state.config.evidenceHalfLifeMs);
  entry.good = entry.good * fade + good;
  entry.bad = entry.bad * fade + (1 - good);
  entry.evidenceAt = Math.max(entry.evidenceAt, at);
  entry.lastVerifiedAt = Math.max(entry.lastVerifiedAt ?? 0, at);

  const today = Math.floor(at / dayMs);
  const day = entry.days.get(today) ?? { successes: 0, total: 0 };
  day.successes += outcome === 'SUCCESS' ? 1 : 0;
  day.total += 1;
  entry.days.set(today, day);
  if (entry.days.size > 64) {
    for (const old of entry.days.keys()) if (old < today - 31) entry.days.delete(old);
  }

  const { latencyMs, executionMs, memoryShare, coverage, costMsat } = measurements;
  if (costMsat !== null) entry.cost.push(costMsat / size);
  if (memoryShare !== null) entry.memory.push(memoryShare);
  if (coverage !== null) entry.coverage.push(coverage);
  if (latencyMs !== null) entry.latency.push(latencyMs);
  // Only good work counts: a fast failure must not make correct work look slow.
  if (outcome !== 'SUCCESS' && outcome !== 'PARTIAL') return;
  const task = taskOf(state, entry.taskType);
  if (latencyMs !== null) task.latency.push(latencyMs);
  if (executionMs !== null) task.execution.push(executionMs);
}

const stageStatus = {
  warning: 'SUSPECTED_DEGRADED',
  reduced: 'REDUCED',
  suspended: 'SUSPENDED',
  'half-open': 'HALF_OPEN',
  removed: 'REMOVED',
} as const;

/** Returns the status of an entry at `now` with its reason. */
export function statusOf(
  state: MatrixState,
  entry: EntryState,
  now: number,
): { readonly status: EntryStatus; readonly reason: string } {
  const own = { status: entry.status, reason: entry.statusReason };
  if (entry.status === 'BLACKLISTED' || entry.lifecycle.stage === 'normal') return own;
  const { stage, reason } = lifecycleAt(entry.lifecycle, now, state.config.lifecycle);
  if (stage === 'normal' || (stage !== 'removed' && entry.trust === null)) return own;
  return { status: stageStatus[stage], reason };
}

const standing = (state: MatrixState, entry: EntryState, at: number) => ({
  trust: entry.trust,
  status: statusOf(state, entry, at).status,
});

function setStatus(entry: EntryState, status: QualificationStatus, reason: string): void {
  entry.status = status;
  entry.statusReason = reason;
}

function changes(
  state: MatrixState,
  entry: EntryState,
  before: { readonly trust: number | null; readonly status: EntryStatus },
  { id: recordId, at }: RoutingRecord,
): Change[] {
  const { platform, taskType } = entry;
  const changed: Change[] = [];
  const { status, reason } = statusOf(state, entry, at);
  if (before.status !== status) {
    changed.push({
      type: 'status',
      platform,
      taskType,
      before: before.status,
      after: status,
      reason,
      recordId,
    });
  }
  if (before.trust !== entry.trust) {
    changed.push({ type: 'trust', platform, taskType, before: before.trust, after: entry.trust, recordId });
  }
  return changed;
}

function platformOf(state: MatrixState, platform: PlatformRef, at: number): PlatformState {
  const id = platformId(platform);
  const known = state.platforms.get(id);
  if (known !== undefined) return known;
  const created: PlatformState = {
    platform: Object.freeze({ pubkey: platform.pubkey, d: platform.d }),
    platformId: id,
    registration: null,
    registrations: 0,
    firstSeenAt: at,
    judged: 0,
    lastPickedAt: 0,
    openJobs: new Map(),
    suspendedUntil: new Map(),
    quarantined: false,
    denied: new Set(),
    refused: new Map(),
  };
  state.platforms.set(id, created);
  return created;
}

function taskOf(state: MatrixState, taskType: string): TaskState {
  const known = state.tasks.get(taskType);
  if (known !== undefined) return known;
  const created: TaskState = {
    decisions: 0,
    recent: [],
    recentCounts: new Map(),
    shortlist: null,
    latency: new SampleWindow(taskSamples),
    execution: new SampleWindow(taskSamples),
    usualDeadline: new SampleWindow(entrySamples),
    timing: { early: 0, near: 0, silent: 0 },
    usualValue: new RunningQuantile(0.6),
    pinned: null,
  };
  state.tasks.set(taskType, created);
  return created;
}

function entryOf(state: MatrixState, ref: PlatformRef, taskType: string, at: number): EntryState {
  const { platform, platformId: id } = platformOf(state, ref, at);
  const byPlatform = state.entries.get(taskType) ?? new Map<string, EntryState>();
  state.entries.set(taskType, byPlatform);
  const known = byPlatform.get(id);
  if (known !== undefined) return known;
  const created: EntryState = {
    platform,
    platformId: id,
    taskType,
    status: 'EVALUATING',
    statusReason: 'discovered',
    lifecycle: normalLifecycle(at),
    cusum: 0,
    timeoutRun: 0,
    trust: null,
    score: null,
    attempts: [],
    failedEvaluations: 0,
    cooldownUntilAt: null,
    rejectedAt: null,
    rejectedVersion: null,
    straightFailures: false,
    readmitted: false,
    benchmarkRun: 0,
    benchmarks: 0,
    lastBenchmarkAt: null,
    outcomes: { SUCCESS: 0, PARTIAL: 0, FAILURE: 0, ERROR: 0, SECURITY_VIOLATION: 0, INFRA: 0 },
    lastVerifiedAt: null,
    good: 0,
    bad: 0,
    evidenceAt: 0,
    days: new Map(),
    latency: new SampleWindow(entrySamples),
    cost: new SampleWindow(entrySamples),
    memory: new SampleWindow(entrySamples),
    coverage: new SampleWindow(entrySamples),
  };
  // A new service of a blacklisted operator is blacklisted too.
  if (state.blacklist.has(platform.pubkey)) condemn(created);
  byPlatform.set(id, created);
  const types = state.taskTypesOf.get(id) ?? new Set<string>();
  state.taskTypesOf.set(id, types.add(taskType));
  return created;
}
