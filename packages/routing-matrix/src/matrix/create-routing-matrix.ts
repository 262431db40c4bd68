import { createEmitter, isBonafideError, requireOptions, silentLogger } from '@bonafide/internal';
import { type AlertLog, createAlertLog } from '../alerts/alert-log.ts';
import { entryCondition, entryConditions } from '../alerts/conditions.ts';
import { wholeClock } from '../clock.ts';
import { resolveConfig } from '../config.ts';
import { RoutingError } from '../errors.ts';
import type { RoutingEvents } from '../events.ts';
import { openRoutingLog } from '../log/routing-log.ts';
import { platformId } from '../platform.ts';
import { parseInput, taskFilterSchema } from '../schemas.ts';
import type { SelectionStrategy } from '../selection/strategy.ts';
import { runStrategy } from '../selection/strategy-runner.ts';
import type { MatrixState } from '../state/state.ts';
import type { Change } from '../state/status.ts';
import type { Appended } from '../store.ts';
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

/**
 * Creates a routing matrix over a store.
 *
 * @throws RoutingError `INVALID_CONFIG`
 */
export function createRoutingMatrix(options: RoutingMatrixOptions): RoutingMatrix {
  requireOptions(
    options,
    { store: { methods: ['append', 'readAfter'], example: 'createMemoryRoutingStore()' } },
    (message) => new RoutingError('INVALID_CONFIG', message),
  );
  const { store, random = Math.random, logger = silentLogger, raiseAlerts = true } = options;
  const clock = wholeClock(options.clock ?? Date.now);
  const newId = options.newId ?? (() => crypto.randomUUID());
  const config = resolveConfig(options.config);
  const snapshots = options.snapshots ?? null;
  const emitter = createEmitter<RoutingEvents>({
    logger,
    names: { trust: true, status: true, decision: true, alert: true },
    fail: (message) => new RoutingError('INVALID_INPUT', message),
  });
  countEvents(emitter);
  const strategy = runStrategy(strategyNamed(options.strategy), {
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
    entry: (taskType, platform) => upToDate((current) => entryView(current, taskType, platform, clock())),
    dueProbes: () => upToDate((current) => dueProbes(current, clock())),
    refresh: () => inTurn(log.catchUp),
    quarantined: () => inTurn(log.quarantined),

    snapshot: () => inTurn(writeSnapshotOf),
    exportSnapshot: () => upToDate((current) => ({ seq: current.seq, snapshot: log.snapshot(current) })),

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

    on: emitter.on,
    close,
    [Symbol.asyncDispose]: close,
  };
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
