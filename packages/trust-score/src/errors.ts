import { BonafideError, parseOrThrow, type Schema } from '@bonafide/internal';

/**
 * What can be wrong with an input. Codes are stable.
 *
 * - `OUT_OF_RANGE`: a number is not finite, negative, or beyond what it is counted from.
 * - `INVALID_INPUT`: a field is missing or has the wrong type; the message names it.
 * - `WEIGHTS_INVALID`: a weight is negative, or they do not sum to 1.
 * - `ILLEGAL_TRANSITION`: what happened cannot happen to a breach in its state; the message names both.
 * - `TOO_EARLY`, `TOO_LATE`: it can, but not yet, or no longer.
 */
export type TrustScoreErrorCode =
  | 'OUT_OF_RANGE'
  | 'INVALID_INPUT'
  | 'WEIGHTS_INVALID'
  | 'ILLEGAL_TRANSITION'
  | 'TOO_EARLY'
  | 'TOO_LATE';

/** What this package throws on purpose. Switch on `code`; `message` says what to do. */
export class TrustScoreError extends BonafideError<TrustScoreErrorCode> {}

/** Throws `OUT_OF_RANGE` unless `value` is a number from `min` to `max`. */
export function requireRange(name: string, value: number, min: number, max = Number.MAX_VALUE): void {
  if (typeof value === 'number' && value >= min && value <= max) return;
  const range = max === Number.MAX_VALUE ? `${min} or more` : `from ${min} to ${max}`;
  throw new TrustScoreError('OUT_OF_RANGE', `${name} must be a number ${range}, not ${String(value)}`);
}

/** Throws `OUT_OF_RANGE` unless `value` is a whole number from 0 to `max`. */
export function requireCount(name: string, value: number, max = Number.MAX_SAFE_INTEGER): void {
  requireRange(name, value, 0, max);
  if (!Number.isSafeInteger(value)) {
    throw new TrustScoreError('OUT_OF_RANGE', `${name} must be a whole number, not ${value}`);
  }
}

/** Parses a value from outside. Throws `INVALID_INPUT`, naming every field that is wrong. */
export const parseInput = <Output>(schema: Schema<Output>, what: string, input: unknown): Output =>
  parseOrThrow(
    schema,
    input,
    what,
    (message, options) => new TrustScoreError('INVALID_INPUT', message, options),
  );
