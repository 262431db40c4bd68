import { evaluateReceipts, missingProof, type ReceiptEvidence } from '../policy/receipt-evidence.ts';
import type { TrustPolicy } from '../policy/trust-policy.ts';
import { classifyTier, type TierName, tiers } from '../tier.ts';
import { type SupportedTierEvidence, supportTierEvidence } from './evidence.ts';
import type { UnsignedTrustReport } from './schema.ts';

/** The tier of a report under a policy, and the reasons why it is not higher. */
export interface PolicyTier {
  readonly tier: TierName;
  readonly receipts: ReceiptEvidence;
  readonly supported: SupportedTierEvidence;
  /** Human-readable reasons that keep the report out of higher tiers. */
  readonly limits: readonly string[];
}

/** Returns true for an agreement with terms; bare figures can be neither breached nor penalized. */
function hasAgreement({ tier_evidence: { sla } }: UnsignedTrustReport): boolean {
  return typeof sla === 'object' && sla !== null && ('guarantees' in sla || 'sla' in sla);
}

/** Classifies a report under a policy: by its supported evidence, and by receipts for the tiers that need proof. */
export function tierUnderPolicy(
  report: UnsignedTrustReport,
  options: {
    readonly policy: TrustPolicy;
    readonly score: number;
    /** Public key that the receipts must be about. */
    readonly signedBy: string;
    /** Date of the report, ms since epoch. */
    readonly at: number;
  },
): PolicyTier {
  const { policy, score, signedBy, at } = options;
  const supported = supportTierEvidence(report, policy, signedBy);
  const receipts = evaluateReceipts(report.receipts ?? [], {
    provider: signedBy,
    at,
    policy,
  });
  const limits: string[] = [...supported.unsupported];
  for (const { message } of supported.slaViolations) limits.push(`the agreement does not count: ${message}`);
  if (receipts.knownViolations > 0) {
    limits.push(`known customers signed ${receipts.knownViolations} violations`);
    return { tier: 'unverified', receipts, supported, limits };
  }
  let candidate = score;
  for (;;) {
    const { tier, failedRequirements } = classifyTier(candidate, supported.evidence, {
      requireSla: policy.requireSla,
    });
    for (const { tier: above, metric, actual, above: needed } of failedRequirements) {
      const reason = `${above} needs ${metric} of ${needed}, there is ${actual ?? 'none'}`;
      if (!limits.includes(reason)) limits.push(reason);
    }
    const needsAgreement =
      policy.requireSla && policy.proof[tier] !== undefined && !hasAgreement(report)
        ? `${tier} needs an agreement with its terms, not only its targets`
        : null;
    const missing = missingProof(tier, receipts, policy) ?? needsAgreement;
    if (missing === null) return { tier, receipts, supported, limits };
    limits.push(missing);
    // The next lower tier is the best that a score just below this one can have.
    candidate = (tiers.find((one) => one.tier === tier)?.from ?? 0) - Number.EPSILON;
  }
}
