import type { LedgerPeer, LedgerPort } from '../ledger-port.ts';

/** Marks of earlier cycles. */
export interface Seen {
  /** By peer: the newest fact that a cycle saw. */
  readonly marks: ReadonlyMap<string, { readonly seenThroughAt: number | null }>;
  /** Start of the last applied cycle, ms since epoch; null without one. */
  readonly seenThroughAt: number | null;
}

/** Outcomes do not change a peer's last-seen time, so peers seen within this time are checked again. */
const outcomeLookbackMs = 24 * 60 * 60_000;
const pageSize = 100;
/** Upper limit of peers found at once; others are found by later cycles. */
const maxFound = 1_000;

async function hasNews(ledger: LedgerPort, peer: LedgerPeer, seen: Seen): Promise<boolean> {
  const { peerId, lastSeenAt } = peer;
  const mark = seen.marks.get(peerId);
  if (mark !== undefined) {
    const through = mark.seenThroughAt ?? Number.NEGATIVE_INFINITY;
    if (lastSeenAt > through) return true;
    const outcome = (await ledger.getOutcomes?.(peerId, { limit: 1, only: 'finished' }))?.items[0];
    return outcome !== undefined && outcome.createdAt > through;
  }
  // No mark: facts after the newest assessment by any source are unseen.
  const newest = (await ledger.getAssessments(peerId, { limit: 1 })).at(-1);
  return newest === undefined || newest.createdAt < lastSeenAt;
}

/**
 * Finds peers with facts that no cycle has seen, including after a restart, a crash during a cycle, and for an agent
 * without hooks.
 */
export async function findPeersWithUnseenFacts(ledger: LedgerPort, seen: Seen): Promise<readonly string[]> {
  const since = (seen.seenThroughAt ?? Number.NEGATIVE_INFINITY) - outcomeLookbackMs;
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await ledger.listPeers({
      limit: pageSize,
      orderBy: 'lastSeenAt',
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const peer of page.items) {
      if (peer.lastSeenAt < since || found.length >= maxFound) return found;
      if (await hasNews(ledger, peer, seen)) found.push(peer.peerId);
    }
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

/** Returns the most recently seen peers, for an explicit reflection without new facts. */
export async function recentPeers(ledger: LedgerPort, count: number): Promise<readonly string[]> {
  const page = await ledger.listPeers({ limit: count, orderBy: 'lastSeenAt' });
  return page.items.map((peer) => peer.peerId);
}
