import { isBlank } from '@bonafide/internal';
import { LedgerError } from '../errors.ts';
import { cleanText } from '../stored-text.ts';
import type { LedgerDependencies } from './dependencies.ts';
import { requirePeer } from './find-peer.ts';

/** Options of `forgetPeer`. */
export interface ForgetOptions {
  /** Reason of the erasure. Required, so that no peer is erased by accident; not stored. */
  readonly reason: string;
}

/** Result of `forgetPeer`. */
export interface ForgottenPeer {
  /** The anonymous peer that keeps the counts. */
  readonly tombstoneId: string;
  readonly interactions: number;
}

/** Voids an interaction. Throws `INTERACTION_NOT_FOUND`, `INVALID_INPUT` without a reason. */
export async function voidInteraction(
  { store, now, ensureOpen }: LedgerDependencies,
  interactionId: string,
  reason: string,
): Promise<{ readonly voided: boolean }> {
  ensureOpen();
  requireReason(reason);
  const { kind } = await store.voidInteraction({ interactionId, reason: cleanText(reason), at: now() });
  if (kind === 'unknown') {
    throw new LedgerError('INTERACTION_NOT_FOUND', 'The ledger has no interaction with this id.');
  }
  return { voided: kind === 'voided' };
}

/** Erases a peer. Throws `PEER_NOT_FOUND`, `INVALID_INPUT` without a reason. */
export async function forgetPeer(
  context: LedgerDependencies,
  peerId: string,
  { reason }: ForgetOptions,
): Promise<ForgottenPeer> {
  requireReason(reason);
  const { peer } = await requirePeer(context, peerId);
  const tombstoneId = `erased:${context.newId()}`;
  const interactions = (await context.store.forgetPeer(peer.peerId, tombstoneId)) ?? 0;
  context.handles.drop(peer.peerId);
  context.emit('afterForget', { peerId: peer.peerId, tombstoneId });
  return { tombstoneId, interactions };
}

function requireReason(reason: string): void {
  if (typeof reason === 'string' && !isBlank(reason)) return;
  throw new LedgerError(
    'INVALID_INPUT',
    'Give a reason: a correction without one cannot be explained later.',
  );
}
