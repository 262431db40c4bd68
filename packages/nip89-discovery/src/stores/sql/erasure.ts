import type { PeerEraser } from '@bonafide/internal';
import { inTransaction } from '@bonafide/storage';
import type { Transaction } from 'kysely';
import { readEntry, readHandlers } from '../../registry/schemas.ts';
import { requireOperatorKey } from '../operator-key.ts';
import { nameOf, type Scope } from './scope.ts';
import { deleteTermRows, termRows } from './search-index.ts';
import type { DiscoveryTables } from './tables.ts';

/** Creates the verb that erases a peer: its platforms, its deletions, its recommendations, and those of others that name it. */
export function createErasure({ db, agentId }: Scope): PeerEraser {
  return {
    async erasePeer(peer, { preview = false } = {}) {
      const pubkey = requireOperatorKey(peer);
      const erase = async (transaction: Transaction<DiscoveryTables>) => {
        const platforms = await transaction
          .selectFrom('discovery_platforms')
          .select(['canonical_d', 'entry'])
          .where('agent_id', '=', agentId)
          .where('pubkey', '=', pubkey)
          .execute();
        const countOf = async (
          table: 'discovery_deletions' | 'discovery_recommendations',
          column: string,
        ) => {
          const { count } = await transaction
            .selectFrom(table)
            .select(({ fn }) => fn.countAll().as('count'))
            .where('agent_id', '=', agentId)
            .where(transaction.dynamic.ref(column), '=', pubkey)
            .executeTakeFirstOrThrow();
          return Number(count);
        };
        const deletions = await countOf('discovery_deletions', 'pubkey');
        const own = await countOf('discovery_recommendations', 'recommender');
        const naming = await transaction
          .selectFrom('discovery_recommendations as whole')
          .select(['recommender', 'kind', 'handlers'])
          .where('agent_id', '=', agentId)
          .where('recommender', '!=', pubkey)
          .where(({ exists, selectFrom }) =>
            exists(
              selectFrom('discovery_recommended as one')
                .select('one.kind')
                .whereRef('one.agent_id', '=', 'whole.agent_id')
                .whereRef('one.recommender', '=', 'whole.recommender')
                .whereRef('one.kind', '=', 'whole.kind')
                .where('one.pubkey', '=', pubkey),
            ),
          )
          .execute();
        if (!preview) {
          await deleteTermRows(
            transaction,
            platforms.flatMap(({ canonical_d, entry }) =>
              termRows(readEntry(entry, nameOf(pubkey, canonical_d)), agentId),
            ),
          );
          for (const table of ['discovery_audit', 'discovery_platforms', 'discovery_deletions'] as const)
            await transaction
              .deleteFrom(table)
              .where('agent_id', '=', agentId)
              .where('pubkey', '=', pubkey)
              .execute();
          for (const table of ['discovery_recommended', 'discovery_recommendations'] as const)
            await transaction
              .deleteFrom(table)
              .where('agent_id', '=', agentId)
              .where('recommender', '=', pubkey)
              .execute();
          await transaction
            .deleteFrom('discovery_recommended')
            .where('agent_id', '=', agentId)
            .where('pubkey', '=', pubkey)
            .execute();
          for (const { recommender, kind, handlers } of naming) {
            const others = readHandlers(handlers, nameOf(pubkey, '')).filter((one) => one.pubkey !== pubkey);
            await transaction
              .updateTable('discovery_recommendations')
              .set({ handlers: JSON.stringify(others) })
              .where('agent_id', '=', agentId)
              .where('recommender', '=', recommender)
              .where('kind', '=', kind)
              .execute();
          }
        }
        const erased = { platforms: platforms.length, deletions, recommendations: own + naming.length };
        return { erased, kept: {} };
      };
      return inTransaction(db, erase, { accessMode: preview ? 'read only' : 'read write' });
    },
  };
}
