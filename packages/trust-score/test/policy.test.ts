import { describe, expect, it } from 'vitest';
import {
  auditTrustScore,
  boundSlaTerms,
  createReceipt,
  createTrustReport,
  type Receipt,
  type ReceiptOutcome,
  strictTrustPolicy,
  type TrustReportInput,
  verifyTrustReport,
} from '../src/index.ts';
import { signerOf } from './signers.ts';

const now = Date.UTC(2026, 5, 1);
const day = 86_400_000;
const provider = signerOf('provider');
const agreement = {
  guarantees: [
    {
      metric: 'uptime',
      target: 0.995,
      measurementWindow: '30 days',
      breachThreshold: 0.95,
      penalty: { type: 'trust_score_reduction', amount: 0.1 },
    },
    {
      metric: 'success_rate',
      target: 0.97,
      measurementWindow: '30 days',
      breachThreshold: 0.9,
      penalty: { type: 'temporary_suspension', duration: '7 days' },
    },
    {
      metric: 'latency_p99',
      target: 4_000,
      unit: 'milliseconds',
      measurementWindow: '7 days',
      breachThreshold: 7_500,
      penalty: { type: 'trust_score_reduction', amount: 0.05 },
    },
  ],
};
const input: TrustReportInput = {
  agentId: provider.publicKey,
  evidence: {
    testCoverage: { passing: 380, total: 383 },
    uptime: { periodHours: 2_160, downtimeHours: 2 },
    successRate: { successful: 2_000, failed: 4 },
    endorsements: { total: 60, unique: 55, endorserTrustAvg: 0.99 },
    attestationFreshness: { hours: 0.5 },
  },
  tierEvidence: {
    ...{ uptime7d: 0.998, uptime30d: 0.998, uptime90d: 0.998 },
    ...{ testCoverage: 380 / 383, endorsements: 55, successfulDelegations: 2_000 },
    sla: agreement,
  },
  clock: () => now,
};
const customers = Array.from({ length: 12 }, (_, i) => signerOf(`customer ${i}`));
const known = Object.fromEntries(customers.map(({ publicKey }) => [publicKey, 1]));
const jobs = (
  count: number,
  signers: readonly (typeof provider)[],
  change: (i: number) => Partial<ReceiptOutcome> = () => ({}),
): Promise<readonly Receipt[]> =>
  Promise.all(
    Array.from({ length: count }, (_, i) =>
      createReceipt(
        {
          jobId: `job ${i}`,
          provider: provider.publicKey,
          outcome: 'success',
          completedAt: now - (i + 1) * 3_600_000,
          ...change(i),
        },
        signers[i % signers.length] ?? provider,
      ),
    ),
  );
const receipts = await jobs(110, customers);

