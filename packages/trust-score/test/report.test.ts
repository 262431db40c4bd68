import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  auditTrustScore,
  createTrustReport,
  detectEndorsementGaming,
  detectTestGaming,
  type Endorsement,
  type EventSigner,
  newUptimeMonitor,
  nextCheckAt,
  parseTrustReport,
  recordCheck,
  renderTrustReport,
  type TrustReportInput,
  uptimeReport,
  type VerifyOptions,
  verifyTrustReport,
} from '../src/index.ts';
import { signerOf } from './signers.ts';

const now = Date.UTC(2025, 10, 21, 13);
const hour = 3_600_000;
const day = 24 * hour;

const signer = signerOf('registry');

/** A policy of a verifier that needs neither agreements nor receipts. */
const open = { requireSla: false, proof: {} };

const input: TrustReportInput = {
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
    uptime7d: 0.99,
    uptime30d: 0.99,
    uptime90d: 0.99,
    testCoverage: 369 / 383,
    endorsements: 52,
    successfulDelegations: 1223,
  },
  tests: { ciUrl: 'https://ci.example/runs/123', lastRunAt: now - 2 * hour },
  incidents: [
    {
      startedAt: now - 6 * day,
      endedAt: now - 6 * day + 2 * hour,
      durationHours: 2,
      reasons: ['scheduled maintenance'],
    },
  ],
  lastAttestationAt: now - 2 * hour,
  verificationUrl: 'https://registry.example/verify/vibe-agency-orchestrator',
  clock: () => now,
};
const report = await createTrustReport({ ...input, policy: open }, signer);
const verify = (document: unknown, options: VerifyOptions = {}) =>
  verifyTrustReport(document, { now, policy: open, ...options });

/** Paths of all values in a document. */
function paths(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, member]) => paths(member, [...path, name]));
}

/** A copy in which one value is another one. */
function altered(path: readonly string[], change: (value: unknown) => unknown): Record<string, unknown> {
  const copy: Record<string, unknown> = structuredClone(report);
  let at = copy;
  for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>;
  const last = path.at(-1) ?? '';
  at[last] = change(at[last]);
  return copy;
}
const other = (value: unknown): unknown => {
  if (typeof value === 'number')
    return value === 0 ? 1 : value / 2 === Math.round(value / 2) ? value / 2 : value + 1;
  if (typeof value === 'boolean') return !value;
  return 'x';
};
/** Another value that the schema lets through. */
const plausible = (path: readonly string[], value: unknown): unknown => {
  if (typeof value === 'number' && value < 1) return value / 2;
  if (path.includes('tier')) return 'verified';
  if (typeof value === 'string' && /^\d{4}-/u.test(value)) return '2025-01-01T00:00:00.000Z';
  if (typeof value === 'string' && value.startsWith('https')) return 'https://evil.example';
  if (path.includes('endorsement_curve')) return 'table';
  if (path.includes('endorsement_base')) return 'total';
  return other(value);
};
const bodyPaths = paths(report).filter(([first]) => first !== 'verification');

