import { seededRandom } from '@bonafide/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createMemoryRoutingStore,
  createRoutingMatrix,
  discountedUcbStrategy,
  learnedStrategy,
  type ObservedRecord,
  type RoutingAlert,
  type SelectionStrategy,
  type StrategyCandidate,
  type StrategyShare,
  type StrategyTask,
  thompsonStrategy,
} from '../src/index.ts';
import { chancesOfBeingBest } from '../src/strategies/thompson.ts';
import { good, manualClock, platform, unmeasured } from './support.ts';

const taskType = 'code';

async function matrixWith(strategy: SelectionStrategy, store = createMemoryRoutingStore()) {
  const clock = manualClock();
  const matrix = createRoutingMatrix({ store, clock, random: seededRandom(3), strategy });
  for (const n of [1, 2, 3]) {
    for (const attempt of [1, 2, 3]) {
      const attemptId = `${n}-${attempt}`;
      await matrix.recordBenchmark({ platform: platform(n), taskType, attemptId, verdict: good() });
    }
  }
  return { matrix, store, clock };
}

const strategyOf = (distribution: SelectionStrategy['distribution']): SelectionStrategy => ({
  name: 'custom',
  version: '1',
  distribution,
});

describe('a strategy of the host', () => {
  const bad: readonly (readonly [string, () => unknown])[] = [
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['returns nothing', () => undefined],
    ['returns NaN', () => [Number.NaN, 0.5, 0.5]],
    ['returns infinity', () => [Number.POSITIVE_INFINITY, 0, 0]],
    ['returns a negative share', () => [-0.5, 1, 0.5]],
    ['returns too few', () => [1]],
    ['returns too many', () => [0.25, 0.25, 0.25, 0.25]],
    ['does not sum to one', () => [0.5, 0.1, 0.1]],
    ['returns zeros', () => [0, 0, 0]],
    ['returns text', () => ['1', 0, 0]],
    ['returns null shares', () => [null, null, null]],
    ['returns a promise', () => Promise.resolve([1, 0, 0])],
  ];

  it.each(bad)(
    'that %s fails the decision only: nothing is logged and the matrix stays usable (RTM-24)',
    async (_, answer) => {
      let broken = true;
      const strategy = strategyOf(() => (broken ? (answer() as number[]) : [1, 0, 0]));
      const { matrix, store } = await matrixWith(strategy);
      const before = (await store.readAfter(0, 1_000)).length;
      await expect(matrix.select({ taskType, jobId: 'a' })).rejects.toMatchObject({
        code: 'STRATEGY_FAILED',
      });
      expect(await store.readAfter(0, 1_000)).toHaveLength(before);
      broken = false;
      expect((await matrix.select({ taskType, jobId: 'a' })).picks).toHaveLength(1);
      const reopened = createRoutingMatrix({ store, strategy });
      expect(await reopened.entries()).toHaveLength(3);
    },
  );

  it('sees every decision, benchmark and outcome once, in order, with the features of the job (RTM-24)', async () => {
    const seen: ObservedRecord[] = [];
    const strategy: SelectionStrategy = {
      ...strategyOf((_task, candidates) => candidates.map(() => 1 / candidates.length)),
      init: () => {
        seen.length = 0;
      },
      observe: (record) => seen.push(record),
    };
    const { matrix, store } = await matrixWith(strategy);
    const task = { valueMsat: 5_000, size: 2, deadlineMs: 60_000, difficulty: 0.7 };
    const { picks } = await matrix.select({ taskType, jobId: 'a', ...task });
    const pick = picks[0]?.platform ?? platform(1);
    await matrix.recordOutcome({ jobId: 'a', platform: pick, taskType, outcome: 'SUCCESS' });
    await matrix.recordOutcome({ jobId: 'elsewhere', platform: pick, taskType, outcome: 'SUCCESS' });
    expect(seen.map(({ kind, seq }) => [kind, seq])).toEqual([
      ...Array.from({ length: 9 }, (_, index) => ['benchmark', index + 1]),
      ['decision', 10],
      ['outcome', 11],
      ['outcome', 12],
    ]);
    expect(seen.slice(9).map(({ features }) => features)).toEqual([
      { taskType, ...task },
      { taskType, ...task },
      null,
    ]);
    const [decision] = seen.slice(9);
    expect(decision?.kind === 'decision' && decision.candidates).toHaveLength(3);
    const live = structuredClone(seen);
    await createRoutingMatrix({ store, strategy }).entries();
    expect(seen).toEqual(live);
  });

  it('is told the price of the job, the load, the age and nothing that it could change (RTM-24)', async () => {
    let candidates: readonly StrategyCandidate[] = [];
    let task: StrategyTask | null = null;
    const strategy = strategyOf((given, list) => {
      [task, candidates] = [given, list];
      expect(() => Object.assign(list[0] as object, { trust: 9 })).toThrow(TypeError);
      return list.map((_, index) => (index === 0 ? 1 : 0));
    });
    const { matrix, clock } = await matrixWith(strategy);
    await matrix.register({ platform: platform(1), taskTypes: [taskType], priceMsat: 1_000 });
    clock.advance(5_000);
    await matrix.select({ taskType, jobId: 'a', size: 3 });
    expect(candidates[0]).toMatchObject({ priceMsat: 3_000, inFlight: 0, ageMs: 5_000, trust: 0.6 });
    expect(task).toMatchObject({ taskType, size: 3, threshold: 0.5, valueMsat: null });
    await matrix.select({ taskType, jobId: 'b' });
    expect(candidates[0]).toMatchObject({ priceMsat: 1_000, inFlight: 1 });
  });

  it('that sorts its candidates in place fails, so that no job goes to another platform than it chose (RTM-24)', async () => {
    let sorts = true;
    const strategy = strategyOf((_, given) => {
      const candidates = given as StrategyCandidate[];
      if (sorts) candidates.sort((a, b) => (a.platformId < b.platformId ? 1 : -1));
      return candidates.map((_each, index) => (index === 0 ? 1 : 0));
    });
    const { matrix } = await matrixWith(strategy);
    await expect(matrix.select({ taskType, jobId: 'a' })).rejects.toMatchObject({ code: 'STRATEGY_FAILED' });
    sorts = false;
    const { picks, candidates } = await matrix.select({ taskType, jobId: 'a' });
    expect(candidates.find(({ probability }) => probability === 1)?.platformId).toBe(picks[0]?.platformId);
  });

  it('that changes the task or what it observes changes nothing of the matrix (RTM-24)', async () => {
    const attempts: string[] = [];
    const attempt = (name: string, change: () => void) => {
      try {
        change();
      } catch (error) {
        if (error instanceof TypeError) attempts.push(name);
      }
    };
    const strategy: SelectionStrategy = {
      ...strategyOf((task, candidates) => {
        attempt('task', () => Object.assign(task, { valueMsat: 0, exposureCapMsat: null }));
        return candidates.map((_each, index) => (index === 0 ? 1 : 0));
      }),
      observe(record) {
        if (record.kind === 'decision') {
          attempt('picks', () => (record.picks as unknown[]).reverse());
          attempt('pick', () => Object.assign(record.picks[0] ?? {}, { platformId: 'other' }));
          attempt('candidates', () => (record.candidates as unknown[]).pop());
          attempt('candidate', () => Object.assign(record.candidates[0] ?? {}, { trust: 0 }));
        }
        if (record.features !== null) Object.assign(record.features, { size: 9, deadlineMs: 1 });
      },
    };
    const { matrix, store, clock } = await matrixWith(strategy);
    const decision = await matrix.select({ taskType, jobId: 'a', valueMsat: 5_000, size: 2 }, { n: 2 });
    expect(attempts).toEqual(['task', 'task', 'picks', 'pick', 'candidates', 'candidate']);
    for (const { platform: picked } of decision.picks)
      await matrix.recordOutcome({
        jobId: 'a',
        platform: picked,
        taskType,
        outcome: 'SUCCESS',
        measurements: { costMsat: 400 },
      });
    // The cost of a job of size 1 follows from its true size, which the first outcome did not change for the second.
    const costs = (await matrix.entries()).map(({ cost }) => cost.medianMsat).sort();
    expect(costs).toEqual([200, 200, null]);
    expect((await matrix.decisions()).items).toEqual([decision]);
    expect(await createRoutingMatrix({ store, clock }).entries()).toEqual(await matrix.entries());
  });

  it('that fails on a record is reported once and does not stop the matrix (RTM-24)', async () => {
    const alerts: RoutingAlert[] = [];
    const strategy: SelectionStrategy = {
      ...strategyOf(() => [1, 0, 0]),
      observe: ({ kind }) => {
        if (kind === 'decision') throw new Error('cannot count');
      },
    };
    const { matrix } = await matrixWith(strategy);
    matrix.on('alert', (alert) => alerts.push(alert));
    await matrix.select({ taskType });
    await matrix.select({ taskType });
    expect(alerts).toEqual([
      { type: 'strategy-failed', strategy: 'custom', seq: 10, reason: 'cannot count' },
    ]);
  });

  it('may answer with numbers alone (RTM-24)', async () => {
    const { matrix } = await matrixWith(strategyOf(() => [0, 0, 1]));
    expect((await matrix.select({ taskType })).picks[0]).toMatchObject({
      probability: 1,
      reason: 'chosen by custom',
    });
  });

  it('without a name or a distribution, or an unknown name, is refused at once (RTM-24)', () => {
    const store = createMemoryRoutingStore();
    for (const strategy of ['best', {}, { name: 'x', version: '1' }]) {
      expect(() => createRoutingMatrix({ store, strategy: strategy as SelectionStrategy })).toThrow(
        expect.objectContaining({ code: 'INVALID_CONFIG' }),
      );
    }
  });
});

