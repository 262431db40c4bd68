import { seededRandom } from '@bonafide/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  averageRunLength,
  bernoulliCusum,
  cusum,
  detectBuildThenExploit,
  oscillation,
  twoSigmaShift,
} from '../src/index.ts';
import { fixture, labels, ratingsReceived } from './networks.ts';

const list = z.array(z.number());
const chart = z.looseObject({
  x: list,
  mu: z.number(),
  cplus: list,
  cminus: list,
  first_alarm_index: z.number(),
});
const golden = z
  .looseObject({
    montgomery_table9_1: chart.extend({ sigma: z.number(), k: z.number(), h: z.number() }),
    nist_pmc323: chart.extend({ k_abs: z.number(), h_abs: z.number() }),
    build_then_exploit: chart.extend({ sigma: z.number(), k: z.number(), h: z.number() }),
    bernoulli_cusum: z.looseObject({
      ...{ x_fail: list, p0: z.number(), p1: z.number(), S: list, h_suggested: z.number() },
      ...{ w_fail: z.number(), w_success: z.number() },
    }),
    oscillation: z.looseObject({
      ...{ x: list, turning_points: z.number(), expected: z.number(), var: z.number(), z: z.number() },
    }),
    arl_table: z.array(
      z.object({
        ...{ k: z.number(), h: z.number(), arl0_one: z.number(), arl0_two: z.number() },
        ...{ arl1: z.number(), arl2: z.number(), arl3: z.number() },
      }),
    ),
  })
  .parse(JSON.parse(fixture('cusum_vectors.json')));

const close = (actual: readonly number[], expected: readonly number[], digits = 9) => {
  expect(actual.length).toBe(expected.length);
  for (const [i, value] of expected.entries()) expect(actual[i]).toBeCloseTo(value, digits);
};

