import { optional, optionsOf, time } from '../input.ts';
import type { ReceiptEvidence, RejectedReceipt } from '../policy/receipt-evidence.ts';
import { resolvePolicy, type TrustPolicy } from '../policy/trust-policy.ts';
import { type TierName, tiers } from '../tier.ts';
import { judgeReport } from './judge.ts';
import { parseTrustReport, type TrustReport } from './schema.ts';
import { type Disagreement, factorPaths, termDisagreements } from './terms.ts';

/** One part of a report's evidence and its source. */
export interface EvidenceSource {
  /** Name of the factor, or `receipts`. */
  readonly what: string;
  /**
   * - `proved`: signed by customers that the policy knows.
   * - `signed`: signed by customers that the policy does not know.
   * - `claimed`: stated by the signer of the report alone.
   * - `refuted`: contradicted by the report itself or by receipts.
   */
  readonly status: 'proved' | 'signed' | 'claimed' | 'refuted';
  /** Human-readable statement. */
  readonly text: string;
  /** Public keys that state it, 64 hex digits each: of customers for receipts, known ones first; else of the report's signer. */
  readonly by: readonly string[];
}

/** The result of {@link auditTrustScore}. */
export interface TrustAudit {
  readonly agrees: boolean;
  readonly disagreements: readonly Disagreement[];
  /** Score and tier that the report states. */
  readonly stated: { readonly trustScore: number; readonly tier: TierName };
  /** Score and tier by the evidence at the date of the report, on the policy's terms. */
  readonly computed: { readonly trustScore: number; readonly tier: TierName };
  /** The same at `now`: the attestation aged since the report. Equal to `computed` without `now`. */
  readonly current: { readonly trustScore: number; readonly tier: TierName };
  /** Human-readable reasons that keep the report out of higher tiers. */
  readonly limits: readonly string[];
  readonly evidence: readonly EvidenceSource[];
  readonly receipts: {
    readonly accepted: number;
    readonly customers: number;
    readonly knownCustomers: number;
    readonly successes: number;
    readonly failures: number;
    readonly rejected: readonly RejectedReceipt[];
  };
  /** Name of the policy. */
  readonly policy: string;
  /** False when the report was made by an unknown version, so that numbers may differ for that reason alone. */
  readonly sameAlgorithm: boolean;
}

const auditOptions = optionsOf({ now: optional(time) });

/** Smaller than any difference that a report with four decimals can show. */
const tolerance = 1e-9;
const hourMs = 3_600_000;

const rankOf = (name: TierName): number => tiers.findIndex(({ tier }) => tier === name);

/** Checks the evidence against itself: the age of the attestation against its date, downtime against the incidents. */
function evidenceDisagreements(report: TrustReport): readonly Disagreement[] {
  const { uptime, attestation_freshness: freshness } = report.factors;
  const found: Disagreement[] = [];
  const { last_attestation: attested, hours_since: hours } = freshness.evidence;
  if (attested !== undefined) {
    const computed = (Date.parse(report.report_date) - Date.parse(attested)) / hourMs;
    // Hours may be rounded to tenths.
    if (Math.abs(computed - hours) > 0.05)
      found.push({
        path: 'factors.attestation_freshness.evidence.hours_since',
        stated: hours,
        computed,
        message: `It was attested at ${attested}, which is ${computed.toFixed(2)} hours before the report`,
      });
  }
  const { downtime_incidents: incidents = [], downtime_hours: down, total_hours: period } = uptime.evidence;
  const listed = incidents.reduce((sum, { duration_hours: lasted }) => sum + lasted, 0);
  if (listed > down + 0.05)
    found.push({
      path: 'factors.uptime.evidence.downtime_hours',
      stated: down,
      computed: listed,
      message: `The incidents that are listed last ${listed.toFixed(2)} hours together`,
    });
  if (down < 0 || down > period)
    found.push({
      path: 'factors.uptime.evidence.downtime_hours',
      stated: down,
      computed: Math.min(period, Math.max(0, down)),
      message: `Downtime of ${down} hours is impossible in ${period} hours`,
    });
  for (const [index, { start, end, duration_hours: lasted }] of incidents.entries()) {
    if (end === null) continue;
    const computed = (Date.parse(end) - Date.parse(start)) / hourMs;
    // An incident that began before the period counts in part.
    if (lasted > computed + 0.05 || computed < 0)
      found.push({
        path: `factors.uptime.evidence.downtime_incidents.${index}.duration_hours`,
        stated: lasted,
        computed,
        message: `From ${start} to ${end} it is ${computed.toFixed(2)} hours`,
      });
  }
  const signedAt = report.verification.signed_at * 1_000;
  if (Math.abs(signedAt - Date.parse(report.report_date)) > 600_000)
    found.push({
      path: 'report_date',
      stated: report.report_date,
      computed: new Date(Math.min(signedAt, 8.64e15)).toISOString(),
      message: 'The report carries another date than its signature',
    });
  return found;
}

