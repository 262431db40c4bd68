import { dialectOf } from '@bonafide/storage';
import type { Kysely } from 'kysely';

/** A write. It runs on the database or inside of a transaction, and again when the transaction failed. */
type Write<Database, Result> = (executor: Kysely<Database>) => Promise<Result>;

/** Runs a write; resolves when it is durable. */
export type GroupCommit<Database> = <Result>(write: Write<Database, Result>) => Promise<Result>;

/** Most writes that share a transaction. */
const maxGroup = 500;

interface Waiting<Database> {
  readonly write: Write<Database, unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Creates a queue of writes. SQLite has one writer, and flushes the disk at every commit: writes that are called while another one is
 * being committed share the next transaction, in the order of their calls. When one of them fails, each is repeated alone, so that it
 * stops no other. Postgres groups commits internally: there every write runs at once.
 */
export function createGroupCommit<Database>(db: Kysely<Database>): GroupCommit<Database> {
  if (dialectOf(db) === 'postgres') return (write) => write(db);
  const waiting: Waiting<Database>[] = [];
  let isRunning = false;

  const inOneTransaction = async (group: readonly Waiting<Database>[]): Promise<boolean> => {
    const results: unknown[] = [];
    try {
      await db.transaction().execute(async (transaction) => {
        for (const { write } of group) results.push(await write(transaction));
      });
    } catch {
      return false;
    }
    for (const [index, { resolve }] of group.entries()) resolve(results[index]);
    return true;
  };

  const alone = async ({ write, resolve, reject }: Waiting<Database>): Promise<void> => {
    try {
      resolve(await write(db));
    } catch (error) {
      reject(error);
    }
  };

  const run = async (): Promise<void> => {
    isRunning = true;
    // Calls of the same moment are one group.
    await null;
    while (waiting.length > 0) {
      const group = waiting.splice(0, maxGroup);
      if (group.length > 1 && (await inOneTransaction(group))) continue;
      for (const each of group) await alone(each);
    }
    isRunning = false;
  };

  return <Result>(write: Write<Database, Result>) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ write, resolve: resolve as (result: unknown) => void, reject });
      if (!isRunning) void run();
    });
}
