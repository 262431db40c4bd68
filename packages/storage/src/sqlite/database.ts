/**
 * A prepared statement as better-sqlite3 and libsql have it.
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

/** An open SQLite database: what this package needs of better-sqlite3, libsql or anything like them. */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

/** What a driver is asked to open. The file exists already, except for `:memory:`. */
export interface SqliteDriverOptions {
  readonly readonly: boolean;
  readonly fileMustExist: boolean;
}

/**
 * Who does the work under {@link openSqlite}: the class itself (`import Database from 'better-sqlite3'`,
 * `import Database from 'libsql'`), a function that opens, or a database that is open already.
 * `destroy()` of the Kysely instance closes it in each case.
 */
export type SqliteDriver =
  | SqliteDatabase
  | (new (
      path: string,
      options: SqliteDriverOptions,
    ) => SqliteDatabase)
  | ((path: string, options: SqliteDriverOptions) => SqliteDatabase);

/** Opens `path` with whichever form of driver was given. */
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
