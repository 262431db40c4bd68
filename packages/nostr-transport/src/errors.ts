import { BonafideError, type SharedErrorCode } from '@bonafide/internal';

/**
 * Codes of the errors that this package throws. Faults of relays never throw: they are reported per relay.
 *
 * - `INVALID_INPUT`: a filter, an event, a relay address or a `bunker://` address is malformed, or an event is not signed
 *   by its author.
 * - `INVALID_CONFIG`: an option of `createTransport` is wrong.
 * - `CLOSED`: the transport or the signer was closed.
 * - `TIMEOUT`: the remote signer did not answer within its time limit.
 * - `RUNTIME_TOO_OLD`: `createTransport` needs Node 22.13 or newer.
 */
export type TransportErrorCode =
  | Extract<SharedErrorCode, 'INVALID_INPUT' | 'INVALID_CONFIG' | 'CLOSED' | 'TIMEOUT' | 'RUNTIME_TOO_OLD'>
  /** A secret key is neither 32 bytes, nor 64 hex digits, nor an nsec. */
  | 'SECRET_KEY_INVALID'
  /** The secret key was found neither in the environment nor in a file. */
  | 'SECRET_KEY_MISSING'
  /** The file with the secret key can be read by other users, or is not a regular file. */
  | 'SECRET_FILE_UNSAFE'
  /** The remote signer refused the request, or returned something that was not requested. */
  | 'SIGNER_FAILED'
  /** The relays where a key receives private messages (kind 10050) were not found. */
  | 'NO_INBOX_RELAYS';

/** An error of this package. Check it with `isBonafideError(error, code)`. */
export class TransportError extends BonafideError<TransportErrorCode> {}
