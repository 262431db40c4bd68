import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  attestationFreshnessScore,
  classifyTier,
  computeTrustScore,
  endorsementScore,
  type FactorName,
  scoreFactors,
  successRateScore,
  testCoverageScore,
  timeDecayedAverage,
  uptimeScore,
} from '../src/index.ts';

const table = z.record(z.string(), z.number());
const composite = z.tuple([table, z.number()]);
const vectors = z
  .looseObject({
    endorsement_base_code: table,
    endorsement_base_doc_table: table,
    endorsement_final_code: table,
    freshness: table,
    test_coverage: table,
    uptime: table,
    success_rate: table,
    'decay_lambda_0.1': table,
    decay_half_life_days: z.number(),
    decayed_mean_doc_example: table,
    composite_doc_json_inputs: composite,
    composite_canonical_from_raw: z.object({ inputs: table, contrib: table, total: z.number() }),
    composite_doc_rounded_but_code_endorse_fresh: composite,
    composite_all_ones: composite,
    composite_zero: composite,
    composite_max_reachable_code: composite,
    new_agent_no_delegations: composite,
  })
  .parse(
    JSON.parse(
      readFileSync(new URL('../../../fixtures/trust/steward_vectors.json', import.meta.url), 'utf8'),
    ),
  );

/** To six decimals: half a unit of the sixth. */
function toSix(actual: number, expected: number) {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(0.5000001e-6);
}
const numbers = (key: string, separator = ',') => key.split(separator).map(Number);
const day = 86_400_000;
const snake: Readonly<Record<FactorName, string>> = {
  testCoverage: 'test_coverage',
  uptime: 'uptime',
  successRate: 'success_rate',
  endorsements: 'endorsements',
  attestationFreshness: 'attestation_freshness',
};
const names = Object.keys(snake) as FactorName[];

