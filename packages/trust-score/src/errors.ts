import { BonafideError, parseOrThrow, type Schema } from '@bonafide/internal';

/**
 * Error codes of this package. Codes are stable.
 *
 * - `OUT_OF_RANGE`: a number is not finite, negative, or more than the total that it is part of.
 * - `INVALID_INPUT`: a field is missing or has the wrong type; the message names it.
 * - `INVALID_CONFIG`: a member of a policy is unknown or wrong; the message names it.
 * - `WEIGHTS_INVALID`: a weight is negative, or the weights do not sum to 1.
 * - `ILLEGAL_TRANSITION`: the event is not allowed in the state of the breach; the message names both.
 * - `TOO_EARLY`, `TOO_LATE`: the event is allowed, but outside its period.
 */
export type TrustScoreErrorCode =
  | 'OUT_OF_RANGE'
  | 'INVALID_INPUT'
  | 'INVALID_CONFIG'
  | 'WEIGHTS_INVALID'
  | 'ILLEGAL_TRANSITION'
  | 'TOO_EARLY'
  | 'TOO_LATE';

/** The error class of this package. Switch on `code`; `message` says how to correct the input. */
export class TrustScoreError extends BonafideError<TrustScoreErrorCode> {}

/** Returns a short form of any value for a message: what a caller passes may have no text. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return String(value);
  if (typeof value === 'function') return 'a function';
  return Array.isArray(value) ? 'a list' : 'an object';
}

/** Throws `OUT_OF_RANGE` unless `value` is a number from `min` to `max`. */
export function requireRange(name: string, value: number, min: number, max = Number.MAX_VALUE): void {
  if (typeof value === 'number' && value >= min && value <= max) return;
  const range = max === Number.MAX_VALUE ? `${min} or more` : `from ${min} to ${max}`;
  throw new TrustScoreError('OUT_OF_RANGE', `${name} must be a number ${range}, not ${shown(value)}`);
}

/** Latest time that a date can hold, ms since epoch; the earliest is its negative. */
const latestTime = 8.64e15;

/** Throws `OUT_OF_RANGE` unless `value` is a time that a date can hold, in ms since epoch. */
export function requireTime(name: string, value: number): void {
  requireRange(name, value, -latestTime, latestTime);
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
