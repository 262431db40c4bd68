import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  classifyTier,
  computeTrustScore,
  defaultWeights,
  factorNames,
  scoreFactors,
  tiers,
} from '../src/index.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const factors = fc.record({
  testCoverage: share,
  uptime: share,
  successRate: share,
  endorsements: share,
  attestationFreshness: share,
});
const flat = (value: number) => ({
  testCoverage: value,
  uptime: value,
  successRate: value,
  endorsements: value,
  attestationFreshness: value,
});

describe('computeTrustScore', () => {
  it('TRU-1 the default weights are .30 .25 .20 .15 .10 and sum to 1', () => {
    expect(defaultWeights).toEqual({
      testCoverage: 0.3,
      successRate: 0.25,
      uptime: 0.2,
      endorsements: 0.15,
      attestationFreshness: 0.1,
    });
    expect(factorNames.reduce((sum, name) => sum + defaultWeights[name], 0)).toBeCloseTo(1, 12);
  });

  it('TRU-8 is in 0…1, is the sum of its contributions, and rises with every factor', () => {
    fc.assert(
      fc.property(factors, fc.constantFrom(...factorNames), share, (given, name, more) => {
        const score = computeTrustScore(given);
        expect(score.value).toBeGreaterThanOrEqual(0);
        expect(score.value).toBeLessThanOrEqual(1);
        const sum = factorNames.reduce((total, one) => total + score.contributions[one], 0);
        expect(score.value).toBeCloseTo(sum, 11);
        for (const one of factorNames)
          expect(score.contributions[one]).toBe(given[one] * defaultWeights[one]);
        const better = computeTrustScore({ ...given, [name]: Math.max(given[name], more) });
        expect(better.value).toBeGreaterThanOrEqual(score.value);
      }),
    );
  });

  it('TRU-1 any weights that sum to 1 within 1e-9 are taken, others are refused', () => {
    const parts = fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(parts, share, (raw, value) => {
        const sum = raw.reduce((total, one) => total + one, 0);
        const [a = 0, b = 0, c = 0, d = 0, e = 0] = raw.map((one) => one / sum);
        const weights = {
          testCoverage: a,
          uptime: b,
          successRate: c,
          endorsements: d,
          attestationFreshness: e,
        };
        expect(computeTrustScore(flat(value), { weights }).value).toBeCloseTo(value, 9);
      }),
    );
    const wrong = expect.objectContaining({ code: 'WEIGHTS_INVALID' });
    const off = (uptime: number) => () =>
      computeTrustScore(flat(1), { weights: { ...defaultWeights, uptime } });
    expect(off(0.2 + 2e-9)).toThrowError(wrong);
    expect(off(0.2 + 1e-10)).not.toThrow();
    expect(off(Number.NaN)).toThrowError(wrong);
    expect(() =>
      computeTrustScore(flat(1), { weights: { ...defaultWeights, uptime: -0.1, testCoverage: 0.6 } }),
    ).toThrowError(wrong);
  });

  it('TRU-8 X-4 a factor that is missing or out of range is a typed error', () => {
    for (const uptime of [1.01, -0.01, Number.NaN]) {
      expect(() => computeTrustScore({ ...flat(1), uptime })).toThrowError(
        expect.objectContaining({ code: 'OUT_OF_RANGE' }),
      );
    }
    const { uptime: _, ...rest } = flat(1);
    expect(() => computeTrustScore(rest as never)).toThrowError(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
    expect(() => scoreFactors({ uptime: {} } as never)).toThrowError(/testCoverage/u);
  });

  it('TRU-4 TRU-8 says which factors had nothing to measure', () => {
    const score = computeTrustScore({
      ...flat(1),
      endorsements: 0,
      successRate: {
        value: 0,
        insufficientData: true,
        provenance: { formula: 'by hand', inputs: {}, source: 'ci' },
      },
    });
    expect(score.insufficientData).toEqual(['successRate']);
    expect(score.value).toBe(0.6);
    expect(score.provenance.successRate?.source).toBe('ci');
    expect(score.provenance.uptime).toBeNull();
  });

  it('TRU-8 TRU-10 a sum that is .8 is .8, not .7999…', () => {
    expect(computeTrustScore(flat(0.8)).value).toBe(0.8);
  });
});

