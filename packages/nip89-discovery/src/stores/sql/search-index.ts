import { dialectOf, inTransaction } from '@bonafide/storage';
import { type Kysely, sql } from 'kysely';
import type { RegistryEntry } from '../../registry/entry.ts';
import { rankOf } from '../../registry/rank.ts';
import { readEntry, writeEntry } from '../../registry/schemas.ts';
import { evictionClassOf, termsOf } from '../../registry/store.ts';
import { padToPowerOfTwo, prepareInsert } from './batches.ts';
import { type Executor, nameOf } from './scope.ts';
import type { DiscoveryTables } from './tables.ts';

/** Version of the index terms. Raise it when the vocabulary or {@link rankOf} changes. */
const indexVersion = '4';
const versionKey = { agent_id: '', key: 'search-index-version' } as const;
const batchSize = 200;
/** Rows of one DELETE: six parameters each, of at most 32,766 in SQLite. */
const deletedAtOnce = 256;

/** Returns the rows of the search index for an entry. */
export function termRows(entry: RegistryEntry, agentId: string): DiscoveryTables['discovery_terms'][] {
  const { pubkey, canonicalD, status } = entry;
  const distance = rankOf(entry);
  return [...new Set(entry.terms)].map((term) => ({
    agent_id: agentId,
    term,
    status,
    distance,
    pubkey,
    canonical_d: canonicalD,
  }));
}

/** Deletes rows of the search index by their primary key. */
export async function deleteTermRows(
  executor: Executor,
  rows: readonly DiscoveryTables['discovery_terms'][],
): Promise<void> {
  for (let at = 0; at < rows.length; at += deletedAtOnce) {
    const keys = padToPowerOfTwo(rows.slice(at, at + deletedAtOnce)).map(
      ({ agent_id, term, status, distance, pubkey, canonical_d }) =>
        sql`(${agent_id}, ${term}, ${status}, CAST(${distance} AS DOUBLE PRECISION), ${pubkey}, ${canonical_d})`,
    );
    await sql`DELETE FROM discovery_terms
      WHERE (agent_id, term, status, distance, pubkey, canonical_d) IN (VALUES ${sql.join(keys)})`.execute(
      executor,
    );
  }
}

/** Builds the search index of all agents again if an older version of this package built it. */
export async function updateSearchIndex(db: Kysely<DiscoveryTables>): Promise<void> {
  const stored = await db
    .selectFrom('discovery_state')
    .select('value')
    .where('agent_id', '=', versionKey.agent_id)
    .where('key', '=', versionKey.key)
    .executeTakeFirst();
  if (stored?.value === indexVersion) return;
  const isPostgres = dialectOf(db) === 'postgres';
  await inTransaction(db, async (transaction) => {
    // Writing the row locks it, so that one process builds the index and the others find it built.
    const { value } = await transaction
      .insertInto('discovery_state')
      .values({ ...versionKey, value: '' })
      .onConflict((conflict) =>
        conflict
          .columns(['agent_id', 'key'])
          .doUpdateSet(({ ref }) => ({ value: ref('discovery_state.value') })),
      )
      .returning('value')
      .executeTakeFirstOrThrow();
    if (value === indexVersion) return;
    await transaction.deleteFrom('discovery_terms').execute();
    // Another process may have stored terms since.
    const insertTerms = prepareInsert('discovery_terms', (insert) =>
      insert.onConflict((conflict) => conflict.doNothing()),
    );
    let after = { agent_id: '', pubkey: '', canonical_d: '' };
    for (;;) {
      const page = transaction
        .selectFrom('discovery_platforms')
        .select(['agent_id', 'pubkey', 'canonical_d', 'entry'])
        .where(({ eb, refTuple, tuple }) =>
          eb(
            refTuple('agent_id', 'pubkey', 'canonical_d'),
            '>',
            tuple(after.agent_id, after.pubkey, after.canonical_d),
          ),
        )
        .orderBy('agent_id')
        .orderBy('pubkey')
        .orderBy('canonical_d')
        .limit(batchSize);
      // In SQLite the transaction locks everything.
      const rows = await (isPostgres ? page.forUpdate() : page).execute();
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last;
      for (const { agent_id, pubkey, canonical_d, entry: stored } of rows) {
        const old = readEntry(stored, nameOf(pubkey, canonical_d));
        // Another process that read the entry before has to read it again.
        const entry = { ...old, terms: termsOf(old), revision: old.revision + 1 };
        await transaction
          .updateTable('discovery_platforms')
          .set({
            entry: writeEntry(entry),
            revision: entry.revision,
            eviction_class: evictionClassOf(entry),
          })
          .where('agent_id', '=', agent_id)
          .where('pubkey', '=', pubkey)
          .where('canonical_d', '=', canonical_d)
          .execute();
        await insertTerms(transaction, termRows(entry, agent_id));
      }
    }
    await transaction
      .insertInto('discovery_state')
      .values({ ...versionKey, value: indexVersion })
      .onConflict((conflict) => conflict.columns(['agent_id', 'key']).doUpdateSet({ value: indexVersion }))
      .execute();
  });
}
