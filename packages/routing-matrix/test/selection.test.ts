import { seededRandom } from '@bonafide/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createMemoryRoutingStore,
  createRoutingMatrix,
  defaultTierShares,
  drawIndex,
  handOnShares,
  powerOfTwoChoices,
  type StrategyCandidate,
  scoreCandidates,
  tieredStrategy,
  tierOf,
} from '../src/index.ts';

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const candidate = (platformId: string, more: Partial<StrategyCandidate> = {}): StrategyCandidate => ({
  platformId,
  tier: 'primary',
  operator: platformId,
  trust: 0.85,
  score: 0.8,
  priceMsat: null,
  latencyMs: null,
  ageMs: 0,
  inFlight: 0,
  observations: 10,
  explorationOnly: false,
  allocation: 1,
  ...more,
});

const shares = (candidates: readonly StrategyCandidate[], experience = 0) =>
  tieredStrategy()
    .distribution({ ...task, experience }, candidates, { now: 0, random: () => 0 })
    .map((share) => (typeof share === 'number' ? share : share.probability));

const task = {
  taskType: 'code',
  valueMsat: null,
  size: null,
  deadlineMs: null,
  difficulty: null,
  experience: 0,
  threshold: 0.5,
  exposureCapMsat: 10_000,
};

const anyCandidate = fc.record({
  tier: fc.constantFrom('primary' as const, 'secondary' as const, 'tertiary' as const),
  trust: fc.double({ min: 0.3, max: 0.9, noNaN: true }),
  score: fc.double({ min: 0, max: 1, noNaN: true }),
  inFlight: fc.nat(5),
  observations: fc.nat(50),
  explorationOnly: fc.boolean(),
});

describe('tiers', () => {
  it('RTM-7 puts trust from .8 first, from .5 second, from .3 third, and the untried third whatever their trust', () => {
    expect([0.9, 0.8, 0.79, 0.5, 0.49, 0.3, 0.29].map((trust) => tierOf(trust, 1))).toEqual([
      'primary',
      'primary',
      'secondary',
      'secondary',
      'tertiary',
      'tertiary',
      'none',
    ]);
    expect([tierOf(0.75, 0), tierOf(0.29, 0), tierOf(null, 0)]).toEqual(['tertiary', 'none', 'none']);
  });

  it('RTM-7 hands the share of empty tiers on, downwards first', () => {
    const without = (...empty: readonly string[]) => {
      const { primary, secondary, tertiary } = handOnShares(defaultTierShares, (tier) =>
        empty.includes(tier),
      );
      return [primary, secondary, tertiary].map((share) => Number(share.toFixed(9)));
    };
    expect(without()).toEqual([0.7, 0.25, 0.05]);
    expect(without('primary')).toEqual([0, 0.95, 0.05]);
    expect(without('secondary')).toEqual([0.7, 0, 0.3]);
    expect(without('tertiary')).toEqual([0.75, 0.25, 0]);
    expect(without('primary', 'secondary')).toEqual([0, 0, 1]);
    expect(without('secondary', 'tertiary')).toEqual([1, 0, 0]);
    expect(without('primary', 'secondary', 'tertiary')).toEqual([0, 0, 0]);
  });
});

