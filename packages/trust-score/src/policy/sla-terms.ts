import {
  canonicalMetric,
  isBlank,
  knownMetric,
  type MetricDirection,
  possibleValue,
  unitFactor,
} from '@bonafide/internal';
import { isSameAgent } from '../identity.ts';
import { listOf, text } from '../input.ts';
import { lowerIsBetter, parseSla, type Sla, type SlaGuarantee, type SlaInput } from '../sla/sla.ts';
import { resolveSlaLimits, type SlaTermLimits } from './trust-policy.ts';

const agents = listOf(text);

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

/** Looks up a metric under its stated and its usual name; members of an object's prototype are not limits. */
function limitFor<Limit>(limits: Readonly<Record<string, Limit>>, metric: string): Limit | undefined {
  for (const name of [metric, canonicalMetric(metric)]) if (Object.hasOwn(limits, name)) return limits[name];
  return undefined;
}

/** Returns the direction that counts: of a known metric, by the policy, else as stated; null when it is stated nowhere. */
function directionOf(guarantee: SlaGuarantee, limits: SlaTermLimits): MetricDirection | null {
  const { metric, direction = null } = guarantee;
  return knownMetric(metric)?.direction ?? limitFor(limits.directions, metric) ?? direction;
}

/** Bounds what a guarantee promises: its direction, unit, target, threshold and aggregate. */
function boundPromise(
  guarantee: SlaGuarantee,
  limits: SlaTermLimits,
  note: (
    member: 'direction' | 'unit' | 'target' | 'breachThreshold' | 'aggregate',
    limit: number | string,
    message: string,
  ) => void,
): SlaGuarantee {
  const { metric } = guarantee;
  const fixed = directionOf(guarantee, limits);
  const direction = fixed ?? (lowerIsBetter(guarantee) ? 'lower_is_better' : 'higher_is_better');
  if (fixed === null) note('direction', direction, `${metric} is unknown and its direction is not stated.`);
  if (guarantee.direction !== undefined && guarantee.direction !== direction)
    note('direction', direction, `${metric} is stated the wrong way round.`);
  const { unit: stated, ...rest } = guarantee;
  const factor = unitFactor(guarantee);
  if (factor === null) note('unit', '', `${metric} has no unit ${JSON.stringify(stated?.slice(0, 40))}.`);
  const unit = factor === null || stated === undefined ? {} : { unit: stated };
  const scale = factor ?? 1;
  const isLower = direction === 'lower_is_better';
  const floor = limitFor(limits.minBreachThreshold, metric);

  const possible = possibleValue({ metric, ...unit }, guarantee.target);
  const target = isLower || floor === undefined ? possible : Math.max(possible, floor / scale);
  if (target !== guarantee.target)
    note('target', target, `${metric} promises ${guarantee.target}; the policy accepts ${target}.`);
  const margin = limits.maxBreachMargin[isLower ? 'lowerIsBetter' : 'higherIsBetter'];
  const least =
    floor === undefined ? (limits.minBreachThreshold['*'] ?? Number.NEGATIVE_INFINITY) : floor / scale;
  const limit = isLower
    ? target + Math.abs(target) * margin
    : Math.min(target, Math.max(least, target - Math.abs(target) * margin));
  const threshold = guarantee.breachThreshold;
  const isWrongSide = isLower ? threshold < target : threshold > target;
  const isWeak = isLower ? threshold > limit : threshold < limit;
  const breachThreshold = isWeak || isWrongSide ? limit : threshold;
  if (breachThreshold !== threshold)
    note(
      'breachThreshold',
      limit,
      `${metric} breaks at ${threshold}; the policy accepts ${limit} at the weakest.`,
    );

  // The maximum, the last value and the 99th percentile hide every bad value where higher is better.
  const { aggregate } = guarantee;
  const aggregated = isLower && aggregate !== 'last' ? aggregate : 'mean';
  if (aggregated !== aggregate)
    note(
      'aggregate',
      aggregated,
      `${metric} is aggregated by ${aggregate}, which hides bad values; the policy uses ${aggregated}.`,
    );
  return { ...rest, ...unit, direction, target, breachThreshold, aggregate: aggregated };
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
    case 'financial': {
      // What an amount is worth depends on its currency: one that the policy does not know is worth nothing.
      const least = Object.hasOwn(limits.minFine, penalty.currency)
        ? limits.minFine[penalty.currency]
        : undefined;
      return least !== undefined && penalty.amount >= least ? penalty : smallestReduction(limits);
    }
    case 'badge_revocation': {
      const revoked = penalty.revoke.map(badgeName);
      return limits.badges.some((badge) => revoked.includes(badgeName(badge)))
        ? penalty
        : smallestReduction(limits);
    }
  }
}

