import { seededRandom } from '@bonafide/internal';
import { describe, expect, it } from 'vitest';
import {
  afterWork,
  allocationOf,
  type EntryStatus,
  type Lifecycle,
  lifecycleAt,
  nextCusum,
  normalLifecycle,
  type Signal,
  type Stage,
} from '../src/index.ts';
import { config, dayMs, hourMs, setUp, taskType } from './support/lifecycle.ts';
import { platform, start, verdict } from './support.ts';

describe('signs of degradation', () => {
  it.each<[string, (t: ReturnType<typeof setUp>) => Promise<unknown>, EntryStatus, readonly Signal[]]>([
    [
      'RTM-11 19 of 20 in seven days are 95 %: no sign',
      async ({ times }) => {
        await times(16, 1, 'SUCCESS');
        await times(1, 1, 'FAILURE');
      },
      'ACTIVE',
      [],
    ],
    [
      'RTM-11 less than 95 % in seven days',
      async ({ times }) => {
        await times(15, 1, 'SUCCESS');
        await times(1, 1, 'FAILURE');
      },
      'SUSPECTED_DEGRADED',
      ['success-rate'],
    ],
    [
      'RTM-11 nothing below ten judged works',
      async ({ times }) => {
        await times(5, 1, 'SUCCESS');
        await times(1, 1, 'FAILURE');
      },
      'ACTIVE',
      [],
    ],
    [
      'RTM-11 what is older than seven days does not count',
      async ({ times, clock }) => {
        await times(20, 1, 'FAILURE');
        clock.advance(8 * dayMs);
        await times(9, 1, 'SUCCESS');
        await times(1, 1, 'SUCCESS');
      },
      'ACTIVE',
      [],
    ],
    [
      'RTM-11 three straight timeouts',
      ({ times }) => times(3, 1, 'ERROR', { errorKind: 'timeout' }),
      'SUSPECTED_DEGRADED',
      ['timeouts'],
    ],
    [
      'RTM-11 timeouts that are not straight',
      async ({ times }) => {
        await times(2, 1, 'ERROR', { errorKind: 'timeout' });
        await times(1, 1, 'SUCCESS');
        await times(2, 1, 'ERROR', { errorKind: 'timeout' });
      },
      'ACTIVE',
      [],
    ],
    [
      'RTM-11 a 95th percentile above twice the baseline',
      async ({ times }) => {
        await times(9, 1, 'SUCCESS', { latencyMs: 1_000 });
        await times(1, 1, 'SUCCESS', { latencyMs: 2_001 });
      },
      'SUSPECTED_DEGRADED',
      ['latency'],
    ],
    [
      'RTM-11 a 95th percentile of exactly twice the baseline',
      ({ times }) => times(12, 1, 'SUCCESS', { latencyMs: 2_000 }),
      'ACTIVE',
      [],
    ],
  ])('%s', async (_, act, status, signals) => {
    const t = setUp({
      adaptiveThresholds: false,
      baselines: { code: { latencyMs: 500, latencyP95Ms: 1_000 } },
      baselineSamples: 1_000,
    });
    await t.qualify(1, 2, 3, 4);
    await act(t);
    expect(await t.matrix.entry(taskType, platform(1))).toMatchObject({ status, signals, allocation: 1 });
  });

  it('RTM-11 reduces at a CUSUM of 4 and asks for another threshold at 6', async () => {
    const { matrix, times, produce, qualify } = setUp();
    await qualify(1, 2, 3, 4);
    await times(60, 1, 'SUCCESS');
    let level = 0;
    let [good, judged] = [63, 63];
    let failures = 0;
    while (level < 4) {
      judged += 1;
      level = nextCusum(level, false, (18 + good) / (20 + judged), config.cusumDrop);
      failures += 1;
    }
    await times(failures - 1, 1, 'FAILURE');
    expect((await matrix.entry(taskType, platform(1)))?.allocation).toBe(1);
    expect(await produce(1, 'FAILURE')).toMatchObject({ status: 'REDUCED', allocation: 0.5 });
  });

  it('RTM-11 RTM-12 holds a platform that fell to its new rate, and brings it back after a quiet day', async () => {
    const { matrix, clock, times, produce, qualify } = setUp();
    await qualify(1, 2, 3, 4);
    await times(60, 1, 'SUCCESS');
    const fell: string[] = [];
    matrix.on('alert', ({ type }) => fell.push(type));
    // It falls to seven of ten and stays there.
    const work = async (hours: number) => {
      for (let i = 0; i < hours * 10; i += 1) {
        clock.advance(hourMs / 10);
        await produce(1, i % 10 < 3 ? 'FAILURE' : 'SUCCESS');
      }
    };
    await work(8);
    expect(await matrix.entry(taskType, platform(1))).toMatchObject({ status: 'REDUCED' });
    await work(80);
    expect(fell.filter((type) => type === 'success-fell').length).toBeLessThanOrEqual(2);
    expect((await matrix.entry(taskType, platform(1)))?.allocation).toBe(1);
  });

  it.each([
    [0.9, 4, 700, 1_600, 25, 50],
    [0.9, 6, 4_500, 14_000, 40, 80],
  ])('RTM-11 CUSUM at %d and h = %d: false alarms and delay as published', (rate, h, low, high, from, to) => {
    const random = seededRandom(7);
    const run = (p: number) => {
      let level = 0;
      for (let n = 1; ; n += 1) {
        level = nextCusum(level, random() < p, rate, 0.15);
        if (level >= h) return n;
      }
    };
    const mean = (p: number) =>
      Array.from({ length: 300 }, () => run(p)).reduce((sum, n) => sum + n, 0) / 300;
    expect(mean(0.9)).toBeGreaterThan(low);
    expect(mean(0.9)).toBeLessThan(high);
    expect(mean(0.75)).toBeGreaterThan(from);
    expect(mean(0.75)).toBeLessThan(to);
  });
});

