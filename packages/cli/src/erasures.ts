import { createLedger, parseNostrKey } from '@bonafide/ledger-core';
import { createKyselyLedgerStore, migrateLedger } from '@bonafide/ledger-core/kysely';
import { dialectOf, type ErasureListContent, migrationStatus } from '@bonafide/storage';
import { type Kysely, sql } from 'kysely';
import { openAny, rewriteFile } from './databases.ts';
import type { ErasureLists } from './erasure-lists.ts';
import { ledgerSchema } from './open-ledger.ts';
import { eraseAllFrom, type PackageName, type StoredPeer } from './peer-stores.ts';
import { textTables } from './text-columns.ts';
import { isPostgres } from './workspace.ts';

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

/** Options of {@link repeatErasures}. */
export interface RepeatOptions {
  /**
   * Time of the backup, ms since epoch: stores of other packages hold nothing that was erased before. Null when it is unknown: every
   * erasure is repeated there.
   */
  readonly madeAt: number | null;
  /**
   * Only the stores of this package, and not the ledger.
   * @default everything
   */
  readonly only?: PackageName;
}

/**
 * Erases again what a backup has brought back, in the ledger and in the stores of other packages of one database, and keeps the
 * verdicts that were kept then. Migrates the database, because older tables cannot be erased, and rewrites a file, whose unused parts may
 * contain copies. What the ledger recorded after an erasure stays.
 */
export async function repeatErasures(
  path: string,
  lists: ErasureLists,
  options: RepeatOptions,
): Promise<RepeatedErasures> {
  const erased = await eraseAgain(path, lists, options);
  if (!isPostgres(path) && lists.all.some(({ erasures }) => erasures.length > 0)) await rewriteFile(path);
  return erased;
}

async function eraseAgain(
  path: string,
  { own, all }: ErasureLists,
  { madeAt, only }: RepeatOptions,
): Promise<RepeatedErasures> {
  if (all.every(({ erasures }) => erasures.length === 0)) return { peers: 0, stores: [] };
  const { count, peerIds } = only === undefined ? await repeatInLedger(path, own) : { count: 0, peerIds: [] };
  const isDue = ({ at }: ErasureListContent['erasures'][number]) => madeAt === null || at >= madeAt;
  if (!all.some(({ erasures }) => erasures.some(isDue))) return { peers: count, stores: [] };
  const candidates = [...new Set([...peerIds, ...(await namesInStores(path))])];
  const named = new Map<string, Set<string>>();
  for (const list of all) {
    const hashed = new Map(candidates.map((id) => [list.hash(id), id]));
    for (const erasure of list.erasures.filter(isDue)) {
      const peerId = hashed.get(erasure.peer);
      const agentId = agentOf(erasure);
      if (peerId !== undefined) named.set(agentId, (named.get(agentId) ?? new Set()).add(peerId));
    }
  }
  const stores: StoredPeer[] = [];
  for (const [agentId, peerIds] of named) {
    const peers = [...peerIds].map((peerId) => ({ peerId, key: parseNostrKey(peerId) }));
    stores.push(...(await eraseAllFrom(path, peers, { agentId, only })));
  }
  return { peers: count, stores };
}

const agentOf = ({ agentId }: ErasureListContent['erasures'][number]) => agentId ?? 'default';

/**
 * Returns every public key in the tables of other packages, and every string in those of the cortex, which knows peers of all channels:
 * a list of erasures has only hashes to compare with.
 */
async function namesInStores(path: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  await using db = openAny(path);
  for (const { table, columns } of await textTables(db)) {
    if (table.startsWith('ledger_')) continue;
    for await (const text of textsOf(db, table, columns)) {
      for (const [key] of text.matchAll(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/giu))
        names.add(key.toLowerCase());
      if (table.startsWith('cortex_')) addStrings(text, names);
    }
  }
  return names;
}

async function* textsOf(
  db: Kysely<unknown>,
  table: string,
  columns: readonly string[],
): AsyncGenerator<string> {
  const selected = sql.join(columns.map((column) => sql`cast(${sql.ref(column)} as text)`));
  // Pages need an order, which SQLite's tables have by themselves.
  const order = dialectOf(db) === 'postgres' ? sql`order by ctid` : sql``;
  for (let offset = 0; ; offset += rowsAtOnce) {
    const { rows } = await sql<Readonly<Record<string, unknown>>>`
      select ${selected} from ${sql.table(table)} ${order} limit ${rowsAtOnce} offset ${offset}`.execute(db);
    for (const row of rows) for (const text of Object.values(row)) if (text !== null) yield String(text);
    if (rows.length < rowsAtOnce) return;
  }
}

/** Longest id of a peer, UTF-16 units. */
const longestPeerId = 577;

/** Adds the strings of a JSON text, names of members and JSON within strings included. */
function addStrings(text: string, names: Set<string>): void {
  for (const [literal] of text.matchAll(/"(?:[^"\\]|\\.)*"/gsu)) {
    const string = parseString(literal);
    if (string === null) continue;
    if (string.length <= longestPeerId) names.add(string);
    if (string.includes('"')) addStrings(string, names);
  }
}

function parseString(literal: string): string | null {
  try {
    return JSON.parse(literal);
  } catch {
    return null;
  }
}

/** Erases the listed peers of the ledger. Returns how many it had, and the ids of those that were found. */
async function repeatInLedger(
  path: string,
  list: ErasureListContent,
): Promise<{ readonly count: number; readonly peerIds: readonly string[] }> {
  const peerIds: string[] = [];
  let count = 0;
  await using db = openAny(path);
  const { applied } = await migrationStatus(db, ledgerSchema);
  if (list.erasures.length === 0 || applied.length === 0) return { count, peerIds };
  await migrateLedger(db);
  for (const [agentId, erasures] of Map.groupBy(list.erasures, agentOf)) {
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
