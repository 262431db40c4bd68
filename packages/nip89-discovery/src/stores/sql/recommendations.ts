import { pageOf } from '@bonafide/internal';
import { inTransaction } from '@bonafide/storage';
import { sql } from 'kysely';
import type { Recommendation } from '../../card/recommendation.ts';
import { recommenderCursor } from '../../registry/cursors.ts';
import { readHandlers } from '../../registry/schemas.ts';
import type { DiscoveryStore } from '../../registry/store.ts';
import { padToPowerOfTwo } from './batches.ts';
import { createRetention } from './retention.ts';
import { nameOf, type Scope } from './scope.ts';

/** Creates the verbs for recommendations. */
export function createRecommendationTables(
  scope: Scope,
  most: number,
): Pick<DiscoveryStore, 'putRecommendation' | 'recommendersOf' | 'recommendationsOf'> {
  const { db, agentId } = scope;
  const table = { name: 'discovery_recommendations', owner: 'recommender', rest: 'kind', age: 'created_at' };
  const applyRetention = createRetention(scope, { ...table, isKept: sql`one.is_known = 1` }, most);

  return {
    async putRecommendation({ recommender, kind, eventId, createdAt, handlers }, { isKnown = false } = {}) {
      const key = { agent_id: agentId, recommender, kind };
      const columns = {
        event_id: eventId,
        created_at: createdAt,
        handlers: JSON.stringify(handlers),
        is_known: isKnown ? 1 : 0,
      };
      const isWritten = await inTransaction(db, async (transaction) => {
        const written = await transaction
          .insertInto('discovery_recommendations')
          .values({ ...key, ...columns })
          .onConflict((conflict) =>
            conflict
              .columns(['agent_id', 'recommender', 'kind'])
              .doUpdateSet(columns)
              .where(({ or, and, eb }) =>
                or([
                  eb('discovery_recommendations.created_at', '<', createdAt),
                  and([
                    eb('discovery_recommendations.created_at', '=', createdAt),
                    eb('discovery_recommendations.event_id', '>', eventId),
                  ]),
                ]),
              ),
          )
          .executeTakeFirst();
        if (Number(written.numInsertedOrUpdatedRows ?? 0) === 0) return false;
        await transaction
          .deleteFrom('discovery_recommended')
          .where('agent_id', '=', agentId)
          .where('recommender', '=', recommender)
          .where('kind', '=', kind)
          .execute();
        const rows = handlers.map(({ pubkey, canonicalD }) => ({ ...key, pubkey, canonical_d: canonicalD }));
        if (rows.length > 0) await transaction.insertInto('discovery_recommended').values(rows).execute();
        return true;
      });
      if (isWritten) await applyRetention(1);
      return isWritten;
    },

    async recommendersOf(pubkey, canonicalD, { limit, cursor }) {
      const after = recommenderCursor.read(cursor);
      let query = db
        .selectFrom('discovery_recommended')
        .select('recommender')
        .distinct()
        .where('agent_id', '=', agentId)
        .where('pubkey', '=', pubkey)
        .where('canonical_d', '=', canonicalD)
        .orderBy('recommender')
        .limit(limit + 1);
      if (after !== null) query = query.where('recommender', '>', after[0]);
      const rows = await query.execute();
      return pageOf(
        rows.map(({ recommender }) => recommender),
        limit,
        (last) => recommenderCursor.write(last),
      );
    },

    async recommendationsOf(pubkey, canonicalD, recommenders, limitPerRecommender) {
      if (recommenders.length === 0) return [];
      const ranked = db
        .selectFrom('discovery_recommended as one')
        .innerJoin('discovery_recommendations as whole', (join) =>
          join
            .onRef('whole.agent_id', '=', 'one.agent_id')
            .onRef('whole.recommender', '=', 'one.recommender')
            .onRef('whole.kind', '=', 'one.kind'),
        )
        .select(['whole.recommender', 'whole.kind', 'whole.event_id', 'whole.created_at', 'whole.handlers'])
        .select(
          sql<number>`ROW_NUMBER() OVER (PARTITION BY whole.recommender ORDER BY whole.created_at DESC, whole.kind)`.as(
            'place',
          ),
        )
        .where('one.agent_id', '=', agentId)
        .where('one.pubkey', '=', pubkey)
        .where('one.canonical_d', '=', canonicalD)
        .where('one.recommender', 'in', padToPowerOfTwo(recommenders));
      const rows = await db
        .selectFrom(ranked.as('ranked'))
        .selectAll()
        .where('place', '<=', limitPerRecommender)
        .orderBy('recommender')
        .orderBy('kind')
        .execute();
      return rows.map(
        (row): Recommendation => ({
          recommender: row.recommender,
          kind: row.kind,
          handlers: readHandlers(row.handlers, nameOf(pubkey, canonicalD)),
          eventId: row.event_id,
          createdAt: Number(row.created_at),
        }),
      );
    },
  };
}
