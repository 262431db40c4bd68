import { resolve } from 'node:path';
import { type Logger, silentLogger } from '@bonafide/internal';
import { Kysely } from 'kysely';
import { StorageError } from '../errors.ts';
import { throwTranslated } from '../translate.ts';
import { openWithDriver, type SqliteDatabase, type SqliteDriver } from './database.ts';
import { createSqliteDialect } from './dialect.ts';
import { identityOf, isTemporary, narrowModes, prepareFile, requireFile } from './file.ts';
import { nodeSqlite } from './node-sqlite.ts';
import { requireOurs } from './ours.ts';
import { assign, pragma, retryWhileBusy } from './pragma.ts';

/** Options of {@link openSqlite}. */
export interface OpenSqliteOptions {
  /** Where the file is or shall be, or `:memory:`. Missing directories are made, with mode 0700. */
  readonly path: string;
  /**
   * better-sqlite3's or libsql's class, a function that opens, or an open database.
   * @default node:sqlite
   */
  readonly driver?: SqliteDriver;
  /**
   * Opens what exists and never writes.
   * @default false
   */
  readonly readonly?: boolean;
  /**
   * How long a query waits for another process's write, in ms. The event loop goes on meanwhile.
   * @default 5000
   */
  readonly busyTimeoutMs?: number;
  /**
   * Also open a SQLite file that something else made, and keep our tables in it.
   * @default false
   */
  readonly adopt?: boolean;
  /** Told when the file system has no shared memory, so that readers and the writer block each other. Silent by default. */
  readonly logger?: Logger;
}

// Held only while SQLite itself waits, synchronously; the dialect waits the rest without blocking.
const synchronousWaitMs = 10;

interface Configuration {
  readonly path: string;
  /** Which file it was when it was opened. */
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
  else retryWhileBusy(busyTimeoutMs, () => requireOurs(database, path, readonly));
  if (identityOf(path) !== identity) throw replaced(path);
  if (readonly) {
    assign(database, 'query_only', 'on');
    return;
  }
  assign(database, 'synchronous', 'full');
  if (isTemporary(path)) return;
  const mode = retryWhileBusy(busyTimeoutMs, () => pragma(database, 'journal_mode = wal'));
  if (mode !== 'wal') {
    logger.warn(
      { path, journalMode: mode },
      'This file system allows no write-ahead log: readers wait for the writer. Put the database on a local disk.',
    );
  }
  if (!adopt) narrowModes(path);
}

/** Who waited while a backup was restored holds the file that was there before; its log would be taken for the new one's. */
function replaced(path: string): StorageError {
  return new StorageError(
    'STORAGE_LOCKED',
    `${path} was replaced while it was being opened. Nothing was changed: try again.`,
  );
}

/** Kysely leaves a database open that it never queried; ours is open from the start. */
class OpenKysely<DB> extends Kysely<DB> {
  #destroyed = false;

  override async destroy(): Promise<void> {
    if (this.#destroyed) return;
    this.#destroyed = true;
    // Starts the driver if no query has, so that from here on there is one way to close.
    await this.connection().execute(async () => {});
    await super.destroy();
  }
}

/**
 * Opens a SQLite database (STO-1, LED-22): write-ahead log, foreign keys enforced, `synchronous=FULL`, the file
 * and its companions with mode 0600, prepared statements cached, transactions immediate, errors typed. Open each
 * file once per process and share the instance; other processes may read and write beside it. `db.destroy()` closes it.
 *
 * @throws {StorageError} `STORAGE_NOT_A_DATABASE`, `STORAGE_FOREIGN`, `STORAGE_CORRUPT`, `STORAGE_NOT_FOUND` (read-only),
 * `STORAGE_CANNOT_OPEN`, `STORAGE_PERMISSION`, `STORAGE_READONLY`, `STORAGE_FULL`, `STORAGE_LOCKED`, `DRIVER_MISSING`.
 * None of them leaves a changed file behind.
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
    return new OpenKysely<DB>({ dialect: createSqliteDialect({ database, path, busyTimeoutMs }) });
  } catch (error) {
    database?.close();
    throwTranslated(error, path);
  }
}
