import { BonafideError } from '@bonafide/internal';

/** Stable codes of {@link CortexError}. */
export type CortexErrorCode =
  /** A setting is missing, of the wrong type or out of range; the message names it. */
  | 'INVALID_CONFIG'
  /** The cortex was closed; create a new one. */
  | 'CLOSED'
  /** The reflector did not answer within `timeoutMs`; nothing of the cycle was applied. */
  | 'TIMEOUT'
  /** The reflector threw or rejected; see `cause`. */
  | 'REFLECTOR_FAILED'
  /** The reflector's answer could not be read, not even after one retry. */
  | 'OUTPUT_UNUSABLE'
  /** The caller's signal, or `close()`, ended the cycle. */
  | 'ABORTED'
  /** The ledger could not be read, so there was nothing to reflect on; see `cause`. */
  | 'LEDGER_FAILED'
  /** A state key may hold lower-case letters, digits and dashes only. */
  | 'INVALID_INPUT';

/** An error of this package. Switch on `code`; `message` says what to do. */
export class CortexError extends BonafideError<CortexErrorCode> {}
