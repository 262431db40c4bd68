import { seededRandom } from '@bonafide/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createMemoryRoutingStore,
  createRoutingMatrix,
  type Outcome,
  type RoutingMatrix,
} from '../src/index.ts';
import { hourMs, setUp, taskType } from './support/lifecycle.ts';
import { good, platform, start } from './support.ts';

describe('never without platforms', () => {
  const damage = { errorKind: 'disk' };
  /** Qualifies services of one operator, then lets each damage the host. */
  const qualifyAndDamage = async (matrix: RoutingMatrix, count: number) => {
    const services = Array.from({ length: count }, (_, n) => platform(9, `s${n}`));
    for (const each of services)
      for (let i = 0; i < 3; i += 1)
        await matrix.recordBenchmark({
          platform: each,
          taskType,
          attemptId: `${each.d} ${i}`,
          verdict: good(),
        });
    for (const each of services)
      await matrix.recordOutcome({
        jobId: `damage ${each.d}`,
        platform: each,
        taskType,
        outcome: 'ERROR',
        measurements: damage,
      });
  };

  it('RTM-8b suspends none below three that work', async () => {
    const { qualify, produce, standing, matrix } = setUp();
    await qualify(1, 2, 3);
    expect(await produce(1, 'ERROR', damage)).toMatchObject({ status: 'REDUCED', allocation: 0.5 });
    await qualify(4);
    expect((await matrix.entry(taskType, platform(1)))?.statusReason).toContain('too few');
    await produce(1, 'ERROR', damage);
    expect(await standing(1)).toEqual(['SUSPENDED', 0]);
    await produce(2, 'ERROR', damage);
    expect(await standing(2)).toEqual(['REDUCED', 0.5]);
  });

  it('RTM-8b suspends at most half of the capacity', async () => {
    const { qualify, produce, matrix } = setUp();
    await qualify(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    for (let n = 1; n <= 10; n += 1) await produce(n, 'ERROR', damage);
    const entries = await matrix.entries();
    expect(entries.filter(({ status }) => status === 'SUSPENDED')).toHaveLength(5);
  });

  it('RTM-8b the services of one operator do not keep each other in work', async () => {
    const { qualify, matrix } = setUp();
    await qualify(1, 2, 3, 4, 5);
    await qualifyAndDamage(matrix, 20);
    const entries = await matrix.entries();
    expect(entries.filter(({ status }) => status === 'SUSPENDED')).toHaveLength(20);
  });

  it('RTM-8b the services of one operator do not make another operator dispensable', async () => {
    const { qualify, produce, standing, matrix } = setUp();
    await qualify(1, 2);
    for (let n = 0; n < 5; n += 1)
      for (let i = 0; i < 3; i += 1)
        await matrix.recordBenchmark({
          platform: platform(9, `s${n}`),
          taskType,
          attemptId: `s${n} ${i}`,
          verdict: good(),
        });
    await produce(1, 'ERROR', damage);
    expect(await standing(1)).toEqual(['REDUCED', 0.5]);
    // A fourth operator makes it dispensable.
    await qualify(3);
    await produce(1, 'ERROR', damage);
    expect(await standing(1)).toEqual(['SUSPENDED', 0]);
  });

  it('RTM-8b a market of one operator keeps three services and half of them', async () => {
    const { matrix } = setUp();
    await qualifyAndDamage(matrix, 5);
    const entries = await matrix.entries();
    expect(entries.filter(({ status }) => status === 'SUSPENDED')).toHaveLength(2);
  });

  it('RTM-8b takes the first to return when everything is suspended, and says so', async () => {
    const { matrix, qualify, clock } = setUp();
    await qualify(1, 2, 3, 4);
    for (const [n, hours] of [
      [1, 5],
      [2, 2],
      [3, 9],
    ] as const) {
      const untilAt = clock() + hours * hourMs;
      await matrix.direct({ platform: platform(n), action: 'suspend', untilAt, reason: 'SLA' });
    }
    await matrix.direct({ platform: platform(4), action: 'deny', reason: 'No' });
    const decision = await matrix.select({ taskType, valueMsat: 1 });
    expect(decision.picks.map(({ platformId }) => platformId)).toEqual([`${platform(2).pubkey}:main`]);
    expect(decision.degraded).toBe(true);
    expect(decision.picks[0]?.reason).toContain('every platform is suspended');
    // Without an end there is no first to return.
    for (const n of [1, 2, 3])
      await matrix.direct({ platform: platform(n), action: 'suspend', reason: 'Stop' });
    expect(await matrix.select({ taskType, valueMsat: 1 })).toMatchObject({ picks: [], degraded: false });
  });

  it('RTM-8b a suspended platform gets nothing while others work that the caller excludes or that are busy', async () => {
    const { matrix, qualify, clock } = setUp({ maxInFlight: 1 });
    await qualify(1, 2);
    const untilAt = clock() + hourMs;
    await matrix.direct({ platform: platform(1), action: 'suspend', untilAt, reason: 'SLA' });
    const job = (jobId: string, exclude: readonly number[] = []) =>
      matrix.select({ taskType, jobId, valueMsat: 1 }, { exclude: exclude.map((n) => platform(n)) });
    expect(await job('excluded', [2])).toMatchObject({ picks: [], degraded: false });
    expect((await job('first')).picks[0]?.platform).toEqual(platform(2));
    expect(await job('busy')).toMatchObject({ picks: [], degraded: false });
    // Now everything is suspended, and one of them was asked already.
    await matrix.direct({ platform: platform(2), action: 'suspend', untilAt, reason: 'SLA' });
    expect((await job('last', [2])).picks[0]?.platform).toEqual(platform(1));
  });

  it('RTM-12 RTM-8c halves the probability of a reduced platform, exactly, and logs it', async () => {
    const { matrix, qualify, times } = setUp();
    await qualify(1, 2, 3, 4);
    await times(30, 1, 'SUCCESS');
    const only = await matrix.select(
      { taskType, valueMsat: 1 },
      { exclude: [2, 3, 4].map((n) => platform(n)) },
    );
    expect(only.picks[0]?.probability).toBe(1);
    await times(8, 1, 'FAILURE');
    expect((await matrix.entry(taskType, platform(1)))?.status).toBe('REDUCED');
    const alone = await matrix.select(
      { taskType, valueMsat: 1 },
      { exclude: [2, 3, 4].map((n) => platform(n)) },
    );
    expect(alone.picks[0]?.probability).toBe(1);
    const fresh = createRoutingMatrix({
      store: createMemoryRoutingStore(),
      clock: () => start,
      random: seededRandom(3),
      strategy: {
        name: 'first',
        version: '1',
        judgesCandidates: true,
        distribution: (_, candidates) => candidates.map((__, index) => (index === 0 ? 1 : 0)),
      },
    });
    for (const n of [1, 2, 3])
      for (let i = 0; i < 3; i += 1)
        await fresh.recordBenchmark({
          platform: platform(n),
          taskType,
          attemptId: `${n} ${i}`,
          verdict: good(),
        });
    for (let i = 0; i < 24; i += 1)
      await fresh.recordOutcome({
        jobId: `${i}`,
        platform: platform(1),
        taskType,
        outcome: i < 16 ? 'SUCCESS' : 'FAILURE',
      });
    const { candidates } = await fresh.select({ taskType, valueMsat: 1 });
    const probabilities = Object.fromEntries(
      candidates.map(({ platformId, probability }) => [Number(`0x${platformId.split(':')[0]}`), probability]),
    );
    expect(probabilities).toEqual({ 1: 0.5, 2: 0.5, 3: 0 });
  });

  it('RTM-8b keeps three that work, and half of them, whatever happens', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            n: fc.integer({ min: 1, max: 8 }),
            outcome: fc.constantFrom<Outcome>('SUCCESS', 'FAILURE', 'ERROR'),
            errorKind: fc.constantFrom('timeout', 'disk', 'crash'),
            hours: fc.nat(40),
          }),
          { maxLength: 60 },
        ),
        fc.integer({ min: 3, max: 8 }),
        async (works, count) => {
          const { matrix, qualify, produce, clock } = setUp();
          await qualify(...Array.from({ length: count }, (_, index) => index + 1));
          for (const { n, outcome, errorKind, hours } of works) {
            clock.advance(hours * hourMs);
            if (n <= count) await produce(n, outcome, outcome === 'ERROR' ? { errorKind } : {});
            const entries = await matrix.entries();
            const suspended = entries.filter(({ status }) => status === 'SUSPENDED').length;
            const removed = entries.filter(({ status }) => status === 'REMOVED').length;
            expect(count - suspended - removed).toBeGreaterThanOrEqual(3);
            expect(suspended).toBeLessThanOrEqual(count - suspended);
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
