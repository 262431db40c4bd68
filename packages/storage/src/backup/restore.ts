import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { classifyDriverError, isBusy, throwTranslated } from '../driver-errors.ts';
import { StorageError } from '../errors.ts';
import type { MigrateOptions } from '../migrations/migrate.ts';
import { applicationId, readHeader } from '../sqlite/application-id.ts';
import { openWithDriver, type SqliteDatabase, type SqliteDriver } from '../sqlite/driver.ts';
import { companions, identityOf, requireFile, restrictModes } from '../sqlite/file.ts';
import { nodeSqlite } from '../sqlite/node-sqlite.ts';
import { assign, execute, pragma, retryWhileBusy } from '../sqlite/pragma.ts';
import { readOnce } from '../sqlite/read-once.ts';
import { acquireWriter } from '../sqlite/writer-lock.ts';
import { copyWithPrivateMode, discard, linkOrCopy, renameDurably } from './durable-file.ts';
import { verifyDatabase } from './verify-database.ts';

/** Options of {@link restoreSqlite}. */
export interface RestoreOptions {
  /** Database to replace. It does not have to exist. */
  readonly path: string;
  /** A backup made by {@link backupSqlite}. It is not changed. */
  readonly from: string;
  /** Schemas that the backup must contain. Older versions are accepted: run `migrate` afterwards. */
  readonly schemas?: readonly MigrateOptions[];
  /**
   * Driver, as for openSqlite. libsql cannot be used: it closes files too late.
   * @default node:sqlite
   */
  readonly driver?: SqliteDriver;
  /**
   * Changes the copy of the backup before it takes the place of the database, for example to repeat erasures. Has to
   * close every connection to it. When it rejects, the database is not replaced. Not called with `dryRun`.
   */
  readonly prepare?: (copy: string) => Promise<void>;
  /**
   * Checks everything and changes nothing.
   * @default false
   */
  readonly dryRun?: boolean;
  /**
   * Returns the time in ms since epoch, for the name of the replaced database.
   * @default Date.now
   */
  readonly clock?: () => number;
}

/** Result of {@link restoreSqlite}; with `dryRun`, of the restore that would happen. */
export interface Restored {
  /** Size of the backup in bytes. */
  readonly bytes: number;
  /** New path of the replaced database; null when there was none, and with `dryRun`. */
  readonly replaced: string | null;
}

/** Time limit for other processes' queries to finish, in ms. */
const busyTimeoutMs = 2_000;

/**
 * Replaces a database by a backup as a whole; nothing is merged. The replaced database is kept beside it
 * under another name. The backup is copied and the copy verified before anything changes, and the copy takes
 * its name in one atomic step: if the process is killed, the path holds the old database or the new one,
 * complete. A damaged Bonafide database can be replaced; a file of another application cannot.
 *
 * @throws {StorageError} `WRITER_ACTIVE` (an agent is running on it), `STORAGE_LOCKED` (open in
 *   another process), `STORAGE_NOT_FOUND`, `BACKUP_INVALID`, `STORAGE_NOT_A_DATABASE`, `STORAGE_FOREIGN`,
 *   `STORAGE_CORRUPT`, `SCHEMA_NEWER`, `MIGRATION_CHANGED`, `STORAGE_FULL`, `STORAGE_PERMISSION`. Nothing was
 *   changed then.
 */
export async function restoreSqlite(options: RestoreOptions): Promise<Restored> {
  const { schemas = [], driver = nodeSqlite, dryRun = false, clock = Date.now } = options;
  const path = resolve(options.path);
  const from = resolve(options.from);
  try {
    requireBackup(from, path);
    const { size: bytes } = statSync(from);
    if (dryRun) {
      if (identityOf(`${path}-lock`) !== null) acquireWriter({ path, driver }).release();
      requireReplaceable(path);
      await verifyDatabase(from, driver, schemas);
      return { bytes, replaced: null };
    }
    using _lock = acquireWriter({ path, driver });
    requireReplaceable(path);
    const copy = `${path}.restoring`;
    try {
      copyWithPrivateMode(from, copy);
      await verifyDatabase(copy, driver, schemas);
      if (options.prepare) {
        await options.prepare(copy);
        await verifyDatabase(copy, driver, schemas);
      }
      return { bytes, replaced: replace(path, copy, driver, clock()) };
    } finally {
      discard(copy);
    }
  } catch (error) {
    throwTranslated(error, path);
  }
}

/**
 * Requires a complete database in one file. A copy of a live database may lack the latest writes without
 * showing it.
 */