describe('policies', () => {
  it('own counts alone never pass verified, whatever they are; the report states it and the audit agrees (TRU-29)', async () => {
    const report = await createTrustReport(input, provider);
    expect(report).toMatchObject({ tier: 'verified' });
    const audit = auditTrustScore(report);
    expect(audit).toMatchObject({ agrees: true, computed: { tier: 'verified' }, policy: 'strict' });
    expect(audit.evidence.map(({ status }) => status)).toEqual(Array(5).fill('claimed'));
    expect(verifyTrustReport(report, { now })).toMatchObject({ status: 'valid', bound: true });
  });

  it('receipts of known customers reach trusted; of unknown ones they prove nothing (TRU-29)', async () => {
    const policy = { knownCustomers: known };
    const report = await createTrustReport({ ...input, receipts, policy }, provider);
    expect(report.tier).toBe('trusted');
    const audit = auditTrustScore(report, policy);
    expect(audit).toMatchObject({
      agrees: true,
      computed: { tier: 'trusted' },
      receipts: { accepted: 110, customers: 12, knownCustomers: 12, successes: 110, failures: 0 },
    });
    const proof = audit.evidence.find(({ what }) => what === 'receipts');
    expect(proof).toMatchObject({ status: 'proved' });
    expect([...(proof?.by ?? [])].toSorted()).toEqual(Object.keys(known).toSorted());
    expect(audit.limits.join()).toContain('highly_trusted needs receipts for 1001 successes by 50 known');
    const stranger = auditTrustScore(report);
    expect(stranger).toMatchObject({ agrees: false, computed: { tier: 'verified' } });
    expect(stranger.evidence.find(({ what }) => what === 'receipts')?.status).toBe('signed');
    expect(stranger.evidence.find(({ what }) => what === 'success_rate')).toMatchObject({
      status: 'claimed',
      by: [provider.publicKey],
    });
    expect(stranger.disagreements.map(({ path }) => path)).toEqual(['tier']);
  });

  it('names what was changed in a receipt, or added to it, by its position (TRU-13, TRU-29)', async () => {
    const report = await createTrustReport({ ...input, receipts: receipts.slice(0, 3) }, provider);
    const [first, second, third] = report.receipts ?? [];
    const changed = [
      { ...second, content: `${second?.content} ` },
      { ...second, note: 'added' },
    ];
    for (const other of changed)
      expect(verifyTrustReport({ ...report, receipts: [first, other, third] }, { now })).toMatchObject({
        status: 'tampered',
        fields: ['receipts.1'],
      });
    expect(verifyTrustReport({ ...report, receipts: [first, third] }, { now }).status).toBe('tampered');
  });

  it('one customer carries a fifth of the proof at most, and a job counts once (TRU-29)', async () => {
    const policy = { knownCustomers: known };
    const [friend = provider] = customers;
    const many = await createTrustReport({ ...input, receipts: await jobs(110, [friend]), policy }, provider);
    expect(many.tier).toBe('verified');
    const repeated = await createTrustReport(
      { ...input, receipts: await jobs(110, customers, () => ({ jobId: 'same' })), policy },
      provider,
    );
    const audit = auditTrustScore(repeated, policy);
    expect(audit.receipts).toMatchObject({ accepted: 12, customers: 12 });
    expect(audit.receipts.rejected).toHaveLength(98);
    expect(audit.agrees).toBe(false);
  });

  it('receipts that the verifier has itself refute omitted failures, and a violation ends all trust (TRU-29)', async () => {
    const failures = await jobs(9, customers, (i) => ({ outcome: 'failure', jobId: `failed ${i}` }));
    const report = await createTrustReport({ ...input, receipts }, provider);
    const audit = auditTrustScore(report, { knownCustomers: known, ownReceipts: failures });
    expect(audit.disagreements.map(({ path }) => path)).toContain('factors.success_rate.evidence.failed');
    const [attack] = await jobs(1, customers, () => ({ outcome: 'violation', jobId: 'attack' }));
    if (attack === undefined) throw new Error('no receipt');
    const after = auditTrustScore(report, { knownCustomers: known, ownReceipts: [attack] });
    expect(after.computed.tier).toBe('unverified');
  });

  it('neither a flood of receipts, nor a forged copy, nor an earlier date hides a violation that the verifier has (TRU-29)', async () => {
    const [attack] = await jobs(1, customers, () => ({ outcome: 'violation', jobId: 'attack' }));
    if (attack === undefined) throw new Error('no receipt');
    const tierOf = async (stated: readonly Receipt[], policy: object) => {
      const report = await createTrustReport({ ...input, receipts: stated }, provider);
      return auditTrustScore(report, { knownCustomers: known, ownReceipts: [attack], ...policy }).computed
        .tier;
    };
    expect(await tierOf(receipts, { maxReceipts: receipts.length })).toBe('unverified');
    expect(await tierOf([...receipts, { ...attack, sig: '0'.repeat(128) }], {})).toBe('unverified');
    const [later] = await jobs(1, customers, () => ({
      outcome: 'violation',
      jobId: 'late',
      completedAt: now + day,
    }));
    if (later === undefined) throw new Error('no receipt');
    const report = await createTrustReport({ ...input, receipts }, provider);
    expect(auditTrustScore(report, { knownCustomers: known, ownReceipts: [later] }).computed.tier).toBe(
      'unverified',
    );
  });

  it('customers who signed only failures are no proof (TRU-29)', async () => {
    const [friends, victims] = [customers.slice(0, 5), customers.slice(5)];
    const good = await jobs(105, friends, (i) => ({ jobId: `good ${i}` }));
    const bad = await jobs(victims.length, victims, (i) => ({ outcome: 'failure', jobId: `bad ${i}` }));
    const report = await createTrustReport({ ...input, receipts: [...good, ...bad] }, provider);
    expect(auditTrustScore(report, { knownCustomers: known }).computed.tier).not.toBe('trusted');
  });

  it('failures that known customers signed outweigh claimed successes; one customer does not decide (TRU-29)', async () => {
    const policy = { knownCustomers: known };
    const failed = await jobs(90, customers, (i) => ({ outcome: 'failure', jobId: `failed ${i}` }));
    const claims = { ...input.evidence, successRate: { successful: 1_000_000, failed: 90 } };
    const boast = await createTrustReport({ ...input, evidence: claims, receipts: failed }, provider);
    const audit = auditTrustScore(boast, policy);
    expect(audit).toMatchObject({
      agrees: false,
      stated: { tier: 'verified' },
      computed: { tier: 'unverified' },
    });
    expect(audit.disagreements.map(({ path }) => path)).toContain('factors.success_rate.score');
    expect(audit.limits.join()).toContain('with the failures that known customers signed it is 0.182');
    expect(audit.evidence.find(({ what }) => what === 'success_rate')?.status).toBe('refuted');
    // A report that its author makes by the same policy states the same.
    const candid = await createTrustReport(
      { ...input, evidence: claims, receipts: failed, policy },
      provider,
    );
    expect(auditTrustScore(candid, policy)).toMatchObject({ agrees: true, computed: { tier: 'unverified' } });
    // One hostile customer among twelve changes little.
    const [foe = provider] = customers;
    const slander = await jobs(40, [foe], (i) => ({ outcome: 'failure', jobId: `slander ${i}` }));
    const proved = await createTrustReport({ ...input, receipts, policy }, provider);
    const judged = auditTrustScore(proved, { ...policy, ownReceipts: slander });
    expect(judged.computed.tier).not.toBe('unverified');
  });

  it('a report may state what it has without the customers that its verifier knows; its attestation ages (TRU-29)', async () => {
    const report = await createTrustReport({ ...input, receipts }, provider);
    expect(report.tier).toBe('verified');
    const audit = auditTrustScore(report, { knownCustomers: known }, { now: now + day });
    expect(audit).toMatchObject({
      agrees: true,
      stated: { tier: 'verified' },
      computed: { tier: 'trusted' },
    });
    expect(audit.computed.trustScore - audit.current.trustScore).toBeGreaterThan(0.09);
    const under = { ...report, tier: 'unverified' };
    expect(auditTrustScore(under, { knownCustomers: known }).agrees).toBe(false);
    expect(auditTrustScore(report, {}, { now: now - day }).current).toEqual(auditTrustScore(report).computed);
  });

  it('the strict policy cannot be changed, and a resolved one is a copy (TRU-29)', () => {
    expect(Object.isFrozen(strictTrustPolicy)).toBe(true);
    expect(() => Object.assign(strictTrustPolicy.sla, { minReduction: 0 })).toThrow(TypeError);
  });

  it('an omitted agreement counts like none (TRU-29)', async () => {
    const { sla: _, ...rest } = input.tierEvidence;
    const without = await createTrustReport({ ...input, tierEvidence: rest }, provider);
    const none = await createTrustReport({ ...input, tierEvidence: { ...rest, sla: null } }, provider);
    expect([without.tier, none.tier]).toEqual(['unverified', 'unverified']);
  });

  it('verifies subject, signer and dates under the policy (TRU-29)', async () => {
    const report = await createTrustReport(input, provider);
    const other = signerOf('other');
    const about = await createTrustReport(input, other);
    const status = (document: unknown, options: object = {}) =>
      verifyTrustReport(document, { now, ...options }).status;
    expect(status(about)).toBe('wrong_key');
    expect(status(about, { signer: other.publicKey })).toBe('valid');
    expect(status(report, { signer: other.publicKey })).toBe('wrong_key');
    expect(status(report, { subject: other.publicKey })).toBe('wrong_subject');
    expect(status(report, { subject: provider.publicKey })).toBe('valid');
    expect(status(report, { now: now + 8 * day })).toBe('expired');
    expect(status(report, { now: now - day })).toBe('future');
    expect(status(report, { policy: { maxReportAgeMs: 30 * day }, now: now + 8 * day })).toBe('valid');
    const named = await createTrustReport({ ...input, agentId: 'orchestrator' }, provider);
    expect(verifyTrustReport(named, { now })).toMatchObject({ status: 'valid', bound: false });
    expect(verifyTrustReport(named, { now, signer: provider.publicKey }).bound).toBe(true);
  });

  it('a misspelled or wrong rule is INVALID_CONFIG, never silently absent (TRU-29)', async () => {
    const report = await createTrustReport(input, provider);
    const wrong: readonly object[] = [
      { maxReportAge: 1 },
      { minTests: -1 },
      { knownCustomers: { alice: 1 } },
      { sla: { minReduction: 0.1 } },
      { maxReportAgeMs: undefined },
      { maxReportAgeMs: Number.NaN },
      { weights: { ...strictTrustPolicy.weights, uptime: undefined } },
      { sla: { ...strictTrustPolicy.sla, minReduction: Number.NaN } },
      { proof: { trusted: undefined } },
      { knownProbers: [''] },
    ];
    for (const policy of wrong) {
      expect(() => auditTrustScore(report, policy)).toThrow(
        expect.objectContaining({ code: 'INVALID_CONFIG' }),
      );
      expect(() => verifyTrustReport(report, { policy })).toThrow(
        expect.objectContaining({ code: 'INVALID_CONFIG' }),
      );
    }
    expect(() => auditTrustScore(report, { weights: { ...strictTrustPolicy.weights, uptime: 0.9 } })).toThrow(
      expect.objectContaining({ code: 'WEIGHTS_INVALID' }),
    );
  });
});

