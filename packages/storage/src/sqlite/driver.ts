/**
 * A prepared statement with the interface of better-sqlite3 and libsql.
 * https://github.com/WiseLibs/better-sqlite3/blob/master/docs/api.md
 */
export interface SqliteStatement {
  /** True when the statement returns rows. */
  readonly reader: boolean;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  iterate(parameters: readonly unknown[]): IterableIterator<unknown>;
}

/** An open SQLite database: the part of better-sqlite3's interface that this package uses. */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

/** Options for opening a file. The file exists already, except for `:memory:`. */
export interface SqliteDriverOptions {
  readonly readonly: boolean;
  readonly fileMustExist: boolean;
}

/**
 * A driver class (`import Database from 'better-sqlite3'`, `import Database from 'libsql'`), a function that
 * returns a database handle, or an open handle. `destroy()` of the Kysely instance closes the handle in each
 * case.
 */
export type SqliteDriver =
  | SqliteDatabase
  | (new (
      path: string,
      options: SqliteDriverOptions,
    ) => SqliteDatabase)
  | ((path: string, options: SqliteDriverOptions) => SqliteDatabase);

/** Opens `path` with any form of driver. */
export function openWithDriver(
  driver: SqliteDriver,
  path: string,
  options: SqliteDriverOptions,
): SqliteDatabase {
  if (typeof driver !== 'function') return driver;
  // better-sqlite3's is an old-style constructor, libsql's a class, an arrow function neither.
  if (typeof driver.prototype?.prepare === 'function') return Reflect.construct(driver, [path, options]);
  return (driver as (path: string, options: SqliteDriverOptions) => SqliteDatabase)(path, options);
}