const life = (stage: Stage, more: Partial<Lifecycle> = {}): Lifecycle => ({
  ...normalLifecycle(start),
  stage,
  ...more,
});

describe('stages', () => {
  it.each<[string, Lifecycle, readonly Signal[], boolean, 'outcome' | 'benchmark', Stage, number]>([
    ['RTM-12 a first sign warns', life('normal'), ['latency'], true, 'outcome', 'warning', 1],
    [
      'RTM-12 the next success ends a warning',
      life('warning', { signals: ['latency'] }),
      [],
      true,
      'outcome',
      'normal',
      1,
    ],
    [
      'RTM-12 a failure does not',
      life('warning', { signals: ['latency'] }),
      [],
      false,
      'outcome',
      'warning',
      1,
    ],
    [
      'RTM-12 the same sign again changes nothing',
      life('warning', { signals: ['latency'] }),
      ['latency'],
      false,
      'outcome',
      'warning',
      1,
    ],
    [
      'RTM-12 a second sign halves',
      life('warning', { signals: ['latency'] }),
      ['timeouts'],
      false,
      'outcome',
      'reduced',
      0.5,
    ],
    ['RTM-11 the CUSUM alone halves', life('normal'), ['cusum'], false, 'outcome', 'reduced', 0.5],
    [
      'RTM-12 a success does not end a reduction',
      life('reduced', { signals: ['latency', 'timeouts'] }),
      [],
      true,
      'outcome',
      'reduced',
      0.5,
    ],
    [
      'RTM-12 a benchmark does',
      life('reduced', { signals: ['latency', 'timeouts'] }),
      [],
      true,
      'benchmark',
      'normal',
      1,
    ],
    [
      'RTM-12 a third sign suspends',
      life('reduced', { signals: ['latency', 'timeouts'] }),
      ['success-rate'],
      false,
      'outcome',
      'suspended',
      0,
    ],
    [
      'RTM-12 a severe failure jumps to suspension',
      life('normal'),
      ['severe'],
      false,
      'outcome',
      'suspended',
      0,
    ],
    [
      'RTM-12 nothing ends a suspension but time and the operator',
      life('suspended', { untilAt: start + 30 * dayMs }),
      [],
      true,
      'benchmark',
      'suspended',
      0,
    ],
    ['RTM-8b a first success of a returning one', life('half-open'), [], true, 'outcome', 'half-open', 0.25],
    ['RTM-8b a second', life('half-open', { ramp: 1 }), [], true, 'outcome', 'half-open', 0.5],
    ['RTM-8b a third', life('half-open', { ramp: 2 }), [], true, 'outcome', 'normal', 1],
    ['RTM-12 a benchmark of a returning one', life('half-open'), [], true, 'benchmark', 'normal', 1],
    [
      'RTM-8b a failure of a returning one',
      life('half-open', { suspensions: 1 }),
      [],
      false,
      'outcome',
      'suspended',
      0,
    ],
    [
      'RTM-12 a third suspension removes',
      life('half-open', { suspensions: 2 }),
      [],
      false,
      'outcome',
      'removed',
      0,
    ],
    ['RTM-12 nothing ends a removal', life('removed'), [], true, 'benchmark', 'removed', 0],
  ])('%s', (_, before, signals, success, kind, stage, allocation) => {
    const event = { at: start + 1, kind, success, signals, maySuspend: () => true };
    const after = afterWork(before, event, config);
    expect([after.stage, allocationOf(after)]).toEqual([stage, allocation]);
  });

  it.each<[string, Lifecycle, number, Stage, number]>([
    ['RTM-12 24 h of warning reduce', life('warning'), dayMs, 'reduced', 0.5],
    ['RTM-12 less do not', life('warning'), dayMs - 1, 'warning', 1],
    [
      'RTM-12 a suspension lasts its 30 days',
      life('suspended', { untilAt: start + 30 * dayMs }),
      30 * dayMs - 1,
      'suspended',
      0,
    ],
    [
      'RTM-8b and returns half-open with a twentieth',
      life('suspended', { untilAt: start + 30 * dayMs }),
      30 * dayMs,
      'half-open',
      0.05,
    ],
    [
      'RTM-8b a clean interval takes one step back',
      life('reduced', { lastSignalAt: start, lastSuccessAt: start + dayMs }),
      dayMs,
      'warning',
      1,
    ],
    [
      'RTM-8b an interval without any success is not clean',
      life('reduced', { lastSignalAt: start }),
      100 * dayMs,
      'reduced',
      0.5,
    ],
    ['RTM-12 a removal has no end', life('removed'), 1_000 * dayMs, 'removed', 0],
  ])('%s', (_, before, later, stage, allocation) => {
    const after = lifecycleAt(before, start + later, config);
    expect([after.stage, allocationOf(after)]).toEqual([stage, allocation]);
  });

  it('RTM-8b forgets one suspension per clean interval, and never shortens one', () => {
    const returned = life('normal', { suspensions: 2, lastSignalAt: start });
    expect(lifecycleAt(returned, start + dayMs, config).suspensions).toBe(1);
    expect(lifecycleAt(returned, start + 5 * dayMs, config).suspensions).toBe(0);
    const late = life('half-open', { untilAt: start + 90 * dayMs });
    const event = {
      at: start,
      kind: 'outcome',
      success: false,
      signals: [],
      maySuspend: () => true,
    } as const;
    expect(afterWork(late, event, config).untilAt).toBe(start + 90 * dayMs);
  });

  it('RTM-12 suspends for 30 days after damage, returns half-open, and only as the operator says before', async () => {
    const { matrix, qualify, produce, standing, clock, times, reasons } = setUp();
    await qualify(1, 2, 3, 4, 5);
    const statuses: EntryStatus[] = [];
    matrix.on('status', ({ after }) => statuses.push(after));
    const entry = await produce(1, 'ERROR', { errorKind: 'disk' });
    expect(entry).toMatchObject({
      status: 'SUSPENDED',
      suspendedUntilAt: start + 30 * dayMs,
      suspended: true,
    });
    expect(await reasons()).toEqual({ 1: 'suspended' });
    clock.advance(30 * dayMs);
    expect(await standing(1)).toEqual(['HALF_OPEN', 0.05]);
    await times(3, 1, 'SUCCESS');
    expect(await standing(1)).toEqual(['ACTIVE', 1]);

    await produce(2, 'ERROR', { errorKind: 'pids' });
    expect(await standing(2)).toEqual(['SUSPENDED', 0]);
    await matrix.direct({ platform: platform(2), action: 'readmit', reason: 'They mended it' });
    expect(await standing(2)).toEqual(['HALF_OPEN', 0.05]);
    expect(statuses).toEqual(['SUSPENDED', 'ACTIVE', 'SUSPENDED', 'HALF_OPEN']);
  });

  it('RTM-12 removes on the operator’s word, and readmits as a new discovery only', async () => {
    const { matrix, qualify, standing, reasons, benchmark } = setUp();
    await qualify(1, 2, 3, 4);
    await matrix.direct({ platform: platform(1), action: 'remove', reason: 'Out of business' });
    expect(await standing(1)).toEqual(['REMOVED', 0]);
    expect(await reasons()).toEqual({ 1: 'removed' });
    await benchmark(1);
    expect(await standing(1)).toEqual(['REMOVED', 0]);
    await matrix.direct({ platform: platform(1), action: 'readmit', reason: 'Back' });
    expect(await matrix.entry(taskType, platform(1))).toMatchObject({
      status: 'EVALUATING',
      trustScore: null,
    });
    await qualify(1);
    expect(await standing(1)).toEqual(['ACTIVE', 1]);
  });
});