describe('golden values to six decimals', () => {
  it.each(Object.entries(vectors.test_coverage))('TRU-2 TRU-9 test coverage %s is %d', (key, expected) => {
    const [passing = Number.NaN, total = Number.NaN] = numbers(key, '/');
    toSix(testCoverageScore(passing, total), expected);
  });

  it.each(Object.entries(vectors.uptime))('TRU-3 TRU-9 uptime %s is %d', (key, expected) => {
    const [period = Number.NaN, down = Number.NaN] = numbers(key);
    toSix(uptimeScore(period, down), expected);
  });

  it.each(Object.entries(vectors.success_rate))('TRU-4 TRU-9 success rate %s is %d', (key, expected) => {
    const [successful = Number.NaN, failed = Number.NaN] = numbers(key);
    toSix(successRateScore(successful, failed), expected);
  });

  it.each(Object.entries(vectors.endorsement_final_code))(
    'TRU-5 TRU-9 endorsements %s are %d',
    (key, expected) => {
      const [total = Number.NaN, unique = Number.NaN, trust = Number.NaN] = numbers(key);
      toSix(endorsementScore(total, unique, trust), expected);
    },
  );

  it.each(Object.entries(vectors.endorsement_base_code))(
    'TRU-5 TRU-9 base of %s endorsements is %d',
    (key, expected) => {
      toSix(endorsementScore(Number(key), Number(key), 1), expected);
    },
  );

  it.each(Object.entries(vectors.endorsement_base_doc_table))(
    "TRU-5 TRU-9 base of %s endorsements with endorsementCurve 'table' is %d",
    (key, expected) => {
      toSix(endorsementScore(Number(key), Number(key), 1, { endorsementCurve: 'table' }), expected);
    },
  );

  it.each(Object.entries(vectors.freshness))('TRU-6 TRU-9 freshness %s is %d', (key, expected) => {
    const [hours = Number.NaN, validity = Number.NaN] = numbers(key, '/');
    toSix(attestationFreshnessScore(hours, validity), expected);
    if (validity === 24) toSix(attestationFreshnessScore(hours), expected);
  });

  it.each(Object.entries(vectors['decay_lambda_0.1']))(
    'TRU-7 TRU-9 a point %s days old weighs %d',
    (key, expected) => {
      // Against a point of now, of weight 1 and value 0: average = w / (1 + w).
      const average = timeDecayedAverage(
        [
          { value: 0, at: 0 },
          { value: 1, at: -Number(key) * day },
        ],
        0,
      );
      toSix(average / (1 - average), expected);
    },
  );

  it('TRU-7 TRU-9 the worked mean, and the half-life', () => {
    const points = [
      { value: 0.98, at: 0 },
      { value: 0.95, at: -7 * day },
      { value: 0.85, at: -30 * day },
    ];
    toSix(timeDecayedAverage(points, 0), vectors.decayed_mean_doc_example.value ?? Number.NaN);
    const half = timeDecayedAverage(
      [
        { value: 0, at: 0 },
        { value: 1, at: -vectors.decay_half_life_days * day },
      ],
      0,
    );
    toSix(half / (1 - half), 0.5);
  });

  it.each([
    'composite_doc_json_inputs',
    'composite_all_ones',
    'composite_zero',
    'composite_max_reachable_code',
    'new_agent_no_delegations',
  ] as const)('TRU-8 TRU-9 %s', (name) => {
    const [contributions, total] = vectors[name];
    const weights = {
      testCoverage: 0.3,
      uptime: 0.2,
      successRate: 0.25,
      endorsements: 0.15,
      attestationFreshness: 0.1,
    };
    const factor = (one: FactorName) => (contributions[snake[one]] ?? Number.NaN) / weights[one];
    const score = computeTrustScore({
      testCoverage: factor('testCoverage'),
      uptime: factor('uptime'),
      successRate: factor('successRate'),
      endorsements: factor('endorsements'),
      attestationFreshness: factor('attestationFreshness'),
    });
    toSix(score.value, total);
  });

  it("TRU-8 TRU-9 the document's rounded inputs with endorsements and freshness by the rule are 0.930796", () => {
    const score = computeTrustScore({
      testCoverage: 0.96,
      uptime: 0.99,
      successRate: 0.98,
      endorsements: endorsementScore(52, 42, 0.85),
      attestationFreshness: attestationFreshnessScore(2),
    });
    const [contributions, total] = vectors.composite_doc_rounded_but_code_endorse_fresh;
    for (const name of names) toSix(score.contributions[name], contributions[snake[name]] ?? Number.NaN);
    toSix(score.value, total);
  });

  it('TRU-8 TRU-9 TRU-10 the worked example from its raw inputs is 0.932019, Trusted', () => {
    const factors = scoreFactors({
      testCoverage: { passing: 369, total: 383 },
      uptime: { periodHours: 720, downtimeHours: 7.2 },
      successRate: { successful: 1223, failed: 24 },
      endorsements: { total: 52, unique: 42, endorserTrustAvg: 0.85 },
      attestationFreshness: { hours: 2 },
    });
    const score = computeTrustScore(factors, { clock: () => 1_700_000_000_000 });
    const golden = vectors.composite_canonical_from_raw;
    for (const name of names) {
      toSix(score.factors[name].value, golden.inputs[snake[name]] ?? Number.NaN);
      toSix(score.contributions[name], golden.contrib[snake[name]] ?? Number.NaN);
    }
    toSix(score.value, golden.total);
    expect(golden.total).toBe(0.932019);
    expect(score).toMatchObject({
      algorithmVersion: '1.0.0',
      computedAt: 1_700_000_000_000,
      insufficientData: [],
    });
    expect(score.provenance.endorsements).toEqual({
      formula: 'endorsementScore',
      inputs: {
        total: 52,
        unique: 42,
        endorserTrustAvg: 0.85,
        endorsementCurve: 'log',
        endorsementBase: 'total',
      },
    });
    const evidence = {
      uptime7d: 0.99,
      uptime30d: 0.99,
      uptime90d: 0.99,
      testCoverage: 369 / 383,
      endorsements: 52,
      successfulDelegations: 1223,
    };
    expect(classifyTier(score.value, evidence)).toMatchObject({
      tier: 'trusted',
      tierByScore: 'trusted',
      badge: '⭐',
      discoveryRank: 10,
    });
  });
});