describe('classifyTier', () => {
  const best = {
    uptime7d: 1,
    uptime30d: 1,
    uptime90d: 1,
    testCoverage: 1,
    endorsements: 1_000,
    successfulDelegations: 10_000,
  };

  it.each([
    [0, 'unverified'],
    [0.4999, 'unverified'],
    [0.5, 'verified'],
    [0.7999, 'verified'],
    [0.8, 'trusted'],
    [0.94, 'trusted'],
    [0.9499, 'trusted'],
    [0.95, 'highly_trusted'],
    [1, 'highly_trusted'],
  ] as const)('TRU-10 %d is %s when everything else is there', (score, tier) => {
    expect(classifyTier(score, best)).toMatchObject({ tier, tierByScore: tier, failedRequirements: [] });
  });

  it('TRU-10 a requirement that is met exactly is not met, and the result says which one failed', () => {
    expect(classifyTier(0.96, { ...best, uptime90d: 0.99 })).toMatchObject({
      tier: 'trusted',
      tierByScore: 'highly_trusted',
      failedRequirements: [{ tier: 'highly_trusted', metric: 'uptime90d', above: 0.99, actual: 0.99 }],
    });
    expect(classifyTier(0.96, { ...best, endorsements: 10 })).toMatchObject({ tier: 'verified' });
    expect(classifyTier(0.96, { ...best, endorsements: 3 })).toMatchObject({ tier: 'unverified' });
    expect(
      classifyTier(0.96, { ...best, endorsements: 3 }).failedRequirements.map((one) => one.tier),
    ).toEqual(['highly_trusted', 'trusted', 'verified']);
  });

  it('TRU-10 what is not known does not count as met', () => {
    const result = classifyTier(1, {});
    expect(result).toMatchObject({
      tier: 'unverified',
      restrictions: { maxDelegationsPerDay: 10, shownWithWarning: true },
    });
    expect(result.failedRequirements).toHaveLength(11);
    expect(result.failedRequirements[0]?.actual).toBeNull();
  });

  it('TRU-10 a better score or better evidence never gives a lower tier', () => {
    const rank = (name: string) => tiers.findIndex((tier) => tier.tier === name);
    const evidence = fc.record({
      uptime7d: share,
      uptime30d: share,
      uptime90d: share,
      testCoverage: share,
      endorsements: fc.integer({ min: 0, max: 100 }),
      successfulDelegations: fc.integer({ min: 0, max: 2_000 }),
    });
    fc.assert(
      fc.property(share, share, evidence, evidence, (a, b, one, other) => {
        const better = {
          uptime7d: Math.max(one.uptime7d, other.uptime7d),
          uptime30d: Math.max(one.uptime30d, other.uptime30d),
          uptime90d: Math.max(one.uptime90d, other.uptime90d),
          testCoverage: Math.max(one.testCoverage, other.testCoverage),
          endorsements: Math.max(one.endorsements, other.endorsements),
          successfulDelegations: Math.max(one.successfulDelegations, other.successfulDelegations),
        };
        const low = classifyTier(Math.min(a, b), one);
        expect(rank(classifyTier(Math.max(a, b), better).tier)).toBeGreaterThanOrEqual(rank(low.tier));
        expect(rank(low.tier)).toBeLessThanOrEqual(rank(low.tierByScore));
      }),
    );
  });

  it('TRU-10 X-4 refuses a score or a metric out of range', () => {
    for (const score of [-0.1, 1.1, Number.NaN]) {
      expect(() => classifyTier(score, best)).toThrowError(expect.objectContaining({ code: 'OUT_OF_RANGE' }));
    }
    expect(() => classifyTier(0.9, { ...best, uptime7d: 99 })).toThrowError(/uptime7d/u);
  });
});
