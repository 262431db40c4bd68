import { BonafideError, parseOrThrow, type Schema } from '@bonafide/internal';

/**
 * Stable codes of {@link SelfCorrectionError}.
 *
 * - `INVALID_INPUT`: an argument is missing, has the wrong type or is out of its documented range; nothing was changed.
 * - `INVALID_CONFIG`: an option is missing, has the wrong type or is out of range.
 * - `CONSTANT_NOT_FOUND`: the file defines no threshold of the task.
 * - `CONSTANT_NOT_LITERAL`: the threshold is computed, or not a plain decimal number.
 * - `CONSTANT_DUPLICATE`: the threshold is defined or assigned more than once.
 * - `PARSE_ERROR`: the file has a syntax error.
 * - `STALE`: the file holds another value than the proposal starts from.
 * - `FORGE_FAILED`: the forge rejected a request or did not answer; `cause` has its error. The same call may be repeated.
 * - `STORE_FAILED`: the store rejected or lost a read or a write; `cause` has its error.
 * - `NOT_MIGRATED`: the database lacks tables or columns of this version; call `migrateSelfCorrection` first.
 */
export type SelfCorrectionErrorCode =
  | 'INVALID_INPUT'
  | 'INVALID_CONFIG'
  | 'CONSTANT_NOT_FOUND'
  | 'CONSTANT_NOT_LITERAL'
  | 'CONSTANT_DUPLICATE'
  | 'PARSE_ERROR'
  | 'STALE'
  | 'FORGE_FAILED'
  | 'STORE_FAILED'
  | 'NOT_MIGRATED';

/** An error of this package. Check it with `isBonafideError(error, code)`. */
export class SelfCorrectionError extends BonafideError<SelfCorrectionErrorCode> {}

/** Returns the parsed options of a `create…` function, or throws `INVALID_CONFIG` with the names of the invalid fields. */
export function parseConfig<Output>(schema: Schema<Output>, what: string, value: unknown): Output {
  return parseOrThrow(schema, value, what, (message, options) => {
    return new SelfCorrectionError('INVALID_CONFIG', message, options);
  });
}

/** Returns the parsed argument, or throws `INVALID_INPUT` with the names of the invalid fields. */
export function parseInput<Output>(schema: Schema<Output>, what: string, value: unknown): Output {
  return parseOrThrow(schema, value, what, (message, options) => {
    return new SelfCorrectionError('INVALID_INPUT', message, options);
  });
}
