import { isBusy } from '../driver-errors.ts';
import type { SqliteDatabase } from './driver.ts';

/** Returns the value of a pragma. */
export function pragma(database: SqliteDatabase, name: string): unknown {
  const [row] = database.prepare(`pragma ${name}`).all([]) as Record<string, unknown>[];
  return row === undefined ? undefined : Object.values(row)[0];
}

/** Sets a pragma. */
export function assign(database: SqliteDatabase, name: string, value: string | number): void {
  execute(database, `pragma ${name} = ${value}`);
}

/** Runs a statement and ignores its rows. */
export function execute(database: SqliteDatabase, sql: string): void {
  const statement = database.prepare(sql);
  if (statement.reader) statement.all([]);
  else statement.run([]);
}

/**
 * Retries an operation that ignores the busy timeout, such as changing the journal mode. Blocks while it
 * waits.
 */
export function retryWhileBusy<T>(timeoutMs: number, attempt: () => T): T {
  const until = performance.now() + timeoutMs;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error;
      sleepSync(5);
    }
  }
}

function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
