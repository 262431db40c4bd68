import { createLedger } from '@bonafide/ledger-core';
import { createKyselyLedgerStore, migrateLedger } from '@bonafide/ledger-core/kysely';
import { type ErasureListContent, openSqlite } from '@bonafide/storage';

/** Pages of peers that are compared with the list. */
const pageLength = 1_000;

/**
 * Erases again what a backup has brought back, and keeps the verdicts that were kept then. Migrates the file, because an
 * older one cannot be erased. What was recorded after an erasure stays. Returns the number of peers.
 */
export async function repeatErasures(path: string, list: ErasureListContent): Promise<number> {
  if (list.erasures.length === 0) return 0;
  await using db = openSqlite<unknown>({ path });
  await migrateLedger(db);
  let count = 0;
  for (const [agentId, erasures] of Map.groupBy(list.erasures, (entry) => entry.agentId ?? 'default')) {
    const store = createKyselyLedgerStore(db, { agentId });
    const ledger = createLedger({ store });
    // In order: a later erasure may have removed the verdict of an earlier one. Before and after the erasures: they need the
    // key, and remove verdicts.
    const keepValues = async () => {
      for (const { name, write } of erasures.flatMap(({ keptValues }) => keptValues)) {
        await store.keepValue(name, write);
      }
    };
    await keepValues();
    const until = new Map<string, number>();
    for (const { peer, at } of erasures) until.set(peer, Math.max(at, until.get(peer) ?? 0));
    const found: { readonly peerId: string; readonly until: number }[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof ledger.listPeers>> = await ledger.listPeers({
        limit: pageLength,
        orderBy: 'firstSeenAt',
        cursor,
      });
      for (const { peerId } of page.items) {
        const at = until.get(list.hash(peerId));
        if (at !== undefined) found.push({ peerId, until: at });
      }
      cursor = page.nextCursor;
    } while (cursor !== null);
    for (const { peerId, until: at } of found) {
      const { tombstoneId } = await ledger.forgetPeer(peerId, { reason: 'Erased before.', until: at });
      // Without a row from before the erasure, nothing was moved.
      if ((await store.getPeer(tombstoneId)) !== null) count += 1;
    }
    await keepValues();
  }
  return count;
}
