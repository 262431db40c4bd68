import { resolve } from 'node:path';
import { type Logger, silentLogger } from '@bonafide/internal';
import { type Dialect, Kysely, sql } from 'kysely';
import { throwTranslated } from '../driver-errors.ts';
import { StorageError } from '../errors.ts';
import { requireApplicationId } from './application-id.ts';
import { createSqliteDialect } from './dialect.ts';
import { openWithDriver, type SqliteDatabase, type SqliteDriver } from './driver.ts';
import { identityOf, isTemporary, prepareFile, requireFile, restrictModes } from './file.ts';
import { nodeSqlite } from './node-sqlite.ts';
import { assign, pragma, retryWhileBusy } from './pragma.ts';

/** Options of {@link openSqlite}. */
export interface OpenSqliteOptions {
  /** Path of the file, or `:memory:`. Missing directories are created with mode 0700. */
  readonly path: string;
  /**
   * Class of better-sqlite3 or libsql, a function that returns a database handle, or an open handle.
   * @default node:sqlite
   */
  readonly driver?: SqliteDriver;
  /**
   * Requires an existing file and refuses every write.
   * @default false
   */
  readonly readonly?: boolean;
  /**
   * Maximum wait for another process's write, in ms. Waiting does not block the event loop.
   * @default 5000
   */
  readonly busyTimeoutMs?: number;
  /**
   * Accepts a SQLite file of another application, and keeps our tables in it.
   * @default false
   */
  readonly adopt?: boolean;
  /**
   * Receives a warning when the file system has no shared memory, so that readers and the writer block each
   * other. Silent by default.
   */
  readonly logger?: Logger;
}

// SQLite's own, blocking wait. The dialect waits the rest without blocking.
const synchronousWaitMs = 10;

interface Configuration {
  readonly path: string;
  /** Identity of the file at the time it was opened. */
  readonly identity: string | null;
  readonly readonly: boolean;
  readonly adopt: boolean;
  readonly busyTimeoutMs: number;
  readonly logger: Logger;
}

function configure(
  database: SqliteDatabase,
  { path, identity, readonly, adopt, busyTimeoutMs, logger }: Configuration,
): void {
  assign(database, 'busy_timeout', synchronousWaitMs);
  assign(database, 'foreign_keys', 'on');
  assign(database, 'trusted_schema', 'off');
  if (adopt) retryWhileBusy(busyTimeoutMs, () => pragma(database, 'schema_version'));
  else retryWhileBusy(busyTimeoutMs, () => requireApplicationId(database, path, readonly));
  if (identityOf(path) !== identity) throw replaced(path);
  if (readonly) {
    assign(database, 'query_only', 'on');
    return;
  }
  assign(database, 'synchronous', 'full');
  // Overwrites what is deleted, so that removed text does not stay in free pages.
  assign(database, 'secure_delete', 'on');
  if (isTemporary(path)) return;
  const mode = retryWhileBusy(busyTimeoutMs, () => pragma(database, 'journal_mode = wal'));
  if (mode !== 'wal') {
    logger.warn(
      { path, journalMode: mode },
      'This file system allows no write-ahead log: readers wait for the writer. Put the database on a local disk.',
    );
  }
  if (!adopt) restrictModes(path);
}

/**
 * Creates the error for a file that a restore replaced while it was being opened: the handle is of the old
 * file, and writing through it would damage the new log.
 */
function replaced(path: string): StorageError {
  return new StorageError(
    'STORAGE_LOCKED',
    `${path} was replaced while it was being opened. Nothing was changed: try again.`,
  );
}

/** A Kysely instance whose database is open from the start; Kysely alone closes only what it has queried. */
class OpenKysely<DB> extends Kysely<DB> {
  readonly #isWritable: boolean;
  #destroyed = false;

  constructor(dialect: Dialect, isWritable: boolean) {
    super({ dialect });
    this.#isWritable = isWritable;
  }

  override async destroy(): Promise<void> {
    if (this.#destroyed) return;
    this.#destroyed = true;
    // Starts the driver if no query has, so that Kysely closes it.
    await this.connection().execute(async (connection) => {
      // Keeps the statistics of the query planner up to date, as SQLite recommends. Closing succeeds without it.
      if (this.#isWritable) await sql`pragma optimize`.execute(connection).catch(() => {});
    });
    await super.destroy();
  }
}

/**
 * Opens a SQLite database with a write-ahead log, enforced foreign keys, `synchronous=FULL`, `secure_delete`, mode 0600
 * for the file and its companions, cached prepared statements, immediate transactions and typed errors. Open each
 * file once per process and share the instance; other processes may read and write at the same time.
 * `db.destroy()` closes it.
 *
 * @throws {StorageError} `STORAGE_NOT_A_DATABASE`, `STORAGE_FOREIGN`, `STORAGE_CORRUPT`, `STORAGE_NOT_FOUND`
 *   (read-only), `STORAGE_CANNOT_OPEN`, `STORAGE_PERMISSION`, `STORAGE_READONLY`, `STORAGE_FULL`,
 *   `STORAGE_LOCKED`, `DRIVER_MISSING`. The file is unchanged then.
 */
export function openSqlite<DB>(options: OpenSqliteOptions): Kysely<DB> {
  const {
    driver = nodeSqlite,
    readonly = false,
    adopt = false,
    busyTimeoutMs = 5000,
    logger = silentLogger,
  } = options;
  // Absolute, so that a path that begins with 'file:' is no URI to any driver.
  const path = isTemporary(options.path) ? options.path : resolve(options.path);
  if (!isTemporary(path)) {
    if (readonly) requireFile(path);
    else prepareFile(path);
  }
  const identity = identityOf(path);
  let database: SqliteDatabase | undefined;
  try {
    database = openWithDriver(driver, path, { readonly, fileMustExist: !isTemporary(path) });
    configure(database, { path, identity, readonly, adopt, busyTimeoutMs, logger });
    return new OpenKysely<DB>(createSqliteDialect({ database, path, busyTimeoutMs }), !readonly);
  } catch (error) {
    database?.close();
    throwTranslated(error, path);
  }
}
