import { BonafideError } from '@bonafide/internal';

/** What can be wrong with what the caller gave us; what relays do wrong never throws. Stable. */
export type TransportErrorCode =
  /** The address of a relay is malformed, or the guard forbids it. */
  | 'RELAY_URL_INVALID'
  /** A filter is not one that NIP-01 knows. */
  | 'FILTER_INVALID'
  /** An event that was to be published is malformed or not signed properly. */
  | 'EVENT_INVALID'
  /** A call came after `close()`. */
  | 'TRANSPORT_CLOSED'
  /** A secret key is neither 32 bytes, nor 64 hex digits, nor an nsec. */
  | 'SECRET_KEY_INVALID'
  /** Neither the environment nor a file has a secret key. */
  | 'SECRET_KEY_MISSING'
  /** The file with the secret key can be read by others, or is not an ordinary file of ours. */
  | 'SECRET_FILE_UNSAFE'
  /** A `bunker://` address is malformed. */
  | 'BUNKER_URI_INVALID'
  /** The remote signer refused, or answered with something that is not what was asked for. */
  | 'SIGNER_FAILED'
  /** The remote signer did not answer in time. */
  | 'SIGNER_TIMEOUT';

/** An error of this package (rule X-4). */
export class TransportError extends BonafideError<TransportErrorCode> {}
