import { BonafideError } from '@bonafide/internal';

/**
 * Stable codes of {@link RoutingError}.
 *
 * - `INVALID_INPUT`: an argument is out of its documented range; nothing was recorded.
 * - `INVALID_CONFIG`: the configuration was refused when the matrix was made.
 * - `LOG_CORRUPT`: a stored record cannot be read; the matrix refuses to guess what it said.
 * - `STORE_FAILED`: the store did not keep a record, so it took no effect; `cause` has the store's error.
 * - `CLOSED`: the matrix was closed.
 */
export type RoutingErrorCode = 'INVALID_INPUT' | 'INVALID_CONFIG' | 'LOG_CORRUPT' | 'STORE_FAILED' | 'CLOSED';

/** What this package throws on purpose. Switch on `code`. */
export class RoutingError extends BonafideError<RoutingErrorCode> {}
