import { seededRandom } from '@bonafide/internal';
import { describe, expect, it } from 'vitest';
import {
  createMemoryRoutingStore,
  createRoutingMatrix,
  type Measurements,
  type Outcome,
  type RoutingAlert,
  type RoutingConfigInput,
  type RoutingStore,
} from '../src/index.ts';
import { good, manualClock, platform } from './support.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const taskType = 'code';

function setUp(config: RoutingConfigInput = {}, store: RoutingStore = createMemoryRoutingStore()) {
  const clock = manualClock();
  const alerts: RoutingAlert[] = [];
  const open = () => {
    const matrix = createRoutingMatrix({
      store,
      clock,
      random: seededRandom(1),
      config: { adaptiveThresholds: true, ...config },
    });
    matrix.on('alert', (alert) => alerts.push(alert));
    return matrix;
  };
  const matrix = open();
  let jobs = 0;
  const produce = (
    outcome: Outcome,
    {
      n = 1,
      type = taskType,
      by = matrix,
      ...measurements
    }: Measurements & { n?: number; type?: string; by?: typeof matrix } = {},
  ) =>
    by.recordOutcome({
      jobId: `job-${++jobs}`,
      platform: platform(n),
      taskType: type,
      outcome,
      measurements,
    });
  const qualify = async (...platforms: readonly number[]) => {
    for (const n of platforms)
      for (let i = 0; i < 3; i += 1)
        await matrix.recordBenchmark({
          platform: platform(n),
          taskType,
          attemptId: `${n} ${i}`,
          verdict: good(),
        });
  };
  const of = (type: RoutingAlert['type']) => alerts.filter((alert) => alert.type === type);
  return { matrix, open, store, clock, alerts, of, produce, qualify };
}

type World = ReturnType<typeof setUp>;

