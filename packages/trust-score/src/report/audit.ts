import type { TierName } from '../tier.ts';
import { classifyTier } from '../tier.ts';
import { algorithmVersion, computeTrustScore, type FactorWeights, scoreFactors } from '../trust-score.ts';
import { parseTrustReport, type TrustReport, tierEvidenceOf } from './report.ts';

/** Something that the report says and its evidence does not bear out. */
export interface Disagreement {
  /** E.g. `factors.uptime.score`. */
  readonly path: string;
  readonly stated: number | string | null;
  readonly computed: number | string | null;
  /** Human-readable explanation. */
  readonly message: string;
}

/** The result of recomputing a report. */
export interface TrustAudit {
  readonly agrees: boolean;
  readonly disagreements: readonly Disagreement[];
  /** Score and tier by the evidence. */
  readonly computed: { readonly trustScore: number; readonly tier: TierName };
  /** False when the report was made by another version, so that numbers may differ for that reason alone. */
  readonly sameAlgorithm: boolean;
}

/** Half of the least difference that a person would see in a report with four decimals. */
const tolerance = 1e-9;
const hourMs = 3_600_000;

const names = [
  ['test_coverage', 'testCoverage'],
  ['uptime', 'uptime'],
  ['success_rate', 'successRate'],
  ['endorsements', 'endorsements'],
  ['attestation_freshness', 'attestationFreshness'],
] as const;

/**
 * Checks the evidence against itself: the age of the attestation against its date, downtime against the
 * incidents.
 */
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
  const { downtime_incidents: incidents = [], downtime_hours: down } = uptime.evidence;
  const listed = incidents.reduce((sum, { duration_hours: lasted }) => sum + lasted, 0);
  if (listed > down + 0.05)
    found.push({
      path: 'factors.uptime.evidence.downtime_hours',
      stated: down,
      computed: listed,
      message: `The incidents that are listed last ${listed.toFixed(2)} hours together`,
    });
  for (const [index, { start, end, duration_hours: lasted }] of incidents.entries()) {
    if (end === null) continue;
    const computed = (Date.parse(end) - Date.parse(start)) / hourMs;
    // What began before the period counts in part.
    if (lasted > computed + 0.05)
      found.push({
        path: `factors.uptime.evidence.downtime_incidents.${index}.duration_hours`,
        stated: lasted,
        computed,
        message: `From ${start} to ${end} it is ${computed.toFixed(2)} hours`,
      });
  }
  return found;
}

/**
 * Recomputes every number of a report from the evidence in it, and lists disagreements: each factor, its
 * contribution, the sum, the tier, and contradictions inside the evidence. It does not verify the evidence
 * itself, nor the signature: that is `verifyTrustReport`.
 *
 * @throws `INVALID_INPUT` when the document is not a trust report.
 */
export function auditTrustScore(report: unknown): TrustAudit {
  const stated = parseTrustReport(report);
  const { factors } = stated;
  const { evidence: tests } = factors.test_coverage;
  const { evidence: uptime } = factors.uptime;
  const { evidence: success } = factors.success_rate;
  const { evidence: endorsements } = factors.endorsements;
  const { evidence: freshness } = factors.attestation_freshness;
  const computedFactors = scoreFactors(
    {
      testCoverage: { passing: tests.passing_tests, total: tests.total_tests },
      uptime: { periodHours: uptime.total_hours, downtimeHours: uptime.downtime_hours },
      successRate: {
        successful: success.successful,
        failed: success.failed,
        ...(success.rejected === undefined ? {} : { rejected: success.rejected }),
      },
      endorsements: {
        total: endorsements.total_endorsements,
        unique: endorsements.unique_endorsers,
        endorserTrustAvg: endorsements.endorser_trust_avg,
        ...(endorsements.gaming_multiplier === undefined
          ? {}
          : { gamingMultiplier: endorsements.gaming_multiplier }),
      },
      attestationFreshness: {
        hours: freshness.hours_since,
        validityHours: freshness.validity_period_hours,
      },
    },
    {
      endorsementCurve: endorsements.endorsement_curve ?? 'log',
      endorsementBase: endorsements.endorsement_base ?? 'total',
    },
  );
  const weights: FactorWeights = {
    testCoverage: factors.test_coverage.weight,
    uptime: factors.uptime.weight,
    successRate: factors.success_rate.weight,
    endorsements: factors.endorsements.weight,
    attestationFreshness: factors.attestation_freshness.weight,
  };
  const score = computeTrustScore(computedFactors, { weights, clock: () => Date.parse(stated.report_date) });
  const { tier } = classifyTier(score.value, tierEvidenceOf(stated));
  const disagreements: Disagreement[] = [...evidenceDisagreements(stated)];
  const compare = (path: string, said: number, computed: number, what: string) => {
    if (Math.abs(said - computed) <= tolerance) return;
    const message = `${what} is ${computed.toFixed(6)} by its evidence, not ${said.toFixed(6)}`;
    disagreements.push({ path, stated: said, computed, message });
  };
  for (const [name, key] of names) {
    compare(`factors.${name}.score`, factors[name].score, score.factors[key].value, name);
    const contribution = score.contributions[key];
    compare(
      `factors.${name}.contribution`,
      factors[name].contribution,
      contribution,
      `The contribution of ${name}`,
    );
  }
  compare('trust_score', stated.trust_score, score.value, 'The score');
  if (stated.tier !== tier)
    disagreements.push({
      path: 'tier',
      stated: stated.tier,
      computed: tier,
      message: `The tier is ${tier} by score and requirements, not ${stated.tier}`,
    });
  // What is required of tiers must not contradict what the factors rest on.
  const required = tierEvidenceOf(stated);
  const counted: readonly (readonly [string, number | null | undefined, number])[] = [
    ['test_coverage', required.testCoverage, computedFactors.testCoverage.value],
    ['endorsements', required.endorsements, endorsements.total_endorsements],
  ];
  for (const [name, said, computed] of counted) {
    if (typeof said === 'number' && said > computed + 0.005)
      disagreements.push({
        path: `tier_evidence.${name}`,
        stated: said,
        computed,
        message: `The tier was given for more ${name.replace('_', ' ')} than the factor shows`,
      });
  }
  return {
    agrees: disagreements.length === 0,
    disagreements,
    computed: { trustScore: score.value, tier },
    sameAlgorithm: stated.algorithm_version === algorithmVersion,
  };
}
