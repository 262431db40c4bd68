import { createLedger, parseNostrKey } from '@bonafide/ledger-core';
import { createKyselyLedgerStore, migrateLedger } from '@bonafide/ledger-core/kysely';
import { type ErasureListContent, openSqlite } from '@bonafide/storage';
import { sql } from 'kysely';
import { eraseAllFromFile, type StoredPeer } from './peer-stores.ts';
import { textTables } from './text-columns.ts';

/** Pages of peers that are compared with the list. */
const pageLength = 1_000;
/** Rows of other tables in memory. */
const rowsAtOnce = 5_000;

/** What {@link repeatErasures} has erased. */
export interface RepeatedErasures {
  /** Peers of the ledger. */
  readonly peers: number;
  /** Rows in the stores of other packages, per package. */
  readonly stores: readonly StoredPeer[];
}

/**
 * Erases again what a backup has brought back, in the ledger and in the stores of other packages in the same file, and keeps the
 * verdicts that were kept then. Migrates the file, because an older one cannot be erased. What the ledger recorded after an erasure
 * stays.
 *
 * @param madeAt Time of the backup, ms since epoch: the other stores hold nothing that was erased before. Null when it is unknown.
 */
export async function repeatErasures(
  path: string,
  list: ErasureListContent,
  madeAt: number | null,
): Promise<RepeatedErasures> {
  if (list.erasures.length === 0) return { peers: 0, stores: [] };
  const { count, peerIds } = await repeatInLedger(path, list);
  const due = list.erasures.filter(({ at }) => madeAt === null || at >= madeAt);
  const candidates = due.length === 0 ? [] : [...new Set([...peerIds, ...(await keysInStores(path))])];
  const stores: StoredPeer[] = [];
  for (const [agentId, erasures] of byAgent(due)) {
    const hashes = new Set(erasures.map(({ peer }) => peer));
    const peers = candidates
      .filter((id) => hashes.has(list.hash(id)))
      .map((peerId) => ({ peerId, key: parseNostrKey(peerId) }));
    stores.push(...(await eraseAllFromFile(path, peers, agentId)));
  }
  return { peers: count, stores };
}

const byAgent = (erasures: ErasureListContent['erasures']) =>
  Map.groupBy(erasures, ({ agentId }) => agentId ?? 'default');

/** Returns every public key in the tables of other packages: the list of erasures has only hashes to compare with. */
async function keysInStores(path: string): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  await using db = openSqlite<unknown>({ path });
  for (const { table, columns } of await textTables(db)) {
    if (table.startsWith('ledger_')) continue;
    for (let offset = 0; ; offset += rowsAtOnce) {
      const { rows } = await sql<Readonly<Record<string, unknown>>>`
        select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)}
        limit ${rowsAtOnce} offset ${offset}`.execute(db);
      for (const text of rows.flatMap((row) => Object.values(row)))
        for (const [key] of String(text).matchAll(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/giu))
          keys.add(key.toLowerCase());
      if (rows.length < rowsAtOnce) break;
    }
  }
  return keys;
}

/** Erases the listed peers of the ledger. Returns how many it had, and the ids of those that were found. */
async function repeatInLedger(
  path: string,
  list: ErasureListContent,
): Promise<{ readonly count: number; readonly peerIds: readonly string[] }> {
  await using db = openSqlite<unknown>({ path });
  await migrateLedger(db);
  const peerIds: string[] = [];
  let count = 0;
  for (const [agentId, erasures] of byAgent(list.erasures)) {
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
      peerIds.push(peerId);
      const { tombstoneId } = await ledger.forgetPeer(peerId, { reason: 'Erased before.', until: at });
      // Without a row from before the erasure, nothing was moved.
      if ((await store.getPeer(tombstoneId)) !== null) count += 1;
    }
    await keepValues();
  }
  return { count, peerIds };
}
