import { BonafideError } from '@bonafide/internal';

/** Stable codes of {@link CortexError}. */
export type CortexErrorCode =
  /** A setting is missing, of the wrong type or out of range; the message names it. */
  | 'INVALID_CONFIG'
  /** An argument is missing, of the wrong type or out of range; nothing was changed. */
  | 'INVALID_INPUT'
  /** The cortex was closed; create a new one. */
  | 'CLOSED'
  /** The state could not be read or written; see the message. */
  | 'STORE_FAILED'
  /** The database of the state or the ledger lacks tables or columns of this version; migrate it, and start again. */
  | 'NOT_MIGRATED'
  /** The reflector did not answer within `timeoutMs`; nothing of the answer was applied. */
  | 'TIMEOUT'
  /** The reflector threw or rejected; see `cause`. */
  | 'REFLECTOR_FAILED'
  /** The reflector's answer could not be read, not even after one retry. */
  | 'OUTPUT_UNUSABLE'
  /** The next call would exceed a limit of the budget. */
  | 'BUDGET_EXCEEDED'
  /** The caller's signal, `close()`, or another process that took over, ended the cycle. */
  | 'ABORTED'
  /** The ledger could not be read or written; see `cause`. */
  | 'LEDGER_FAILED'
  /** The history has no such cycle. */
  | 'CYCLE_NOT_FOUND'
  /** The cycle has no complete answer that could be applied again. */
  | 'NOT_REPLAYABLE'
  /** The cycle was reverted before. */
  | 'CYCLE_REVERTED'
  /** No belief of that name is held. */
  | 'BELIEF_NOT_FOUND';

/** An error of this package. Switch on `code`; `message` says what to do. */
export class CortexError extends BonafideError<CortexErrorCode> {}
