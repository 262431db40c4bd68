import { isSameAgent } from '../identity.ts';
import { lowerIsBetter, parseSla, type Sla, type SlaGuarantee, type SlaInput } from '../sla/sla.ts';
import type { SlaTermLimits } from './trust-policy.ts';

/** A term of an agreement that a policy does not accept. */
export interface SlaTermViolation {
  /** For example `guarantees.0.breachThreshold`. */
  readonly path: string;
  readonly stated: number | string;
  /** The limit that replaces it. */
  readonly limit: number | string;
  /** Human-readable explanation. */
  readonly message: string;
}

/** Returns the weakest breach threshold that a policy accepts for a guarantee. */
function thresholdLimit(guarantee: SlaGuarantee, limits: SlaTermLimits): number {
  const { metric, target } = guarantee;
  const { higherIsBetter, lowerIsBetter: above } = limits.maxBreachMargin;
  if (lowerIsBetter(guarantee)) return target + Math.abs(target) * above;
  const floor = limits.minBreachThreshold[metric] ?? limits.minBreachThreshold['*'] ?? 0;
  // A floor at the target or above would turn the direction of the guarantee round.
  return Math.max(Math.min(floor, target), target - Math.abs(target) * higherIsBetter);
}

/** A better threshold is nearer to the target, or beyond it. */
const isWeaker = (guarantee: SlaGuarantee, limit: number): boolean =>
  lowerIsBetter(guarantee) ? guarantee.breachThreshold > limit : guarantee.breachThreshold < limit;

function aggregateLimit(guarantee: SlaGuarantee): SlaGuarantee['aggregate'] {
  const { aggregate } = guarantee;
  if (lowerIsBetter(guarantee)) return aggregate === 'last' ? 'mean' : aggregate;
  // The maximum, the last value and the 99th percentile hide every bad value where higher is better.
  return 'mean';
}

type Penalty = SlaGuarantee['penalty'];

function boundPenalty(penalty: Penalty, limits: SlaTermLimits): Penalty {
  switch (penalty.type) {
    case 'trust_score_reduction':
      return {
        ...penalty,
        amount: Math.max(penalty.amount, limits.minReduction),
        recovery: {
          ...penalty.recovery,
          recoveryPeriodDays: Math.max(penalty.recovery.recoveryPeriodDays, limits.minRecoveryDays),
        },
      };
    case 'temporary_suspension':
      return {
        ...penalty,
        duration: Math.max(penalty.duration, limits.minSuspensionMs),
        notice: Math.min(penalty.notice, limits.maxNoticeMs),
      };
    case 'financial':
      // An amount of 0 is no penalty, and what an amount is worth depends on its currency.
      if (penalty.amount > 0) return penalty;
      return {
        type: 'trust_score_reduction',
        amount: limits.minReduction,
        recovery: {
          method: 'gradual',
          recoveryPeriodDays: Math.max(30, limits.minRecoveryDays),
          requires: 'sustained_performance_above_target',
        },
      };
    case 'badge_revocation':
      return penalty;
  }
}

/**
 * Returns an agreement whose terms are within the limits, and every term that had to be replaced.
 *
 * @param subjects Ids of the agent that made the promises, which cannot be its own arbitrator.
 * @throws `INVALID_INPUT` when the agreement is wrong.
 */
export function boundSlaTerms(
  input: SlaInput,
  limits: SlaTermLimits,
  subjects: readonly string[] = [],
): { readonly sla: Sla; readonly violations: readonly SlaTermViolation[] } {
  const sla = parseSla(input);
  const violations: SlaTermViolation[] = [];
  const note = (path: string, stated: number | string, limit: number | string, message: string): void => {
    if (stated !== limit) violations.push({ path, stated, limit, message });
  };
  const guarantees = sla.guarantees.map((guarantee, index) => {
    const path = `guarantees.${index}`;
    const { metric, breachThreshold, measurementWindow, aggregate, penalty } = guarantee;
    const limit = thresholdLimit(guarantee, limits);
    const weak = isWeaker(guarantee, limit) && limit !== guarantee.target;
    const threshold = weak ? limit : breachThreshold;
    note(
      `${path}.breachThreshold`,
      breachThreshold,
      threshold,
      `${metric} breaks at ${breachThreshold}; the policy accepts ${threshold} at the weakest.`,
    );
    const windowMs = Math.min(Math.max(measurementWindow, limits.minWindowMs), limits.maxWindowMs);
    note(
      `${path}.measurementWindow`,
      measurementWindow,
      windowMs,
      `${metric} is measured over ${measurementWindow} ms; the policy accepts ${limits.minWindowMs} to ${limits.maxWindowMs}.`,
    );
    const aggregated = aggregateLimit(guarantee);
    note(
      `${path}.aggregate`,
      aggregate,
      aggregated,
      `${metric} is aggregated by ${aggregate}, which hides bad values; the policy uses ${aggregated}.`,
    );
    const bounded = boundPenalty(penalty, limits);
    note(
      `${path}.penalty`,
      JSON.stringify(penalty),
      JSON.stringify(bounded),
      `The penalty for ${metric} is weaker than the policy accepts.`,
    );
    return {
      ...guarantee,
      breachThreshold: threshold,
      measurementWindow: windowMs,
      aggregate: aggregated,
      penalty: bounded,
    };
  });
  const { filingPeriodDays, reviewPeriodDays, arbitrator, ...dispute } = sla.disputeResolution;
  const filing = Math.min(filingPeriodDays, limits.maxFilingPeriodDays);
  note(
    'disputeResolution.filingPeriodDays',
    filingPeriodDays,
    filing,
    `Disputes may be filed for ${filingPeriodDays} days; the policy accepts ${filing}.`,
  );
  const review = Math.min(reviewPeriodDays, limits.maxReviewPeriodDays);
  note(
    'disputeResolution.reviewPeriodDays',
    reviewPeriodDays,
    review,
    `Disputes are reviewed for ${reviewPeriodDays} days; the policy accepts ${review}.`,
  );
  const decidesItself =
    arbitrator !== undefined && subjects.some((subject) => isSameAgent(arbitrator, subject));
  if (decidesItself)
    note('disputeResolution.arbitrator', arbitrator, '', 'The agent is the arbitrator of its own disputes.');
  return {
    sla: {
      ...sla,
      guarantees,
      disputeResolution: {
        ...dispute,
        filingPeriodDays: filing,
        reviewPeriodDays: review,
        ...(arbitrator === undefined || decidesItself ? {} : { arbitrator }),
      },
    },
    violations,
  };
}
