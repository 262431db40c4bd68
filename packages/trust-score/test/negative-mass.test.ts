import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanTrajectories, type TimedRating } from '../src/index.ts';
import { alphaLabelled, confusion, otcLabelled } from './labelled-networks.ts';

describe('negative mass', () => {
  it('finds 36 of 37 frauds on Bitcoin-OTC, where its settings were fixed (TRU-34)', () => {
    expect(confusion(otcLabelled)).toEqual({ frauds: 37, found: 36, benign: 103, accused: 11 });
  });

  it('reaches 75 % recall at 5 % false alarms on Bitcoin-Alpha with the threshold of Bitcoin-OTC (TRU-34)', () => {
    const { frauds, found, benign, accused } = confusion(alphaLabelled);
    expect([frauds, benign]).toEqual([28, 109]);
    expect(found / frauds).toBeGreaterThanOrEqual(0.75);
    expect(accused / benign).toBeLessThanOrEqual(0.05);
  });

  it('a crowd of new raters accuses nobody, and one reputed rater counts (TRU-34)', () => {
    const built: TimedRating[] = Array.from({ length: 10 }, (_, i) => [
      { source: 'founder', target: `rater ${i}`, weight: 1, at: i },
      { source: 'x', target: `rater ${i}`, weight: 1, at: i },
      { source: `rater ${i}`, target: 'victim', weight: 1, at: 100 + i },
    ]).flat();
    const crowd = Array.from({ length: 10 }, (_, i) => ({
      ...{ source: `sybil ${i}`, target: 'victim', weight: -1, at: 1_000 + i },
    }));
    expect(scanTrajectories([...built, ...crowd]).get('victim')?.verdict).not.toBe('exploited');
    const reputed = crowd.map((one, i) => ({ ...one, source: `rater ${i}`, target: 'victim' }));
    const scan = scanTrajectories([...built, ...reputed]).get('victim');
    expect(scan?.verdict).toBe('exploited');
    expect(scan?.evidence).toHaveLength(10);
  });

  it('says insufficient below eight ratings, or when nothing was built (TRU-34)', () => {
    const bad = Array.from({ length: 9 }, (_, i) => ({ source: `r${i}`, target: 'x', weight: -1, at: i }));
    expect(scanTrajectories(bad).get('x')?.verdict).toBe('insufficient');
    expect(scanTrajectories(bad.slice(0, 7)).get('x')?.verdict).toBe('insufficient');
  });

  it('stays in 0…1, and no positive rating raises it (TRU-34)', () => {
    const ratings = fc.array(
      fc.record({
        source: fc.constantFrom('a', 'b', 'c', 'd'),
        target: fc.constantFrom('a', 'b', 'x'),
        weight: fc.double({ min: -1, max: 1, noNaN: true }),
        at: fc.integer({ min: 0, max: 100 }),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(ratings, fc.double({ min: 0, max: 1, noNaN: true }), (list, weight) => {
        const before = scanTrajectories(list).get('x')?.negativeMass ?? 0;
        expect(before >= 0 && before <= 1).toBe(true);
        const more = [...list, { source: 'd', target: 'x', weight, at: 1_000 }];
        expect(scanTrajectories(more).get('x')?.negativeMass ?? 0).toBeLessThanOrEqual(before + 1e-12);
      }),
    );
    expect(() => scanTrajectories([{ source: 'a', target: 'x', weight: 2, at: 0 }])).toThrow(/weight/);
  });
});