function requireBackup(from: string, path: string): void {
  requireFile(from);
  if (identityOf(from) === identityOf(path)) {
    throw new StorageError('BACKUP_INVALID', `${from} is the database itself. Name a backup of it.`);
  }
  const header = readHeader(from);
  if (header === null || header === 'empty') {
    throw new StorageError(
      'STORAGE_NOT_A_DATABASE',
      `${from} is not an SQLite database. Name another backup.`,
    );
  }
  const belongs = companions.find((companion) => identityOf(from + companion) !== null);
  if (!header.hasLog && belongs === undefined) return;
  throw new StorageError(
    'BACKUP_INVALID',
    `${from} is a live database or a copy of one, which may lack what was written last. Make a backup with \`bonafide backup\` and restore that.`,
  );
}

/** Requires that the target is absent, empty or a Bonafide database. */
function requireReplaceable(path: string): void {
  const header = identityOf(path) === null ? 'empty' : readHeader(path);
  if (header === 'empty' || header?.applicationId === applicationId) return;
  throw header === null
    ? new StorageError(
        'STORAGE_NOT_A_DATABASE',
        `${path} is not an SQLite database and is not replaced. Move it away first.`,
      )
    : new StorageError(
        'STORAGE_FOREIGN',
        `${path} is a SQLite database of another application, so it is not ours to replace. Choose another path.`,
      );
}

/** Swaps the files and returns the new path of the old one, null when there was none. */
function replace(path: string, copy: string, driver: SqliteDriver, now: number): string | null {
  removeStaleLinks(path);
  if (identityOf(path) === null) {
    // SQLite would apply a log without a database to the new one.
    const stray = renameReplaced(path, now);
    renameDurably(copy, path);
    return stray;
  }
  const held = isReadable(path, driver) ? openExclusively(path, driver) : null;
  try {
    const kept = renameReplaced(path, now);
    renameDurably(copy, path);
    return kept;
  } finally {
    held?.close();
  }
}

/**
 * Returns true when the database opens. Reads only: closing a damaged database normally would delete its log,
 * from which data may be recoverable.
 */
function isReadable(path: string, driver: SqliteDriver): boolean {
  try {
    readOnce({ driver, path, busyTimeoutMs }, (database) =>
      database.prepare('select * from sqlite_schema').all([]),
    );
    return true;
  } catch (error) {
    if (isCorruption(error)) return false;
    throw error;
  }
}

/**
 * Locks the database exclusively and checkpoints its log into the file, so that the file is complete under
 * another name and no log remains that would be applied to the new database.
 *
 * @throws {StorageError} `STORAGE_LOCKED`
 */
function openExclusively(path: string, driver: SqliteDriver): SqliteDatabase {
  const database = openWithDriver(driver, path, { readonly: false, fileMustExist: true });
  try {
    assign(database, 'busy_timeout', 10);
    retryWhileBusy(busyTimeoutMs, () => pragma(database, 'journal_mode = delete'));
    retryWhileBusy(busyTimeoutMs, () => execute(database, 'begin exclusive'));
    // Between the two statements another process may have created a new log.
    if (identityOf(`${path}-wal`) !== null) throw lockedError(path);
    return database;
  } catch (error) {
    database.close();
    throw isBusy(error) ? lockedError(path, error) : error;
  }
}

function lockedError(path: string, cause?: unknown): StorageError {
  const message = `${path} is open somewhere. Nothing was changed: close it and try again.`;
  return new StorageError('STORAGE_LOCKED', message, { cause });
}

const isCorruption = (error: unknown): boolean =>
  /^STORAGE_(CORRUPT|NOT_A_DATABASE)$/.test(classifyDriverError(error) ?? '');

/**
 * Gives the database and its companion files the name for replaced ones. Returns it; null when there is no
 * file.
 */
function renameReplaced(path: string, now: number): string | null {
  const kept = `${path}.replaced-${new Date(now).toISOString().replaceAll(':', '-')}`;
  const exists = identityOf(path) !== null;
  if (exists) linkOrCopy(path, kept);
  const belongs = companions.filter((companion) => identityOf(path + companion) !== null);
  for (const companion of belongs) renameSync(path + companion, kept + companion);
  if (exists) restrictModes(kept);
  return exists || belongs.length > 0 ? kept : null;
}

/**
 * Removes links left by a restore that was killed before it replaced anything: they still point at the
 * current database.
 */
function removeStaleLinks(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(path)}.replaced-`)) continue;
    if (identityOf(join(folder, name)) === identityOf(path)) rmSync(join(folder, name));
  }
}
