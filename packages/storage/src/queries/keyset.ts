import { type SelectQueryBuilder, type SqlBool, type StringReference, sql } from 'kysely';

/** Order of a list and the position to continue from. */
export interface Keyset<Column> {
  /**
   * Columns of the order, most significant first. Together they are unique, and none is ever null. Text is
   * compared by bytes: in Postgres its column has `COLLATE "C"`.
   */
  readonly by: readonly Column[];
  readonly direction: 'asc' | 'desc';
  /**
   * Values of `by` in the last row of the previous page: only rows strictly after them are returned. Absent:
   * from the start.
   */
  readonly after?: readonly (string | number)[] | null | undefined;
}

/**
 * Adds keyset pagination to a query: its order, and the position of the previous page's last row. Rows inserted between
 * two pages neither repeat nor hide other rows, and with an index over `by` the thousandth page is as fast as the
 * first.
 *
 * @example
 * const rows = await keyset(db.selectFrom('jobs').selectAll(), {
 *   by: ['built_at', 'job_id'],
 *   direction: 'desc',
 *   after: position,
 * }).limit(limit + 1).execute();
 * return pageOf(rows, limit, (row) => encodeCursor('jobs', [row.built_at, row.job_id]));
 */
export function keyset<DB, Tables extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Tables, Row>,
  { by, direction, after }: Keyset<StringReference<DB, Tables>>,
): SelectQueryBuilder<DB, Tables, Row> {
  let ordered = query;
  for (const column of by) ordered = ordered.orderBy(column, direction);
  if (!after) return ordered;
  const columns = sql.join(by.map((column) => sql.ref(column)));
  const comparison = direction === 'asc' ? sql`>` : sql`<`;
  return ordered.where(sql<SqlBool>`(${columns}) ${comparison} (${sql.join(after)})`);
}
