import { isBusy } from '../translate.ts';
import type { SqliteDatabase } from './database.ts';

/** What a pragma says. */
export function pragma(database: SqliteDatabase, name: string): unknown {
  const [row] = database.prepare(`pragma ${name}`).all([]) as Record<string, unknown>[];
  return row === undefined ? undefined : Object.values(row)[0];
}

/** Sets a pragma, whether or not it answers. */
export function assign(database: SqliteDatabase, name: string, value: string | number): void {
  execute(database, `pragma ${name} = ${value}`);
}

/** Runs a statement for what it does. */
export function execute(database: SqliteDatabase, sql: string): void {
  const statement = database.prepare(sql);
  if (statement.reader) statement.all([]);
  else statement.run([]);
}

/** For what doesn't honour the busy timeout, as changing the journal mode. Blocks while it waits. */
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