describe('alerts', () => {
  /** Causes, makes end and causes again each condition; each must be reported exactly twice. */
  const conditions: readonly [
    string,
    RoutingAlert['type'],
    (t: World) => Promise<void>,
    (t: World) => Promise<void>,
  ][] = [
    [
      'RTM-19 more than ten changes in an hour',
      'mutation-rate',
      async ({ produce }) => {
        for (let i = 0; i < 11; i += 1) await produce(i % 2 === 0 ? 'PARTIAL' : 'FAILURE', { type: `t${i}` });
      },
      async ({ clock }) => clock.advance(hourMs),
    ],
    [
      'RTM-19 more than half of the thresholds at a bound',
      'thresholds-at-bound',
      async ({ matrix, clock }) => {
        await matrix.applyMutation({
          newThresholds: { code: 0.9, prose: 0.1, math: 0.5 },
          clock: { a: clock() },
        });
      },
      async ({ matrix, clock }) => {
        await matrix.applyMutation({ newThresholds: { code: 0.8, prose: 0.5 }, clock: { a: clock() + 1 } });
        clock.advance(minuteMs);
      },
    ],
    [
      'RTM-19 no change for seven days although jobs are judged',
      'mutations-stalled',
      async ({ matrix, clock, produce }) => {
        await matrix.applyMutation({ newThresholds: { code: 0.6 }, clock: { a: clock() } });
        clock.advance(7 * dayMs);
        await produce('INFRA');
        await matrix.maintain();
        await produce('PARTIAL', { type: 'still' });
      },
      async ({ matrix, clock }) => {
        await matrix.applyMutation({ newThresholds: { code: 0.5 }, clock: { a: clock() + 1 } });
      },
    ],
    [
      'RTM-8 fewer than three platforms',
      'few-platforms',
      async ({ matrix }) => {
        await matrix.select({ taskType: 'rare' });
      },
      async ({ matrix }) => {
        for (const n of [1, 2, 3]) {
          for (let i = 0; i < 3; i += 1)
            await matrix.recordBenchmark({
              platform: platform(n),
              taskType: 'rare',
              attemptId: `rare ${n} ${i}`,
              verdict: good(),
            });
        }
        await matrix.select({ taskType: 'rare', valueMsat: 1 });
        for (const n of [1, 2, 3])
          await matrix.direct({ platform: platform(n), action: 'deny', reason: 'No' });
      },
    ],
    [
      'RTM-8b every platform is suspended',
      'all-suspended',
      async ({ matrix, clock }) => {
        for (const n of [1, 2, 3, 4])
          await matrix.direct({
            platform: platform(n),
            action: 'suspend',
            untilAt: clock() + n,
            reason: 'SLA',
          });
        await matrix.select({ taskType, valueMsat: 1 });
      },
      async ({ matrix, clock }) => {
        clock.advance(10);
        await matrix.select({ taskType, valueMsat: 1 });
      },
    ],
  ];

  it.each(conditions)('%s: once, and once more when it comes back', async (_, type, cause, end) => {
    const t = setUp({ adaptiveThresholds: type !== 'mutations-stalled' });
    const others = [t.open(), t.open(), t.open()];
    await t.qualify(1, 2, 3, 4);
    await t.matrix.maintain();
    expect(t.of(type)).toEqual([]);
    for (const expected of [1, 2]) {
      await cause(t);
      for (let i = 0; i < 3; i += 1) await Promise.all([t.matrix, ...others].map((each) => each.maintain()));
      expect(t.of(type)).toHaveLength(expected);
      await end(t);
      await Promise.all([t.matrix, ...others].map((each) => each.maintain()));
      expect(t.of(type)).toHaveLength(expected);
    }
  });

  it('RTM-19 an oscillating threshold, once until it calms down', async () => {
    const { produce, of, matrix, clock } = setUp({
      thresholds: { code: 0.7 },
      baselines: { code: { latencyMs: 100 } },
    });
    for (let i = 0; i < 8; i += 1) {
      clock.advance(dayMs);
      if (i % 2 === 0) await produce('ERROR', { errorKind: 'crash' });
      else await produce('SUCCESS', { passRate: 1, latencyMs: 1 });
      await matrix.maintain();
    }
    expect(of('oscillation')).toEqual([{ type: 'oscillation', taskType }]);
    for (let i = 0; i < 12; i += 1) {
      clock.advance(dayMs);
      await produce('SUCCESS');
    }
    await matrix.maintain();
    expect(of('oscillation')).toHaveLength(1);
  });

  it('RTM-19 changes of which one half is not certain', async () => {
    const { produce, of, matrix, clock } = setUp();
    // Decreases while nearly everything succeeds: the rate is not below .9.
    for (let i = 0; i < 150; i += 1) await produce('SUCCESS');
    clock.advance(2 * dayMs);
    for (let i = 0; i < 5; i += 1) {
      await produce('PARTIAL');
      for (let j = 0; j < 19; j += 1) await produce('INFRA');
    }
    await matrix.maintain();
    await matrix.maintain();
    expect(of('low-confidence')).toHaveLength(1);
    expect(of('low-confidence')[0]).toMatchObject({ median: expect.any(Number) });
  });

  it('RTM-11 RTM-12 a platform that is reduced, suspended or blacklisted, each once among four processes', async () => {
    const t = setUp({ adaptiveThresholds: false });
    const others = [t.open(), t.open(), t.open()];
    await t.qualify(1, 2, 3, 4, 5);
    for (let i = 0; i < 12; i += 1) await t.produce('SUCCESS');
    for (let i = 0; i < 16; i += 1) await t.produce('FAILURE', { by: others[i % 3] as typeof t.matrix });
    await t.produce('ERROR', { n: 2, errorKind: 'disk' });
    await t.produce('SECURITY_VIOLATION', { n: 3, by: others[1] as typeof t.matrix });
    for (let i = 0; i < 3; i += 1) await Promise.all([t.matrix, ...others].map((each) => each.maintain()));
    expect(t.of('degraded').map((alert) => 'status' in alert && alert.status)).toEqual([
      'REDUCED',
      'SUSPENDED',
    ]);
    expect(t.of('success-fell')).toHaveLength(1);
    expect(t.of('blacklisted')).toHaveLength(1);
  });

  it('RTM-19 RTM-20 are raised by the heir of a process that died before it could', async () => {
    const store = createMemoryRoutingStore();
    // The store of the dying process takes outcomes, but no alerts any more.
    const dying: RoutingStore = {
      ...store,
      append: (records) =>
        records.some(({ kind }) => kind === 'alert')
          ? Promise.reject(new Error('gone'))
          : store.append(records),
    };
    const before = setUp({}, dying);
    await before.qualify(1, 2, 3, 4);
    await before.produce('SECURITY_VIOLATION');
    expect(before.alerts).toEqual([]);
    const after = setUp({}, store);
    await after.matrix.entries();
    const again = setUp({}, store);
    await again.matrix.entries();
    expect(after.of('blacklisted')).toHaveLength(1);
    expect(again.alerts).toEqual([]);
  });

  it('RTM-19 of four processes that notice the same at the same moment one raises the alert', async () => {
    const store = createMemoryRoutingStore();
    const isAlert = (records: Parameters<RoutingStore['append']>[0]) =>
      records.some(({ kind }) => kind === 'alert');
    const dying: RoutingStore = {
      ...store,
      append: (records) => (isAlert(records) ? Promise.reject(new Error('gone')) : store.append(records)),
    };
    const before = setUp({}, dying);
    await before.qualify(1, 2, 3, 4);
    await before.produce('SECURITY_VIOLATION');
    // None of them sees the record of another one before it writes its own.
    const together = Promise.withResolvers<void>();
    let waiting = 0;
    const slow: RoutingStore = {
      ...store,
      async append(records) {
        if (isAlert(records)) {
          waiting += 1;
          if (waiting === 4) together.resolve();
          await together.promise;
        }
        return store.append(records);
      },
    };
    const heirs = setUp({}, slow);
    await Promise.all([heirs.matrix, heirs.open(), heirs.open(), heirs.open()].map((each) => each.entries()));
    expect(waiting).toBe(4);
    expect(heirs.alerts.map(({ type }) => type)).toEqual(['blacklisted']);
  });
});
