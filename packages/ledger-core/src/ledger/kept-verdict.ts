import { isPardoned, type PolicyVerdict } from '../policy.ts';
import type { StoredPeer } from '../store.ts';
import type { LedgerDependencies } from './dependencies.ts';

/** The verdict about a peer whose data was erased after it had been refused. */
const keptRefusal: PolicyVerdict = {
  verdict: 'refuse',
  rule: 'erased',
  reason: 'this peer was refused before its data was erased',
};

const hashed = (peerId: string) => `verdict ${peerId}`;

/** Returns the name under which the store keeps the verdict about an erased peer: a keyed hash of its id. */
export async function keptVerdictName({ handles }: Pick<LedgerDependencies, 'handles'>, peerId: string) {
  return `verdict:${await handles.hash(hashed(peerId))}`;
}

/**
 * Returns the verdict that was kept when a peer was erased; null without one. The operator lifts it by an assessment above
 * −3 of the peer that has returned.
 */
export async function keptVerdict(
  context: Pick<LedgerDependencies, 'store' | 'handles'>,
  peerId: string,
  found: StoredPeer | null,
): Promise<PolicyVerdict | null> {
  if (isPardoned(found?.peer.operatorTrust ?? null)) return null;
  // Without a key, no verdict was kept. Nothing is written: an operator may read a ledger that cannot be changed.
  const hash = await context.handles.hashIfKeyed(hashed(peerId));
  const kept = hash === null ? null : await context.store.keepValue(`verdict:${hash}`);
  return kept === keptRefusal.verdict ? keptRefusal : null;
}
