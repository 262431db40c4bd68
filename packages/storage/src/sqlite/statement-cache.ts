import type { SqliteDatabase, SqliteStatement } from './database.ts';

/**
 * Prepared statements by their SQL, least recently used out first. Kysely prepares anew for every query,
 * which costs a look-up three quarters of its speed.
 *
 * A statement has one cursor, so one that is being iterated must not be run by anybody else: `get` is for
 * what runs to its end in one synchronous step, `fresh` for cursors that stay open.
 */
export interface StatementCache {
  get(sql: string): SqliteStatement;
  fresh(sql: string): SqliteStatement;
}

/** @param capacity - statements kept; a store has some dozens, so only SQL of varying shape ever falls out */
export function createStatementCache(database: SqliteDatabase, capacity = 256): StatementCache {
  const statements = new Map<string, SqliteStatement>();
  return {
    get(sql) {
      const known = statements.get(sql);
      if (known !== undefined) {
        // A Map keeps the order of insertion: moving to the end makes the first the oldest. Nobody asks before it is full.
        if (statements.size === capacity) {
          statements.delete(sql);
          statements.set(sql, known);
        }
        return known;
      }
      const statement = database.prepare(sql);
      if (statements.size === capacity) {
        const [oldest] = statements.keys();
        if (oldest !== undefined) statements.delete(oldest);
      }
      statements.set(sql, statement);
      return statement;
    },
    fresh: (sql) => database.prepare(sql),
  };
}
