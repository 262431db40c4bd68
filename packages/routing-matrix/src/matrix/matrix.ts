import {
  createEmitter,
  isBonafideError,
  type Logger,
  silentLogger,
  type Unsubscribe,
} from '@bonafide/internal';
import * as z from 'zod';
import { createAlertLog } from '../alerts/alert-log.ts';
import {
  confidenceCondition,
  entryCondition,
  entryConditions,
  thresholdConditions,
} from '../alerts/conditions.ts';
import { type RoutingConfig, type RoutingConfigInput, resolveConfig } from '../config.ts';
import { RoutingError } from '../errors.ts';
import type { RoutingEvents } from '../events.ts';
import type { BenchmarkVerdict } from '../evidence/composite.ts';
import type { Measurements, Outcome } from '../evidence/outcome.ts';
import { openRoutingLog, type QuarantinedRecord } from '../log/routing-log.ts';
import type { MutationProposal } from '../mutation/proposal.ts';
import { type PlatformRef, platformId } from '../platform.ts';
import { recordId } from '../record-id.ts';
import type {
  BenchmarkRecord,
  DecisionRecord,
  DirectiveAction,
  DirectiveSource,
  OutcomeRecord,
  PlatformRecord,
  RoutingRecord,
} from '../records.ts';
import type { SnapshotStore } from '../recovery/snapshot.ts';
import {
  benchmarkInputSchema,
  decodeRecord,
  directiveInputSchema,
  outcomeInputSchema,
  parseInput,
  platformSchema,
  proposalSchema,
  registrationSchema,
  rollbackSchema,
  selectOptionsSchema,
  taskSchema,
} from '../schemas.ts';
import { decide, lastResortReason } from '../selection/decide.ts';
import type { SelectionStrategy } from '../selection/strategy.ts';
import { runStrategy } from '../selection/strategy-runner.ts';
import type { MatrixState } from '../state/state.ts';
import type { Change } from '../state/status.ts';
import type { Appended, RoutingStore, StoredRecord } from '../store.ts';
import { learnedStrategy } from '../strategies/learned/learned.ts';
import { tieredStrategy } from '../strategies/tiered.ts';
import { entryView, entryViews, type MatrixEntry } from '../views/entry.ts';
import { type DueProbe, dueProbes } from '../views/probes.ts';
import {
  type ChangeView,
  changesView,
  rollbackTo,
  type ThresholdsView,
  thresholdsView,
} from '../views/thresholds.ts';
import { type Budgets, createBudgets } from './budgets.ts';
import { countEvents } from './metrics.ts';
import { type Maintenance, proposeVariables } from './propose-variables.ts';

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
  /** Its task types; each gets an entry. */
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
  /** Makes the decision idempotent: the same job gets the same platforms, also after a restart. */
  readonly jobId?: string | null;
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
export interface DecisionPage {
  readonly items: readonly DecisionRecord[];
  readonly nextCursor: string | null;
}

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
   * eligible; `excluded` names the reasons.
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

const pageSize = 1_000;

/**
 * Creates a routing matrix over a store.
 *
 * @throws RoutingError `INVALID_CONFIG`
 */
