import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterBenchmarkSuccess,
  annotate,
  errorPenalties,
  initialTrust,
  type Measurements,
  moveTrust,
  type Outcome,
  performanceTier,
  successGain,
  trustMovement,
} from '../src/index.ts';

const outcomes: readonly Outcome[] = [
  'SUCCESS',
  'PARTIAL',
  'FAILURE',
  'ERROR',
  'SECURITY_VIOLATION',
  'INFRA',
];
const maybe = (arbitrary: fc.Arbitrary<number>) => fc.option(arbitrary, { nil: null });
const anyMeasurements: fc.Arbitrary<Measurements> = fc.record({
  passRate: maybe(fc.double({ min: 0, max: 1, noNaN: true })),
  latencyMs: maybe(fc.double({ min: 0, max: 1e6, noNaN: true })),
  quality: maybe(fc.double({ min: 0, max: 10, noNaN: true })),
  errorKind: fc.option(fc.constantFrom(...Object.keys(errorPenalties), 'novel', '__proto__'), { nil: null }),
});
const anyBaseline = maybe(fc.double({ min: 0, max: 1e5, noNaN: true }));

describe('initial trust', () => {
  it('RTM-4 starts at .75, .60 or .45, or not at all', () => {
    expect(initialTrust({ score: 0.95, latencyMs: 49, baselineMs: 100 })).toBe(0.75);
    expect(initialTrust({ score: 1, latencyMs: 50, baselineMs: 100 })).toBe(0.6);
    expect(initialTrust({ score: 0.94, latencyMs: 1, baselineMs: 100 })).toBe(0.6);
    expect(initialTrust({ score: 1, latencyMs: null, baselineMs: 100 })).toBe(0.6);
    expect(initialTrust({ score: 1, latencyMs: 1, baselineMs: null })).toBe(0.6);
    expect(initialTrust({ score: 0.8, latencyMs: 500, baselineMs: 100 })).toBe(0.6);
    expect(initialTrust({ score: 0.79, latencyMs: 1, baselineMs: 100 })).toBe(0.45);
    expect(initialTrust({ score: 0.6, latencyMs: 1, baselineMs: 100 })).toBe(0.45);
    expect(initialTrust({ score: 0.599, latencyMs: 1, baselineMs: 100 })).toBeNull();
  });

  it('RTM-4 refuses a score that is none', () => {
    for (const score of [-0.1, 1.1, Number.NaN]) {
      expect(() => initialTrust({ score, latencyMs: 1, baselineMs: 1 })).toThrowError(
        expect.objectContaining({ code: 'INVALID_INPUT' }),
      );
    }
  });

  it('RTM-4 adds .15, .10, .05 and then a tenth of the headroom', () => {
    let trust = 0.45;
    const path = [0, 1, 2, 3].map((k) => {
      trust = afterBenchmarkSuccess(trust, k);
      return trust;
    });
    expect(path).toEqual([0.6, 0.7, 0.75, 0.765]);
  });

  it('RTM-4 never gains more than the time before and never reaches .9', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 0.89, noNaN: true }), (start) => {
        let trust = start;
        let last = Number.POSITIVE_INFINITY;
        for (let k = 0; k < 60; k += 1) {
          const gain = successGain(trust, k);
          expect(gain).toBeGreaterThan(0);
          expect(gain).toBeLessThanOrEqual(last);
          last = gain;
          trust += gain;
          expect(trust).toBeLessThan(0.9);
        }
      }),
    );
  });
});

