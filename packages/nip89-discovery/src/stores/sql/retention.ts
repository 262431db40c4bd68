import { sql } from 'kysely';
import type { Executor, Scope } from './scope.ts';

/** Number of written rows after which old rows are removed. */
const checkEvery = 1_000;

/**
 * Limits a table to its newest rows, since keys cost nothing and could fill the disk. The returned function
 * takes the number of rows that were written.
 *
 * @param most - Number of rows to keep.
 */
export function createRetention(
  { agentId }: Scope,
  table: string,
  age: string,
  most: number,
): (executor: Executor, written: number) => Promise<void> {
  // The first write after a start checks too, because runs may be short.
  let left = 0;
  return async (executor, written) => {
    left -= written;
    if (left > 0) return;
    left = Math.min(checkEvery, most);
    await sql`DELETE FROM ${sql.table(table)} WHERE agent_id = ${agentId} AND ${sql.ref(age)} < (
      SELECT ${sql.ref(age)} FROM ${sql.table(table)} WHERE agent_id = ${agentId}
      ORDER BY ${sql.ref(age)} DESC LIMIT 1 OFFSET ${most - 1})`.execute(executor);
  };
}
