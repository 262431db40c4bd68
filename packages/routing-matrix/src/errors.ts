import { BonafideError, isNotMigrated } from '@bonafide/internal';

/**
 * Stable codes of {@link RoutingError}.
 *
 * - `INVALID_INPUT`: an argument is out of its documented range; nothing was recorded.
 * - `INVALID_CONFIG`: a setting is missing, has the wrong type or is out of range.
 * - `LOG_CORRUPT`: a stored record cannot be parsed.
 * - `STORE_FAILED`: the store rejected a record, which therefore has no effect; `cause` has the store's error.
 * - `NOT_MIGRATED`: the database lacks tables or columns of this version; call `migrateRouting` first.
 * - `STRATEGY_FAILED`: the strategy threw or returned no valid distribution; nothing was recorded.
 * - `BUDGET_EXCEEDED`: a payment is larger than its reservation, or than the budgets allow; nothing was recorded.
 * - `BACKUP_FAILED`: the sink of a backup failed; the next flush sends it again.
 * - `CLOSED`: the matrix was closed.
 */
export type RoutingErrorCode =
  | 'INVALID_INPUT'
  | 'INVALID_CONFIG'
  | 'LOG_CORRUPT'
  | 'STORE_FAILED'
  | 'NOT_MIGRATED'
  | 'STRATEGY_FAILED'
  | 'BUDGET_EXCEEDED'
  | 'BACKUP_FAILED'
  | 'CLOSED';

/** An error of this package. Switch on `code`. */
export class RoutingError extends BonafideError<RoutingErrorCode> {}

/** Creates the error for a store that failed: `NOT_MIGRATED` or `STORE_FAILED`. `kept` says what has not happened. */
export function storeError(cause: unknown, kept: string): RoutingError {
  if (isNotMigrated(cause)) {
    return new RoutingError(
      'NOT_MIGRATED',
      'The database has no routes, or those of an older version. Call migrateRouting(db) first.',
      { cause },
    );
  }
  return new RoutingError('STORE_FAILED', `The routing store failed. ${kept} See cause.`, { cause });
}
