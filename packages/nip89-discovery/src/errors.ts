import { BonafideError } from '@bonafide/internal';

/**
 * Stable codes of {@link DiscoveryError}.
 *
 * - `INVALID_INPUT`: an argument is out of its documented range; nothing was changed.
 * - `INVALID_CONFIG`: the configuration was refused.
 * - `UNKNOWN_PLATFORM`: the registry has no card of this key and identifier.
 * - `TRANSITION_REFUSED`: the platform's life cycle has no such step from where it stands.
 * - `NOT_PUBLISHED`: no relay took the card.
 * - `STORE_FAILED`: the store did not keep a change, or gave something back that it never got; `cause` has its error.
 * - `CLOSED`: the registry was closed.
 */
export type DiscoveryErrorCode =
  | 'INVALID_INPUT'
  | 'INVALID_CONFIG'
  | 'UNKNOWN_PLATFORM'
  | 'TRANSITION_REFUSED'
  | 'NOT_PUBLISHED'
  | 'STORE_FAILED'
  | 'CLOSED';

/** What this package throws on purpose. Switch on `code`. */
export class DiscoveryError extends BonafideError<DiscoveryErrorCode> {}