const learners = [
  ['learned', learnedStrategy],
  ['thompson', thompsonStrategy],
  ['discounted-ucb', discountedUcbStrategy],
] as const;

describe('strategies that learn', () => {
  const task = (more: Partial<StrategyTask> = {}): StrategyTask => ({
    taskType,
    valueMsat: 100_000,
    size: 1,
    deadlineMs: 60_000,
    difficulty: 0.5,
    experience: 0,
    threshold: 0.5,
    exposureCapMsat: 10_000,
    ...more,
  });
  const candidate = (n: number, more: Partial<StrategyCandidate> = {}): StrategyCandidate => ({
    platformId: `${platform(n).pubkey}:main`,
    operator: platform(n).pubkey,
    tier: 'secondary',
    trust: 0.6,
    score: 0.5,
    priceMsat: 1_000,
    latencyMs: null,
    inFlight: 0,
    observations: 0,
    ageMs: 0,
    explorationOnly: false,
    allocation: 1,
    ...more,
  });
  const shares = (strategy: SelectionStrategy, list: readonly StrategyCandidate[], given = task()) =>
    strategy
      .distribution(given, list, { now: 0, random: () => 0 })
      .map((share) => (share as StrategyShare).probability);

  /** Observes one job of platform n with the given outcome. */
  function play(
    strategy: SelectionStrategy,
    seq: number,
    n: number,
    outcome: 'SUCCESS' | 'FAILURE' | 'INFRA',
    given = task(),
    latencyMs: number | null = null,
  ) {
    const { valueMsat, size, deadlineMs, difficulty } = given;
    const features = { taskType: given.taskType, valueMsat, size, deadlineMs, difficulty };
    const { platformId, trust, score, priceMsat, inFlight, ageMs } = candidate(n);
    strategy.observe?.({
      kind: 'decision',
      id: `d${seq}`,
      at: seq,
      jobId: `j${seq}`,
      session: null,
      ...features,
      strategy: 'learned',
      strategyVersion: '1',
      degraded: false,
      wanted: 1,
      picks: [],
      candidateCount: 1,
      shortlisted: null,
      excluded: [],
      excludedCount: 0,
      seq: 2 * seq,
      features,
      candidates: [
        {
          platformId,
          tier: 'secondary',
          trust,
          score,
          priceMsat,
          latencyMs: null,
          inFlight,
          ageMs,
          probability: 1,
          criteria: {} as never,
        },
      ],
    });
    strategy.observe?.({
      kind: 'outcome',
      id: `o${seq}`,
      at: seq,
      taskType: given.taskType,
      platform: platform(n),
      jobId: `j${seq}`,
      outcome,
      valueMsat: null,
      measurements: { ...unmeasured, latencyMs },
      seq: 2 * seq + 1,
      features,
    });
  }

  it('prefers the better, then the cheaper, then the less loaded of equals (RTM-7)', () => {
    const strategy = learnedStrategy();
    for (let i = 1; i <= 40; i += 1) play(strategy, i, 1 + (i % 2), i % 2 === 0 ? 'SUCCESS' : 'FAILURE');
    expect(shares(strategy, [candidate(1), candidate(2)])).toEqual([1, 0]);
    const fresh = learnedStrategy();
    expect(shares(fresh, [candidate(1, { priceMsat: 50_000 }), candidate(2)])).toEqual([0, 1]);
    expect(shares(fresh, [candidate(1, { inFlight: 4 }), candidate(2)])).toEqual([0, 1]);
    expect(shares(fresh, [candidate(1), candidate(2)])).toEqual([0.5, 0.5]);
  });

  it.each([
    ['learned', learnedStrategy],
    ['thompson', thompsonStrategy],
    ['discounted UCB', discountedUcbStrategy],
  ])('%s assumes the highest price of the others where a platform states none (RTM-7)', (_, create) => {
    const of = (hidden: number | null) =>
      shares(create(), [
        candidate(1, { priceMsat: hidden }),
        candidate(2, { priceMsat: 20_000 }),
        candidate(3, { priceMsat: 30_000 }),
      ]);
    expect(of(null)).toEqual(of(30_000));
    expect(of(null)[0]).toBeLessThan(of(0)[0] ?? 0);
  });

  it('learns across task types: who fails at one is doubted at another (RTM-7)', () => {
    const strategy = learnedStrategy();
    for (let i = 1; i <= 40; i += 1) play(strategy, i, 1, 'FAILURE');
    for (let i = 41; i <= 80; i += 1) play(strategy, i, 2, 'SUCCESS');
    expect(shares(strategy, [candidate(1), candidate(2)], task({ taskType: 'prose' }))).toEqual([0, 1]);
  });

  it('does not give a large job for many small successes after a large failure (RTM-25)', () => {
    const strategy = learnedStrategy();
    const small = task({ valueMsat: 1_000 });
    const large = task({ valueMsat: 1_000_000 });
    let seq = 0;
    const next = () => {
      seq += 1;
      return seq;
    };
    for (let round = 0; round < 10; round += 1) {
      for (let i = 0; i < 20; i += 1) play(strategy, next(), 1, 'SUCCESS', small);
      play(strategy, next(), 1, 'FAILURE', large);
      for (let i = 0; i < 9; i += 1)
        play(strategy, next(), 2, i === 0 ? 'FAILURE' : 'SUCCESS', i < 7 ? small : large);
    }
    const pair = [candidate(1), candidate(2)];
    expect(shares(strategy, pair, large)).toEqual([0, 1]);
  });

  it('takes the best platform for a job that none has earned, and marks it degraded (RTM-25)', () => {
    const strategy = learnedStrategy();
    for (let i = 1; i <= 40; i += 1) play(strategy, i, 1 + (i % 2), 'SUCCESS', task({ valueMsat: 1_000 }));
    const asked = (valueMsat: number) =>
      strategy.distribution(task({ valueMsat }), [candidate(1), candidate(2, { priceMsat: 2_000_000 })], {
        now: 0,
        random: () => 0,
      });
    expect(asked(50_000_000)).toMatchObject([{ probability: 1, degraded: true }, { probability: 0 }]);
    expect(asked(1_000)).toMatchObject([{ probability: 1, degraded: false }, { probability: 0 }]);
    // Three jobs of the stratum below license the next.
    for (let i = 41; i <= 43; i += 1) play(strategy, i, 2, 'SUCCESS', task({ valueMsat: 2_000 }));
    expect(asked(50_000_000)).toMatchObject([{ probability: 0 }, { probability: 1, degraded: false }]);
  });

  it('counts a result after the deadline as a failure, and a failure of the judge not at all (RTM-7)', () => {
    const strategy = learnedStrategy();
    for (let i = 1; i <= 30; i += 1) play(strategy, i, 1, 'SUCCESS', task(), 90_000);
    for (let i = 31; i <= 60; i += 1) play(strategy, i, 2, 'INFRA');
    expect(shares(strategy, [candidate(1), candidate(2)])).toEqual([0, 1]);
  });

  it('gives platforms below the threshold small jobs only, unless their record is better than their trust (RTM-25)', () => {
    const strategy = learnedStrategy();
    const below = candidate(1, { explorationOnly: true, trust: 0.4, priceMsat: 0 });
    for (let i = 1; i <= 30; i += 1) play(strategy, i, 1, 'FAILURE');
    const pair = [below, candidate(2, { priceMsat: 99_000 })];
    expect(shares(strategy, pair)).toEqual([0, 1]);
    for (let i = 31; i <= 120; i += 1) play(strategy, i, 1, 'SUCCESS');
    expect(shares(strategy, pair)).toEqual([1, 0]);
  });

  it('gives a new identity no more credit than strangers deserved so far (RTM-24)', () => {
    const strategy = learnedStrategy();
    for (let n = 10; n < 40; n += 1)
      for (let i = 0; i < 5; i += 1) play(strategy, n * 10 + i, n, i === 0 ? 'SUCCESS' : 'FAILURE');
    for (let i = 1_000; i < 1_060; i += 1) play(strategy, i, 2, i % 4 === 0 ? 'FAILURE' : 'SUCCESS');
    expect(shares(strategy, [candidate(99, { trust: 0.75 }), candidate(2)])).toEqual([0, 1]);
  });

  it.each(learners)('%s is reproduced exactly by its snapshot and by a replay (RTM-24)', (_, create) => {
    const step = fc.record({
      n: fc.nat(5),
      outcome: fc.constantFrom('SUCCESS' as const, 'FAILURE' as const, 'INFRA' as const),
      valueMsat: fc.option(fc.integer({ min: 1, max: 1e9 }), { nil: null }),
      difficulty: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null }),
      type: fc.constantFrom('a', 'b', 'c'),
      asks: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.nat(60), (steps, cut) => {
        const live = create();
        const replayed = create();
        const list = [0, 1, 2, 3, 4, 5].map((n) => candidate(n));
        let restored = create();
        for (const [index, { n, outcome, valueMsat, difficulty, type, asks }] of steps.entries()) {
          const given = task({ valueMsat, difficulty, taskType: type });
          // Asking between the records changes nothing.
          if (asks) live.distribution(given, list, { now: index, random: () => 0.5 });
          if (index === cut) {
            restored = create();
            restored.init?.(JSON.parse(JSON.stringify(live.snapshot?.())));
          }
          for (const each of [live, replayed, restored]) play(each, index + 1, n, outcome, given);
        }
        for (const type of ['a', 'b', 'c', 'd']) {
          const answers = [live, replayed, ...(cut < steps.length ? [restored] : [])].map((each) =>
            shares(each, list, task({ taskType: type })),
          );
          for (const answer of answers) expect(answer).toEqual(answers[0]);
        }
        expect(replayed.snapshot?.()).toEqual(live.snapshot?.());
      }),
    );
  });

  it.each(learners)(
    '%s prefers the better, then the cheaper, and leaves a platform that fell (RTM-7)',
    (_, create) => {
      const strategy = create();
      const favor = (list: readonly StrategyCandidate[]) => shares(strategy, list)[0] ?? 0;
      const pair = [candidate(1), candidate(2)];
      expect(shares(strategy, pair)[0]).toBeCloseTo(0.5, 6);
      for (let i = 1; i <= 80; i += 1) play(strategy, i, 1 + (i % 2), i % 2 === 0 ? 'SUCCESS' : 'FAILURE');
      expect(favor(pair)).toBeGreaterThan(0.99);
      for (let i = 81; i <= 400; i += 1) play(strategy, i, 1 + (i % 2), i % 2 === 0 ? 'FAILURE' : 'SUCCESS');
      expect(favor([candidate(2), candidate(1)])).toBeGreaterThan(0.9);
      const fresh = create();
      const [dear] = shares(fresh, [candidate(1, { priceMsat: 90_000 }), candidate(2, { priceMsat: 0 })]);
      expect(dear).toBeLessThan(0.1);
    },
  );

  it('thompson chooses each platform with the probability that it is the best one (RTM-7)', () => {
    const random = seededRandom(3);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ mean: fc.integer({ min: 0, max: 20 }), deviation: fc.integer({ min: 1, max: 10 }) }),
          {
            minLength: 1,
            maxLength: 6,
          },
        ),
        (quantities) => {
          const wins = quantities.map(() => 0);
          const draws = 20_000;
          for (let i = 0; i < draws; i += 1) {
            const drawn = quantities.map(({ mean, deviation }) => mean + deviation * normal());
            const best = drawn.indexOf(Math.max(...drawn));
            wins[best] = (wins[best] ?? 0) + 1 / draws;
          }
          const chances = chancesOfBeingBest(quantities);
          expect(chances.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 9);
          for (const [index, chance] of chances.entries())
            expect(Math.abs(chance - (wins[index] ?? 0))).toBeLessThan(0.03);
        },
      ),
      { numRuns: 20, seed: 1 },
    );
  });

  it('thompson decides between platforms whose certainty differs by orders of magnitude (RTM-7)', () => {
    const [sure, unsure] = chancesOfBeingBest([
      { mean: 10, deviation: 1e-6 },
      { mean: 9, deviation: 1 },
    ]);
    // P(N(9, 1) > 10) = .1587
    expect(unsure).toBeCloseTo(0.1587, 2);
    expect(sure).toBeCloseTo(0.8413, 2);
    expect(chancesOfBeingBest([{ mean: -1e9, deviation: 1e-9 }])).toEqual([1]);
    const [worse, better, wide] = chancesOfBeingBest([
      { mean: 10.001, deviation: 1e-6 },
      { mean: 10.002, deviation: 1e-6 },
      { mean: 9, deviation: 1 },
    ]);
    expect(worse).toBeCloseTo(0, 6);
    expect(better).toBeCloseTo(0.8417, 2);
    expect(wide).toBeCloseTo(0.1583, 2);
  });
});
