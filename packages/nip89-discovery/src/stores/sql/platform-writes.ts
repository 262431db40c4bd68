import { inTransaction, prepare } from '@bonafide/storage';
import { sql } from 'kysely';
import type { RegistryEntry } from '../../registry/entry.ts';
import type { EntryChange } from '../../registry/entry-changes.ts';
import { rankOf } from '../../registry/rank.ts';
import { readEntry, writeEntry } from '../../registry/schemas.ts';
import { type DiscoveryStore, evictionClassOf } from '../../registry/store.ts';
import { nextTask } from '../../registry/store-access.ts';
import { prepareInsert } from './batches.ts';
import { type Executor, nameOf, type Scope } from './scope.ts';
import { deleteTermRows, termRows } from './search-index.ts';
import type { DiscoveryTables } from './tables.ts';

type Platform = DiscoveryTables['discovery_platforms'];
type Term = DiscoveryTables['discovery_terms'];
type Line = DiscoveryTables['discovery_audit'];

/** Number of entries that are replaced at once, some milliseconds. */
const replacedAtOnce = 64;

/** Creates the verb that writes platforms, with their index terms and histories. */
export function createPlatformWrites(
  { db, agentId }: Scope,
  maxHistory: number,
): Pick<DiscoveryStore, 'put'> {
  const insertTerms = prepareInsert('discovery_terms');
  const insertLines = prepareInsert('discovery_audit');
  const insertPlatforms = prepareInsert<'discovery_platforms', Pick<Platform, 'pubkey' | 'canonical_d'>>(
    'discovery_platforms',
    (insert) =>
      insert
        .onConflict((conflict) => conflict.columns(['agent_id', 'pubkey', 'canonical_d']).doNothing())
        .returning(['pubkey', 'canonical_d']),
  );
  // One statement compares and writes, so that only one of two writers succeeds.
  const update = prepare<Platform & { readonly before: number }, unknown>((argument) =>
    db
      .updateTable('discovery_platforms')
      .set({
        status: argument('status'),
        trust_score: argument('trust_score'),
        discovered_at: argument('discovered_at'),
        last_seen_at: argument('last_seen_at'),
        revision: argument('revision'),
        entry: argument('entry'),
        eviction_class: argument('eviction_class'),
      })
      .where('agent_id', '=', agentId)
      .where('pubkey', '=', argument('pubkey'))
      .where('canonical_d', '=', argument('canonical_d'))
      .where('revision', '=', argument('before')),
  );
  const stored = prepare<Pick<Platform, 'pubkey' | 'canonical_d' | 'revision'>, Pick<Platform, 'entry'>>(
    (argument) =>
      db
        .selectFrom('discovery_platforms')
        .select('entry')
        .where('agent_id', '=', agentId)
        .where('pubkey', '=', argument('pubkey'))
        .where('canonical_d', '=', argument('canonical_d'))
        .where('revision', '=', argument('revision')),
  );

  function platformRow({ entry }: EntryChange): Platform {
    return {
      agent_id: agentId,
      pubkey: entry.pubkey,
      canonical_d: entry.canonicalD,
      status: entry.status,
      trust_score: entry.trustScore,
      discovered_at: entry.discoveredAt,
      last_seen_at: entry.lastSeenAt,
      revision: entry.revision,
      entry: writeEntry(entry),
      eviction_class: evictionClassOf(entry),
      ordinal: entry.ordinal,
    };
  }

  const termRowsOf = ({ entry }: EntryChange): Term[] => termRows(entry, agentId);

  function lineRows({ entry, audit }: EntryChange): Line[] {
    return audit.map((row, position) => ({
      agent_id: agentId,
      pubkey: entry.pubkey,
      canonical_d: entry.canonicalD,
      revision: entry.revision,
      position,
      at: row.at,
      what: row.what,
      row_json: JSON.stringify(row),
    }));
  }

  /** Removes rows from the middle of a long history: its beginning and its newest rows stay. */
  async function trimHistory(executor: Executor, { entry }: EntryChange): Promise<void> {
    const { pubkey, canonicalD, revision } = entry;
    // Every revision is written once, also one without rows.
    if (revision % maxHistory !== 0) return;
    await sql`DELETE FROM discovery_audit
      WHERE agent_id = ${agentId} AND pubkey = ${pubkey} AND canonical_d = ${canonicalD}
      AND revision > 1 AND revision < (
        SELECT revision FROM discovery_audit
        WHERE agent_id = ${agentId} AND pubkey = ${pubkey} AND canonical_d = ${canonicalD}
        ORDER BY revision DESC, position DESC LIMIT 1 OFFSET ${maxHistory - 1})`.execute(executor);
  }

  /** Replaces the previous revision of a platform. Returns false if it is not stored. */
  async function replace(executor: Executor, change: EntryChange): Promise<boolean> {
    const row = platformRow(change);
    const before = row.revision - 1;
    const [old] = (await stored(executor, { ...row, revision: before })).rows;
    const { numAffectedRows } = await update(executor, { ...row, before });
    if (old === undefined || Number(numAffectedRows ?? 0) === 0) return false;
    const entry = readEntry(old.entry, nameOf(row.pubkey, row.canonical_d));
    // Usual for a card that was only seen again.
    if (isIndexedAlike(entry, change.entry)) return true;
    const [removed, added] = differenceOf(termRows(entry, agentId), termRowsOf(change));
    await deleteTermRows(executor, removed);
    await insertTerms(executor, added);
    return true;
  }

  return {
    async put(changes) {
      if (changes.length === 0) return [];
      return inTransaction(db, async (transaction) => {
        // Every writer locks rows in the same order, so that two processes cannot deadlock.
        const ordered = [...changes].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
        const added = ordered.filter(({ entry }) => entry.revision === 1);
        const inserted = await insertPlatforms(transaction, added.map(platformRow));
        const written = new Set(inserted.map(({ pubkey, canonical_d }) => pubkey + canonical_d));
        await insertTerms(
          transaction,
          groupByTerm(added.filter((change) => written.has(keyOf(change))).flatMap(termRowsOf)),
        );
        for (const [index, change] of ordered.entries()) {
          if (change.entry.revision > 1 && (await replace(transaction, change))) written.add(keyOf(change));
          if ((index + 1) % replacedAtOnce === 0) await nextTask();
        }
        const kept = changes.filter((change) => written.has(keyOf(change)));
        await insertLines(transaction, kept.flatMap(lineRows));
        for (const change of kept) await trimHistory(transaction, change);
        return changes.map((change) => written.has(keyOf(change)));
      });
    },
  };
}

