import { resolve } from 'node:path';
import { type Logger, silentLogger } from '@bonafide/internal';
import { Kysely } from 'kysely';
import { StorageError } from './errors.ts';
import { nodeSqlite } from './node-sqlite.ts';
import { openWithDriver, type SqliteDatabase, type SqliteDriver } from './sqlite-database.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';
import { isTemporary, narrowModes, prepareFile, requireFile } from './sqlite-file.ts';
import { isBusy, throwTranslated } from './translate.ts';

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

/** `PRAGMA application_id` of the files we make: 'Bona' in ASCII. */
const applicationId = 0x426f6e61;

// Held only while SQLite itself waits, synchronously; the dialect waits the rest without blocking.
const synchronousWaitMs = 10;

function pragma(database: SqliteDatabase, name: string): unknown {
  const [row] = database.prepare(`pragma ${name}`).all([]) as Record<string, unknown>[];
  return row === undefined ? undefined : Object.values(row)[0];
}

function assign(database: SqliteDatabase, name: string, value: string | number): void {
  const statement = database.prepare(`pragma ${name} = ${value}`);
  if (statement.reader) statement.all([]);
  else statement.run([]);
}

function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Changing the journal mode doesn't honour the busy timeout, and two processes may open a new file at once. */
function retryWhileBusy<T>(timeoutMs: number, attempt: () => T): T {
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

/** Marks a new file as ours; refuses one that is somebody else's. Writes nothing into what isn't empty. */
function requireOurs(database: SqliteDatabase, path: string, readonly: boolean): void {
  const id = pragma(database, 'application_id');
  if (id === applicationId) return;
  const content = database.prepare('select 1 from sqlite_schema limit 1').all([]);
  if (id === 0 && content.length === 0) {
    if (!readonly) assign(database, 'application_id', applicationId);
    return;
  }
  throw new StorageError(
    'STORAGE_FOREIGN',
    `${path} is a SQLite database of another application; nothing in it was changed. Choose another path, or pass adopt: true to keep our tables in it.`,
  );
}

interface Configuration {
  readonly path: string;
  readonly readonly: boolean;
  readonly adopt: boolean;
  readonly busyTimeoutMs: number;
  readonly logger: Logger;
}

function configure(
  database: SqliteDatabase,
  { path, readonly, adopt, busyTimeoutMs, logger }: Configuration,
): void {
  assign(database, 'busy_timeout', synchronousWaitMs);
  assign(database, 'foreign_keys', 'on');
  assign(database, 'trusted_schema', 'off');
  if (adopt) retryWhileBusy(busyTimeoutMs, () => pragma(database, 'schema_version'));
  else retryWhileBusy(busyTimeoutMs, () => requireOurs(database, path, readonly));
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
  let database: SqliteDatabase | undefined;
  try {
    database = openWithDriver(driver, path, { readonly, fileMustExist: !isTemporary(path) });
    configure(database, { path, readonly, adopt, busyTimeoutMs, logger });
    return new OpenKysely<DB>({ dialect: createSqliteDialect({ database, path, busyTimeoutMs }) });
  } catch (error) {
    database?.close();
    throwTranslated(error, path);
  }
}
