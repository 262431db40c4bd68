import { LedgerError } from '../errors.ts';
import { parseNostrKey, parseShortId } from '../peer-id.ts';
import type { LedgerStore, Position, StoredPeer } from '../store.ts';
import { cleanText } from '../stored-text.ts';
import type { LedgerDependencies } from './dependencies.ts';

type Finding = Pick<LedgerDependencies, 'store' | 'ensureOpen'>;

/**
 * The peer of this id: the ledger's own, an npub, or the id as its channel writes it while only one channel knows it.
 * Throws `PEER_AMBIGUOUS`.
 */
export async function findPeer({ store, ensureOpen }: Finding, peerId: string): Promise<StoredPeer | null> {
  ensureOpen();
  const exact = await store.getPeer(peerId);
  if (exact) return exact;
  // A Nostr key belongs to Nostr: who carries one as a name on another channel is not meant.
  const key = parseNostrKey(peerId);
  if (key) return key === peerId ? null : await store.getPeer(key);
  return unique(await store.listPeers({ orderBy: 'lastSeenAt', limit: 2, nativeId: peerId }), peerId);
}

/** The same, for who must be known. Throws `PEER_NOT_FOUND`, too. */
export async function requirePeer(context: Finding, peerId: string): Promise<StoredPeer> {
  const found = await findPeer(context, peerId);
  if (found) return found;
  throw peerNotFound(peerId);
}

/** The peer that a person or a model means, who may also say a short id. Throws `PEER_AMBIGUOUS`. */
export async function resolvePeer(context: Finding, text: string): Promise<StoredPeer | null> {
  const wanted = text.trim();
  const found = await findPeer(context, wanted);
  const short = found ? null : parseShortId(wanted);
  return short ? unique(await peersLike(context.store, short), wanted) : found;
}

export function peerNotFound(peerId: string): LedgerError {
  return new LedgerError(
    'PEER_NOT_FOUND',
    `The ledger has no interaction with '${cleanText(peerId)}'. A peer becomes known with its first recorded message.`,
  );
}

const pageLength = 1_000;

/** Peers whose ids begin and end so: all of them, or at least two. */
async function peersLike(
  store: LedgerStore,
  { prefix, suffix }: { readonly prefix: string; readonly suffix: string },
): Promise<readonly StoredPeer[]> {
  const matches: StoredPeer[] = [];
  let after: Position | undefined;
  for (;;) {
    const rows = await store.listPeers({
      orderBy: 'firstSeenAt',
      limit: pageLength,
      peerIdPrefix: prefix,
      after,
    });
    matches.push(...rows.filter(({ peer }) => peer.peerId.endsWith(suffix)));
    const last = rows.at(-1);
    if (!last || rows.length < pageLength || matches.length > 1) return matches;
    after = { value: last.peer.firstSeenAt, id: last.peer.peerId };
  }
}

function unique(matches: readonly StoredPeer[], wanted: string): StoredPeer | null {
  if (matches.length < 2) return matches[0] ?? null;
  throw new LedgerError(
    'PEER_AMBIGUOUS',
    `Several peers go by '${cleanText(wanted)}', among them ${matches.map(({ peer }) => `'${peer.peerId}'`).join(' and ')}. Use a full peerId.`,
  );
}
