import { withoutDelimiters } from '../delimited-text.ts';
import { LedgerError, peerNotFound } from '../errors.ts';
import { isDerivedHandle } from '../handle.ts';
import { isOneLine, parseNostrKey } from '../peer-id.ts';
import type { StoredPeer } from '../store.ts';
import { erasedChannel } from '../stores/erased.ts';
import type { LedgerDependencies } from './dependencies.ts';

type Finding = Pick<LedgerDependencies, 'store' | 'ensureOpen'>;

/**
 * Returns the peer with this peerId, npub or handle, or null. An id without its channel never matches: a peer of another
 * channel could have chosen it.
 */
export async function findPeer({ store, ensureOpen }: Finding, text: string): Promise<StoredPeer | null> {
  ensureOpen();
  if (typeof text !== 'string') throw new LedgerError('INVALID_INPUT', 'peerId: must be a text.');
  if (!isOneLine(text)) return null;
  const exact = await store.getPeer(text);
  if (exact) return exact;
  const key = parseNostrKey(text);
  if (key) return key === text ? null : await store.getPeer(key);
  if (!isDerivedHandle(text)) return null;
  const [named] = await store.listPeers({ orderBy: 'lastSeenAt', limit: 1, handle: text });
  return named ?? null;
}

/** Returns the peer like {@link findPeer}. Throws `PEER_NOT_FOUND` for an unknown one. */
export async function requirePeer(context: Finding, peerId: string): Promise<StoredPeer> {
  const found = await findPeer(context, peerId);
  if (found) return found;
  throw peerNotFound(peerId);
}

/** Returns the peer like {@link requirePeer}, for writes: the anonymous peers of erased ones are not found. */
export async function requireNamedPeer(context: Finding, peerId: string): Promise<StoredPeer> {
  const found = await requirePeer(context, peerId);
  if (found.peer.channel !== erasedChannel) return found;
  throw peerNotFound(peerId);
}

/** Returns the peer that a person or a model names. Accepts surrounding spaces and the delimiters of tool results. */
export async function resolvePeer(context: Finding, text: string): Promise<StoredPeer | null> {
  // Exact first: an id may begin or end with a space or a delimiter.
  return (await findPeer(context, text)) ?? (await findPeer(context, withoutDelimiters(text)));
}
