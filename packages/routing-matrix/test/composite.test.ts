import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BenchmarkVerdict, compositeScore, explainComposite, type Outcome } from '../src/index.ts';
import { verdict } from './support.ts';

const usual = { executionMs: 100 };
const outcomes: readonly Outcome[] = [
  'SUCCESS',
  'PARTIAL',
  'FAILURE',
  'ERROR',
  'SECURITY_VIOLATION',
  'INFRA',
];
const maybe = (arbitrary: fc.Arbitrary<number>) => fc.option(arbitrary, { nil: null });
const anyVerdict: fc.Arbitrary<BenchmarkVerdict> = fc.record({
  outcome: fc.constantFrom(...outcomes),
  passRate: fc.double({ min: 0, max: 1, noNaN: true }),
  executionMs: maybe(fc.double({ min: 0, max: 1_000, noNaN: true })),
  quality: maybe(fc.double({ min: 0, max: 10, noNaN: true })),
  softLimitExceeded: fc.option(fc.boolean(), { nil: null }),
  smokeFailed: fc.boolean(),
});

describe('composite score', () => {
  it('RTM-2 weighs functional .50, performance .25, resources .15 and quality .10', () => {
    const perfect = { executionMs: 100, quality: 10, softLimitExceeded: false };
    expect(compositeScore(verdict('SUCCESS', 1, perfect), usual)).toBe(1);
    expect(compositeScore(verdict('SUCCESS', 1, { ...perfect, executionMs: 150 }), usual)).toBe(0.75);
    expect(compositeScore(verdict('SUCCESS', 1, { ...perfect, softLimitExceeded: true }), usual)).toBe(0.85);
    expect(compositeScore(verdict('SUCCESS', 1, { ...perfect, quality: 0 }), usual)).toBe(0.9);
    expect(compositeScore(verdict('FAILURE', 0, perfect), usual)).toBe(0.5);
  });

  it('RTM-2 falls linearly between 100 % and 150 % of the baseline and with quality below 7', () => {
    const { dimensions } = explainComposite(
      verdict('SUCCESS', 1, { executionMs: 125, quality: 3.5, softLimitExceeded: false }),
      usual,
    );
    expect(dimensions).toEqual({ functional: 1, performance: 0.5, resources: 1, quality: 0.5 });
    expect(explainComposite(verdict('SUCCESS', 1, { executionMs: 99 }), usual).dimensions.performance).toBe(
      1,
    );
    expect(explainComposite(verdict('SUCCESS', 1, { executionMs: 151 }), usual).dimensions.performance).toBe(
      0,
    );
    expect(explainComposite(verdict('SUCCESS', 1, { quality: 7.1 }), usual).dimensions.quality).toBe(1);
  });

  it('RTM-2 leaves out what was not measured and scales the other weights up', () => {
    expect(compositeScore(verdict('SUCCESS', 1), usual)).toBe(1);
    expect(compositeScore(verdict('SUCCESS', 1, { softLimitExceeded: true }), usual)).toBeCloseTo(
      0.5 / 0.65,
      9,
    );
    const unknownBaseline = explainComposite(verdict('SUCCESS', 1, { executionMs: 9_999 }), {
      executionMs: null,
    });
    expect(unknownBaseline).toEqual({
      score: 1,
      dimensions: { functional: 1, performance: null, resources: null, quality: null },
      cappedBy: null,
    });
  });

  it('RTM-2 caps what is no success at .79 and gives 0 for a failed smoke test or a violation', () => {
    expect(explainComposite(verdict('PARTIAL', 0.99), usual)).toMatchObject({
      score: 0.79,
      cappedBy: 'outcome',
    });
    expect(compositeScore({ ...verdict('SUCCESS', 1), smokeFailed: true }, usual)).toBe(0);
    expect(compositeScore(verdict('SECURITY_VIOLATION', 1), usual)).toBe(0);
  });

  it('RTM-2 stays in 0..1 and never falls when more tests pass', () => {
    fc.assert(
      fc.property(anyVerdict, fc.double({ min: 0, max: 1, noNaN: true }), (one, passRate) => {
        const score = compositeScore(one, usual);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(one.outcome === 'SUCCESS' ? 1 : 0.79);
        const better = compositeScore({ ...one, passRate: Math.max(passRate, one.passRate) }, usual);
        expect(better).toBeGreaterThanOrEqual(score);
      }),
    );
  });
});