describe('terms of agreements', () => {
  it('a hostile agreement is INVALID_INPUT: nested, cyclic, with accessors or `__proto__` (TRU-35)', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 9_000; level += 1) deep = { deep };
    const cyclic: Record<string, unknown> = { ...agreement };
    cyclic.self = cyclic;
    const getter = Object.defineProperty({}, 'guarantees', {
      enumerable: true,
      get: () => agreement.guarantees,
    });
    const polluted: unknown = JSON.parse('{"guarantees":[],"__proto__":{"x":1}}');
    for (const hostile of [{ ...agreement, deep }, cyclic, getter, polluted])
      expect(() => boundSlaTerms(hostile as object as typeof agreement, strictTrustPolicy.sla)).toThrow(
        expect.objectContaining({ code: 'INVALID_INPUT' }),
      );
  });

  it('an acceptable agreement has no violations and stays as it is (TRU-29)', () => {
    const { violations, sla } = boundSlaTerms(agreement, strictTrustPolicy.sla, ['agent']);
    expect(violations).toEqual([]);
    expect(sla.guarantees.map(({ breachThreshold }) => breachThreshold)).toEqual([0.95, 0.9, 7_500]);
  });

  it.each([
    ['breachThreshold', { breachThreshold: 0 }],
    ['penalty', { penalty: { type: 'trust_score_reduction', amount: 0 } }],
    [
      'penalty',
      { penalty: { type: 'trust_score_reduction', amount: 0.1, recovery: { recoveryPeriodDays: 0.01 } } },
    ],
    ['penalty', { penalty: { type: 'financial', amount: 0, currency: 'BTC' } }],
    ['penalty', { penalty: { type: 'temporary_suspension', duration: 1 } }],
    ['aggregate', { aggregate: 'max' }],
    ['aggregate', { aggregate: 'last' }],
    ['aggregate', { aggregate: 'p99' }],
    ['measurementWindow', { measurementWindow: '1 second' }],
    ['measurementWindow', { measurementWindow: '5000 days' }],
  ])('the %s %j is replaced by the limit and listed (TRU-29)', (member, change) => {
    const [first, ...rest] = agreement.guarantees;
    const found = boundSlaTerms({ guarantees: [{ ...first, ...change }, ...rest] }, strictTrustPolicy.sla);
    expect(found.violations.map(({ path }) => path)).toEqual([`guarantees.0.${member}`]);
    expect(boundSlaTerms(found.sla, strictTrustPolicy.sla).violations).toEqual([]);
  });

  it('periods of disputes are limited, and nobody is named as arbitrator of their own disputes (TRU-29, TRU-31)', () => {
    const disputeResolution = { filingPeriodDays: 1e6, reviewPeriodDays: 400, arbitrator: 'agent' };
    const { violations, sla } = boundSlaTerms({ ...agreement, disputeResolution }, strictTrustPolicy.sla, [
      'agent',
    ]);
    expect(violations.map(({ path }) => path)).toEqual([
      'disputeResolution.filingPeriodDays',
      'disputeResolution.reviewPeriodDays',
      'disputeResolution.arbitrator',
    ]);
    expect(sla.disputeResolution).toMatchObject({ filingPeriodDays: 14, reviewPeriodDays: 14 });
    expect(sla.disputeResolution.arbitrator).toBeUndefined();
    const named = { ...agreement, disputeResolution: { arbitrator: 'committee' } };
    const refused = (arbitrators: readonly string[]) =>
      boundSlaTerms(named, { ...strictTrustPolicy.sla, arbitrators }).violations.length;
    expect([refused([]), refused(['Committee']), refused(['court'])]).toEqual([0, 0, 1]);
  });
});