export function createRoutingMatrix(options: RoutingMatrixOptions): RoutingMatrix {
  const { store, clock = Date.now, random = Math.random, logger = silentLogger } = options;
  const newId = options.newId ?? (() => crypto.randomUUID());
  const config = resolveConfig(options.config);
  const { raiseAlerts = true } = options;
  const snapshots = options.snapshots ?? null;
  let snapshotAt = 0;
  let timer: ReturnType<typeof setInterval> | null = null;
  const emitter = createEmitter<RoutingEvents>({ logger });
  const strategy = runStrategy(strategyNamed(options.strategy), {
    logger,
    alert: (alert) => emitter.emit('alert', alert),
  });
  countEvents(emitter);

  const log = openRoutingLog({
    store,
    snapshots,
    config,
    strategy,
    logger,
    onChanges: announce,
    onQuarantined: (record) => emitter.emit('alert', { type: 'record-quarantined', ...record }),
  });
  const { asking } = log;
  const alerts = createAlertLog(log, { clock, logger, emit: (alert) => emitter.emit('alert', alert) });
  let opened = false;

  /** Runs an operation and raises the alerts that it caused, or that a crashed process left. */
  const inTurn = <Result>(work: (current: MatrixState) => Promise<Result> | Result) =>
    log.inTurn(async (current) => {
      if (!opened) for (const condition of entryConditions(current, clock())) alerts.note(condition);
      opened = true;
      const result = await work(current);
      if (raiseAlerts) await alerts.flush(current);
      return result;
    });
  const append = async (current: MatrixState, record: RoutingRecord) =>
    (await log.append(current, [record]))[0] as Appended;

  function announce(changed: readonly Change[], current: MatrixState): void {
    for (const change of changed) {
      const { platform, taskType } = change;
      if (change.type === 'success-fell') {
        alerts.note({ key: `success-fell:${change.recordId}`, alert: change });
        continue;
      }
      if (change.type === 'trust') {
        emitter.emit('trust', change);
        continue;
      }
      emitter.emit('status', change);
      if (change.after === 'BLACKLISTED') {
        logger.warn({ platform: platformId(platform), taskType }, 'Platform blacklisted');
      }
      const entry = current.entries.get(taskType)?.get(platformId(platform));
      const condition = entry === undefined ? null : entryCondition(current, entry, clock());
      if (condition !== null) alerts.note(condition);
    }
  }

  /** Returns the given time, but never one in the future: it would make what comes after it look old. */
  const timeOf = (at: number | undefined) => Math.min(at ?? Number.POSITIVE_INFINITY, clock());

  /** Returns the entry after evidence was recorded, new or repeated. */
  async function evidence(current: MatrixState, record: BenchmarkRecord | OutcomeRecord): Promise<Recorded> {
    const { appended } = await append(current, record);
    if (!appended) {
      const first = await log.get(record.id);
      if (
        first?.kind !== record.kind ||
        first.taskType !== record.taskType ||
        !isOf(first, record.platform)
      ) {
        throw new RoutingError(
          'INVALID_INPUT',
          `'${record.id}' is in the log already, for another platform or task type: ids must be unique`,
        );
      }
    }
    const entry = entryView(current, record.taskType, record.platform, clock());
    if (entry === null) throw new RoutingError('LOG_CORRUPT', `Record '${record.id}' has no entry`);
    return { recorded: appended, entry };
  }

  /** Returns the earlier decision for this job. */
  async function firstDecision({ id, taskType }: DecisionRecord): Promise<DecisionRecord> {
    const first = await log.get(id);
    if (first?.kind === 'decision' && first.taskType === taskType) return first;
    throw new RoutingError(
      'INVALID_INPUT',
      `jobId '${id}' was used for another task type. Use a unique id per job.`,
    );
  }

  function noteScarcity({ taskType, candidateCount: candidates, degraded, picks }: DecisionRecord): void {
    const minimum = config.minActivePlatforms;
    alerts.note({
      key: `few-platforms:${taskType}`,
      alert: candidates < minimum ? { type: 'few-platforms', taskType, candidates, minimum } : null,
    });
    const suspended = degraded && picks.every(({ reason }) => reason.startsWith(lastResortReason));
    alerts.note({
      key: `all-suspended:${taskType}`,
      alert: suspended ? { type: 'all-suspended', taskType } : null,
    });
  }

  /** Writes a snapshot of a state that has records since the last one. */
  async function writeSnapshotOf(current: MatrixState): Promise<void> {
    if (snapshots === null || current.seq === snapshotAt) return;
    await asking(() => snapshots.write(log.snapshot(current)));
    snapshotAt = current.seq;
  }

  const quietly = (what: string, work: Promise<unknown>) =>
    work.then(
      () => {},
      (error: unknown) => {
        if (!isBonafideError(error, 'CLOSED')) logger.error({ err: error }, `${what} failed`);
      },
    );

  async function close(): Promise<void> {
    if (timer !== null) clearInterval(timer);
    timer = null;
    // Only what was read needs a snapshot: closing must not read a log.
    if (snapshots !== null && opened) await quietly('The snapshot on closing', log.inTurn(writeSnapshotOf));
    await log.close();
    emitter.clear();
  }

  return {
    config,
    budgets: createBudgets(log, { clock, newId }),

    async register(registration) {
      const { at, ...content } = parseInput(registrationSchema, registration, 'register');
      return inTurn(async (current) => {
        for (;;) {
          const id = platformId(content.platform);
          const known = current.platforms.get(id);
          if (
            known?.registration != null &&
            known.directives.get('policy')?.quarantined !== true &&
            saysTheSame(known.registration, content)
          ) {
            return { recorded: false };
          }
          const { appended } = await append(current, {
            kind: 'platform',
            id: recordId('platform', `${id}#${(known?.registrations ?? 0) + 1}`),
            at: timeOf(at),
            taskType: null,
            ...content,
          });
          // Another process appended first: apply its record and compare again.
          if (appended) return { recorded: true };
        }
      });
    },

    async recordBenchmark(benchmark) {
      const { platform, taskType, attemptId, verdict, at } = parseInput(
        benchmarkInputSchema,
        benchmark,
        'recordBenchmark',
      );
      const { outcome, smokeFailed, ...measurements } = verdict;
      return inTurn((current) =>
        evidence(current, {
          kind: 'benchmark',
          id: recordId('benchmark', attemptId),
          at: timeOf(at),
          taskType,
          platform,
          attemptId,
          outcome,
          smokeFailed,
          measurements,
        }),
      );
    },

    async recordOutcome(given) {
      const { at, ...content } = parseInput(outcomeInputSchema, given, 'recordOutcome');
      return inTurn(async (current) => {
        const recorded = await evidence(current, {
          kind: 'outcome',
          id: recordId('outcome', `${content.jobId}@${platformId(content.platform)}`),
          at: timeOf(at),
          ...content,
        });
        for (const condition of thresholdConditions(current, clock())) alerts.note(condition);
        return recorded;
      });
    },

    async direct(directive) {
      const { id, at, ...content } = parseInput(directiveInputSchema, directive, 'direct');
      return inTurn(async (current) => {
        const { appended } = await append(current, {
          kind: 'directive',
          id: recordId('directive', `${content.source}:${id ?? newId()}`),
          at: timeOf(at),
          ...content,
        });
        return { recorded: appended };
      });
    },

    async select(task, selectOptions = {}) {
      const { jobId, ...features } = parseInput(taskSchema, task, 'select');
      const { n, exclude } = parseInput(selectOptionsSchema, selectOptions, 'select');
      const draw = selectOptions.random ?? random;
      return inTurn(async (current) => {
        await log.catchUp(current);
        const decision = decide(current, {
          id: recordId('decision', jobId ?? newId()),
          jobId,
          task: features,
          n,
          exclude: new Set(exclude.map(platformId)),
          strategy,
          now: clock(),
          random: draw,
        });
        const { appended } = await append(current, decision);
        if (!appended) return firstDecision(decision);
        emitter.emit('decision', decision);
        noteScarcity(decision);
        return decision;
      });
    },

    entries(filter = {}) {
      return inTurn(async (current) => {
        await log.catchUp(current);
        const all = entryViews(current, clock());
        return filter.taskType === undefined
          ? all
          : all.filter(({ taskType }) => taskType === filter.taskType);
      });
    },

    entry(taskType, platform) {
      return inTurn(async (current) => {
        await log.catchUp(current);
        return entryView(current, taskType, platform, clock());
      });
    },

    dueProbes() {
      return inTurn(async (current) => {
        await log.catchUp(current);
        return dueProbes(current, clock());
      });
    },

    decisions({ taskType, limit = 50, cursor } = {}) {
      return inTurn(async () => {
        const page = await asking(() =>
          store.latest({
            kind: 'decision',
            limit: Math.min(Math.max(1, limit), pageSize),
            ...(taskType === undefined ? {} : { taskType }),
            ...(cursor === undefined ? {} : { cursor }),
          }),
        );
        return {
          items: page.items.flatMap((stored) => asDecision(stored)),
          nextCursor: page.nextCursor,
        };
      });
    },

    refresh() {
      return inTurn(log.catchUp);
    },

    quarantined() {
      return inTurn(log.quarantined);
    },

    thresholds() {
      return inTurn(async (current) => {
        await log.catchUp(current);
        return thresholdsView(current);
      });
    },

    mutations({ taskType } = {}) {
      return inTurn(async (current) => {
        await log.catchUp(current);
        return changesView(current, taskType);
      });
    },

    async applyMutation(given, source = 'agent') {
      const proposal = parseInput(proposalSchema, given, 'applyMutation') as MutationProposal;
      return inTurn(async (current) => {
        await log.catchUp(current);
        await append(current, {
          kind: 'mutation',
          id: `mutation:${newId()}`,
          at: clock(),
          taskType: null,
          source,
          proposal,
        });
        for (const condition of thresholdConditions(current, clock())) alerts.note(condition);
        return thresholdsView(current);
      });
    },

    async rollbackThresholds(given) {
      const { at, taskType } = parseInput(rollbackSchema, given, 'rollbackThresholds');
      return inTurn(async (current) => {
        await log.catchUp(current);
        const proposal = rollbackTo(current, at, taskType ?? undefined);
        await append(current, {
          kind: 'mutation',
          id: `mutation:${newId()}`,
          at: clock(),
          taskType: null,
          source: 'rollback',
          proposal,
        });
        return thresholdsView(current);
      });
    },

    async reconcile(known) {
      const listed = new Set(parseInput(z.array(platformSchema), [...known], 'reconcile').map(platformId));
      return inTurn(async (current) => {
        await log.catchUp(current);
        const missing = [...current.platforms.values()].filter(
          (each) =>
            each.registration !== null &&
            each.directives.get('policy')?.quarantined !== true &&
            !listed.has(each.platformId),
        );
        if (missing.length > 0) {
          await log.append(
            current,
            missing.map(({ platform, platformId: id, registrations }) => ({
              kind: 'directive',
              id: recordId('directive', `quarantine:${id}#${registrations}`),
              at: clock(),
              taskType: null,
              platform,
              action: 'quarantine',
              untilAt: null,
              source: 'policy',
              violation: false,
              reason: 'The registry does not list it any more',
            })),
          );
        }
        return missing.map(({ platform }) => platform);
      });
    },

    snapshot() {
      return inTurn(writeSnapshotOf);
    },

    exportSnapshot() {
      return inTurn(async (current) => {
        await log.catchUp(current);
        return { seq: current.seq, snapshot: log.snapshot(current) };
      });
    },

    start({ maintainEveryMs = 60_000, snapshotEveryMs = 300_000 } = {}) {
      if (timer !== null) return;
      let sinceSnapshot = 0;
      timer = setInterval(() => {
        void quietly('Maintenance', this.maintain());
        sinceSnapshot += maintainEveryMs;
        if (sinceSnapshot < snapshotEveryMs) return;
        sinceSnapshot = 0;
        void quietly('A snapshot', this.snapshot());
      }, maintainEveryMs);
      // Maintenance alone never keeps a process alive. Browsers have numbers as timers.
      if (typeof timer === 'object') timer.unref?.();
    },

    async maintain(observations = {}) {
      return inTurn(async (current) => {
        await log.catchUp(current);
        const now = clock();
        for (const condition of [
          ...entryConditions(current, now),
          ...thresholdConditions(current, now),
          confidenceCondition(current, now),
        ]) {
          alerts.note(condition);
        }
        const proposal = proposeVariables(current, observations);
        if (proposal === null) return;
        await append(current, {
          kind: 'mutation',
          id: `mutation:${newId()}`,
          at: now,
          taskType: null,
          source: 'extended',
          proposal,
        });
      });
    },

    on: emitter.on,
    close,
    [Symbol.asyncDispose]: close,
  };
}

