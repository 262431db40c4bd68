import { isBonafideError } from '@bonafide/internal';
import * as z from 'zod';
import { boundSlaTerms, type SlaTermViolation } from '../policy/sla-terms.ts';
import type { SlaTermLimits, TrustPolicy } from '../policy/trust-policy.ts';
import type { TrustEvidence } from '../schemas.ts';
import type { TierEvidence } from '../tier.ts';
import type { UnsignedTrustReport } from './schema.ts';

/** Returns the raw counts of a report under the names that `scoreFactors` takes. */
export function evidenceOf({ factors }: UnsignedTrustReport): TrustEvidence {
  const { evidence: tests } = factors.test_coverage;
  const { evidence: uptime } = factors.uptime;
  const { evidence: success } = factors.success_rate;
  const { evidence: endorsements } = factors.endorsements;
  const { evidence: freshness } = factors.attestation_freshness;
  return {
    testCoverage: { passing: tests.passing_tests, total: tests.total_tests },
    uptime: {
      periodHours: uptime.total_hours,
      downtimeHours: uptime.downtime_hours,
      ...(uptime.coverage === undefined ? {} : { coverage: uptime.coverage }),
    },
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
    attestationFreshness: { hours: freshness.hours_since, validityHours: freshness.validity_period_hours },
  };
}

/** Returns the tier evidence of a report under the names that `classifyTier` takes, without its agreement. */
function tierEvidenceOf({ tier_evidence: evidence }: UnsignedTrustReport): TierEvidence {
  return {
    uptime7d: evidence.uptime_7d,
    uptime30d: evidence.uptime_30d,
    uptime90d: evidence.uptime_90d,
    testCoverage: evidence.test_coverage,
    endorsements: evidence.endorsements,
    successfulDelegations: evidence.successful_delegations,
  };
}

/** A claim of the tier evidence that the factors contradict. */
export interface Contradiction {
  readonly path: string;
  readonly stated: number;
  readonly computed: number;
  readonly message: string;
}

/** Tier evidence as far as the counts of the report and the policy support it. */
export interface SupportedTierEvidence {
  readonly evidence: TierEvidence;
  readonly contradictions: readonly Contradiction[];
  readonly slaViolations: readonly SlaTermViolation[];
  /** Reasons for which a metric counts as unknown. */
  readonly unsupported: readonly string[];
}

const windows = [
  ['uptime7d', 'uptime_7d', 168],
  ['uptime30d', 'uptime_30d', 720],
  ['uptime90d', 'uptime_90d', 2_160],
] as const;
const tolerance = 0.005;

/** Returns true for an agreement with its terms; false for figures of one, or none. */
export const isAgreement = (sla: unknown): sla is Readonly<Record<string, unknown>> =>
  typeof sla === 'object' && sla !== null && ('guarantees' in sla || 'sla' in sla);

/** Figures of an agreement without its terms. */
const figuresSchema = z.looseObject({
  uptime: z.number().min(0).max(1).nullish(),
  successRate: z.number().min(0).max(1).nullish(),
  latencyP99Ms: z.number().min(0).nullish(),
});

/** Returns the agreement of a report as far as the policy accepts it, and every term that it does not accept. */
function supportAgreement(
  sla: unknown,
  limits: SlaTermLimits,
  subjects: readonly string[],
): {
  readonly agreement: TierEvidence['sla'];
  readonly violations: readonly SlaTermViolation[];
} {
  if (sla === undefined || sla === null) return { agreement: sla, violations: [] };
  const unreadable = (message: string) => ({
    agreement: null,
    violations: [{ path: '', stated: 'unreadable', limit: '', message }],
  });
  if (!isAgreement(sla)) {
    const figures = figuresSchema.safeParse(sla);
    if (!figures.success) return unreadable('The figures of the agreement are not numbers in their ranges.');
    const { uptime = null, successRate = null, latencyP99Ms = null } = figures.data;
    return { agreement: { uptime, successRate, latencyP99Ms }, violations: [] };
  }
  try {
    const { sla: bounded, violations } = boundSlaTerms(sla, limits, subjects);
    // An agreement with unacceptable terms counts as none.
    return { agreement: violations.length > 0 ? null : bounded, violations };
  } catch (error) {
    if (!isBonafideError(error, 'INVALID_INPUT')) throw error;
    return unreadable(`The agreement cannot be read: ${error.message}`);
  }
}

/** Limits the tier evidence of a report to what its counts and the policy support. */
export function supportTierEvidence(
  report: UnsignedTrustReport,
  policy: TrustPolicy,
  signedBy: string,
): SupportedTierEvidence {
  const stated = tierEvidenceOf(report);
  const { testCoverage, uptime, successRate, endorsements } = evidenceOf(report);
  const contradictions: Contradiction[] = [];
  const unsupported: string[] = [];
  const supported: Record<string, number | null> = {};
  const check = (key: string, name: string, said: number | null | undefined, most: number, what: string) => {
    supported[key] = typeof said === 'number' ? Math.min(said, most) : null;
    if (typeof said !== 'number' || said <= most + tolerance) return;
    const message = `The tier was given for more ${what} than the factor shows: ${said} against ${Number(most.toFixed(4))}`;
    contradictions.push({ path: `tier_evidence.${name}`, stated: said, computed: most, message });
  };

  for (const [key, name, hours] of windows) {
    // Downtime of the factor's period that must lie inside the window, however it is spread.
    const down = Math.max(0, uptime.downtimeHours - Math.max(0, uptime.periodHours - hours));
    check(key, name, stated[key], 1 - Math.min(1, down / hours), 'uptime');
    if (typeof supported[key] === 'number' && uptime.periodHours < hours) {
      unsupported.push(`uptime over ${hours / 24} days is stated from ${uptime.periodHours} hours`);
      supported[key] = null;
    }
  }
  const passRate = testCoverage.total === 0 ? 0 : testCoverage.passing / testCoverage.total;
  check('testCoverage', 'test_coverage', stated.testCoverage, passRate, 'test coverage');
  if (testCoverage.total < policy.minTests) {
    unsupported.push(`test coverage rests on ${testCoverage.total} tests, fewer than ${policy.minTests}`);
    supported.testCoverage = null;
  }
  check('endorsements', 'endorsements', stated.endorsements, endorsements.total, 'endorsements');
  if (policy.endorsementBase === 'unique' && typeof supported.endorsements === 'number')
    supported.endorsements = Math.min(supported.endorsements, endorsements.unique);
  const delegations = stated.successfulDelegations;
  check(
    'successfulDelegations',
    'successful_delegations',
    delegations,
    successRate.successful,
    'successful delegations',
  );

  const { agreement, violations: slaViolations } = supportAgreement(report.tier_evidence.sla, policy.sla, [
    report.agent_id,
    signedBy,
  ]);
  return {
    evidence: {
      ...supported,
      ...(agreement === undefined ? (policy.requireSla ? { sla: null } : {}) : { sla: agreement }),
    },
    contradictions,
    slaViolations,
    unsupported,
  };
}