/** Members of the tier evidence that state the same as a factor. */
const tierClaims: Readonly<Record<string, readonly string[]>> = {
  test_coverage: ['test_coverage'],
  uptime: ['uptime_7d', 'uptime_30d', 'uptime_90d'],
  success_rate: ['successful_delegations'],
  endorsements: ['endorsements'],
};

/** Lists the sources of the evidence. */
function sourcesOf(
  report: TrustReport,
  receipts: ReceiptEvidence,
  disagreements: readonly Disagreement[],
): readonly EvidenceSource[] {
  const { test_coverage, uptime, success_rate, endorsements, attestation_freshness } = report.factors;
  const signer = [report.verification.signed_by];
  const source = (
    what: string,
    text: string,
    status: EvidenceSource['status'] = 'claimed',
    by: readonly string[] = signer,
  ): EvidenceSource => {
    const isRefuted = disagreements.some(
      ({ path }) =>
        path.startsWith(`factors.${what}.`) ||
        (tierClaims[what] ?? []).some((name) => path === `tier_evidence.${name}`),
    );
    return { what, status: isRefuted ? 'refuted' : status, text, by };
  };
  const tests = test_coverage.evidence;
  const success = success_rate.evidence;
  const { accepted, successes, failures, customers, knownSuccesses } = receipts;
  const counts = `${success.successful} successes and ${success.failed} failures`;
  const covered = `receipts of ${customers.length} ${customers.length === 1 ? 'customer' : 'customers'} (${knownSuccesses.size} known) cover ${successes} successes and ${failures} failures`;
  return [
    source('test_coverage', `${tests.passing_tests} of ${tests.total_tests} tests pass`),
    source('uptime', `down ${uptime.evidence.downtime_hours} of ${uptime.evidence.total_hours} hours`),
    source('success_rate', counts),
    ...(accepted === 0
      ? []
      : [source('receipts', covered, knownSuccesses.size > 0 ? 'proved' : 'signed', customers)]),
    source(
      'endorsements',
      `${endorsements.evidence.total_endorsements} endorsements by ${endorsements.evidence.unique_endorsers} endorsers`,
    ),
    source(
      'attestation_freshness',
      `attested ${attestation_freshness.evidence.hours_since} hours before the report`,
    ),
  ];
}

/**
 * Recomputes a report from its evidence on the verifier's terms, and lists disagreements: terms beyond the policy, each factor,
 * its contribution, the sum, the tier, contradictions inside the evidence, and receipts against counts. The result says for
 * each part whether it is proved, signed by unknown customers, or only claimed. It does not verify the signature: that is
 * `verifyTrustReport`.
 *
 * @param policy Rules of the verifier. Members that are left out are those of `strictTrustPolicy`.
 * @param options.now Time at which `current` is wanted, ms since epoch.
 * @throws `INVALID_INPUT` when the document is not a trust report; `INVALID_CONFIG` or `WEIGHTS_INVALID` when the policy is wrong.
 */
