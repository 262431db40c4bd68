import { dialectOf, inTransaction } from '@bonafide/storage';
import type { Kysely } from 'kysely';
import { groupCalls } from '../group-calls.ts';

/** A write. It runs on the database or inside of a transaction, and again when the transaction failed. */
type Write<Database, Result> = (executor: Kysely<Database>) => Promise<Result>;

/** Runs a write; resolves when it is durable. */
export type GroupCommit<Database> = <Result>(write: Write<Database, Result>) => Promise<Result>;

/**
 * Creates a queue of writes. SQLite has one writer, and flushes the disk at every commit: writes that are called while another one is
 * being committed share the next transaction. Postgres groups commits internally: there every write runs at once.
 */
export function createGroupCommit<Database>(db: Kysely<Database>): GroupCommit<Database> {
  if (dialectOf(db) === 'postgres') return (write) => write(db);

  const commit = groupCalls<Write<Database, unknown>, unknown>(async (writes) => {
    const [only] = writes;
    if (only !== undefined && writes.length === 1) return [await only(db)];
    return inTransaction(db, async (transaction) => {
      const results: unknown[] = [];
      for (const write of writes) results.push(await write(transaction));
      return results;
    });
  });
  return <Result>(write: Write<Database, Result>) => commit(write) as Promise<Result>;
}
