import {
  evaluateReceipts,
  jointSuccessRate,
  missingProof,
  type ReceiptEvidence,
} from '../policy/receipt-evidence.ts';
import type { TrustPolicy } from '../policy/trust-policy.ts';
import { classifyTier, type TierName, tiers } from '../tier.ts';
import { computeTrustScore, scoreFactors, type TrustFactors, type TrustScore } from '../trust-score.ts';
import { evidenceOf, isAgreement, type SupportedTierEvidence, supportTierEvidence } from './evidence.ts';
import type { UnsignedTrustReport } from './schema.ts';

/** The score and tier of a report under a policy, and the reasons why they are not higher. */
export interface Judgment {
  readonly score: TrustScore;
  readonly tier: TierName;
  readonly receipts: ReceiptEvidence;
  readonly supported: SupportedTierEvidence;
  /** Human-readable reasons that keep the report out of higher tiers. */
  readonly limits: readonly string[];
}

interface JudgeOptions {
  readonly policy: TrustPolicy;
  /** Public key that the receipts must be about. */
  readonly signedBy: string;
  /** Date of the report, ms since epoch. */
  readonly at: number;
  /** The receipts of the report, when they were evaluated before. */
  readonly receipts?: ReceiptEvidence;
  /** Score that the report states, to find the tier that it states. @default computed by the policy */
  readonly stated?: TrustScore;
  /** Hours by which the attestation aged since the report. @default 0 */
  readonly agedHours?: number;
}

const hourMs = 3_600_000;

/** Computes the score of a report's evidence on the policy's terms. Failures that known customers signed limit the success rate. */
function scoreOf(
  report: UnsignedTrustReport,
  successRate: number | null,
  { policy, at, agedHours = 0 }: JudgeOptions,
): TrustScore {
  const claimed = evidenceOf(report);
  const { hours, validityHours = 24 } = claimed.attestationFreshness;
  const factors = scoreFactors(
    {
      ...claimed,
      attestationFreshness: {
        hours: hours + agedHours,
        validityHours: Math.min(validityHours, policy.maxValidityHours),
      },
    },
    { endorsementCurve: policy.endorsementCurve, endorsementBase: policy.endorsementBase },
  );
  return computeTrustScore(limitSuccessRate(factors, successRate), {
    weights: policy.weights,
    clock: () => at + agedHours * hourMs,
  });
}

/** Limits the success rate of factors by the result of {@link jointSuccessRate}. */
export function limitSuccessRate(factors: TrustFactors, successRate: number | null): TrustFactors {
  if (successRate === null || successRate >= factors.successRate.value) return factors;
  return { ...factors, successRate: { ...factors.successRate, value: successRate } };
}

/** Judges a report under a policy: by its supported evidence, and by receipts for the tiers that need proof. */
export function judgeReport(report: UnsignedTrustReport, options: JudgeOptions): Judgment {
  const { policy, signedBy, at } = options;
  const supported = supportTierEvidence(report, policy, signedBy);
  const receipts =
    options.receipts ?? evaluateReceipts(report.receipts ?? [], { provider: signedBy, at, policy });
  const { successful, failed } = report.factors.success_rate.evidence;
  const successRate = jointSuccessRate({ successes: successful, failures: failed }, receipts, policy);
  const score = options.stated ?? scoreOf(report, successRate, options);
  const limits: string[] = [...supported.unsupported];
  for (const { message } of supported.slaViolations) limits.push(`the agreement does not count: ${message}`);
  if (receipts.knownViolations > 0) {
    limits.push(`known customers signed ${receipts.knownViolations} violations`);
    return { score, tier: 'unverified', receipts, supported, limits };
  }
  let candidate = score.value;
  for (;;) {
    const { tier, failedRequirements } = classifyTier(candidate, supported.evidence, {
      requireSla: policy.requireSla,
    });
    for (const { tier: above, metric, actual, above: needed } of failedRequirements) {
      const reason =
        metric === 'sla'
          ? `${above} needs a service level agreement, there is none`
          : `${above} needs ${metric} of ${needed}, there is ${actual ?? 'none'}`;
      if (!limits.includes(reason)) limits.push(reason);
    }
    const needsAgreement =
      policy.requireSla && (policy.proof[tier]?.successes ?? 0) > 0 && !isAgreement(report.tier_evidence.sla)
        ? `${tier} needs an agreement with its terms, not only its targets`
        : null;
    const missing = missingProof(tier, receipts, policy, successRate) ?? needsAgreement;
    if (missing === null || tier === 'unverified') return { score, tier, receipts, supported, limits };
    limits.push(missing);
    // The next lower tier is the best that a score just below this one can have.
    candidate = (tiers.find((one) => one.tier === tier)?.from ?? 0) - Number.EPSILON;
  }
}