export function auditTrustScore(
  report: unknown,
  policy: Partial<TrustPolicy> = {},
  options: { readonly now?: number } = {},
): TrustAudit {
  auditOptions('options', options);
  const rules = resolvePolicy(policy);
  const stated = parseTrustReport(report);
  const { factors } = stated;
  const at = Date.parse(stated.report_date);
  const terms = { policy: rules, signedBy: stated.verification.signed_by, at };
  const judgment = judgeReport(stated, terms);
  const { score, tier, receipts, supported, limits } = judgment;
  const { now = at } = options;
  // Evidence does not get younger than it was in the report.
  const agedHours = Math.max(0, now - at) / hourMs;
  const aged = agedHours === 0 ? judgment : judgeReport(stated, { ...terms, receipts, agedHours });

  const disagreements: Disagreement[] = [
    ...termDisagreements(stated, rules),
    ...evidenceDisagreements(stated),
    ...supported.contradictions,
  ];
  const compare = (path: string, said: number, computed: number, what: string) => {
    if (Math.abs(said - computed) <= tolerance) return;
    const message = `${what} is ${computed.toFixed(6)} by its evidence, not ${said.toFixed(6)}`;
    disagreements.push({ path, stated: said, computed, message });
  };
  for (const [name, key] of factorPaths) {
    compare(`factors.${name}.score`, factors[name].score, score.factors[key].value, name);
    const contribution = score.contributions[key];
    const what = `The contribution of ${name}`;
    compare(`factors.${name}.contribution`, factors[name].contribution, contribution, what);
  }
  compare('trust_score', stated.trust_score, score.value, 'The score');
  const { successful, failed } = factors.success_rate.evidence;
  if (receipts.successes > successful)
    compare(
      'factors.success_rate.evidence.successful',
      successful,
      receipts.successes,
      'Successes by receipts',
    );
  if (receipts.failures > failed)
    compare('factors.success_rate.evidence.failed', failed, receipts.failures, 'Failures by receipts');
  // An agent cannot know which customers its verifier knows: the tier without any is honest, too.
  const unknowing = judgeReport(stated, {
    ...terms,
    policy: { ...rules, knownCustomers: {} },
    receipts: { ...receipts, knownSuccesses: new Map(), knownJobs: new Map() },
  });
  const isUnderstated = stated.tier === unknowing.tier && rankOf(unknowing.tier) < rankOf(tier);
  if (stated.tier !== tier && !isUnderstated)
    disagreements.push({
      path: 'tier',
      stated: stated.tier,
      computed: tier,
      message: `The tier is ${tier} by score, requirements and proof, not ${stated.tier}`,
    });
  const summary = {
    accepted: receipts.accepted,
    customers: receipts.customers.length,
    knownCustomers: receipts.knownSuccesses.size,
    successes: receipts.successes,
    failures: receipts.failures,
    rejected: receipts.rejected,
  };
  for (const { index, reason, message } of receipts.rejected) {
    if (index >= (stated.receipts?.length ?? 0)) continue;
    disagreements.push({
      path: `receipts.${index}`,
      stated: stated.receipts?.[index]?.id ?? null,
      computed: reason,
      message: `Receipt ${index} does not count: ${message}`,
    });
  }
  return {
    agrees: disagreements.length === 0,
    disagreements,
    stated: { trustScore: stated.trust_score, tier: stated.tier },
    computed: { trustScore: score.value, tier },
    current: { trustScore: aged.score.value, tier: aged.tier },
    limits,
    evidence: sourcesOf(stated, receipts, disagreements),
    receipts: summary,
    policy: rules.name,
    sameAlgorithm: rules.algorithmVersions.includes(stated.algorithm_version),
  };
}
