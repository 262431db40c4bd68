import { seededRandom } from '@bonafide/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createMemoryRoutingStore,
  createRoutingMatrix,
  decodeRecord,
  entryViews,
  type LogRecord,
  type MatrixEntry,
  type Outcome,
  type RoutingAlert,
  type RoutingStore,
  replay,
  resolveConfig,
} from '../src/index.ts';
import { dayMs, idOf, keysOf, setUp, taskType } from './support/matrix.ts';
import { good, platform, start, verdict } from './support.ts';

describe('the log', () => {
  const anyOutcome = fc.constantFrom<Outcome>(
    'SUCCESS',
    'PARTIAL',
    'FAILURE',
    'ERROR',
    'SECURITY_VIOLATION',
    'INFRA',
  );
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.constant('benchmark' as const), fc.nat(4), anyOutcome) },
    { weight: 6, arbitrary: fc.tuple(fc.constant('outcome' as const), fc.nat(4), anyOutcome) },
    { weight: 4, arbitrary: fc.tuple(fc.constant('select' as const), fc.nat(3), anyOutcome) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('register' as const), fc.nat(4), anyOutcome) },
    {
      weight: 1,
      arbitrary: fc.tuple(
        fc.constantFrom('pin' as const, 'deny' as const, 'suspend' as const),
        fc.nat(4),
        anyOutcome,
      ),
    },
    { weight: 2, arbitrary: fc.tuple(fc.constant('wait' as const), fc.nat(20), anyOutcome) },
  );

  it('RTM-5 RTM-20 AGT-4 reproduces every view from the log, and replayed calls change nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.nat(), async (steps, seed) => {
        const { matrix, store, clock } = setUp({ random: seededRandom(seed) });
        const types = ['code', 'prose'];
        const perform = async (again = false) => {
          for (const [index, [what, n, outcome]] of steps.entries()) {
            const type = types[index % 2] ?? 'code';
            const measurements = {
              passRate: n / 4,
              latencyMs: 100 * (n + 1),
              quality: 2 * n,
              costMsat: 10 * n,
            };
            const ref = platform(n);
            if (what === 'benchmark') {
              await matrix.recordBenchmark({
                platform: ref,
                taskType: type,
                attemptId: `a${index}`,
                verdict: { ...measurements, outcome },
              });
            } else if (what === 'outcome') {
              await matrix.recordOutcome({
                jobId: `j${index - n}`,
                platform: ref,
                taskType: type,
                outcome,
                measurements,
              });
            } else if (what === 'select') {
              await matrix.select({ taskType: type, jobId: `j${index}`, valueMsat: 1 }, { n: n + 1 });
            } else if (what === 'register') {
              if (!again) await matrix.register({ platform: ref, taskTypes: [type], priceMsat: index });
            } else if (what === 'wait') {
              clock.advance(n * 3_600_000 * 6);
            } else {
              await matrix.direct({
                id: `d${index}`,
                platform: ref,
                taskType: type,
                action: what,
                untilAt: start + 30 * dayMs,
                reason: 'r',
              });
            }
          }
        };
        await perform();
        const now = clock();
        await matrix.maintain();
        const live = await matrix.entries();
        const log = await store.readAfter(0, 10_000);

        const folded = replay(log.map(decodeRecord), resolveConfig());
        expect(entryViews(folded, now)).toEqual(live);
        const reopened = createRoutingMatrix({ store, clock });
        expect(await reopened.entries()).toEqual(live);

        for (const entry of live) {
          const { trustScore, status } = entry;
          if (status === 'BLACKLISTED') expect(trustScore).toBe(0);
          else if (trustScore !== null) {
            expect(trustScore).toBeGreaterThanOrEqual(0.1);
            expect(trustScore).toBeLessThanOrEqual(0.9);
          }
        }
        await perform(true);
        expect(await store.readAfter(0, 10_000)).toEqual(log);
      }),
      { numRuns: 60 },
    );
  });

  it('RTM-8 chooses only who may be chosen, whatever happened before', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(5), fc.boolean(), anyOutcome), { maxLength: 50 }),
        fc.nat(),
        async (steps, seed) => {
          const { matrix, benchmark, produce } = setUp({ random: seededRandom(seed) });
          for (const [n, isBenchmark, outcome] of steps) {
            if (isBenchmark) await benchmark(n, verdict(outcome, n / 5));
            else await produce(n, outcome);
          }
          const excluded = platform(0);
          const decision = await matrix.select(
            { taskType, valueMsat: 20_000 },
            { n: 4, exclude: [excluded] },
          );
          const entries = new Map<string, MatrixEntry>();
          for (const entry of await matrix.entries()) entries.set(entry.platformId, entry);
          for (const { platformId, probability } of decision.picks) {
            const entry = entries.get(platformId);
            expect(entry?.status).toMatch(/ACTIVE|CONDITIONAL/);
            expect(entry?.trustScore).toBeGreaterThanOrEqual(0.5);
            expect(platformId).not.toBe(idOf(0));
            expect(probability).toBeGreaterThan(0);
            expect(probability).toBeLessThanOrEqual(1);
          }
          expect(decision.candidateCount + decision.excludedCount).toBe(entries.size);
          if (decision.candidateCount > 0)
            expect(decision.picks.length).toBe(Math.min(4, decision.candidateCount));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('RTM-20 appends before it takes effect: when the store fails, nothing happened', async () => {
    const inner = createMemoryRoutingStore();
    let full = false;
    const store: RoutingStore = {
      ...inner,
      append: (records: readonly LogRecord[]) =>
        full ? Promise.reject(new Error('disk full')) : inner.append(records),
    };
    const { matrix, qualify, produce } = setUp({ store });
    const seen: unknown[] = [];
    await qualify(1);
    const before = await matrix.entries();
    for (const name of ['trust', 'status', 'decision', 'alert'] as const)
      matrix.on(name, (event) => seen.push(event));
    full = true;
    await expect(produce(1, 'SUCCESS', 'j')).rejects.toMatchObject({
      code: 'STORE_FAILED',
      cause: expect.objectContaining({ message: 'disk full' }),
    });
    await expect(matrix.select({ taskType })).rejects.toMatchObject({ code: 'STORE_FAILED' });
    expect(await matrix.entries()).toEqual(before);
    expect(seen).toEqual([]);
    full = false;
    expect((await produce(1, 'SUCCESS', 'j')).entry.trustScore).toBe(0.7);
    expect(seen).toMatchObject([{ type: 'trust', before: 0.6, after: 0.7 }]);
  });

  it('RTM-20 tells listeners only once a record is durable, in the order of the log', async () => {
    const inner = createMemoryRoutingStore();
    const order: string[] = [];
    const store: RoutingStore = {
      ...inner,
      async append(records) {
        const result = await inner.append(records);
        order.push(...records.map(({ id }) => `stored ${id}`));
        return result;
      },
    };
    const { matrix } = setUp({ store });
    matrix.on('trust', ({ recordId }) => order.push(`told ${recordId}`));
    matrix.on('decision', ({ id }) => order.push(`told ${id}`));
    const attempt = (n: number) =>
      matrix.recordBenchmark({ platform: platform(1), taskType, attemptId: `${n}`, verdict: good() });
    await Promise.all([attempt(1), attempt(2), attempt(3), matrix.select({ taskType, jobId: 'j' })]);
    expect(order).toEqual([
      'stored benchmark:1',
      'stored benchmark:2',
      'stored benchmark:3',
      'told benchmark:3',
      'stored decision:j',
      'told decision:j',
      'stored alert:few-platforms:code#1',
    ]);
  });

  it('RTM-21 takes in what another matrix on the same log recorded, in the order of the log', async () => {
    const { matrix, store, clock, qualify, newId } = setUp();
    const other = createRoutingMatrix({ store, clock, newId: () => `other-${newId()}` });
    await other.entries();
    await qualify(1, 2);
    await other.recordOutcome({ jobId: 'x', platform: platform(1), taskType, outcome: 'SUCCESS' });
    expect((await other.entry(taskType, platform(1)))?.trustScore).toBe(0.7);
    // Reading and choosing take in first what others appended.
    expect((await matrix.entry(taskType, platform(1)))?.trustScore).toBe(0.7);
    expect(await matrix.entries()).toEqual(await other.entries());
    await matrix.register({ platform: platform(3), taskTypes: [taskType], priceMsat: 1 });
    expect(await other.register({ platform: platform(3), taskTypes: [taskType], priceMsat: 1 })).toEqual({
      recorded: false,
    });
    expect(await other.register({ platform: platform(3), taskTypes: [taskType], priceMsat: 2 })).toEqual({
      recorded: true,
    });
  });

  it('RTM-24 RTM-20 hands out nothing through which a host could change the state', async () => {
    const { matrix, clock, qualify, produce } = setUp({ config: { adaptiveThresholds: true } });
    await qualify(1, 2, 3);
    for (let n = 0; n < 12; n += 1) await produce(1, n % 3 === 0 ? 'SUCCESS' : 'FAILURE');
    await matrix.direct({ platform: platform(2), action: 'deny', reason: 'No' });
    await matrix.budgets.set({ dailyMsat: 1_000 });
    await matrix.budgets.reserve({ reservationId: 'r', taskType, amountMsat: 10 });
    const all = async () => ({
      entries: await matrix.entries(),
      mutations: await matrix.mutations(),
      thresholds: await matrix.thresholds(),
      budgets: await matrix.budgets.list(),
      held: await matrix.budgets.held(),
      probes: await matrix.dueProbes(),
      decisions: await matrix.decisions(),
      decision: await matrix.select({ taskType, jobId: 'one', valueMsat: 1 }),
    });
    clock.advance(1);
    await all();
    const given = await all();
    expect(given.entries.flatMap(({ signals }) => signals).length).toBeGreaterThan(0);
    expect(given.mutations.length).toBeGreaterThan(0);
    const before = structuredClone(given);
    /** Changes everything that can be changed. */
    const spoil = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const member of Object.values(value)) spoil(member);
      if (Object.isFrozen(value)) return;
      if (Array.isArray(value)) value.push('spoilt');
      else for (const name of Object.keys(value)) Reflect.set(value, name, 'spoilt');
    };
    spoil(given);
    expect(await all()).toEqual(before);
  });

  it('RTM-24 quarantines a record that it cannot read, with its sequence number, and uses the rest', async () => {
    const { matrix, store, qualify } = setUp();
    await qualify(1);
    await store.append([
      { id: 'x', kind: 'outcome', at: 1, taskType, data: { outcome: 'SUCCESS' } },
      { id: 'y', kind: 'a-later-kind', at: 1, taskType, data: {} },
    ]);
    const alerts: RoutingAlert[] = [];
    matrix.on('alert', (alert) => alerts.push(alert));
    await qualify(2);
    expect((await matrix.entries()).map(({ trustScore }) => trustScore)).toEqual([0.6, 0.6]);
    expect((await matrix.quarantined()).map(({ seq, recordId }) => [seq, recordId])).toEqual([
      [4, 'x'],
      [5, 'y'],
    ]);
    expect(alerts).toMatchObject([
      { type: 'record-quarantined', seq: 4 },
      { type: 'record-quarantined', seq: 5 },
    ]);
    expect(keysOf(await matrix.select({ taskType }, { n: 2 }))).toHaveLength(2);
    const reopened = createRoutingMatrix({ store });
    expect(await reopened.quarantined()).toHaveLength(2);
  });

  it('RTM-20 reads a log of more than one page', async () => {
    const { store, qualify, clock } = setUp();
    await qualify(1);
    const [model] = await store.readAfter(2, 1);
    if (model === undefined) throw new Error('nothing stored');
    const { seq: _, ...record } = model;
    await store.append(Array.from({ length: 2_500 }, (__, n) => ({ ...record, id: `more-${n}` })));
    const reopened = createRoutingMatrix({ store, clock });
    expect((await reopened.entry(taskType, platform(1)))?.benchmarks).toBe(2_503);
  });

  it('X-8 finishes what it began when it is closed, and begins nothing afterwards', async () => {
    const { matrix, store, produce } = setUp();
    const last = produce(1, 'SUCCESS', 'last');
    await matrix.close();
    expect((await last).recorded).toBe(true);
    expect(await store.readAfter(0, 10)).toHaveLength(1);
    await expect(matrix.entries()).rejects.toMatchObject({ code: 'CLOSED' });
    await using disposed = createRoutingMatrix({ store });
    expect(await disposed.entries()).toHaveLength(1);
  });
});
