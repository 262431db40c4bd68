import type { LedgerPeer, LedgerPort } from './ledger-port.ts';
import type { Memory } from './persistence.ts';

/** Outcomes do not move a peer's last seen, so peers are looked at again for this long. */
const outcomeLookbackMs = 24 * 60 * 60_000;
const pageSize = 100;
/** More than this wait for later cycles: they are found again. */
const maxFound = 1_000;

async function hasNews(ledger: LedgerPort, peer: LedgerPeer, memory: Memory): Promise<boolean> {
  const { peerId, lastSeenAt } = peer;
  const mark = memory.trusts.get(peerId);
  if (mark !== undefined) {
    const seen = mark.seenThroughAt ?? Number.NEGATIVE_INFINITY;
    if (lastSeenAt > seen) return true;
    const outcome = (await ledger.getOutcomes?.(peerId, { limit: 1 }))?.items[0];
    return outcome !== undefined && outcome.createdAt > seen;
  }
  // Unknown to this cortex: news is what came after whoever judged last.
  const newest = (await ledger.getAssessments(peerId, { limit: 1 })).at(-1);
  return newest === undefined || newest.createdAt < lastSeenAt;
}

/**
 * Peers about whom the ledger knows something that no cycle has seen: also after a restart, a crash in the middle of
 * a cycle, or an agent that never called the hooks.
 */
export async function findPeersWithNews(ledger: LedgerPort, memory: Memory): Promise<readonly string[]> {
  const since = (memory.seenThroughAt ?? Number.NEGATIVE_INFINITY) - outcomeLookbackMs;
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
      if (await hasNews(ledger, peer, memory)) found.push(peer.peerId);
    }
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

/** The most recently seen peers, for a reflection that is wanted although nothing is new. */
export async function recentPeers(ledger: LedgerPort, count: number): Promise<readonly string[]> {
  const page = await ledger.listPeers({ limit: count, orderBy: 'lastSeenAt' });
  return page.items.map((peer) => peer.peerId);
}
