import { BonafideError } from '@bonafide/internal';

/**
 * Stable codes of {@link DiscoveryError}.
 *
 * - `INVALID_INPUT`: an argument is out of its documented range; nothing was changed.
 * - `INVALID_CONFIG`: the configuration is invalid.
 * - `UNKNOWN_PLATFORM`: the registry has no card of this key and identifier.
 * - `TRANSITION_REFUSED`: the status of the platform permits no such transition.
 * - `NOT_PUBLISHED`: no relay accepted the card.
 * - `STORE_FAILED`: the store failed or returned invalid data; `cause` has its error.
 * - `NOT_MIGRATED`: the database lacks tables or columns of this version; call `migrateDiscovery` first.
 * - `CLOSED`: the registry is closed.
 * - `RUNTIME_TOO_OLD`: the registry needs Node 22.13 or newer.
 */
export type DiscoveryErrorCode =
  | 'INVALID_INPUT'
  | 'INVALID_CONFIG'
  | 'UNKNOWN_PLATFORM'
  | 'TRANSITION_REFUSED'
  | 'NOT_PUBLISHED'
  | 'STORE_FAILED'
  | 'NOT_MIGRATED'
  | 'CLOSED'
  | 'RUNTIME_TOO_OLD';

/** The error of this package. Test for it with `isBonafideError(error, code)`. */
export class DiscoveryError extends BonafideError<DiscoveryErrorCode> {}
