/** Reason for which an event was rejected. Stable: the reasons name counters. */
export type ReviewRejection =
  | 'malformed'
  | 'too-large'
  | 'unknown-kind'
  | 'wrong-id'
  | 'wrong-signature'
  | 'from-future'
  | 'expired'
  | 'no-subject'
  | 'conflicting-subject'
  | 'self-review'
  | 'no-rating'
  | 'no-scale'
  | 'rating-out-of-range'
  | 'duplicate-tag'
  | 'invalid-content'
  | 'contradictory'
  | 'wrong-identifier'
  | 'incomplete-assessment'
  | 'wrong-subject'
  | 'wrong-reviewer'
  | 'wrong-audience'
  | 'superseded'
  | 'deleted'
  | 'too-many';

/** A rejection with a message for logs. */
export interface RejectedReview {
  readonly ok: false;
  readonly reason: ReviewRejection;
  readonly message: string;
}

/** Creates a rejection. */
export const reject = (reason: ReviewRejection, message: string): RejectedReview => ({
  ok: false,
  reason,
  message,
});
