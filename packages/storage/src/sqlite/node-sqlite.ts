import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { StorageError } from '../errors.ts';
import type { SqliteDatabase, SqliteDriverOptions, SqliteStatement } from './database.ts';

const comments = /--[^\n]*|\/\*[\s\S]*?\*\//g;

function wrapStatement(statement: StatementSync, sql: string): SqliteStatement {
  // SQLite compiles the first statement and drops the rest, and node:sqlite doesn't tell.
  const rest = sql.slice(statement.sourceSQL.length).replace(comments, '').trim();
  if (/[^;\s]/.test(rest)) {
    throw new StorageError(
      'STORAGE_BAD_VALUE',
      `Only one SQL statement at a time; this would be ignored: ${rest.slice(0, 80)}`,
    );
  }
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    iterate: (parameters) =>
      statement.iterate(...(parameters as SQLInputValue[])) as IterableIterator<unknown>,
  };
}

/**
 * The default driver: Node's own SQLite (Node ≥ 22.13, or 22.5 with `--experimental-sqlite`).
 *
 * @throws {StorageError} `DRIVER_MISSING` where Node has none
 */
export function nodeSqlite(path: string, options: SqliteDriverOptions): SqliteDatabase {
  // Not an import: this package must also load where the module doesn't exist and another driver is given.
  const module = process.getBuiltinModule?.('node:sqlite') as typeof import('node:sqlite') | undefined;
  if (module === undefined) {
    throw new StorageError(
      'DRIVER_MISSING',
      `Node ${process.versions.node} has no node:sqlite. Use Node 22.13 or newer, or install better-sqlite3 and pass its class: openSqlite({ path, driver: Database }).`,
    );
  }
  const database: DatabaseSync = new module.DatabaseSync(path, { readOnly: options.readonly });
  return {
    prepare: (sql) => wrapStatement(database.prepare(sql), sql),
    close: () => database.close(),
  };
}
