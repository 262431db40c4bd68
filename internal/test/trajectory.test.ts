import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectBuildThenExploit } from '../src/index.ts';

const day = 86_400_000;
const scores = (values: readonly number[]) => values.map((trust, index) => ({ at: index * day, trust }));
const sizes = (values: readonly number[]) => values.map((size, index) => ({ at: index * day, size }));
const verdictOf = (values: readonly number[]) => detectBuildThenExploit(scores(values)).verdict;

describe('detectBuildThenExploit', () => {
  it('TRU-25 confirms a lasting fall with its change point and its rows, in any order of the series', () => {
    const series = scores([8, 9, 8, 9, 8, 9, 8, 8, -6, -8, -9, -10]);
    const result = detectBuildThenExploit(series);
    expect(result).toMatchObject({
      verdict: 'confirmed',
      changeIndex: 8,
      changeAt: 8 * day,
      alarmIndex: 9,
      baseline: { mean: 8.4, sigma: 2, points: 5 },
    });
    expect(result.severity).toBeGreaterThan(2);
    expect(result.evidence.map(({ index, z, sum }) => [index, z, sum])).toEqual([
      [8, -3, 2.5],
      [9, -3, 5],
    ]);
    expect(detectBuildThenExploit(series.toReversed())).toEqual(result);
  });

  it('TRU-25 LED-21 X-15 says suspected on few scores, confirmed from eight, insufficient without an alarm', () => {
    expect(verdictOf([9, 9, 9, 9, 9, -9, -9])).toBe('suspected');
    expect(verdictOf([9, 9, 9, 9, 9, -9, -9, -9])).toBe('confirmed');
    expect(verdictOf([9, 9, 9, 9, 9, 9, 9])).toBe('insufficient');
    expect(verdictOf([5, 6, 5, 6, 5, 6, 5, 6, 9])).toBe('none');
    expect(verdictOf([])).toBe('insufficient');
  });

  it('TRU-25 a baseline without trust has nothing to exploit', () => {
    const result = detectBuildThenExploit(scores([-1, 0, 1, -1, 0, -9, -9, -9]));
    expect(result).toMatchObject({
      verdict: 'none',
      baseline: { mean: -0.2 },
      changeIndex: null,
      evidence: [],
    });
  });

  it('TRU-25 one low score never confirms, even when nothing is clipped', () => {
    const oneBadDay = scores([9, 9, 9, 9, 9, 9, 9, -10]);
    expect(detectBuildThenExploit(oneBadDay).verdict).toBe('suspected');
    expect(detectBuildThenExploit(oneBadDay, { clip: 100 }).verdict).toBe('suspected');
    expect(detectBuildThenExploit(oneBadDay, { clip: 100, minAfter: 1 }).verdict).toBe('confirmed');
  });

  it('LED-21 a slow slide without a sharp fall is confirmed', () => {
    expect(verdictOf([6, 6, 6, 6, 6, 3, 1, 0, -2, -3])).toBe('confirmed');
    expect(verdictOf([3, 3, 3, 3, 3, 3, 2, 3, 3, 2, 3, 4, 3])).toBe('none');
    expect(verdictOf([-5, -5, -5, -5, -5, -9, -9, -9])).toBe('none');
  });

  it('LED-21 suspects one request of eight times the median of five, with the compared requests', () => {
    expect(detectBuildThenExploit(sizes([1, 2, 2, 2, 100, 15])).alarms).toEqual([]);
    expect(detectBuildThenExploit(sizes([1, 2, 2, 16])).alarms).toEqual([]);
    const series = sizes([1, 2, 2, 2, 100, 16]);
    expect(detectBuildThenExploit(series)).toMatchObject({
      verdict: 'suspected',
      alarms: [
        {
          kind: 'size-jump',
          at: 5 * day,
          finding: 'A request of 16, 8 times the median of 5 before',
          evidence: series,
        },
      ],
    });
  });

  it('LED-21 suspects a fall of six after four positive scores', () => {
    expect(detectBuildThenExploit(scores([1, 2, 3, -4])).alarms).toEqual([]);
    expect(detectBuildThenExploit(scores([1, 2, 2, 3, -2])).alarms).toEqual([]);
    expect(detectBuildThenExploit(scores([-1, -1, -1, -1, -1, -8])).alarms).toEqual([]);
    expect(detectBuildThenExploit(scores([1, 2, 2, 3, -3]))).toMatchObject({
      verdict: 'suspected',
      alarms: [{ kind: 'sharp-fall', at: 4 * day, evidence: { length: 5 } }],
    });
  });

  it('LED-21 takes sizes and scores from different observations of one series', () => {
    const mixed = [...sizes([1, 1, 1, 1, 1, 9]), ...scores([3, 3, 3, 3, 3, -6])];
    expect(detectBuildThenExploit(mixed).alarms.map(({ kind }) => kind)).toEqual(['size-jump', 'sharp-fall']);
  });

  it('TRU-25 the severity exceeds 1 exactly when the CUSUM confirms', () => {
    const near = fc.array(fc.integer({ min: 7, max: 9 }), { minLength: 8, maxLength: 60 });
    fc.assert(
      fc.property(near, (values) => {
        const { verdict, severity } = detectBuildThenExploit(scores(values));
        expect(severity > 1).toBe(verdict === 'confirmed');
      }),
    );
  });

  it('X-3 rejects options out of range and numbers that are not finite', () => {
    expect(() => detectBuildThenExploit([], { baseline: 4 })).toThrow(/baseline/);
    expect(() => detectBuildThenExploit([], { baseline: 5.5 })).toThrow(/integer/);
    expect(() => detectBuildThenExploit([{ at: Number.NaN, trust: 1 }])).toThrow(/at/);
    expect(() => detectBuildThenExploit([{ at: 0, size: -1 }])).toThrow(/size/);
  });
});