describe('trust in production', () => {
  it('RTM-5 gives a success .10 to .15, by speed and quality', () => {
    expect(trustMovement('SUCCESS')).toBe(0.1);
    expect(trustMovement('SUCCESS', { latencyMs: 40, quality: 10 }, 100)).toBe(0.15);
    expect(trustMovement('SUCCESS', { latencyMs: 100 }, 100)).toBe(0.125);
    expect(trustMovement('SUCCESS', { latencyMs: 400, quality: 10 }, 100)).toBe(0.125);
    expect(trustMovement('SUCCESS', { latencyMs: 400 }, 100)).toBe(0.1);
  });

  it('RTM-5 gives a partial .02 to .08 and takes .10 to .15 for a failure, by the pass rate', () => {
    expect(trustMovement('PARTIAL', { passRate: 0.8 })).toBe(0.02);
    expect(trustMovement('PARTIAL', { passRate: 0.9 })).toBe(0.05);
    expect(trustMovement('FAILURE', { passRate: 0.8 })).toBe(-0.1);
    expect(trustMovement('FAILURE', { passRate: 0.4 })).toBe(-0.125);
    expect(trustMovement('FAILURE', { passRate: 0 })).toBe(-0.15);
  });

  it('RTM-5 takes .05 to .20 for an error, by its kind', () => {
    expect(trustMovement('ERROR', { errorKind: 'protocol' })).toBe(-0.05);
    expect(trustMovement('ERROR', { errorKind: 'timeout' })).toBe(-0.1);
    expect(trustMovement('ERROR', { errorKind: 'pids' })).toBe(-0.2);
    expect(trustMovement('ERROR', { errorKind: 'never heard of' })).toBe(-0.1);
    expect(trustMovement('ERROR')).toBe(-0.1);
  });

  it('RTM-5 moves nothing for a failure of our own, and leaves nothing after a violation', () => {
    expect(moveTrust(0.62, 'INFRA', { passRate: 0 })).toBe(0.62);
    expect(moveTrust(0.9, 'SECURITY_VIOLATION')).toBe(0);
  });

  it('RTM-5 stays in the range of each outcome, and trust in .1 … .9', () => {
    const ranges: Readonly<Record<Outcome, readonly [number, number]>> = {
      SUCCESS: [0.1, 0.15],
      PARTIAL: [0.02, 0.08],
      FAILURE: [-0.15, -0.1],
      ERROR: [-0.2, -0.05],
      SECURITY_VIOLATION: [0, 0],
      INFRA: [0, 0],
    };
    fc.assert(
      fc.property(
        fc.constantFrom(...outcomes),
        anyMeasurements,
        anyBaseline,
        fc.double({ min: 0.1, max: 0.9, noNaN: true }),
        (outcome, measurements, baseline, trust) => {
          const movement = trustMovement(outcome, measurements, baseline);
          const [low, high] = ranges[outcome];
          expect(movement).toBeGreaterThanOrEqual(low);
          expect(movement).toBeLessThanOrEqual(high);
          const moved = moveTrust(trust, outcome, measurements, baseline);
          expect(moved).toBeGreaterThanOrEqual(outcome === 'SECURITY_VIOLATION' ? 0 : 0.1);
          expect(moved).toBeLessThanOrEqual(0.9);
        },
      ),
    );
  });
});

describe('performance', () => {
  it('RTM-1 calls a platform fast below 75 %, slow above 150 % of what is usual', () => {
    expect([74, 75, 150, 151].map((ms) => performanceTier(ms, 100))).toEqual([
      'FAST',
      'STANDARD',
      'STANDARD',
      'SLOW',
    ]);
    expect([performanceTier(null, 100), performanceTier(5, null)]).toEqual([null, null]);
  });

  it('RTM-1 annotates what a platform is good at, and nothing that was not measured', () => {
    const unmeasured = {
      p50Ms: null,
      p95Ms: null,
      baselineP50Ms: null,
      baselineP95Ms: null,
      memoryShare: null,
      coverage: null,
    };
    expect(annotate(unmeasured)).toEqual([]);
    expect(
      annotate({
        p50Ms: 74,
        p95Ms: 199,
        baselineP50Ms: 100,
        baselineP95Ms: 200,
        memoryShare: 0.79,
        coverage: 0.91,
      }),
    ).toEqual(['fast', 'reliable', 'efficient', 'thorough']);
    expect(
      annotate({
        p50Ms: 75,
        p95Ms: 200,
        baselineP50Ms: 100,
        baselineP95Ms: 200,
        memoryShare: 0.8,
        coverage: 0.9,
      }),
    ).toEqual([]);
  });
});
