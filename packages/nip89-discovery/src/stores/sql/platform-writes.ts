import { prepare } from '@bonafide/storage';
import type { EntryChange } from '../../registry/entry-changes.ts';
import type { DiscoveryStore } from '../../registry/store.ts';
import { prepareInsert } from './batches.ts';
import type { Executor, Scope } from './scope.ts';
import { termRows } from './search-index.ts';
import type { DiscoveryTables } from './tables.ts';

type Platform = DiscoveryTables['discovery_platforms'];
type Term = DiscoveryTables['discovery_terms'];
type Line = DiscoveryTables['discovery_audit'];

/** Creates the verb that writes platforms, with their index terms and histories. */
export function createPlatformWrites({ db, agentId }: Scope): Pick<DiscoveryStore, 'put'> {
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
      })
      .where('agent_id', '=', agentId)
      .where('pubkey', '=', argument('pubkey'))
      .where('canonical_d', '=', argument('canonical_d'))
      .where('revision', '=', argument('before')),
  );
  const termsOfOne = prepare<
    Pick<Term, 'pubkey' | 'canonical_d'>,
    Pick<Term, 'term' | 'status' | 'distance'>
  >((argument) =>
    db
      .selectFrom('discovery_terms')
      .select(['term', 'status', 'distance'])
      .where('agent_id', '=', agentId)
      .where('pubkey', '=', argument('pubkey'))
      .where('canonical_d', '=', argument('canonical_d')),
  );
  const deleteTerms = prepare<Pick<Term, 'pubkey' | 'canonical_d'>, unknown>((argument) =>
    db
      .deleteFrom('discovery_terms')
      .where('agent_id', '=', agentId)
      .where('pubkey', '=', argument('pubkey'))
      .where('canonical_d', '=', argument('canonical_d')),
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
      entry: JSON.stringify(entry),
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

  /**
   * Returns true if the stored index terms are up to date, which is usual for a card that was only seen
   * again.
   */
  async function isIndexedAs(executor: Executor, key: Platform, terms: readonly Term[]): Promise<boolean> {
    const { rows } = await termsOfOne(executor, key);
    const wanted = new Map(terms.map((row) => [row.term, row]));
    return (
      rows.length === wanted.size &&
      rows.every(({ term, status, distance }) => {
        const row = wanted.get(term);
        return row?.status === status && row.distance === distance;
      })
    );
  }

  /** Replaces the previous revision of a platform. Returns false if it is not stored. */
  async function replace(executor: Executor, change: EntryChange): Promise<boolean> {
    const row = platformRow(change);
    const { numAffectedRows } = await update(executor, { ...row, before: row.revision - 1 });
    if (Number(numAffectedRows ?? 0) === 0) return false;
    const terms = termRowsOf(change);
    if (!(await isIndexedAs(executor, row, terms))) {
      await deleteTerms(executor, row);
      await insertTerms(executor, terms);
    }
    return true;
  }

  return {
    async put(changes) {
      if (changes.length === 0) return [];
      return db.transaction().execute(async (transaction) => {
        // Every writer locks rows in the same order, so that two processes cannot deadlock.
        const ordered = [...changes].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
        const added = ordered.filter(({ entry }) => entry.revision === 1);
        const inserted = await insertPlatforms(transaction, added.map(platformRow));
        const written = new Set(inserted.map(({ pubkey, canonical_d }) => pubkey + canonical_d));
        await insertTerms(
          transaction,
          added.filter((change) => written.has(keyOf(change))).flatMap(termRowsOf),
        );
        for (const change of ordered) {
          if (change.entry.revision > 1 && (await replace(transaction, change))) written.add(keyOf(change));
        }
        const kept = changes.filter((change) => written.has(keyOf(change)));
        await insertLines(transaction, kept.flatMap(lineRows));
        return changes.map((change) => written.has(keyOf(change)));
      });
    },
  };
}

/** Returns the primary key as one string. A public key has a fixed length, so two pairs never give the same string. */
const keyOf = ({ entry }: EntryChange) => entry.pubkey + entry.canonicalD;