describe('reports', () => {
  it('TRU-13 has the fields of the source, and everything that the score is made of', () => {
    expect(report).toMatchObject({
      agent_id: 'vibe-agency-orchestrator',
      version: '4.0.0',
      report_date: '2025-11-21T13:00:00.000Z',
      trust_score: expect.closeTo(0.932019, 6),
      tier: 'trusted',
      algorithm_version: '1.0.0',
      factors: {
        test_coverage: {
          weight: 0.3,
          evidence: { passing_tests: 369, ci_url: 'https://ci.example/runs/123' },
        },
        uptime: {
          evidence: { downtime_incidents: [{ duration_hours: 2, reason: 'scheduled maintenance' }] },
        },
        endorsements: { evidence: { unique_endorsers: 42, endorsement_curve: 'log' } },
      },
      verification: { signed_by: signer.publicKey },
    });
    expect(verify(report)).toMatchObject({
      status: 'valid',
      fields: [],
      signedBy: signer.publicKey,
    });
    expect(verify({ trust_report: report }).status).toBe('valid');
    // The order of members is nothing, and neither is white space.
    const turned = Object.fromEntries(Object.entries(structuredClone(report)).toReversed());
    expect(verify(JSON.parse(JSON.stringify(turned, null, 4))).status).toBe('valid');
  });

  it.each(bodyPaths.map((path) => [path.join('.'), path] as const))(
    'TRU-13 names a change of %s',
    (name, path) => {
      const result = verify(altered(path, (value) => plausible(path, value)));
      expect(result).toMatchObject({ status: 'tampered', fields: [name] });
    },
  );

  it('TRU-13 names what was added and taken away, and several at once', () => {
    const copy = altered(['trust_score'], () => 0.99);
    copy.note = 'the best';
    const { ci_url: _, ...evidence } = report.factors.test_coverage.evidence;
    copy.factors = { ...report.factors, test_coverage: { ...report.factors.test_coverage, evidence } };
    expect(verify(copy).fields).toEqual(['factors.test_coverage.evidence.ci_url', 'note', 'trust_score']);
  });

  it('TRU-13 a changed value with its own new digest, and any change of the seal, is no valid report', () => {
    const forged = altered(['trust_score'], () => 0.99);
    const seal = forged.verification as { digests: Record<string, string> };
    seal.digests.trust_score = createHash('sha256').update('0.99').digest('hex').slice(0, 16);
    expect(verify(forged)).toMatchObject({ status: 'tampered', fields: ['verification'] });
    for (const path of paths(report.verification)) {
      const changed = altered(['verification', ...path], (value) => {
        if (typeof value === 'number') return value + 1;
        const text = String(value);
        if (text.startsWith('https')) return 'https://evil.example';
        return text.startsWith('0') ? `1${text.slice(1)}` : `0${text.slice(1)}`;
      });
      expect(['tampered', 'wrong_key']).toContain(verify(changed).status);
    }
  });

  it('TRU-13 says wrong key, unknown version and malformed', async () => {
    const stranger = signerOf('stranger');
    expect(verify(report, { signer: stranger.publicKey }).status).toBe('wrong_key');
    expect(verify(altered(['verification', 'signed_by'], () => stranger.publicKey)).status).toBe('wrong_key');
    const foreign = await createTrustReport({ ...input, policy: open }, stranger);
    const swapped = { ...report, verification: foreign.verification };
    expect(verify(swapped)).toMatchObject({ status: 'valid', signedBy: stranger.publicKey });
    expect(verify(swapped, { signer: signer.publicKey }).status).toBe('wrong_key');
    expect(verify(report, { policy: { algorithmVersions: ['2.0.0'] } }).status).toBe('unknown_version');
    for (const wrong of [
      null,
      1,
      'x',
      [],
      {},
      { ...report, verification: null },
      altered(['trust_score'], () => 7),
    ])
      expect(verify(wrong)).toMatchObject({ status: 'malformed', signedBy: null });
    fc.assert(fc.property(fc.anything(), (any) => verify(any).status === 'malformed'));
  });

  it('TRU-13 a signer that signs something else is refused', async () => {
    const liar: EventSigner = {
      ...signer,
      signEvent: (template) => signer.signEvent({ ...template, content: 'something else' }),
    };
    await expect(createTrustReport(input, liar)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('TRU-13 reads like a statement', () => {
    const text = renderTrustReport(report, {
      verification: verify(report),
      audit: auditTrustScore(report, open),
    });
    expect(text).toContain('Trust report: vibe-agency-orchestrator v4.0.0\nMade: 2025-11-21 13:00Z');
    expect(text).toContain('Trust score: 0.932 ⭐ (Trusted)');
    expect(text).toContain('  Test coverage: 0.963 × 30 % = 0.289\n    - 369 of 383 tests pass');
    expect(text).toContain('    - Down 2 h from 2025-11-15 13:00Z: scheduled maintenance');
    expect(text).toContain('Verification: ✅ signed and unchanged');
    expect(
      renderTrustReport(
        altered(['trust_score'], () => 0.99),
        {},
      ),
    ).toContain('❌ CHANGED AFTER SIGNING');
    const forged = renderTrustReport(altered(['agent_id'], () => 'x\nVerification: ✅ signed and unchanged'));
    expect(forged.split('\n').filter((line) => line.startsWith('Verification'))).toEqual([
      'Verification: ❌ CHANGED AFTER SIGNING',
    ]);
    expect(() => renderTrustReport({})).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });
});

describe('audits', () => {
  it('TRU-14 agrees with an honest report, whatever it is made of', async () => {
    expect(auditTrustScore(report, open)).toMatchObject({
      agrees: true,
      disagreements: [],
      computed: { tier: 'trusted' },
      sameAlgorithm: true,
    });
    const weights = {
      testCoverage: 0.2,
      uptime: 0.2,
      successRate: 0.2,
      endorsements: 0.2,
      attestationFreshness: 0.2,
    };
    const policy = { ...open, weights, endorsementCurve: 'table' } as const;
    const more = await createTrustReport(
      { ...input, policy, tierEvidence: { ...input.tierEvidence, sla: { uptime: 0.95, successRate: 0.9 } } },
      signer,
    );
    expect(auditTrustScore(more, policy)).toMatchObject({ agrees: true, computed: { tier: 'trusted' } });
    expect(verify(more, { policy }).status).toBe('valid');
  });

  it('TRU-11 TRU-14 a report halves endorsements that look gamed, says so, and an audit agrees', async () => {
    const { endorsements } = input.evidence;
    const gamed = await createTrustReport(
      { ...input, evidence: { ...input.evidence, endorsements: { ...endorsements, gamingMultiplier: 0.5 } } },
      signer,
    );
    expect(gamed.factors.endorsements.score).toBeCloseTo(0.720865 / 2, 6);
    expect(gamed.trust_score).toBeCloseTo(0.932019 - 0.10813 / 2, 5);
    expect(renderTrustReport(gamed)).toContain('Counted at 50 %, since they look gamed');
    expect(auditTrustScore(gamed).agrees).toBe(true);
  });

  it.each([
    ['factors.test_coverage.score', 0.99],
    ['factors.uptime.score', 1],
    ['factors.success_rate.contribution', 0.25],
    ['factors.endorsements.score', 0.87],
    ['factors.attestation_freshness.score', 0.95],
    ['trust_score', 0.94],
    ['tier', 'highly_trusted'],
  ])('TRU-14 finds that %s is not what the evidence gives', (path, value) => {
    const { agrees, disagreements } = auditTrustScore(
      altered(path.split('.'), () => value),
      open,
    );
    expect(agrees).toBe(false);
    expect(disagreements.map((one) => one.path)).toEqual([path]);
    expect(disagreements[0]?.stated).toBe(value);
  });

  it("TRU-14 finds every slip of the source's own report", () => {
    const copy = structuredClone(report);
    copy.trust_score = 0.94;
    copy.tier = 'highly_trusted';
    copy.factors.endorsements.score = 0.87;
    copy.factors.endorsements.contribution = 0.1305;
    copy.factors.attestation_freshness.score = 0.95;
    expect(auditTrustScore(copy, open).disagreements.map(({ path }) => path)).toEqual([
      'factors.endorsements.score',
      'factors.endorsements.contribution',
      'factors.attestation_freshness.score',
      'trust_score',
      'tier',
    ]);
  });

  it('TRU-14 finds evidence that contradicts itself', () => {
    const found = (path: string, value: unknown) =>
      auditTrustScore(
        altered(path.split('.'), () => value),
        open,
      ).disagreements.map((one) => one.path);
    expect(
      found('factors.attestation_freshness.evidence.last_attestation', '2025-11-20T13:00:00Z'),
    ).toContain('factors.attestation_freshness.evidence.hours_since');
    expect(found('factors.uptime.evidence.downtime_incidents.0.duration_hours', 9)).toEqual([
      'factors.uptime.evidence.downtime_hours',
      'factors.uptime.evidence.downtime_incidents.0.duration_hours',
    ]);
    expect(found('tier_evidence.endorsements', 60)).toEqual(['tier_evidence.endorsements']);
    expect(() => parseTrustReport({})).toThrow(/agent_id/);
  });
});

describe('endorsement gaming', () => {
  const honest = Array.from(
    { length: 6 },
    (_, i): Endorsement => ({
      endorser: `agent-${i}`,
      at: now - i * 10 * day,
      endorserCreatedAt: now - (200 + i) * day,
      endorserLastActiveAt: now - i * day,
      endorserFingerprint: createHash('sha256').update(`agent ${i}`).digest('hex'),
      endorses: [],
    }),
  );
  const each = (change: (one: Endorsement, i: number) => Partial<Endorsement>) =>
    honest.map((one, i) => ({ ...one, ...change(one, i) }));
  const flagsOf = (list: readonly Endorsement[], options = {}) =>
    detectEndorsementGaming(list, now, options).flags.map(({ flag }) => flag);

  it('TRU-11 finds nothing among honest endorsers', () => {
    expect(detectEndorsementGaming(honest, now)).toMatchObject({
      verdict: 'clean',
      flags: [],
      endorsementMultiplier: 1,
      endorsers: 6,
      notChecked: [],
    });
  });

  it('TRU-11 each detector fires on its own, with evidence, at its limit and not before', () => {
    expect(flagsOf(each(() => ({ endorserCreatedAt: now - 29 * day })))).toEqual(['all_endorsers_new']);
    expect(flagsOf(each((_, i) => ({ endorserCreatedAt: now - (i === 0 ? 30 : 5) * day })))).toEqual([]);
    // A ring of six, none of whom endorses back.
    const ring = each((_, i) => ({ endorses: [`agent-${(i + 1) % 6}`] }));
    const circle = detectEndorsementGaming(ring, now);
    expect(circle.flags).toMatchObject([
      { flag: 'circular_endorsements', evidence: '1 ring of endorsers, of 6' },
    ]);
    expect(circle).toMatchObject({ verdict: 'suspicious', endorsementMultiplier: 0.5 });
    expect(flagsOf(each((_, i) => ({ endorses: i < 5 ? [`agent-${i + 1}`] : ['outsider'] })))).toEqual([]);
    const key = (digits: number) => (_: Endorsement, i: number) => ({
      endorserFingerprint: i < 2 ? 'a'.repeat(digits) + `${i}`.repeat(64 - digits) : `${i}`.repeat(64),
    });
    expect(flagsOf(each(key(8)))).toEqual(['similar_fingerprints']);
    expect(flagsOf(each(key(7)))).toEqual([]);
    expect(flagsOf(each((one, i) => ({ at: i < 4 ? now - i * 20 * 60_000 : one.at })))).toEqual([
      'clustered_timestamps',
    ]);
    expect(flagsOf(each((one, i) => ({ at: i < 3 ? now : one.at })))).toEqual([]);
    expect(flagsOf(each((_, i) => ({ endorserLastActiveAt: now - (i === 0 ? 1 : 31) * day })))).toEqual([
      'inactive_endorsers',
    ]);
    expect(flagsOf(each((_, i) => ({ endorserLastActiveAt: now - (i < 2 ? 1 : 31) * day })))).toEqual([]);
  });

  it('TRU-11 two flags are a Sybil attack, which zeroes the factor; below three endorsers none fires', () => {
    const attack = each((_, i) => ({
      at: now,
      endorserCreatedAt: now - day,
      endorses: [`agent-${(i + 1) % 6}`],
    }));
    const result = detectEndorsementGaming(attack, now);
    expect(result).toMatchObject({ verdict: 'sybil_detected', endorsementMultiplier: 0 });
    expect(result.flags.every(({ evidence, endorsers }) => evidence !== '' && endorsers.length > 0)).toBe(
      true,
    );
    expect(detectEndorsementGaming(attack.slice(0, 2), now).verdict).toBe('clean');
    const one = attack.map((endorsement) => ({ ...endorsement, endorser: 'same' }));
    expect(detectEndorsementGaming(one, now)).toMatchObject({ verdict: 'clean', endorsers: 1 });
    expect(detectEndorsementGaming([], now).verdict).toBe('clean');
  });

  it('TRU-11 says what could not be checked, and refuses times that are none', () => {
    const bare = honest.map(({ endorser, at }) => ({ endorser, at }));
    expect(detectEndorsementGaming(bare, now).notChecked).toEqual([
      'all_endorsers_new',
      'circular_endorsements',
      'similar_fingerprints',
      'inactive_endorsers',
    ]);
    expect(() => detectEndorsementGaming([{ endorser: 'a', at: Number.NaN }], now)).toThrow(/at/);
  });

  it('TRU-11 finds rings exactly where there is a way back, in any graph', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const graph = fc.array(fc.subarray(names), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(graph, (links) => {
        const list = names.map((endorser, i) => ({ endorser, at: i * day, endorses: links[i] ?? [] }));
        const reaches = (from: string, to: string) => {
          const seen = new Set<string>();
          const queue = [...(links[names.indexOf(from)] ?? [])];
          for (let one = queue.pop(); one !== undefined; one = queue.pop()) {
            if (seen.has(one)) continue;
            seen.add(one);
            queue.push(...(links[names.indexOf(one)] ?? []));
          }
          return seen.has(to);
        };
        const inRing = names.filter((one) =>
          names.some((two) => two !== one && reaches(one, two) && reaches(two, one)),
        );
        const [flag] = detectEndorsementGaming(list, 10 * day).flags;
        expect([...(flag?.endorsers ?? [])].toSorted()).toEqual(inRing);
      }),
      { numRuns: 300 },
    );
  });
});

describe('test gaming', () => {
  const tests = ['a', 'b', 'c'].map((name) => ({ name, assertions: 2 }));
  const runs = Array.from({ length: 3 }, () => ({ passed: { a: true, b: true, c: true } }));
  const clean = { tests, runs, coverageToolVerified: true };

  it('TRU-12 believes tests that assert something and say the same three times', () => {
    expect(detectTestGaming(clean)).toEqual({
      verdict: 'clean',
      findings: [],
      runs: 3,
      coverageToolVerified: true,
      crediblePassing: 3,
      total: 3,
    });
    expect(detectTestGaming({ ...clean, runs: runs.slice(0, 2) }).verdict).toBe('insufficient');
  });

  it('TRU-12 finds flaky, unseeded, empty and assertionless tests, and does not count them', () => {
    const kinds = (change: object, otherRuns = runs) => {
      const list = tests.map((test) => (test.name === 'b' ? { ...test, ...change } : test));
      const result = detectTestGaming({ ...clean, tests: list, runs: otherRuns });
      expect(result.crediblePassing).toBe(2);
      return result.findings.map(({ kind, tests: names }) => [kind, ...names]);
    };
    expect(kinds({}, [...runs, { passed: { a: true, b: false, c: true } }])).toEqual([['flaky', 'b']]);
    expect(kinds({ usesRandomness: true })).toEqual([['unseeded_randomness', 'b']]);
    expect(kinds({ empty: true, assertions: 0 })).toEqual([['empty', 'b']]);
    expect(kinds({ assertions: 0 })).toEqual([['no_assertions', 'b']]);
    const seeded = tests.map((test) => ({ ...test, usesRandomness: true, seeded: true }));
    expect(detectTestGaming({ ...clean, tests: seeded }).verdict).toBe('clean');
    const failing = Array.from({ length: 3 }, () => ({ passed: { a: true, b: false, c: true } }));
    expect(detectTestGaming({ ...clean, runs: failing })).toMatchObject({
      verdict: 'clean',
      crediblePassing: 2,
    });
  });
});

describe('the uptime monitor', () => {
  const minutes = 60_000;
  const after = (pattern: string, options = {}) =>
    [...pattern].reduce(
      (monitor, mark, i) =>
        recordCheck(monitor, { at: now + i * 5 * minutes, ok: mark === '+', reason: 'timeout' }, options),
      newUptimeMonitor,
    );

  it('TRU-3 forgives two failed checks, and dates the third from the first', () => {
    expect(after('+--+').incidents).toEqual([]);
    expect(after('+--').down).toBe(false);
    const down = after('+---');
    expect(down).toMatchObject({ down: true, failing: { startedAt: now + 5 * minutes, failedChecks: 3 } });
    const up = after('+----+');
    expect(up.incidents).toEqual([
      {
        startedAt: now + 5 * minutes,
        endedAt: now + 25 * minutes,
        reasons: ['timeout'],
        locations: [],
        failedChecks: 4,
      },
    ]);
    expect(after('+--+--+--+').incidents).toEqual([]);
    expect(after('+-+', { graceChecks: 0 }).incidents).toHaveLength(1);
  });

  it('TRU-3 reports uptime of a period with its incidents, and the penalty only when asked', () => {
    const monitor = after(`+${'-'.repeat(12)}+${'+'.repeat(10)}`);
    const end = now + 120 * minutes;
    const report = uptimeReport(monitor, end);
    expect(report).toMatchObject({ periodHours: 2, downtimeHours: 1, score: 0.5, penalty: 0 });
    expect(report.incidents).toMatchObject([{ durationHours: 1, reasons: ['timeout'] }]);
    expect(uptimeReport(monitor, end, { penaltyPerFailedCheck: 0.03 }).score).toBeCloseTo(0.14, 12);
    expect(uptimeReport(monitor, end, { penaltyPerFailedCheck: 0.05 }).score).toBe(0);
    // Only what lies in the period counts.
    expect(uptimeReport(monitor, end, { periodMs: 30 * minutes })).toMatchObject({
      downtimeHours: 0,
      score: 1,
    });
    expect(uptimeReport(after('+---'), end).incidents[0]?.durationHours).toBeCloseTo(115 / 60, 9);
    expect(uptimeReport(newUptimeMonitor, end)).toMatchObject({ score: 0, periodHours: 0 });
  });

  it('TRU-3 ignores what comes out of order and what the agent says about itself; notes places', () => {
    const first = recordCheck(newUptimeMonitor, { at: now, ok: false, location: 'fra', reason: 'tls' });
    const second = recordCheck(first, { at: now + minutes, ok: false, location: 'nyc', reason: 'timeout' });
    expect(second.failing).toMatchObject({ locations: ['fra', 'nyc'], reasons: ['tls', 'timeout'] });
    expect(recordCheck(second, { at: now, ok: true }).ignoredChecks).toBe(1);
    const own = recordCheck(second, { at: now + 2 * minutes, ok: true, by: 'self' });
    expect(own).toMatchObject({ ignoredChecks: 1, failing: { failedChecks: 2 } });
    const accepted = recordCheck(
      second,
      { at: now + 2 * minutes, ok: true, by: 'self' },
      { acceptSelf: true },
    );
    expect(accepted.failing).toBeNull();
  });

  it('TRU-3 checks at random around five minutes', () => {
    expect(nextCheckAt(now, { random: () => 0 })).toBe(now + 150_000);
    expect(nextCheckAt(now, { random: () => 0.5 })).toBe(now + 300_000);
    expect(nextCheckAt(now, { jitter: 0 })).toBe(now + 300_000);
  });

  it('TRU-3 any run of checks: incidents never overlap, and downtime stays within the period', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 80 }), (oks) => {
        const monitor = after(oks.map((ok) => (ok ? '+' : '-')).join(''));
        const end = now + oks.length * 5 * minutes;
        const { score, downtimeHours, periodHours, incidents } = uptimeReport(monitor, end);
        expect(score >= 0 && score <= 1).toBe(true);
        expect(downtimeHours).toBeLessThanOrEqual(periodHours);
        for (const [i, incident] of incidents.entries())
          expect(incident.startedAt).toBeGreaterThanOrEqual(incidents[i - 1]?.endedAt ?? 0);
        expect(incidents.every(({ failedChecks }) => failedChecks > 2)).toBe(true);
      }),
    );
  });
});
