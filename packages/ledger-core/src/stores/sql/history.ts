import { type RawBuilder, sql } from 'kysely';
import type { HistoryQuery, Position } from '../../store.ts';

type Order = HistoryQuery['order'];

/** Returns the order of a history for `keyset`: time, then id. */
export function inOrder<Id extends string>(id: Id, order: Order, after?: Position) {
  return {
    by: ['created_at', id],
    direction: order === 'newest' ? 'desc' : 'asc',
    after: after && [after.value, after.id],
  } as const;
}

/**
 * Caches one query per order and limit. The limit is part of the SQL text: as a parameter, it makes SQLite
 * prepare the statement again for every value, which costs twice the look-up.
 */
export function byLimit<Query>(
  build: (order: Order, limit: RawBuilder<number>) => Query,
): (order: Order, limit: number) => Query {
  const known = { newest: new Map<number, Query>(), oldest: new Map<number, Query>() };
  return (order, limit) => {
    const query = known[order].get(limit) ?? build(order, sql.lit(limit));
    known[order].set(limit, query);
    return query;
  };
}
