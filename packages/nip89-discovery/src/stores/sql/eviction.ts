import { inTransaction } from '@bonafide/storage';
import { sql } from 'kysely';
import { readEntry } from '../../registry/schemas.ts';
import type { DiscoveryStore } from '../../registry/store.ts';
import { nameOf, type Scope } from './scope.ts';
import { deleteTermRows, termRows } from './search-index.ts';

/** Number of platforms that one statement removes. */
const atOnce = 500;

/** Creates the verb that enforces the capacity. */
export function createEviction({ db, agentId }: Scope): Pick<DiscoveryStore, 'evict'> {
  return {
    async evict(most) {
      const { count } = await db
        .selectFrom('discovery_platforms')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('agent_id', '=', agentId)
        .executeTakeFirstOrThrow();
      let tooMany = Number(count) - most;
      let evicted = 0;
      while (tooMany > 0) {
        const removed = await evictSome(Math.min(tooMany, atOnce));
        evicted += removed;
        tooMany -= removed;
        if (removed === 0) break;
      }
      return evicted;
    },
  };

  async function evictSome(limit: number): Promise<number> {
    return inTransaction(db, async (transaction) => {
      const { rows } = await sql<{
        readonly pubkey: string;
        readonly canonical_d: string;
        readonly entry: string;
      }>`
        SELECT pubkey, canonical_d, entry FROM discovery_platforms
        WHERE agent_id = ${agentId} AND eviction_class IS NOT NULL
        ORDER BY eviction_class, ordinal DESC, discovered_at DESC LIMIT ${limit}`.execute(transaction);
      if (rows.length === 0) return 0;
      const keys = sql.join(rows.map(({ pubkey, canonical_d }) => sql`(${pubkey}, ${canonical_d})`));
      const terms = rows.flatMap(({ pubkey, canonical_d, entry }) =>
        termRows(readEntry(entry, nameOf(pubkey, canonical_d)), agentId),
      );
      await deleteTermRows(transaction, terms);
      for (const table of ['discovery_audit', 'discovery_platforms']) {
        await sql`DELETE FROM ${sql.table(table)}
          WHERE agent_id = ${agentId} AND (pubkey, canonical_d) IN (VALUES ${keys})`.execute(transaction);
      }
      return rows.length;
    });
  }
}
