import { type RawBuilder, sql } from 'kysely';
import type { HistoryQuery, Position } from '../../store.ts';

type Order = HistoryQuery['order'];

/** What a history is ordered by, as `keyset` takes it: its time, and then its id. */
export function inOrder<Id extends string>(id: Id, order: Order, after?: Position) {
  return {
    by: ['created_at', id],
    direction: order === 'newest' ? 'desc' : 'asc',
    after: after && [after.value, after.id],
  } as const;
}

/**
 * One query per order and limit, made when it is first asked for. The limit stands in the text: as a parameter it makes
 * SQLite prepare the statement anew for every value it is given, which costs twice the look-up.
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
