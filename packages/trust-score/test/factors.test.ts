import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  attestationFreshnessScore,
  endorsementScore,
  scoreFactors,
  successRateScore,
  TrustScoreError,
  taskSuccessRate,
  testCoverageScore,
  timeDecayedAverage,
  uptimeScore,
} from '../src/index.ts';

const count = fc.integer({ min: 0, max: 5_000 });
const share = fc.double({ min: 0, max: 1, noNaN: true });
const amount = fc.double({ min: 0, max: 1e6, noNaN: true });
const unit = (value: number) => {
  expect(value).toBeGreaterThanOrEqual(0);
  expect(value).toBeLessThanOrEqual(1);
};
const outOfRange = expect.objectContaining({ code: 'OUT_OF_RANGE' });

describe('factors', () => {
  it('TRU-2 test coverage is 0 without tests, in 0…1, and rises with each test that passes', () => {
    expect(testCoverageScore(0, 0)).toBe(0);
    fc.assert(
      fc.property(count, count, (a, b) => {
        const total = a + b + 1;
        unit(testCoverageScore(a, total));
        expect(testCoverageScore(a + 1, total)).toBeGreaterThan(testCoverageScore(a, total));
      }),
    );
  });

  it.each([
    [-1, 10],
    [11, 10],
    [1, -1],
    [1.5, 10],
    [Number.NaN, 10],
    [1, Number.POSITIVE_INFINITY],
  ])('TRU-2 X-4 %d of %d tests is a typed error', (passing, total) => {
    expect(() => testCoverageScore(passing, total)).toThrowError(outOfRange);
    expect(() => testCoverageScore(passing, total)).toThrowError(TrustScoreError);
  });

  it('TRU-3 uptime is clamped to 0…1 and falls with downtime; a period must be positive', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), amount, amount, (period, a, b) => {
        unit(uptimeScore(period, a - b));
        expect(uptimeScore(period, Math.max(a, b))).toBeLessThanOrEqual(uptimeScore(period, Math.min(a, b)));
      }),
    );
    for (const [period, down] of [
      [0, 0],
      [-1, 0],
      [Number.NaN, 0],
      [720, Number.NaN],
    ] as const) {
      expect(() => uptimeScore(period, down)).toThrowError(outOfRange);
    }
  });

  it('TRU-4 success rate is in 0…1, rises with successes, falls with failures and rejected tasks', () => {
    fc.assert(
      fc.property(count, count, count, (successful, failed, rejected) => {
        const rate = successRateScore(successful, failed, { rejected });
        unit(rate);
        expect(successRateScore(successful + 1, failed, { rejected })).toBeGreaterThanOrEqual(rate);
        expect(successRateScore(successful, failed + 1, { rejected })).toBeLessThanOrEqual(rate);
        expect(successRateScore(successful, failed, { rejected: rejected + 1 })).toBeLessThanOrEqual(rate);
      }),
    );
    expect(successRateScore(3, 0, { rejected: 4 })).toBe(0.75);
    expect(() => successRateScore(-1, 0)).toThrowError(outOfRange);
    expect(() => successRateScore(0, 0.5)).toThrowError(outOfRange);
  });

  it('TRU-4 a newcomer without delegations has 0 and insufficientData', () => {
    const newcomer = scoreFactors({
      testCoverage: { passing: 0, total: 0 },
      uptime: { periodHours: 720, downtimeHours: 0 },
      successRate: { successful: 0, failed: 0 },
      endorsements: { total: 0, unique: 0, endorserTrustAvg: 0 },
      attestationFreshness: { hours: 0 },
    });
    expect(newcomer.successRate).toMatchObject({ value: 0, insufficientData: true });
    expect(newcomer.testCoverage).toMatchObject({ value: 0, insufficientData: true });
    expect(newcomer.uptime).toMatchObject({ value: 1, insufficientData: false });
  });

  it('TRU-4 tasks: difficulty weighs, client errors do not count, rejected ones count a quarter, capabilities are averaged', () => {
    expect(taskSuccessRate([{ outcome: 'success', difficulty: 3 }, { outcome: 'agent_error' }]).value).toBe(
      0.75,
    );
    expect(taskSuccessRate([{ outcome: 'success' }, { outcome: 'client_error', difficulty: 99 }]).value).toBe(
      1,
    );
    expect(taskSuccessRate([{ outcome: 'success' }, { outcome: 'rejected' }]).value).toBe(0.8);
    const easy = Array.from({ length: 98 }, () => ({ outcome: 'success', capability: 'easy' }) as const);
    const mixed = [...easy, { outcome: 'agent_error', capability: 'hard' } as const];
    expect(taskSuccessRate(mixed, { priorTasks: 0 })).toEqual({
      value: 0.5,
      insufficientData: false,
      byCapability: {
        easy: { value: 1, observed: 1, tasks: 98 },
        hard: { value: 0, observed: 0, tasks: 1 },
      },
    });
    expect(taskSuccessRate([{ outcome: 'client_error' }])).toMatchObject({
      value: 0,
      insufficientData: true,
    });
    expect(() => taskSuccessRate([{ outcome: 'success', difficulty: 0 }])).toThrowError(outOfRange);
  });

  it('many kinds of single easy tasks do not outweigh a bad record (TRU-33)', () => {
    const hard = Array.from({ length: 100 }, (_, i) => ({
      ...({ outcome: i < 10 ? 'success' : 'agent_error', capability: 'hard' } as const),
    }));
    const singles = Array.from(
      { length: 19 },
      (_, i) => ({ outcome: 'success', capability: `easy ${i}` }) as const,
    );
    expect(taskSuccessRate([...hard, ...singles], { priorTasks: 0 }).value).toBeCloseTo(0.955, 3);
    const { value, byCapability } = taskSuccessRate([...hard, ...singles]);
    expect(value).toBeLessThan(0.35);
    expect(byCapability.hard).toMatchObject({ observed: 0.1, tasks: 100 });
    expect(byCapability['easy 1']?.value).toBeLessThan(0.4);
  });

  it('value weighs: cheap successes do not excuse a large failure, and one large success buys little (TRU-33)', () => {
    const cheap = Array.from({ length: 20 }, () => ({ outcome: 'success', valueMsat: 1_000 }) as const);
    expect(taskSuccessRate([...cheap, { outcome: 'agent_error', valueMsat: 1e9 }]).value).toBeLessThan(0.2);
    const failures = Array.from(
      { length: 20 },
      () => ({ outcome: 'agent_error', valueMsat: 1_000 }) as const,
    );
    expect(taskSuccessRate([...failures, { outcome: 'success', valueMsat: 1e12 }]).value).toBeLessThan(0.34);
    expect(() => taskSuccessRate([{ outcome: 'success', valueMsat: -1 }])).toThrowError(outOfRange);
  });

  it('the rate stays between that of the worst and the best capability (TRU-33)', () => {
    const task = fc.record({
      outcome: fc.constantFrom('success', 'agent_error', 'rejected', 'client_error'),
      capability: fc.constantFrom('a', 'b', 'c'),
      difficulty: fc.constantFrom(1, 2, 5),
    });
    fc.assert(
      fc.property(fc.array(task, { maxLength: 40 }), (tasks) => {
        const { value, byCapability } = taskSuccessRate(tasks);
        const observed = Object.values(byCapability).map((one) => one.observed);
        fc.pre(observed.length > 0);
        expect(value).toBeGreaterThanOrEqual(Math.min(1, ...observed) - 1e-12);
        expect(value).toBeLessThanOrEqual(Math.max(0, ...observed) + 1e-12);
      }),
    );
  });

  it('TRU-4 tasks of difficulty 1 and one capability give the plain rate', () => {
    fc.assert(
      fc.property(count, count, (successful, failed) => {
        const tasks = [
          ...Array.from({ length: successful % 50 }, () => ({ outcome: 'success' }) as const),
          ...Array.from({ length: failed % 50 }, () => ({ outcome: 'agent_error' }) as const),
        ];
        expect(taskSuccessRate(tasks).value).toBeCloseTo(successRateScore(successful % 50, failed % 50), 12);
      }),
    );
  });

  it('TRU-5 endorsements are in 0…0.9 and rise with their number, their endorsers and those endorsers\u2019 trust', () => {
    const options = fc.record({
      endorsementCurve: fc.constantFrom('log', 'table'),
      endorsementBase: fc.constantFrom('total', 'unique'),
    });
    fc.assert(
      fc.property(count, share, share, options, (unique, trust, more, how) => {
        const score = endorsementScore(unique, unique, trust, how);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(0.9);
        expect(endorsementScore(unique + 1, unique + 1, trust, how)).toBeGreaterThanOrEqual(score);
        expect(endorsementScore(unique, unique, Math.max(trust, more), how)).toBeGreaterThanOrEqual(score);
        expect(endorsementScore(unique + 1, unique, trust, how)).toBeLessThanOrEqual(
          endorsementScore(unique + 1, unique + 1, trust, how),
        );
      }),
    );
    for (const [total, unique, trust] of [
      [1, 2, 0.5],
      [1, 1, 1.1],
      [1, 1, -0.1],
      [1.5, 1, 1],
      [-1, 0, 1],
    ] as const) {
      expect(() => endorsementScore(total, unique, trust)).toThrowError(outOfRange);
    }
  });

  it('TRU-5 a hundred endorsements of one endorser: .569 by the rule, .112 with the unique base', () => {
    expect(endorsementScore(100, 1, 0.9)).toBeCloseTo(0.56943, 6);
    expect(endorsementScore(100, 1, 0.9, { endorsementBase: 'unique' })).toBeCloseTo(
      0.177184 * 0.9 * 0.703,
      6,
    );
  });

  it('TRU-6 freshness is in 0…1, falls with age; the future counts as now, never as 0', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), amount, (hours, more) => {
        unit(attestationFreshnessScore(hours));
        expect(attestationFreshnessScore(hours + more)).toBeLessThanOrEqual(attestationFreshnessScore(hours));
      }),
    );
    expect(attestationFreshnessScore(-5)).toBe(1);
    expect(attestationFreshnessScore(Number.POSITIVE_INFINITY)).toBe(0);
    expect(() => attestationFreshnessScore(1, 0)).toThrowError(outOfRange);
    expect(() => attestationFreshnessScore(Number.NaN)).toThrowError(outOfRange);
  });
});

