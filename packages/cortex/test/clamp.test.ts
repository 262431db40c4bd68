import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clampTrust } from '../src/index.ts';

const trust = fc.integer({ min: -10, max: 10 });

describe('clampTrust', () => {
  it.each([
    [7, 0, 3],
    [7, 3, 6],
    [10, 5, 8],
    [-10, 5, 2],
    [8, null, 3],
    [-8, null, -3],
    [2, null, 2],
    [10, 9, 10],
    [-10, -9, -10],
    [2.6, 0, 3],
  ])('CTX-14 %d proposed on %j gives %d', (proposed, last, expected) => {
    expect(clampTrust(proposed, last)).toBe(expected);
  });

  it('CTX-14 keeps trust where it is when the proposal is no number', () => {
    for (const proposed of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(clampTrust(proposed, 4)).toBe(4);
    }
    expect(Object.is(clampTrust(-0.2, null), 0)).toBe(true);
  });

  it('CTX-14 gives an integer within maxDelta of the last value and within -10…+10, whatever is proposed', () => {
    fc.assert(
      fc.property(
        fc.double(),
        fc.option(trust),
        fc.integer({ min: 0, max: 20 }),
        (proposed, last, maxDelta) => {
          const given = clampTrust(proposed, last, maxDelta);
          expect(Number.isInteger(given)).toBe(true);
          expect(Math.abs(given - (last ?? 0))).toBeLessThanOrEqual(maxDelta);
          expect(Math.abs(given)).toBeLessThanOrEqual(10);
        },
      ),
    );
  });

  it('CTX-14 gives exactly what is proposed when that is near enough, and never falls when more is proposed', () => {
    fc.assert(
      fc.property(trust, trust, trust, (a, b, last) => {
        if (Math.abs(a - last) <= 3) expect(clampTrust(a, last)).toBe(a);
        expect(clampTrust(Math.max(a, b), last)).toBeGreaterThanOrEqual(clampTrust(Math.min(a, b), last));
      }),
    );
  });
});
