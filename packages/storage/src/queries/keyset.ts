import { type SelectQueryBuilder, type SqlBool, type StringReference, sql } from 'kysely';

/** In which order a list goes, and where it goes on. */
export interface Keyset<Column> {
  /**
   * What the rows are ordered by, from what decides first to what decides last. Together they are unique and none is
   * ever null. Text is ordered by its bytes: in Postgres its column has `COLLATE "C"`.
   */
  readonly by: readonly Column[];
  readonly direction: 'asc' | 'desc';
  /** The values of `by` in the last row of the page before: only what comes strictly after them. Absent: from the start. */
  readonly after?: readonly (string | number)[] | null | undefined;
}

/**
 * A list that is read page by page, each from where the one before ended: what comes in meanwhile repeats nothing and
 * hides nothing, and an index over `by` finds the thousandth page as fast as the first. Order and place are said
 * together, so that they cannot differ.
 *
 * @example
 * const rows = await keyset(db.selectFrom('jobs').selectAll(), {
 *   by: ['built_at', 'job_id'],
 *   direction: 'desc',
 *   after: place,
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