describe('timeDecayedAverage', () => {
  const day = 86_400_000;
  const points = fc.array(fc.record({ value: share, at: fc.integer({ min: -1e12, max: 1e12 }) }), {
    minLength: 1,
  });

  it('TRU-7 lies between the smallest and the largest value', () => {
    fc.assert(
      fc.property(points, fc.integer({ min: -1e12, max: 1e12 }), share, (list, now, lambda) => {
        const average = timeDecayedAverage(list, now, lambda);
        const values = list.map(({ value }) => value);
        expect(average).toBeGreaterThanOrEqual(Math.min(...values) - 1e-12);
        expect(average).toBeLessThanOrEqual(Math.max(...values) + 1e-12);
      }),
    );
  });

  it('TRU-7 counts fractions of a day, and the future as now', () => {
    const at = (days: number) =>
      timeDecayedAverage(
        [
          { value: 0, at: 0 },
          { value: 1, at: -days * day },
        ],
        0,
      );
    expect(at(23 / 24)).toBeLessThan(at(1 / 24));
    expect(at(-9)).toBe(at(0));
    expect(timeDecayedAverage([], 0)).toBe(0);
    expect(timeDecayedAverage([{ value: 0.5, at: -1e6 * day }], 0)).toBe(0.5);
  });

  it('TRU-7 with λ = 0 it is the plain average; wrong numbers are typed errors', () => {
    expect(
      timeDecayedAverage(
        [
          { value: 0, at: 0 },
          { value: 1, at: -99 * day },
        ],
        0,
        0,
      ),
    ).toBe(0.5);
    expect(() => timeDecayedAverage([], 0, -1)).toThrowError(outOfRange);
    expect(() => timeDecayedAverage([{ value: Number.NaN, at: 0 }], 0)).toThrowError(outOfRange);
  });
});
