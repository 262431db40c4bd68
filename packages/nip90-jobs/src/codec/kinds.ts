import { JobError } from '../errors.ts';

/** Kind of every feedback event (NIP-90). */
export const FEEDBACK_KIND = 7000;

/** Kind of a deletion, which cancels a request (NIP-09, NIP-90). */
export const DELETION_KIND = 5;

/** Returns true for 5000–5999, the kinds of job requests. */
export function isRequestKind(kind: number): boolean {
  return Number.isInteger(kind) && kind >= 5000 && kind <= 5999;
}

/** Returns true for 6000–6999, the kinds of job results. */
export function isResultKind(kind: number): boolean {
  return Number.isInteger(kind) && kind >= 6000 && kind <= 6999;
}

/**
 * Returns the kind of the result for a request kind: 1000 higher.
 *
 * @throws {JobError} `INVALID_INPUT`
 */
export function resultKindOf(requestKind: number): number {
  if (!isRequestKind(requestKind))
    throw new JobError('INVALID_INPUT', 'A request kind is between 5000 and 5999.');
  return requestKind + 1000;
}

/** Kind of application data (NIP-78), which carries receipts. */
export const RECEIPT_KIND = 30_078;
