import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createReceipt } from '@bonafide/trust-score';
import { npubEncode } from 'nostr-tools/nip19';
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from './world.ts';

const folder = mkdtempSync(join(tmpdir(), 'bonafide-cli-trust-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

const secret = generateSecretKey();
const publicKey = getPublicKey(secret);
const env = { BONAFIDE_SECRET_KEY: Buffer.from(secret).toString('hex') };
const evidence = file('evidence.json', {
  agentId: 'vibe-agency-orchestrator',
  version: '4.0.0',
  evidence: {
    testCoverage: { passing: 369, total: 383 },
    uptime: { periodHours: 720, downtimeHours: 7.2 },
    successRate: { successful: 1223, failed: 24 },
    endorsements: { total: 52, unique: 42, endorserTrustAvg: 0.85 },
    attestationFreshness: { hours: 2 },
  },
  tierEvidence: {
    ...{ uptime7d: 0.99, uptime30d: 0.99, uptime90d: 0.99 },
    ...{ testCoverage: 0.96, endorsements: 52, successfulDelegations: 1223 },
    sla: { uptime: 0.99, successRate: 0.95, latencyP99Ms: 4000 },
  },
});
const made = await run(['trust', 'report', evidence, '--json'], { env });
const signed = file('report.json', made.out);
const changed = (change: (report: Record<string, never>) => object) =>
  file('changed.json', change(JSON.parse(readFileSync(signed, 'utf8'))));

describe('bonafide trust', () => {
  it('CLI-1 TRU-13 makes, signs and prints a report', async () => {
    expect(made).toMatchObject({ code: 0, err: '' });
    const shown = await run(['trust', 'report', signed]);
    expect(shown.code).toBe(0);
    expect(shown.out).toContain('Trust report: vibe-agency-orchestrator v4.0.0');
    expect(shown.out).toContain('Trust score: 0.932 ✅ (Verified)');
    expect(shown.out).toContain('    - 369 of 383 tests pass');
    expect(shown.out).toContain('Verification: ✅ signed and unchanged');
    expect(made.out + shown.out).not.toContain(env.BONAFIDE_SECRET_KEY);
    const without = await run(['trust', 'report', evidence]);
    expect(without).toMatchObject({ code: 1, out: '' });
    expect(without.err).toContain('BONAFIDE_SECRET_KEY');
  });

  it('CLI-1 TRU-13 verifies, with the expected key, and names what was changed', async () => {
    const npub = npubEncode(publicKey);
    expect(await run(['trust', 'verify', signed, '--signer', npub])).toMatchObject({ code: 0 });
    const other = await run(['trust', 'verify', signed, '--signer', '0'.repeat(64)]);
    expect(other).toMatchObject({ code: 1 });
    expect(other.out).toContain('wrong key');
    const forged = changed((report) => ({ ...report, trust_score: 0.99 }));
    const tampered = await run(['trust', 'verify', forged]);
    expect(tampered).toMatchObject({ code: 1 });
    expect(tampered.out).toContain('changed: trust_score');
    const document = await run(['trust', 'verify', forged, '--json']);
    expect(JSON.parse(document.out)).toMatchObject({ status: 'tampered', fields: ['trust_score'] });
    expect((await run(['trust', 'report', forged])).code).toBe(1);
    expect((await run(['trust', 'verify', signed, '--signer', 'nobody'])).code).toBe(2);
  });

  it('CLI-1 TRU-14 audits a report and one factor', async () => {
    const honest = await run(['trust', 'audit', signed]);
    expect(honest).toMatchObject({ code: 0 });
    expect(honest.out).toContain('Only claimed, by the signer of the report alone.\n  test coverage: ');
    expect(honest.out).toContain('  success rate: 1223 successes and 24 failures, by npub1');
    expect(honest.out).toContain(
      'trusted needs receipts for 101 successes by 10 known customers; there are 0 by 0',
    );
    expect(honest.out).toContain('agrees: the evidence gives 0.932019, verified');
    const forged = changed((report) => ({ ...report, tier: 'highly_trusted', trust_score: 0.94 }));
    const audited = await run(['trust', 'audit', forged]);
    expect(audited).toMatchObject({ code: 1 });
    expect(audited.out).toContain('trust_score: The score is 0.932019 by its evidence, not 0.940000');
    expect(audited.out).toContain('tier: The tier is verified by score, requirements and proof');
    expect(audited.out).toContain('tampered: Changed after signing');
    expect(JSON.parse((await run(['trust', 'audit', forged, '--json'])).out)).toMatchObject({
      agrees: false,
    });
    const factor = await run(['trust', 'verify-factor', signed, 'test_coverage']);
    expect(factor).toMatchObject({ code: 0 });
    expect(factor.out).toContain('  - passing tests: 369');
    expect(factor.out).toContain('  - score: 0.963446 × 0.3 = 0.289034');
    expect((await run(['trust', 'verify-factor', signed, 'beauty'])).code).toBe(2);
  });

  it('CLI-1 TRU-29 says what known customers proved, refuses other subjects, and judges by the policy file', async () => {
    const customers = Array.from({ length: 4 }, () => generateSecretKey());
    const receipts = await Promise.all(
      customers.map((key, i) =>
        createReceipt(
          { jobId: `job ${i}`, provider: publicKey, outcome: 'success', completedAt: Date.now() - 3_600_000 },
          {
            getPublicKey: async () => getPublicKey(key),
            signEvent: async (template) => finalizeEvent(template, key),
          },
        ),
      ),
    );
    const document: object = JSON.parse(readFileSync(evidence, 'utf8'));
    const proved = file('proved.json', { ...document, receipts });
    const published = file(
      'proved-report.json',
      (await run(['trust', 'report', proved, '--json'], { env })).out,
    );
    const keys = file(
      'customers.json',
      customers.map((key) => npubEncode(getPublicKey(key))),
    );
    const unknown = await run(['trust', 'audit', published]);
    expect(unknown.out).toContain(
      'Signed by customers that you do not know, which costs nothing to create: no proof.\n  receipts: receipts of 4 customers (0 known) cover 4 successes',
    );
    const audited = await run(['trust', 'audit', published, '--customers', keys]);
    expect(audited).toMatchObject({ code: 0 });
    expect(audited.out).toContain(
      'Proved: signed by customers that you know.\n  receipts: receipts of 4 customers (4 known) cover 4 successes',
    );
    expect(audited.out).toContain(' and 1 more');
    expect((await run(['trust', 'verify', published, '--subject', 'somebody-else'])).out).toContain(
      'wrong subject',
    );
    const strict = file('policy.json', { maxReportAgeMs: 1 });
    expect((await run(['trust', 'verify', published, '--policy', strict])).out).toContain('expired');
    const misspelled = file('misspelled.json', { maxReportAge: 1 });
    expect((await run(['trust', 'verify', published, '--policy', misspelled])).code).not.toBe(0);
  });

  it('CLI-1 TRU-29 fails for a report whose signature or evidence does not support it, and shows computed beside stated', async () => {
    // Numbers that agree, under a signature that does not hold.
    const forged = changed((report) => ({ ...report, version: '9.9.9' }));
    const audited = await run(['trust', 'audit', forged]);
    expect(audited).toMatchObject({ code: 1 });
    expect(audited.out).toContain('tampered: Changed after signing: version.');
    expect(audited.out).toContain('agrees: the evidence gives 0.932019');

    // A valid signature under numbers that the evidence does not give.
    const lax = file('lax.json', { requireSla: false, proof: {} });
    const document = JSON.parse(readFileSync(evidence, 'utf8'));
    const boast = file('boast.json', {
      ...document,
      tierEvidence: { ...document.tierEvidence, successfulDelegations: 5_000 },
    });
    const lie = file(
      'lie.json',
      (await run(['trust', 'report', boast, '--policy', lax, '--json'], { env })).out,
    );
    const verified = await run(['trust', 'verify', lie]);
    expect(verified).toMatchObject({ code: 1 });
    expect(verified.out).toContain('valid: Signed by ');
    expect(verified.out).toContain(
      'not supported: it states 0.932 (trusted); the evidence gives 0.932 (verified) on your terms.',
    );
    const shown = await run(['trust', 'report', lie]);
    expect(shown).toMatchObject({ code: 1 });
    expect(shown.out).toContain(
      '❌ Do not rely on this report: Its evidence contradicts 2 of its statements',
    );
    expect(shown.out).toContain('Trust score: 0.932 ✅ (Verified), computed from the evidence on your terms');
    expect(shown.out).toContain('  The report itself states 0.932 (Trusted).');
    expect(shown.out).toContain('Refuted: contradicted by the report itself or by receipts.');
    expect(JSON.parse((await run(['trust', 'verify', lie, '--json'])).out)).toMatchObject({
      status: 'valid',
      agrees: false,
      stated: { tier: 'trusted' },
      computed: { tier: 'verified' },
    });
  });

  it('CLI-1 says what is wrong with a file, and prints nothing that a terminal would act on', async () => {
    expect(await run(['trust', 'verify', join(folder, 'none.json')])).toMatchObject({ code: 2, out: '' });
    expect((await run(['trust', 'audit', file('bad.json', '{')])).err).toContain('is not JSON');
    expect(await run(['trust', 'audit', file('other.json', { a: 1 })])).toMatchObject({ code: 2, out: '' });
    expect(await run(['trust', 'verify', file('other.json', { a: 1 })])).toMatchObject({ code: 1 });
    const hostile = changed((report) => ({
      ...report,
      agent_id: '\u001b[2Jx\nVerification: ✅',
      version: '\u202e',
    }));
    const shown = await run(['trust', 'report', hostile]);
    for (const one of ['\u001b', '\u202e']) expect(shown.out).not.toContain(one);
    expect(shown.out.split('\n').filter((line) => line.startsWith('Verification'))).toEqual([
      'Verification: ❌ CHANGED AFTER SIGNING',
    ]);
  });
});

describe('bonafide sla', () => {
  const sla = file('sla.json', {
    sla: {
      guarantees: [
        {
          ...{ metric: 'uptime', target: 0.99, measurement_window: '30 days', breach_threshold: 0.95 },
          penalty: { type: 'trust_score_reduction', amount: 0.1 },
        },
      ],
    },
  });
  const at = '2026-01-31T00:00:00Z';
  const measured = (value: number) =>
    file('measurements.json', [{ metric: 'uptime', at: '2026-01-30T12:00:00Z', value }]);

  it('CLI-1 TRU-16 says how an agreement stands, for a person and as JSON', async () => {
    const well = await run(['sla', 'status', sla, measured(0.992), '--at', at, '--name', 'orchestrator']);
    expect(well).toMatchObject({ code: 0, err: '' });
    expect(well.out).toContain('SLA status: orchestrator, 2026-01-31 00:00Z\nOverall: ✅ COMPLIANT');
    expect(well.out).toContain('  ✅ uptime: 99.2 % (target 99 %, buffer +0.2 %)');
    const broken = await run(['sla', 'status', sla, measured(0.85), '--at', at, '--json']);
    expect(broken.code).toBe(1);
    expect(JSON.parse(broken.out)).toMatchObject({
      sla_status: { overall_status: 'breached', guarantees: [{ metric: 'uptime', current: 0.85 }] },
    });
  });

  it('CLI-1 TRU-31 judges on the terms of the verifier, and counts known probers only', async () => {
    const weak = file('weak.json', {
      guarantees: [
        {
          ...{ metric: 'uptime', target: 0.9, measurement_window: '30 days', breach_threshold: 0.1 },
          penalty: { type: 'badge_revocation', revoke: ['none'] },
        },
      ],
    });
    const samples = file(
      'samples.json',
      ['2026-01-30T00:00:00Z', '2026-01-30T01:00:00Z'].flatMap((moment) => [
        { metric: 'uptime', at: moment, value: 0.5 },
        { metric: 'uptime', at: moment, value: 1, prober: 'cheat' },
        { metric: 'uptime', at: moment, value: 1, prober: 'friend' },
      ]),
    );
    const status = ['sla', 'status', weak, samples, '--at', at, '--subject', 'cheat'];
    const judged = await run(status);
    expect(judged.code).toBe(1);
    expect(judged.out).toContain('Overall: ❌ BREACHED');
    expect(judged.out).toContain(
      'Terms that you do not accept, and that were replaced:\n  uptime breaks at 0.1;',
    );
    expect(judged.out).toContain('4 measurements of the agent itself or of unknown probers do not count.');
    const policy = file('probers.json', { knownProbers: ['friend'] });
    expect((await run([...status, '--policy', policy])).out).toContain('2 measurements of the agent itself');
  });

  it('CLI-1 TRU-18 follows a breach through dispute, decision, penalty and recovery, in files', async () => {
    const path = (name: string) => join(folder, name);
    const found = ['--agent', 'orchestrator', '--metric', 'uptime', '--id', 'b1', '--at', at];
    const begun = await run(['sla', 'breach', sla, ...found, '--value', '0.8', '--out', path('b1.json')]);
    expect(begun).toMatchObject({ code: 0, err: '' });
    expect(begun.out).toContain('Breach b1 of orchestrator: detected\n  uptime was 0.8, beyond 0.95');
    expect(begun.out).toContain(
      'Next: The agent may dispute it until 2026-02-07 00:00Z; then it can be confirmed.',
    );
    expect(begun.out).toContain('Notice to the registry: uptime of orchestrator is 0.8');
    expect((await run(['sla', 'breach', sla, ...found, '--value', '0.99'])).err).toContain(
      'keeps the promise',
    );
    expect(
      (await run(['sla', 'breach', sla, ...found, '--value', '0.8', '--out', path('b1.json')])).code,
    ).toBe(2);

    const early = ['sla', 'advance', path('b1.json'), 'confirm', '--at', '2026-02-01T00:00:00Z'];
    expect(await run(early)).toMatchObject({ code: 1 });
    const filed = await run([
      ...['sla', 'dispute', path('b1.json'), '--id', 'd1', '--claim', 'the registry \u001b[2J was down'],
      ...['--evidence', 'https://status.example/1', '--force-majeure', 'registry-outage'],
      ...['--at', '2026-02-02T00:00:00Z', '--out', path('disputed.json')],
    ]);
    expect(filed).toMatchObject({ code: 0 });
    expect(filed.out).toContain('Breach b1 of orchestrator: disputed');
    expect(filed.out).toContain('An arbitrator that is not the agent may decide until 2026-02-09 00:00Z');
    expect(filed.out).not.toContain('\u001b');
    // A dispute does not stop the clock: the penalty is in effect from the end of the filing period on.
    const later = await run(['sla', 'show', path('disputed.json'), '--at', '2026-02-08T00:00:00Z']);
    expect(later.out).toContain('In effect: the trust score counts 90 %');

    const decide = (arbitrator: string) => [
      ...['sla', 'decide', path('disputed.json'), '--outcome', 'upheld', '--because', 'no outage was found'],
      ...['--arbitrator', arbitrator, '--at', '2026-02-03T00:00:00Z', '--out', path('upheld.json')],
    ];
    expect((await run(decide(' Orchestrator'))).err).toContain('cannot decide');
    expect((await run(decide('committee'))).out).toContain(
      'Decided 2026-02-03 00:00Z: upheld, since no outage was found',
    );
    const punished = await run([
      ...['sla', 'advance', path('upheld.json'), 'penalise', '--at', '2026-02-04T00:00:00Z', '--json'],
    ]);
    expect(JSON.parse(punished.out)).toMatchObject({ breach: { state: 'penalised' } });
    const stored = file('punished.json', JSON.parse(punished.out).breach);
    const good = await run(['sla', 'advance', stored, 'good-day', '--at', '2026-02-05T00:00:00Z']);
    expect(good.out).toContain('Breach b1 of orchestrator: recovering');
    expect(good.out).toContain('the trust score counts 90.3 %');
    expect((await run(['sla', 'show', file('none.json', { breachId: 'x' })])).code).toBe(1);
    expect((await run(['sla', 'advance', stored, 'forgive'])).code).toBe(2);
  });

  it('CLI-1 refuses files and moments that are none', async () => {
    expect((await run(['sla', 'status', sla, measured(1), '--at', 'yesterday'])).code).toBe(2);
    expect((await run(['sla', 'status', sla, file('m.json', [{ metric: 1 }])])).code).toBe(2);
    expect((await run(['sla', 'status', file('s.json', { guarantees: [] }), measured(1)])).code).toBe(1);
  });
});