describe('power of two choices', () => {
  it('RTM-8 prefers the less loaded of two drawn at random, with a fair coin between equals', () => {
    expect(powerOfTwoChoices([3])).toEqual([1]);
    expect(powerOfTwoChoices([0, 5])).toEqual([1, 0]);
    expect(powerOfTwoChoices([2, 2])).toEqual([0.5, 0.5]);
    expect(powerOfTwoChoices([2, 0, 1])).toEqual([0, 2 / 3, 1 / 3]);
  });

  it('RTM-8 has the probabilities that drawing gives', () => {
    const loads = [4, 1, 1, 3, 0];
    const random = seededRandom(7);
    const drawn = loads.map(() => 0);
    const draws = 200_000;
    for (let i = 0; i < draws; i += 1) {
      const one = Math.floor(random() * loads.length);
      const other = (one + 1 + Math.floor(random() * (loads.length - 1))) % loads.length;
      const [a, b] = [loads[one] ?? 0, loads[other] ?? 0];
      const winner = a === b ? (random() < 0.5 ? one : other) : a < b ? one : other;
      drawn[winner] = (drawn[winner] ?? 0) + 1;
    }
    for (const [index, probability] of powerOfTwoChoices(loads).entries()) {
      expect((drawn[index] ?? 0) / draws).toBeCloseTo(probability, 2);
    }
  });

  it('RTM-8 sums to one for any loads', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4), { minLength: 1, maxLength: 40 }), (loads) => {
        expect(sum(powerOfTwoChoices(loads))).toBeCloseTo(1, 9);
      }),
    );
  });

  it('RTM-8c draws what has a probability, and nothing else', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(0, 0.2, 1), { minLength: 1, maxLength: 6 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (probabilities, draw) => {
          const index = drawIndex(probabilities, draw);
          if (sum(probabilities) === 0) expect(index).toBe(-1);
          else expect(probabilities[index]).toBeGreaterThan(0);
        },
      ),
    );
  });
});

describe('tiered strategy', () => {
  it('RTM-7 explores a tenth at first, less with experience, never under a hundredth', () => {
    const two = [candidate('a'), candidate('b', { score: 0.2 })];
    expect(shares(two, 0)[1]).toBeCloseTo(0.05, 9);
    expect(shares(two, 200)[1]).toBeCloseTo(0.025, 9);
    expect(shares(two, 1e9)[1]).toBeCloseTo(0.005, 9);
  });

  it('RTM-7 gives the tiers 70, 25 and 5 per cent of what is not exploration', () => {
    const one = [candidate('p'), candidate('s', { tier: 'secondary' }), candidate('t', { tier: 'tertiary' })];
    const blind = 0.1 / 3;
    const [p, s, t] = shares(one);
    expect(p).toBeCloseTo(0.9 * 0.7 + blind, 9);
    expect(s).toBeCloseTo(0.9 * 0.25 + blind, 9);
    expect(t).toBeCloseTo(0.9 * 0.05 + blind, 9);
  });

  it('RTM-8 spreads over near-equals by load and leaves the outscored to exploration', () => {
    const [busy, idle, outscored] = shares([
      candidate('busy', { score: 0.8, inFlight: 3 }),
      candidate('idle', { score: 0.75 }),
      candidate('outscored', { score: 0.7 }),
    ]);
    expect(busy).toBeCloseTo(0.1 / 3, 9);
    expect(idle).toBeCloseTo(0.9 + 0.1 / 3, 9);
    expect(outscored).toBeCloseTo(0.1 / 3, 9);
  });

  it('RTM-6 reaches platforms below the threshold by exploration only', () => {
    const [above, below] = shares([
      candidate('above'),
      candidate('below', { explorationOnly: true, score: 1 }),
    ]);
    expect(above).toBeCloseTo(0.95, 9);
    expect(below).toBeCloseTo(0.05, 9);
    expect(
      shares([candidate('x', { explorationOnly: true }), candidate('y', { explorationOnly: true })]),
    ).toEqual([0.5, 0.5]);
  });

  it('RTM-8c sums to one, and gives every candidate a chance', () => {
    fc.assert(
      fc.property(
        fc.array(anyCandidate, { minLength: 1, maxLength: 30 }),
        fc.nat(5_000),
        (list, experience) => {
          const given = shares(
            list.map((each, index) => candidate(`p${index}`, each)),
            experience,
          );
          expect(sum(given)).toBeCloseTo(1, 9);
          for (const probability of given) expect(probability).toBeGreaterThan(0);
        },
      ),
    );
  });
});

