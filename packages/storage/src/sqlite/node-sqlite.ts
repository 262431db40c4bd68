import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { StorageError } from '../errors.ts';
import type { SqliteDatabase, SqliteDriverOptions, SqliteStatement } from './driver.ts';
import { returnsRows } from './returns-rows.ts';

const comments = /--[^\n]*|\/\*[\s\S]*?\*\//g;

function wrapStatement(statement: StatementSync, sql: string): SqliteStatement {
  // SQLite compiles the first statement and ignores the rest without an error.
  const rest = sql.slice(statement.sourceSQL.length).replace(comments, '').trim();
  if (/[^;\s]/.test(rest)) {
    throw new StorageError(
      'INVALID_INPUT',
      `Only one SQL statement at a time; this would be ignored: ${rest.slice(0, 80)}`,
    );
  }
  // Node has `columns` since 22.16.
  const columns = (statement as Partial<StatementSync>).columns?.call(statement);
  return {
    reader: columns === undefined ? returnsRows(sql) : columns.length > 0,
    all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    iterate: (parameters) =>
      statement.iterate(...(parameters as SQLInputValue[])) as IterableIterator<unknown>,
  };
}

/**
 * Opens a database with Node's `node:sqlite` (Node ≥ 22.13). The default driver.
 *
 * @throws {StorageError} `DRIVER_MISSING` where Node does not have the module
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
