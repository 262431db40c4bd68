import { canonicalJson, sha256Hex } from '@bonafide/internal';
import {
  type Receipt,
  type ReceiptOutcome,
  type ReceiptVerification,
  verifyReceipt,
} from '@bonafide/trust-score';
import * as z from 'zod';
import { parseInput } from './errors.ts';
import type { Review } from './formats/review-event.ts';
import { nextTurn } from './next-turn.ts';

/** Receipts of a review, after the check of their signatures. */
export interface CheckedReceipts {
  /** Outcomes that the reviewer signed about the subject, one per job. */
  readonly valid: readonly ReceiptOutcome[];
  /** Receipts that prove nothing, with the reason. */
  readonly invalid: readonly { readonly reason: string; readonly message: string }[];
}

const reviewSchema = z.looseObject({
  receipts: z.array(z.unknown()),
  reviewer: z.string(),
  subject: z.string(),
});
const optionsSchema = z.strictObject({ now: z.number().optional() }).default({});

/**
 * Checks the receipts of a review: each must be signed by the reviewer as the customer, be about the subject, and name a job
 * once. They show which jobs the opinion rests on; they do not prove that the reviewer is honest.
 *
 * @throws ReputationError `INVALID_INPUT`
 */
export function checkReceipts(
  review: Pick<Review, 'receipts' | 'reviewer' | 'subject'>,
  options: { readonly now?: number } = {},
): CheckedReceipts {
  const { receipts, reviewer, subject } = parseInput(reviewSchema, 'review', review);
  const { now } = parseInput(optionsSchema, 'options', options);
  const valid = new Map<string, ReceiptOutcome>();
  const invalid: { reason: string; message: string }[] = [];
  for (const receipt of receipts) {
    const checked = verifyReceipt(receipt, {
      customer: reviewer,
      provider: subject,
      ...(now === undefined ? {} : { now }),
    });
    const { status, outcome, message } = checked;
    if (status !== 'valid' || outcome === null) invalid.push({ reason: status, message });
    else if (valid.has(outcome.jobId))
      invalid.push({ reason: 'repeated', message: 'The job has a receipt already.' });
    else valid.set(outcome.jobId, outcome);
  }
  return { valid: [...valid.values()], invalid };
}

/** A receipt that a rater shows for its opinion about a subject. */
export interface ShownReceipt {
  readonly receipt: Receipt;
  readonly reviewer: string;
  readonly subject: string;
}

/** Verifies one receipt. Null when it proves nothing. */
export type ReceiptCheck = (shown: ShownReceipt) => ReceiptOutcome | null;

/** Creates a check at a time, ms since epoch. */
export const checkAt =
  (now: number, verify: (receipt: Receipt) => ReceiptVerification = verifyAnyTime): ReceiptCheck =>
  ({ receipt, reviewer, subject }) => {
    // Compared before the signature is verified, which costs a thousand times as much.
    if (receipt.pubkey !== reviewer || receipt.created_at * 1_000 > now + maxFutureMs) return null;
    const { status, outcome } = verify(receipt);
    return status === 'valid' && outcome?.provider === subject ? outcome : null;
  };

const maxFutureMs = 600_000;

/** Verifies what does not depend on the time of the check, so that the result can be kept. */
const verifyAnyTime = (receipt: Receipt) => verifyReceipt(receipt, { now: Number.MAX_SAFE_INTEGER });

/** Results of signatures that are remembered. */
const maxRemembered = 10_000;

/** Verifies receipts one by one, and lets other work run in between. A receipt is verified once. */
export interface ReceiptChecker {
  /** Returns the outcome of each receipt, or null for one that proves nothing, in the same order. */
  check(
    shown: readonly ShownReceipt[],
    options: { readonly now: number; readonly signal?: AbortSignal },
  ): Promise<readonly (ReceiptOutcome | null)[]>;
}

/** Creates a checker with a memory of the newest 10,000 receipts. */
export function createReceiptChecker(
  verify: (receipt: Receipt) => ReceiptVerification = verifyAnyTime,
): ReceiptChecker {
  const results = new Map<string, ReceiptVerification>();
  return {
    async check(shown, { now, signal }) {
      const outcomes: (ReceiptOutcome | null)[] = [];
      for (const each of shown) {
        let isVerified = false;
        const remembered = (receipt: Receipt) => {
          // Of the whole receipt: the id alone is a claim, under which a forged one would displace a genuine one.
          const name = sha256Hex(canonicalJson(receipt));
          const known = results.get(name);
          const result = known ?? verify(receipt);
          isVerified = known === undefined;
          results.delete(name);
          results.set(name, result);
          const [oldest] = results.keys();
          if (results.size > maxRemembered && oldest !== undefined) results.delete(oldest);
          return result;
        };
        outcomes.push(checkAt(now, remembered)(each));
        if (isVerified) await nextTurn();
        signal?.throwIfAborted();
      }
      return outcomes;
    },
  };
}

/** Counts of jobs whose receipts agree with an opinion, or contradict it. */
export interface ReceiptSupport {
  readonly agreeing: number;
  readonly contradicting: number;
}

/**
 * Compares outcomes with an opinion (0…1): a success agrees from 0.5 on, a partial result from 0.25 to 0.75, any other outcome up to
 * 0.5. Of several receipts for one job the latest counts, and of those of one time a failure.
 */
export function supportOf(outcomes: readonly ReceiptOutcome[], trustScore: number): ReceiptSupport {
  const jobs = new Map<string, ReceiptOutcome>();
  for (const outcome of outcomes) {
    const known = jobs.get(outcome.jobId);
    const isLater = known === undefined || outcome.completedAt > known.completedAt;
    const isWorse = known?.completedAt === outcome.completedAt && known.outcome === 'success';
    if (isLater || isWorse) jobs.set(outcome.jobId, outcome);
  }
  const agrees = ({ outcome }: ReceiptOutcome) => {
    if (outcome === 'success') return trustScore >= 0.5;
    if (outcome === 'partial') return trustScore >= 0.25 && trustScore <= 0.75;
    return trustScore <= 0.5;
  };
  const agreeing = [...jobs.values()].filter(agrees).length;
  return { agreeing, contradicting: jobs.size - agreeing };
}
