import { isBonafideError } from '@bonafide/internal';
import { advanceBreach, type Breach, type BreachEvent } from '@bonafide/trust-score';
import type { ResolvedConfig } from '../config.ts';
import { ReputationError } from '../errors.ts';
import type { QueuedReview } from '../store.ts';

/**
 * Opens a dispute about a published review in the flow of trust-score: filed within a period, decided within a period by
 * another than the subject, and standing when nothing is decided. Returns null when the filing period is over.
 */
export function openDispute(
  review: QueuedReview,
  objection: { readonly eventId: string; readonly claim: string; readonly evidence: readonly string[] },
  options: { readonly config: ResolvedConfig; readonly now: number },
): Breach | null {
  const { config, now } = options;
  const publishedAt = review.publishedAt ?? now;
  const charged: Breach = {
    breachId: review.key,
    agentId: review.review.subject,
    metric: 'review',
    value: review.review.trustScore,
    breachThreshold: 0.5,
    state: 'detected',
    detectedAt: publishedAt,
    disputableUntil: publishedAt + config.filingMs,
    reviewPeriodMs: config.reviewMs,
    arbitrator: config.arbitrator,
    notify: { delegators: false, registry: false, publish: false },
    dispute: null,
    // The review is the consequence; nothing else follows from it.
    penalty: {
      type: 'trust_score_reduction',
      amount: 0,
      recovery: { method: 'gradual', recoveryPeriodDays: 30, requires: 'sustained_performance_above_target' },
    },
    applied: null,
    history: [],
  };
  const { eventId, claim, evidence } = objection;
  const filing: BreachEvent = {
    type: 'dispute',
    disputeId: eventId,
    claim,
    evidence,
    requestedRemedy: 'remove_penalty',
  };
  try {
    return advanceBreach(charged, filing, now).breach;
  } catch (error) {
    if (isBonafideError(error, 'TOO_LATE')) return null;
    throw error;
  }
}

/** Advances the dispute of a review. Errors of the flow become `NOT_ALLOWED`. */
export function advanceDispute(review: QueuedReview, event: BreachEvent, now: number): Breach {
  if (review.state !== 'disputed' || review.dispute === null)
    throw new ReputationError('NOT_ALLOWED', `The review is ${review.state}: there is no open dispute.`);
  try {
    return advanceBreach(review.dispute, event, now).breach;
  } catch (error) {
    if (isBonafideError(error)) throw new ReputationError('NOT_ALLOWED', error.message, { cause: error });
    throw error;
  }
}