const isOf = (record: { readonly platform: PlatformRef }, platform: PlatformRef) =>
  platformId(record.platform) === platformId(platform);

/** Returns the decision, or nothing for a record that is quarantined. */
function asDecision(stored: StoredRecord): DecisionRecord[] {
  try {
    const record = decodeRecord(stored);
    return record.kind === 'decision' ? [record] : [];
  } catch {
    return [];
  }
}

function strategyNamed(strategy: RoutingMatrixOptions['strategy'] = 'learned'): SelectionStrategy {
  if (strategy === 'learned') return learnedStrategy();
  if (strategy === 'tiered') return tieredStrategy();
  if (typeof strategy === 'object' && strategy !== null) return strategy;
  throw new RoutingError(
    'INVALID_CONFIG',
    `Unknown strategy '${String(strategy)}'. Use 'learned', 'tiered' or an object with 'distribution'.`,
  );
}

type Description = Pick<PlatformRecord, 'name' | 'taskTypes' | 'priceMsat' | 'version'>;

function saysTheSame(known: Description, said: Description): boolean {
  return (
    known.name === said.name &&
    known.priceMsat === said.priceMsat &&
    known.version === said.version &&
    JSON.stringify(known.taskTypes) === JSON.stringify(said.taskTypes)
  );
}
