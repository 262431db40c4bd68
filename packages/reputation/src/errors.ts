import { BonafideError, parseOrThrow, type Schema } from '@bonafide/internal';

/**
 * Stable codes of {@link ReputationError}.
 *
 * - `INVALID_INPUT`: an argument is missing, has the wrong type or is out of its documented range; nothing was changed.
 * - `INVALID_CONFIG`: an option is missing, has the wrong type or is out of range.
 * - `STORE_FAILED`: the store rejected or lost a read or a write; `cause` has its error.
 * - `NOT_MIGRATED`: the database lacks tables or columns of this version; call `migrateReputation` first.
 * - `CLOSED`: the object was closed; create a new one.
 * - `UNKNOWN_REVIEW`: the queue has no review with this key.
 * - `NOT_ALLOWED`: the review is in a state that does not permit the call; the message names the state.
 * - `NOT_PUBLISHED`: no relay accepted the event.
 */
export type ReputationErrorCode =
  | 'INVALID_INPUT'
  | 'INVALID_CONFIG'
  | 'STORE_FAILED'
  | 'NOT_MIGRATED'
  | 'CLOSED'
  | 'UNKNOWN_REVIEW'
  | 'NOT_ALLOWED'
  | 'NOT_PUBLISHED';

/** An error of this package. Check it with `isBonafideError(error, code)`. */
export class ReputationError extends BonafideError<ReputationErrorCode> {}

/** Returns the parsed options of a `create…` function, or throws `INVALID_CONFIG` with the names of the invalid fields. */
export function parseConfig<Output>(schema: Schema<Output>, what: string, value: unknown): Output {
  return parseOrThrow(schema, value, what, (message, options) => {
    return new ReputationError('INVALID_CONFIG', message, options);
  });
}

/** Returns the parsed argument, or throws `INVALID_INPUT` with the names of the invalid fields. */
export function parseInput<Output>(schema: Schema<Output>, what: string, value: unknown): Output {
  return parseOrThrow(schema, value, what, (message, options) => {
    return new ReputationError('INVALID_INPUT', message, options);
  });
}
