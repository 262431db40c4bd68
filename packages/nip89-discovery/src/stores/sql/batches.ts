import { CompiledQuery, type InsertQueryBuilder, type InsertResult, type RawBuilder, sql } from 'kysely';
import { nextTask } from '../../registry/store-access.ts';
import type { Executor } from './scope.ts';
import type { DiscoveryTables } from './tables.ts';

/** Number of inserts of 256 rows that run at once, some milliseconds. */
const insertsAtOnce = 4;

/**
 * Splits rows into parts of 256, 128, 64 … 1, so that only nine statements per table are compiled and cached.
 */
function splitIntoPowersOfTwo<Row>(rows: readonly Row[]): (readonly Row[])[] {
  const parts: (readonly Row[])[] = [];
  for (let at = 0; at < rows.length; ) {
    const left = rows.length - at;
    const size = Math.min(256, 2 ** Math.floor(Math.log2(left)));
    parts.push(rows.slice(at, at + size));
    at += size;
  }
  return parts;
}

/**
 * Pads a list to the next power of two by repeating its first item. Only for queries in which repetition has
 * no effect.
 */
export function padToPowerOfTwo<Item>(items: readonly Item[]): readonly Item[] {
  const [first] = items;
  if (first === undefined) return items;
  const size = 2 ** Math.ceil(Math.log2(items.length));
  return [...items, ...Array.from({ length: size - items.length }, () => first)];
}

/**
 * Creates a query over a list of rows, which is compiled once per power of two: compiling takes longer than looking up.
 * Repetition must have no effect, since the first row fills the list.
 *
 * @param build - Returns the query. Its last parameters are those of `list`: the rows, each in parentheses.
 */
export function prepareList<Row>(
  build: (list: RawBuilder<unknown>) => RawBuilder<Row>,
): (executor: Executor, rows: readonly (readonly string[])[]) => Promise<readonly Row[]> {
  const compiled = new Map<number, CompiledQuery>();
  return async (executor, rows) => {
    if (rows.length === 0) return [];
    const padded = padToPowerOfTwo(rows);
    const known = compiled.get(padded.length);
    const query = known ?? build(sql.join(padded.map((row) => sql`(${sql.join(row)})`))).compile(executor);
    if (known === undefined) compiled.set(padded.length, query);
    const values = padded.flat();
    const first = query.parameters.slice(0, query.parameters.length - values.length);
    return (await executor.executeQuery<Row>(CompiledQuery.raw(query.sql, [...first, ...values]))).rows;
  };
}

/**
 * Inserts many rows of one table with statements that are compiled once per batch size, since compiling takes
 * longer than writing. All rows must have the same columns in the same order.
 *
 * @param finish - Adds clauses after the values, such as ON CONFLICT and RETURNING.
 */
export function prepareInsert<Table extends keyof DiscoveryTables & string, Row = unknown>(
  table: Table,
  finish: (insert: InsertQueryBuilder<DiscoveryTables, Table, InsertResult>) => {
    compile(): CompiledQuery;
  } = (insert) => insert,
): (executor: Executor, rows: readonly DiscoveryTables[Table][]) => Promise<readonly Row[]> {
  const compiled = new Map<number, string>();
  return async (executor, rows) => {
    const returned: Row[] = [];
    for (const [index, part] of splitIntoPowersOfTwo(rows).entries()) {
      if (index > 0 && index % insertsAtOnce === 0) await nextTask();
      const known = compiled.get(part.length);
      // All columns are plain, so the row type equals Kysely's insert type.
      const text = known ?? finish(executor.insertInto(table).values(part as never)).compile().sql;
      if (known === undefined) compiled.set(part.length, text);
      const values = part.flatMap((row) => Object.values(row));
      const result = await executor.executeQuery<Row>(CompiledQuery.raw(text, values));
      for (const row of result.rows) returned.push(row);
    }
    return returned;
  };
}