describe('return after failed evaluations', () => {
  /** Lets platform 1 fail a number of evaluations, each with one success so that they are not straight failures. */
  async function failing(count: number) {
    const t = setUp();
    let version = 0;
    const register = (major = 1) =>
      t.matrix.register({ platform: platform(1), taskTypes: [taskType], version: `${major}.${++version}.0` });
    await register();
    const fail = async () => {
      await t.benchmark(1, verdict('PARTIAL', 0.8));
      await t.benchmark(1, verdict('FAILURE', 0.3));
      return t.benchmark(1, verdict('FAILURE', 0.3));
    };
    for (let i = 0; i < count; i += 1) {
      if (i > 0) await t.matrix.direct({ platform: platform(1), action: 'readmit', reason: 'Try again' });
      expect(await fail()).toMatchObject({ status: 'REJECTED', failedEvaluations: i + 1 });
      t.clock.advance(1);
    }
    /** Tells whether another attempt counts. */
    const counts = async () => (await t.benchmark(1)).status === 'EVALUATING';
    const retryIsDue = async () => (await t.matrix.dueProbes()).some(({ reason }) => reason === 'retry');
    return { ...t, register, counts, retryIsDue };
  }

  it.each<[string, number, number, 'no change' | 'card' | 'major version' | 'operator', boolean]>([
    ['RTM-12 1st: after a day', 1, dayMs, 'no change', true],
    ['RTM-12 1st: not before', 1, dayMs - 2, 'card', false],
    ['RTM-12 2nd: after three days', 2, 3 * dayMs, 'no change', true],
    ['RTM-12 2nd: not after two', 2, 2 * dayMs, 'no change', false],
    ['RTM-12 2nd: or when the card changed', 2, 1, 'card', true],
    ['RTM-12 3rd: seven days are not enough', 3, 7 * dayMs, 'no change', false],
    ['RTM-12 3rd: with a changed card they are', 3, 7 * dayMs, 'card', true],
    ['RTM-12 3rd: a changed card alone is not', 3, 7 * dayMs - 2, 'card', false],
    ['RTM-12 3rd: or on the operator’s word', 3, 1, 'operator', true],
    ['RTM-12 4th: a changed card is not enough', 4, 30 * dayMs, 'card', false],
    ['RTM-12 4th: 30 days and a new major version', 4, 30 * dayMs, 'major version', true],
    ['RTM-12 4th: not before 30 days', 4, 29 * dayMs, 'major version', false],
    ['RTM-12 5th: as the 4th', 5, 30 * dayMs, 'major version', true],
    ['RTM-12 4th: or on the operator’s word', 4, 1, 'operator', true],
  ])('%s', async (_, failed, later, change, expected) => {
    const { register, matrix, clock, counts, retryIsDue } = await failing(failed);
    clock.advance(later);
    if (change === 'card') await register();
    if (change === 'major version') await register(2);
    if (change === 'operator') {
      await matrix.direct({ platform: platform(1), action: 'readmit', reason: 'Try again' });
    }
    expect(await retryIsDue()).toBe(expected);
    expect(await counts()).toBe(expected);
  });

  it('RTM-12 three straight failures cost 30 days at once, whatever changes', async () => {
    const { matrix, benchmark, clock } = setUp();
    for (let i = 0; i < 3; i += 1) await benchmark(1, verdict('FAILURE', 0));
    await matrix.register({ platform: platform(1), taskTypes: [taskType], version: '2.0.0' });
    clock.advance(30 * dayMs - 1);
    expect((await benchmark(1)).status).toBe('REJECTED');
    clock.advance(1);
    expect((await benchmark(1)).status).toBe('EVALUATING');
  });
});

