import { type ReceiptOutcome, verifyReceipt } from '@bonafide/trust-score';
import type { Review } from './formats/review-event.ts';

/** Receipts of a review, after the check of their signatures. */
export interface CheckedReceipts {
  /** Outcomes that the reviewer signed about the subject, one per job. */
  readonly valid: readonly ReceiptOutcome[];
  /** Receipts that prove nothing, with the reason. */
  readonly invalid: readonly { readonly reason: string; readonly message: string }[];
}

/**
 * Checks the receipts of a review: each must be signed by the reviewer as the customer, be about the subject, and name a job
 * once. They show which jobs the opinion rests on; they do not prove that the reviewer is honest.
 */
export function checkReceipts(
  review: Pick<Review, 'receipts' | 'reviewer' | 'subject'>,
  options: { readonly now?: number } = {},
): CheckedReceipts {
  const { receipts, reviewer, subject } = review;
  const valid = new Map<string, ReceiptOutcome>();
  const invalid: { reason: string; message: string }[] = [];
  for (const receipt of receipts) {
    const checked = verifyReceipt(receipt, { customer: reviewer, provider: subject, ...options });
    const { status, outcome, message } = checked;
    if (status !== 'valid' || outcome === null) invalid.push({ reason: status, message });
    else if (valid.has(outcome.jobId))
      invalid.push({ reason: 'repeated', message: 'The job has a receipt already.' });
    else valid.set(outcome.jobId, outcome);
  }
  return { valid: [...valid.values()], invalid };
}
