import { inTransaction } from '@bonafide/storage';
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from './scope.ts';

/** Number of written rows after which rows are removed. */
const checkEvery = 1_000;

/**
 * Limits the number of rows of a table, since keys cost nothing and could fill the disk. Removes rows that are not kept before
 * those that are, then rows of the key with most, then the oldest: a flood displaces itself. The returned function
 * takes the number of rows that were written.
 *
 * @param table.isKept - Condition on a row of the table, named `one`, of what is removed last.
 * @param most - Number of rows to keep.
 */
export function createRetention(
  { db, agentId }: Scope,
  table: {
    readonly name: string;
    /** Column of the key to which a row belongs, and the columns that identify its rows. */
    readonly owner: string;
    readonly rest: string;
    readonly age: string;
    readonly isKept: RawBuilder<unknown>;
  },
  most: number,
): (written: number) => Promise<void> {
  const [owner, rest, age] = [sql.ref(table.owner), sql.ref(table.rest), sql.ref(table.age)];
  // The first write after a start checks too, because runs may be short.
  let left = 0;
  return async (written) => {
    left -= written;
    if (left > 0) return;
    left = Math.min(checkEvery, Math.max(1, Math.floor(most / 2)));
    const { rows } = await sql<{ readonly n: number }>`SELECT COUNT(*) AS n FROM ${sql.table(table.name)}
      WHERE agent_id = ${agentId}`.execute(db);
    const tooMany = Number(rows[0]?.n ?? 0) - most;
    if (tooMany <= 0) return;
    const removal = sql`DELETE FROM ${sql.table(table.name)} WHERE agent_id = ${agentId} AND (${owner}, ${rest}) IN (
      SELECT ${owner}, ${rest} FROM (
        SELECT ${owner}, ${rest}, ${age}, CASE WHEN ${table.isKept} THEN 1 ELSE 0 END AS kept,
          ROW_NUMBER() OVER (PARTITION BY ${owner} ORDER BY ${age} DESC, ${rest}) AS place
        FROM ${sql.table(table.name)} AS one WHERE agent_id = ${agentId}
      ) AS ranked ORDER BY kept, place DESC, ${age} LIMIT ${tooMany})`;
    await inTransaction(db, (transaction) => removal.execute(transaction));
  };
}
