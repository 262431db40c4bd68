import { BonafideError } from '@bonafide/internal';

/**
 * What can go wrong in a ledger. Codes are stable.
 *
 * - `INVALID_INPUT`: a field of a message, outcome, option or configuration is missing or has the wrong shape.
 * - `INVALID_CURSOR`: the cursor does not come from this list.
 * - `PEER_NOT_FOUND`: the ledger has no interaction with that peer.
 * - `PEER_AMBIGUOUS`: several peers go by that name; use a full peerId.
 * - `TRUST_OUT_OF_RANGE`: trust is not an integer from −10 to +10.
 * - `RATIONALE_REQUIRED`: an assessment came without a reason.
 * - `CHANNEL_NOT_ASSESSED`: the channel is outside `assessChannels`; only the operator assesses there.
 * - `CORTEX_ASSESSES`: a cortex is attached and judges; the agent's own tool is out of use meanwhile.
 * - `CORRELATION_NOT_FOUND`: no interaction has that correlationId.
 * - `CORRELATION_AMBIGUOUS`: several peers share that correlationId; name the peer.
 * - `LEDGER_CLOSED`: the ledger was closed.
 */
export type LedgerErrorCode =
  | 'INVALID_INPUT'
  | 'INVALID_CURSOR'
  | 'PEER_NOT_FOUND'
  | 'PEER_AMBIGUOUS'
  | 'TRUST_OUT_OF_RANGE'
  | 'RATIONALE_REQUIRED'
  | 'CHANNEL_NOT_ASSESSED'
  | 'CORTEX_ASSESSES'
  | 'CORRELATION_NOT_FOUND'
  | 'CORRELATION_AMBIGUOUS'
  | 'LEDGER_CLOSED';

/** Thrown by a ledger: switch on `code`, show `message`. */
export class LedgerError extends BonafideError<LedgerErrorCode> {}
