import { BonafideError } from '@bonafide/internal';
import { asData, handleAsData } from './delimited-text.ts';
import { plainHandle } from './handle.ts';
import { cleanText } from './stored-text.ts';

/**
 * Codes of a ledger's errors. Codes are stable.
 *
 * - `INVALID_INPUT`: a field of a message, outcome or option is missing, has the wrong type or is out of range.
 * - `INVALID_CONFIG`: the configuration has a field that is unknown, has the wrong type or is out of range.
 * - `INVALID_CURSOR`: the cursor comes from another list.
 * - `PEER_NOT_FOUND`: the ledger has no interaction with that peer.
 * - `TRUST_OUT_OF_RANGE`: trust is not an integer from −10 to +10.
 * - `RATIONALE_REQUIRED`: the assessment has no rationale, or one without visible characters.
 * - `CHANNEL_NOT_ASSESSED`: the channel is outside `assessChannels`; only the operator assesses there.
 * - `CORTEX_ASSESSES`: a cortex is attached and assesses; the agent's own tool is disabled.
 * - `CORRELATION_NOT_FOUND`: no interaction has that correlationId.
 * - `CORRELATION_AMBIGUOUS`: several peers share that correlationId; name the peer.
 * - `INTERACTION_NOT_FOUND`: the ledger has no interaction with that id.
 * - `NOT_SUPPORTED`: the store does not have this optional capability.
 * - `UNATTRIBUTED`: a hook could not tell which peer a call belongs to.
 * - `STORE_FAILED`: the store broke its contract.
 * - `CLOSED`: the ledger was closed.
 */
export type LedgerErrorCode =
  | 'INVALID_INPUT'
  | 'INVALID_CONFIG'
  | 'INVALID_CURSOR'
  | 'PEER_NOT_FOUND'
  | 'TRUST_OUT_OF_RANGE'
  | 'RATIONALE_REQUIRED'
  | 'CHANNEL_NOT_ASSESSED'
  | 'CORTEX_ASSESSES'
  | 'CORRELATION_NOT_FOUND'
  | 'CORRELATION_AMBIGUOUS'
  | 'INTERACTION_NOT_FOUND'
  | 'NOT_SUPPORTED'
  | 'UNATTRIBUTED'
  | 'STORE_FAILED'
  | 'CLOSED';

/** An error of a ledger. Switch on `code`, show `message`. */
export class LedgerError extends BonafideError<LedgerErrorCode> {}

/**
 * Creates the error for an unknown peer. A model may read it: an id that would be no handle has no colon in it, which could open a role
 * of a prompt.
 */
export function peerNotFound(peerId: string): LedgerError {
  const shown = plainHandle(peerId) === null ? asData(cleanText(peerId), 128) : handleAsData(peerId);
  return new LedgerError(
    'PEER_NOT_FOUND',
    `The ledger has no interaction with ${shown}. A peer becomes known with its first recorded message.`,
  );
}