describe('probes', () => {
  it.each<[string, number, string | null]>([
    ['RTM-11 nothing before 24 h', dayMs - 1, null],
    ['RTM-11 silence of 24 h', dayMs, 'silence'],
  ])('%s', async (_, later, reason) => {
    const { matrix, qualify, clock } = setUp();
    await qualify(1);
    clock.advance(later);
    expect((await matrix.dueProbes())[0]?.reason ?? null).toBe(reason);
  });

  it('RTM-11 a weekly benchmark for one that works, and twice as many for a suspect', async () => {
    const { matrix, qualify, clock, produce } = setUp();
    await qualify(1, 2, 3, 4);
    for (let day = 0; day < 7; day += 1) {
      expect(await matrix.dueProbes()).toEqual([]);
      clock.advance(dayMs - 1);
      for (const n of [1, 2, 3, 4]) await produce(n, 'SUCCESS');
    }
    clock.advance(7);
    expect((await matrix.dueProbes()).map(({ reason }) => reason)).toEqual(Array(4).fill('heartbeat'));
    await qualify(1, 2, 3, 4);
    await produce(1, 'FAILURE');
    clock.advance(dayMs / 2);
    expect(await matrix.dueProbes()).toMatchObject([
      { platformId: `${platform(1).pubkey}:main`, reason: 'silence' },
    ]);
  });

  it('RTM-11 asks for an evaluation of the new, and for a benchmark that ends a reduction', async () => {
    const { matrix, qualify, times, standing, benchmark } = setUp();
    await matrix.register({ platform: platform(9), taskTypes: [taskType] });
    expect(await matrix.dueProbes()).toMatchObject([{ reason: 'evaluation' }]);
    await qualify(1, 2, 3, 4);
    await times(8, 1, 'SUCCESS');
    await times(8, 1, 'FAILURE');
    expect(await standing(1)).toEqual(['REDUCED', 0.5]);
    expect((await matrix.dueProbes()).map(({ reason }) => reason)).toEqual(['degraded', 'evaluation']);
    await benchmark(1);
    expect(await standing(1)).toEqual(['ACTIVE', 1]);
  });
});
