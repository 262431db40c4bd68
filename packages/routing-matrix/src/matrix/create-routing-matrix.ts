import { createEmitter, isBonafideError, requireOptions, silentLogger } from '@bonafide/internal';
import * as z from 'zod';
import { type AlertLog, createAlertLog } from '../alerts/alert-log.ts';
import { entryCondition, entryConditions } from '../alerts/conditions.ts';
import { wholeClock } from '../clock.ts';
import { resolveConfig } from '../config.ts';
import { RoutingError } from '../errors.ts';
import type { RoutingEvents } from '../events.ts';
import { openRoutingLog } from '../log/routing-log.ts';
import { platformId } from '../platform.ts';
import type { SnapshotStore } from '../recovery/snapshot.ts';
import {
  callable,
  entryQuerySchema,
  logger as loggerSchema,
  parseInput,
  parseOptions,
  port,
  taskFilterSchema,
} from '../schemas.ts';
import type { SelectionStrategy } from '../selection/strategy.ts';
import { runStrategy } from '../selection/strategy-runner.ts';
import type { MatrixState } from '../state/state.ts';
import type { Change } from '../state/status.ts';
import type { Appended, RoutingStore } from '../store.ts';
import { learnedStrategy } from '../strategies/learned/learned.ts';
import { tieredStrategy } from '../strategies/tiered.ts';
import { entryView, entryViews } from '../views/entry.ts';
import { dueProbes } from '../views/probes.ts';
import { createBatches } from './batches.ts';
import { createBudgets } from './budgets.ts';
import type { MatrixContext } from './context.ts';
import type { RoutingMatrix, RoutingMatrixOptions } from './matrix.ts';
import { countEvents } from './metrics.ts';
import { createRecording } from './recording.ts';
import { createSelecting } from './selecting.ts';
import { createTuning } from './tuning.ts';

const optionsSchema = z.strictObject({
  store: port<RoutingStore>(),
  clock: callable<() => number>().optional(),
  random: callable<() => number>().optional(),
  newId: callable<() => string>().optional(),
  config: z.unknown().optional(),
  snapshots: port<SnapshotStore>('write', 'read').optional(),
  strategy: z.unknown().optional(),
  raiseAlerts: z.boolean().optional(),
  logger: loggerSchema.optional(),
});

/** Longest interval of a timer. */
const maxTimerMs = 2_147_483_647;
const intervalMs = z.number().min(1).max(maxTimerMs);
const startSchema = z.strictObject({
  maintainEveryMs: intervalMs.default(60_000),
  snapshotEveryMs: intervalMs.default(300_000),
});

/**
 * Creates a routing matrix over a store.
 *
 * @throws RoutingError `INVALID_CONFIG`
 */
export function createRoutingMatrix(options: RoutingMatrixOptions): RoutingMatrix {
  requireOptions(
    options,
    {
      store: {
        methods: ['append', 'readAfter', 'get', 'latest'],
        example: 'createMemoryRoutingStore()',
      },
    },
    (message) => new RoutingError('INVALID_CONFIG', message),
  );
  const given = parseOptions(optionsSchema, options, 'options');
  const { store, random = Math.random, logger = silentLogger, raiseAlerts = true } = given;
  const clock = wholeClock(given.clock ?? Date.now);
  const newId = given.newId ?? (() => crypto.randomUUID());
  const config = resolveConfig(given.config as RoutingMatrixOptions['config']);
  const snapshots = given.snapshots ?? null;
  const emitter = createEmitter<RoutingEvents>({
    logger,
    names: { trust: true, status: true, decision: true, alert: true },
    fail: (message) => new RoutingError('INVALID_INPUT', message),
  });
  countEvents(emitter);
  const strategy = runStrategy(strategyNamed(given.strategy), {
    logger,
    alert: (alert) => emitter.emit('alert', alert),
  });
  const log = openRoutingLog({
    store,
    snapshots,
    config,
    strategy,
    logger,
    onChanges: announce,
    onQuarantined: (record) => emitter.emit('alert', { type: 'record-quarantined', ...record }),
  });
  const alerts: AlertLog = raiseAlerts
    ? createAlertLog(log, { clock, logger, emit: (alert) => emitter.emit('alert', alert) })
    : { note() {}, async flush() {} };
  let opened = false;
  let snapshotAt = 0;
  let timer: ReturnType<typeof setInterval> | null = null;

  const turn: MatrixContext['inTurn'] = (work) =>
    log.inTurn(async (current) => {
      if (!opened) for (const condition of entryConditions(current, clock())) alerts.note(condition);
      opened = true;
      const result = await work(current);
      await alerts.flush(current);
      return result;
    });
  const batches = createBatches({ inTurn: turn, append: log.append });

  const context: MatrixContext = {
    store,
    log,
    config,
    strategy,
    alerts,
    emitter,
    logger,
    clock,
    random,
    newId,

    inTurn(work) {
      batches.end();
      return turn(work);
    },

    appendInBatch: (record, finish) => batches.add(record, finish),

    upToDate: (work) =>
      context.inTurn(async (current) => {
        await log.catchUp(current);
        return work(current);
      }),

    append: async (current, record) => (await log.append(current, [record]))[0] as Appended,
  };
  const { inTurn, upToDate } = context;

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

  /** Writes a snapshot of a state that has records since the last one. */
  async function writeSnapshotOf(current: MatrixState): Promise<void> {
    if (snapshots === null || current.seq === snapshotAt) return;
    await log.asking(() => snapshots.write(log.snapshot(current)));
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
    budgets: createBudgets({ ...log, inTurn }, { clock, newId }),
    ...createRecording(context),
    ...createSelecting(context),
    ...createTuning(context),

    async entries(filter = {}) {
      const { taskType } = parseInput(taskFilterSchema, filter, 'entries');
      return upToDate((current) => {
        const all = entryViews(current, clock());
        return taskType === undefined ? all : all.filter((entry) => entry.taskType === taskType);
      });
    },
    async entry(taskType, platform) {
      const asked = parseInput(entryQuerySchema, { taskType, platform }, 'entry');
      return upToDate((current) => entryView(current, asked.taskType, asked.platform, clock()));
    },
    dueProbes: () => upToDate((current) => dueProbes(current, clock())),
    refresh: () => inTurn(log.catchUp),
    quarantined: () => inTurn(log.quarantined),

    snapshot: () => inTurn(writeSnapshotOf),
    exportSnapshot: () => upToDate((current) => ({ seq: current.seq, snapshot: log.snapshot(current) })),

    start(options = {}) {
      const { maintainEveryMs, snapshotEveryMs } = parseInput(startSchema, options, 'start');
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

    on: emitter.on,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function strategyNamed(strategy: unknown = 'learned'): SelectionStrategy {
  if (strategy === 'learned') return learnedStrategy();
  if (strategy === 'tiered') return tieredStrategy();
  if (typeof strategy === 'object' && strategy !== null) return strategy as SelectionStrategy;
  throw new RoutingError(
    'INVALID_CONFIG',
    `Unknown strategy '${String(strategy)}'. Use 'learned', 'tiered' or an object with 'distribution'.`,
  );
}