describe('change detection', () => {
  it("TRU-26 agrees with NIST's example", () => {
    const { x, mu, k_abs, h_abs, cplus, cminus, first_alarm_index } = golden.nist_pmc323;
    const result = cusum(x, { mean: mu, sigma: 1, k: k_abs, h: h_abs });
    close(result.upper, cplus);
    close(result.lower, cminus);
    expect(result.alarms).toMatchObject([{ index: first_alarm_index, side: 'up', changeIndex: 12 }]);
    expect(result.upper.at(-1)).toBeCloseTo(19.035, 9);
  });

  it.each(['montgomery_table9_1', 'build_then_exploit'] as const)('TRU-26 agrees with %s', (name) => {
    const { x, mu, sigma, k, h, cplus, cminus, first_alarm_index } = golden[name];
    const result = cusum(x, { mean: mu, sigma, k, h });
    close(result.upper, cplus);
    close(result.lower, cminus);
    expect(result.alarms[0]?.index).toBe(first_alarm_index);
    // The period before: the sum was last 0 there.
    if (name === 'montgomery_table9_1') expect(result.alarms[0]?.changeIndex).toBe(22);
  });

  it('TRU-26 agrees with the Bernoulli example', () => {
    const { x_fail, p0, p1, S, w_fail, w_success, h_suggested } = golden.bernoulli_cusum;
    const result = bernoulliCusum(
      x_fail.map((one) => one === 1),
      { p0, p1, h: h_suggested },
    );
    close(result.sums, S, 5);
    expect(result.failureStep).toBeCloseTo(w_fail, 6);
    expect(result.successStep).toBeCloseTo(w_success, 6);
    expect(result.alarm).toMatchObject({ index: 13, changeIndex: 10 });
    expect(bernoulliCusum([false, false]).alarm).toBeNull();
  });

  it('TRU-26 counts turning points as the example does, and ignores small moves', () => {
    const { x, turning_points, expected, var: variance, z: score } = golden.oscillation;
    const result = oscillation(x);
    expect(result).toMatchObject({ oscillating: true, turningPoints: turning_points, expected });
    expect(result.variance).toBeCloseTo(variance, 12);
    expect(result.z).toBeCloseTo(score, 6);
    expect(oscillation(x, { deadband: 10 })).toMatchObject({ oscillating: false, turningPoints: 0 });
    expect(oscillation([1, 2, 3, 4, ...x], { window: 8 }).turningPoints).toBe(6);
    expect(oscillation([1, 2])).toMatchObject({ oscillating: false, z: 0 });
  });

  it.each(golden.arl_table)('TRU-26 average run lengths for k $k and h $h', (row) => {
    const { k, h, arl0_one, arl0_two, arl1, arl2, arl3 } = row;
    // The figures are rounded to one and to two decimals.
    const near = (actual: number, expected: number, half: number) =>
      expect(Math.abs(actual - expected)).toBeLessThan(Math.max(half, expected * 0.004));
    near(averageRunLength(k, h), arl0_one, 0.06);
    near(averageRunLength(k, h, { sides: 2 }), arl0_two, 0.06);
    for (const [shift, expected] of [
      [1, arl1],
      [2, arl2],
      [3, arl3],
    ] as const) {
      near(averageRunLength(k, h, { shift, states: 100 }), expected, 0.006);
    }
  });

  it('TRU-26 false alarms are as rare as the run length says', () => {
    const random = seededRandom(7);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const lengths = Array.from({ length: 1_500 }, () => {
      const values = Array.from({ length: 1_500 }, normal);
      return cusum(values, { mean: 0, sigma: 1, k: 0.5, h: 3 }).alarms[0]?.index ?? 1_500;
    });
    const mean = lengths.reduce((sum, one) => sum + one + 1, 0) / lengths.length;
    expect(mean).toBeGreaterThan(58.8 * 0.93);
    expect(mean).toBeLessThan(58.8 * 1.07);
  });

  it.each([
    [undefined, 0.49],
    [1, 0.276],
  ])(
    'TRU-26 with a baseline of 5 and σ at least %s, a share of %d of steady series of 20 alarms',
    (floor, share) => {
      const random = seededRandom(11);
      const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
      const options = floor === undefined ? {} : { sigmaFloor: floor };
      const alarmed = Array.from({ length: 4_000 }, () => {
        const values = Array.from({ length: 25 }, normal);
        return cusum(values, options).alarms.length > 0;
      });
      expect(alarmed.filter(Boolean).length / alarmed.length).toBeCloseTo(share, 1);
    },
  );

  it('TRU-26 a clipped value alone is no alarm; restart begins anew; sums are never negative', () => {
    const values = [0, 1, 0, -1, 0, -50, 0, 0];
    expect(cusum(values, { mean: 0, sigma: 1 }).alarms.length).toBe(1);
    expect(cusum(values, { mean: 0, sigma: 1, clip: 3 }).alarms).toEqual([]);
    const falling = Array.from({ length: 12 }, () => -3);
    expect(cusum(falling, { mean: 0, sigma: 1, restart: true }).alarms.map(({ index }) => index)).toEqual([
      1, 3, 5, 7, 9, 11,
    ]);
    expect(cusum(falling, { mean: 0, sigma: 1 }).alarms.length).toBe(1);
    const real = fc.double({ min: -100, max: 100, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(real, { minLength: 5, maxLength: 40 }),
        fc.double({ min: 0, max: 3, noNaN: true }),
        (xs, k) => {
          const options = { sigmaFloor: 0.5, k };
          const { upper, lower, from } = cusum(xs, options);
          expect([...upper, ...lower].every((sum) => sum >= 0)).toBe(true);
          expect(from).toBe(5);
          const mirrored = cusum(
            xs.map((value) => -value),
            options,
          );
          close(mirrored.upper, lower, 6);
        },
      ),
    );
  });

  it('TRU-26 refuses what it cannot test', () => {
    expect(() => cusum([1, 2])).toThrow(/at least 5 values/);
    expect(() => cusum([1, 1, 1, 1, 1, 1])).toThrow(/does not vary/);
    expect(() => cusum([Number.NaN], { mean: 0, sigma: 1 })).toThrow(/value/);
    expect(() => bernoulliCusum([], { p0: 0 })).toThrow(/p0/);
    expect(() => averageRunLength(-1, 4)).toThrow(/k/);
    expect(() => twoSigmaShift([1, 2, 3])).toThrow(/at least 5/);
  });

  it('TRU-26 a two-sigma shift, pooled and raw', () => {
    const steady = [8, 9, 8, 9, 8, 9, 8, 8];
    expect(twoSigmaShift(steady)).toMatchObject({ shifted: false, direction: 'none' });
    const fell = twoSigmaShift([...steady, -6, -8, -9]);
    expect(fell).toMatchObject({ shifted: true, direction: 'down', meanBefore: 8.375 });
    expect(twoSigmaShift([...steady, 12, 12, 13], { method: 'raw' }).direction).toBe('up');
    const random = seededRandom(3);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const rate = (before: number, recent: number, method: 'pooled' | 'raw') => {
      const found = Array.from({ length: 20_000 }, () => {
        const values = Array.from({ length: before + recent }, normal);
        return twoSigmaShift(values, { recent, method }).shifted;
      });
      return found.filter(Boolean).length / found.length;
    };
    expect(rate(5, 3, 'raw')).toBeCloseTo(0.051, 1);
    expect(rate(5, 3, 'raw')).toBeLessThan(0.065);
    expect(rate(10, 5, 'pooled')).toBeLessThan(0.085);
  });
});

describe('build, then exploit', () => {
  it('TRU-25 on Bitcoin-OTC flags 31 of 33 eligible frauds and 24 of 102 benign', () => {
    const flagged = { all: 0, eligible: 0, fraud: 0, frauds: 0, benign: 0, benigns: 0 };
    for (const [node, received] of ratingsReceived()) {
      const { verdict, baseline } = detectBuildThenExploit(received);
      if (baseline === null || baseline.mean <= 0) continue;
      const hit = verdict === 'confirmed' ? 1 : 0;
      flagged.eligible += 1;
      flagged.all += hit;
      const label = labels.get(node);
      if (label === -1) {
        flagged.frauds += 1;
        flagged.fraud += hit;
      }
      if (label === 1) {
        flagged.benigns += 1;
        flagged.benign += hit;
      }
    }
    expect(flagged).toMatchObject({ eligible: 866, frauds: 33, benigns: 102, all: 131 });
    expect(flagged.fraud).toBeGreaterThanOrEqual(31);
    expect(flagged.benign).toBeLessThanOrEqual(24);
  });
});
