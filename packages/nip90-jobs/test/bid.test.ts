import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BidInput, bidBasis, computeBid } from '../src/bid.ts';

const bid = (input: Partial<BidInput>) => computeBid({ baseMsat: 1000, ceilingMsat: 1_000_000, ...input });

describe('a bid', () => {
  it('JOB-14 is base × urgency × quality × market', () => {
    expect(bid({})).toBe(1000);
    expect(bid({ urgency: 'urgent' })).toBe(1500);
    expect(bid({ urgency: 'critical' })).toBe(2000);
    expect(bid({ targetTrust: 0.8 })).toBe(1300);
    expect(bid({ targetTrust: 0.2 })).toBe(1000);
    expect(bid({ market: 1.1 })).toBe(1100);
    expect(bid({ urgency: 'critical', targetTrust: 0.9, market: 1.25 })).toBe(3500);
  });

  it('JOB-14 follows the market between .8 and 1.25 only', () => {
    expect(bid({ market: 0 })).toBe(800);
    expect(bid({ market: 50 })).toBe(1250);
  });

  it('JOB-14 is a whole number of millisatoshi, never above the ceiling, and never falls when more is wanted', () => {
    const trust = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.nat(),
        fc.constantFrom('normal' as const, 'urgent' as const, 'critical' as const),
        trust,
        trust,
        fc.double({ min: 0, max: 3, noNaN: true }),
        fc.double({ min: 0, max: 1e9, noNaN: true }),
        (baseMsat, urgency, oneTrust, otherTrust, market, ceilingMsat) => {
          const less = computeBid({
            baseMsat,
            urgency,
            targetTrust: Math.min(oneTrust, otherTrust),
            market,
            ceilingMsat,
          });
          const more = computeBid({
            baseMsat,
            urgency,
            targetTrust: Math.max(oneTrust, otherTrust),
            market,
            ceilingMsat,
          });
          expect(Number.isInteger(less)).toBe(true);
          expect(less).toBeGreaterThanOrEqual(0);
          expect(less).toBeLessThanOrEqual(ceilingMsat);
          expect(more).toBeGreaterThanOrEqual(less);
        },
      ),
    );
  });

  it('JOB-14 is not made of nonsense', () => {
    for (const wrong of [
      { baseMsat: -1 },
      { baseMsat: Number.NaN },
      { targetTrust: 2 },
      { ceilingMsat: -1 },
      { market: Number.POSITIVE_INFINITY },
    ]) {
      expect(() => bid(wrong)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    }
  });
});

describe('what a bid goes by', () => {
  const start = { cardPriceMsat: null, defaultMsat: 1_000 };
  const past = (taken: readonly number[], refused = 0) => [
    ...taken.map((bidMsat) => ({ bidMsat, accepted: true })),
    ...Array.from({ length: refused }, () => ({ bidMsat: 1, accepted: false })),
  ];

  it('JOB-14 is the median of what was taken; at first the card or the default', () => {
    expect(bidBasis([], start)).toEqual({ baseMsat: 1_000, market: 1 });
    expect(bidBasis([], { ...start, cardPriceMsat: 700 }).baseMsat).toBe(700);
    expect(bidBasis(past([900, 100, 200]), start).baseMsat).toBe(200);
    expect(bidBasis(past([100, 200, 300, 900]), start).baseMsat).toBe(250);
  });

  it('JOB-14 rises as bids are refused, within its bounds', () => {
    expect(bidBasis(past([1, 1], 2), start).market).toBe(1);
    expect(bidBasis(past([1, 1, 1, 1, 1]), start).market).toBeCloseTo(0.8);
    expect(bidBasis(past([], 5), start).market).toBe(1.25);
    expect(bidBasis(past([1, 1, 1], 2), start).market).toBeCloseTo(0.98);
  });
});