/** Returns true if two revisions of an entry certainly have the same index terms. */
function isIndexedAlike(one: RegistryEntry, other: RegistryEntry): boolean {
  return (
    one.status === other.status &&
    rankOf(one) === rankOf(other) &&
    one.terms.length === other.terms.length &&
    one.terms.every((term, index) => term === other.terms[index])
  );
}

/** Puts rows of one term next to each other, as they are in the index. */
const groupByTerm = (rows: readonly Term[]): Term[] =>
  [...Map.groupBy(rows, ({ term }) => term).values()].flat();

/** Returns the rows that only `before` has, and those that only `after` has. */
function differenceOf(before: readonly Term[], after: readonly Term[]): [readonly Term[], readonly Term[]] {
  const keyOfTerm = ({ term, status, distance }: Term) => `${status} ${distance} ${term}`;
  const old = new Set(before.map(keyOfTerm));
  const wanted = new Set(after.map(keyOfTerm));
  return [
    before.filter((row) => !wanted.has(keyOfTerm(row))),
    after.filter((row) => !old.has(keyOfTerm(row))),
  ];
}

/** Returns the primary key as one string. A public key has a fixed length, so two pairs never give the same string. */
const keyOf = ({ entry }: EntryChange) => entry.pubkey + entry.canonicalD;
