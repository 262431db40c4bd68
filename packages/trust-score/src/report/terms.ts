import type { TrustPolicy } from '../policy/trust-policy.ts';
import { supportTierEvidence } from './evidence.ts';
import type { TrustReport } from './schema.ts';

/** A difference between a report and what a verifier computes. */
export interface Disagreement {
  /** For example `factors.uptime.score`. */
  readonly path: string;
  readonly stated: number | string | null;
  readonly computed: number | string | null;
  /** Human-readable explanation. */
  readonly message: string;
}

/** Names of the factors in a report and in this package. */
export const factorPaths = [
  ['test_coverage', 'testCoverage'],
  ['uptime', 'uptime'],
  ['success_rate', 'successRate'],
  ['endorsements', 'endorsements'],
  ['attestation_freshness', 'attestationFreshness'],
] as const;

const hourMs = 3_600_000;

/** Lists the terms that a report sets for itself beyond a policy: weights, endorsement formula, validity, agreement. */
export function termDisagreements(report: TrustReport, policy: TrustPolicy): readonly Disagreement[] {
  const { factors } = report;
  const found: Disagreement[] = [];
  for (const [name, key] of factorPaths) {
    const { weight } = factors[name];
    const expected = policy.weights[key];
    if (Math.abs(weight - expected) <= 1e-9) continue;
    const message = `${name} has the weight ${weight}; the policy gives it ${expected}.`;
    found.push({ path: `factors.${name}.weight`, stated: weight, computed: expected, message });
  }
  const { endorsement_curve: curve = 'log' } = factors.endorsements.evidence;
  if (curve !== policy.endorsementCurve && curve === 'table') {
    const message = 'The endorsement curve is more generous than the policy.';
    const path = 'factors.endorsements.evidence.endorsement_curve';
    found.push({ path, stated: curve, computed: policy.endorsementCurve, message });
  }
  const { validity_period_hours: validity, hours_since: hours } = factors.attestation_freshness.evidence;
  if (validity > policy.maxValidityHours) {
    const message = `Attestations are valid for ${validity} h; the policy accepts ${policy.maxValidityHours} h.`;
    const path = 'factors.attestation_freshness.evidence.validity_period_hours';
    found.push({ path, stated: validity, computed: policy.maxValidityHours, message });
  }
  if (hours < -policy.clockSkewMs / hourMs) {
    const message = `The attestation is dated ${-hours} h after the report.`;
    const path = 'factors.attestation_freshness.evidence.hours_since';
    found.push({ path, stated: hours, computed: 0, message });
  }
  for (const { path, stated, limit, message } of supportTierEvidence(
    report,
    policy,
    report.verification.signed_by,
  ).slaViolations)
    found.push({
      ...{ stated, computed: limit, message },
      path: path === '' ? 'tier_evidence.sla' : `tier_evidence.sla.${path}`,
    });
  return found;
}
