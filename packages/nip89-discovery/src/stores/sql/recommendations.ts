import type { Recommendation } from '../../card/recommendation.ts';
import { readHandlers } from '../../registry/schemas.ts';
import type { DiscoveryStore } from '../../registry/store.ts';
import { createRetention } from './retention.ts';
import { nameOf, type Scope } from './scope.ts';

/** Creates the verbs for recommendations. */
export function createRecommendationTables(
  scope: Scope,
  most: number,
): Pick<DiscoveryStore, 'putRecommendation' | 'recommendationsOf'> {
  const { db, agentId } = scope;
  const applyRetention = createRetention(scope, 'discovery_recommendations', 'created_at', most);

  return {
    async putRecommendation({ recommender, kind, eventId, createdAt, handlers }) {
      const key = { agent_id: agentId, recommender, kind };
      const columns = { event_id: eventId, created_at: createdAt, handlers: JSON.stringify(handlers) };
      return db.transaction().execute(async (transaction) => {
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
        await applyRetention(transaction, 1);
        return true;
      });
    },

    async recommendationsOf(pubkey, canonicalD, limit) {
      const rows = await db
        .selectFrom('discovery_recommended as one')
        .innerJoin('discovery_recommendations as whole', (join) =>
          join
            .onRef('whole.agent_id', '=', 'one.agent_id')
            .onRef('whole.recommender', '=', 'one.recommender')
            .onRef('whole.kind', '=', 'one.kind'),
        )
        .select(['whole.recommender', 'whole.kind', 'whole.event_id', 'whole.created_at', 'whole.handlers'])
        .where('one.agent_id', '=', agentId)
        .where('one.pubkey', '=', pubkey)
        .where('one.canonical_d', '=', canonicalD)
        .orderBy('one.recommender')
        .orderBy('one.kind')
        .limit(limit)
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