describe('criteria', () => {
  const plain = { trust: 0.9, costMsat: 1_000, latencyMs: 100, inFlight: 0, observations: 0 };

  it('RTM-6 weighs trust 40, cost 25, latency 20, load 10, exploration 5, and says what each added', () => {
    const [best] = scoreCandidates([plain]);
    expect(best?.score).toBe(1);
    expect(
      Object.entries(best?.criteria ?? {}).map(([name, { contribution }]) => [name, contribution]),
    ).toEqual([
      ['trust', 0.4],
      ['cost', 0.25],
      ['latency', 0.2],
      ['load', 0.1],
      ['exploration', 0.05],
    ]);
  });

  it('RTM-6 halves what is twice as dear or slow, and is neutral about the unknown and the free', () => {
    const values = scoreCandidates([
      plain,
      { ...plain, costMsat: 2_000, latencyMs: 200, inFlight: 1, observations: 3 },
      { ...plain, costMsat: null, latencyMs: null },
    ]).map(({ criteria }) => [
      criteria.cost.value,
      criteria.latency.value,
      criteria.load.value,
      criteria.exploration.value,
    ]);
    expect(values).toEqual([
      [1, 1, 1, 1],
      [0.5, 0.5, 0.5, 0.5],
      [0.5, 0.5, 1, 1],
    ]);
    const free = scoreCandidates([{ ...plain, costMsat: 0 }, plain]).map(
      ({ criteria }) => criteria.cost.value,
    );
    expect(free).toEqual([1, 0]);
  });

  it('RTM-6 keeps every criterion and the score in 0..1, and the score is what the criteria add up to', () => {
    const figures = fc.record({
      trust: fc.double({ min: 0, max: 0.9, noNaN: true }),
      costMsat: fc.option(fc.nat(1_000_000), { nil: null }),
      latencyMs: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: null }),
      inFlight: fc.nat(100),
      observations: fc.nat(10_000),
    });
    fc.assert(
      fc.property(fc.array(figures, { maxLength: 12 }), (list) => {
        for (const { score, criteria } of scoreCandidates(list)) {
          const parts = Object.values(criteria);
          for (const { value } of parts) {
            expect(value).toBeGreaterThanOrEqual(0);
            expect(value).toBeLessThanOrEqual(1);
          }
          expect(score).toBeLessThanOrEqual(1);
          expect(sum(parts.map(({ contribution }) => contribution))).toBeCloseTo(score, 8);
        }
      }),
    );
  });
});

describe('the share rule', () => {
  it('RTM-8 gives nobody more than half of the jobs in any hour while another is eligible', async () => {
    const hourMs = 3_600_000;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ minutes: fc.nat(20), n: fc.integer({ min: 1, max: 2 }), good: fc.boolean() }), {
          minLength: 10,
          maxLength: 60,
        }),
        fc.integer({ min: 3, max: 5 }),
        fc.integer(),
        async (jobs, platforms, seed) => {
          let now = 1_767_225_600_000;
          const matrix = createRoutingMatrix({
            store: createMemoryRoutingStore(),
            clock: () => now,
            random: seededRandom(seed),
            config: { adaptiveThresholds: false },
          });
          for (let p = 1; p <= platforms; p += 1)
            for (let i = 0; i < 3; i += 1)
              await matrix.recordBenchmark({
                platform: { pubkey: `${p}`, d: '' },
                taskType: 'code',
                attemptId: `${p} ${i}`,
                verdict: { outcome: 'SUCCESS', passRate: 1 },
              });
          const picked: { at: number; id: string }[] = [];
          for (const [index, { minutes, n, good }] of jobs.entries()) {
            now += minutes * 60_000;
            const jobId = `${index}`;
            const { picks } = await matrix.select({ taskType: 'code', jobId, valueMsat: 1 }, { n });
            for (const { platform, platformId } of picks) {
              const hour = picked.filter(({ at }) => at > now - hourMs);
              const own = hour.filter(({ id }) => id === platformId).length;
              if (hour.length + 1 >= 7) expect(own + 1).toBeLessThanOrEqual((hour.length + 1) / 2);
              picked.push({ at: now, id: platformId });
              const outcome = good ? 'SUCCESS' : 'PARTIAL';
              await matrix.recordOutcome({ jobId, platform, taskType: 'code', outcome });
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