/** Returns one spelling of a badge: 'Highly Trusted' is `highly_trusted`. */
const badgeName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/gu, '_');

/** Returns the penalty that replaces one that means nothing. */
const smallestReduction = (limits: SlaTermLimits): Penalty => ({
  type: 'trust_score_reduction',
  amount: limits.minReduction,
  recovery: {
    method: 'gradual',
    recoveryPeriodDays: Math.max(30, limits.minRecoveryDays),
    requires: 'sustained_performance_above_target',
  },
});

/** Returns the reason why a policy does not accept an arbitrator; null when it does, or none is named. */
function arbitratorRefusal(
  arbitrator: string | undefined,
  { arbitrators }: SlaTermLimits,
  subjects: readonly string[],
): string | null {
  if (arbitrator === undefined) return null;
  if (isBlank(arbitrator)) return 'The arbitrator has no name.';
  if (subjects.some((subject) => isSameAgent(arbitrator, subject)))
    return 'The agent is the arbitrator in its own dispute.';
  const isKnown = arbitrators.length === 0 || arbitrators.some((one) => isSameAgent(arbitrator, one));
  return isKnown ? null : 'The policy does not know the arbitrator.';
}

/**
 * Returns an agreement whose terms are within the limits, and every term that had to be replaced.
 *
 * @param subjects Ids of the agent that made the promises, which cannot be its own arbitrator.
 * @throws `INVALID_INPUT` when the agreement is wrong; `INVALID_CONFIG` when the limits are.
 */
export function boundSlaTerms(
  input: SlaInput,
  given: SlaTermLimits,
  subjects: readonly string[] = [],
): { readonly sla: Sla; readonly violations: readonly SlaTermViolation[] } {
  const limits = resolveSlaLimits(given);
  agents('subjects', subjects);
  const sla = parseSla(input);
  const violations: SlaTermViolation[] = [];
  const note = (path: string, stated: number | string, limit: number | string, message: string): void => {
    if (stated !== limit) violations.push({ path, stated, limit, message });
  };
  const guarantees = sla.guarantees.map((guarantee, index) => {
    const path = `guarantees.${index}`;
    const { metric, measurementWindow, penalty } = guarantee;
    const promise = boundPromise(guarantee, limits, (member, limit, message) =>
      violations.push({ path: `${path}.${member}`, stated: guarantee[member] ?? '', limit, message }),
    );
    const windowMs = Math.min(Math.max(measurementWindow, limits.minWindowMs), limits.maxWindowMs);
    note(
      `${path}.measurementWindow`,
      measurementWindow,
      windowMs,
      `${metric} is measured over ${measurementWindow} ms; the policy accepts ${limits.minWindowMs} to ${limits.maxWindowMs}.`,
    );
    const bounded = boundPenalty(penalty, limits);
    note(
      `${path}.penalty`,
      JSON.stringify(penalty),
      JSON.stringify(bounded),
      `The penalty for ${metric} is weaker than the policy accepts.`,
    );
    return { ...promise, measurementWindow: windowMs, penalty: bounded };
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
  const refused = arbitratorRefusal(arbitrator, limits, subjects);
  if (refused !== null) note('disputeResolution.arbitrator', arbitrator ?? '', '', refused);
  return {
    sla: {
      ...sla,
      guarantees,
      disputeResolution: {
        ...dispute,
        filingPeriodDays: filing,
        reviewPeriodDays: review,
        ...(arbitrator === undefined || refused !== null ? {} : { arbitrator }),
      },
    },
    violations,
  };
}
