import type { SqliteDatabase, SqliteStatement } from './driver.ts';

/**
 * Prepared statements by their SQL, with the least recently used evicted first. Without it Kysely prepares
 * every query again, which makes a look-up four times slower.
 *
 * A statement has one cursor, so it must not run again while it is being iterated: use `get` for statements
 * that finish synchronously, and `fresh` for cursors that stay open.
 */
export interface StatementCache {
  get(sql: string): SqliteStatement;
  fresh(sql: string): SqliteStatement;
}

/**
 * @param capacity - maximum number of statements; a store has some dozens, so only SQL of varying shape is
 *   evicted
 */
export function createStatementCache(database: SqliteDatabase, capacity = 256): StatementCache {
  const statements = new Map<string, SqliteStatement>();
  return {
    get(sql) {
      const known = statements.get(sql);
      if (known !== undefined) {
        // A Map keeps the order of insertion: moving to the end makes the first the oldest, which matters only when full.
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
