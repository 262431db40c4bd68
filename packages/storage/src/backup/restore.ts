import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { StorageError } from '../errors.ts';
import type { MigrateOptions } from '../migrations/migrate.ts';
import { openWithDriver, type SqliteDatabase, type SqliteDriver } from '../sqlite/database.ts';
import { companions, identityOf, narrowModes, requireFile } from '../sqlite/file.ts';
import { nodeSqlite } from '../sqlite/node-sqlite.ts';
import { applicationId, readHeader } from '../sqlite/ours.ts';
import { assign, execute, pragma, retryWhileBusy } from '../sqlite/pragma.ts';
import { readOnce } from '../sqlite/read-once.ts';
import { acquireWriter } from '../sqlite/writer.ts';
import { classifyDriverError, isBusy, throwTranslated } from '../translate.ts';
import { copyPrivately, discard, keepAs, putInPlace } from './durable-file.ts';
import { requireSound } from './sound.ts';

/** Options of {@link restoreSqlite}. */
export interface RestoreOptions {
  /** The database to replace; there need be none. */
  readonly path: string;
  /** What {@link backupSqlite} made. It stays as it is. */
  readonly from: string;
  /** Whose tables the backup must have. One of an older version is fine: `migrate` brings it up to date afterwards. */
  readonly schemas?: readonly MigrateOptions[];
  /**
   * As for openSqlite, but not libsql, which lets go of files too late.
   * @default node:sqlite
   */
  readonly driver?: SqliteDriver;
  /**
   * Checks everything and changes nothing.
   * @default false
   */
  readonly dryRun?: boolean;
  /**
   * Time now, ms since epoch, for the name of what is replaced.
   * @default Date.now
   */
  readonly clock?: () => number;
}

/** What was restored, or would be. */
export interface Restored {
  /** Size of the backup. */
  readonly bytes: number;
  /** Where the database that was there is now; null when there was none, and when nothing was changed. */
  readonly replaced: string | null;
}

/** How long somebody else's query is waited for. */
const busyTimeoutMs = 2_000;

/**
 * Puts a backup in the place of a database (LED-27), as a whole: nothing is merged. What was there is kept beside it
 * under another name. The backup is copied, and the copy checked, before anything is touched, and takes its place at one
 * moment: killed at any time, the path holds the old database or the new one, complete. A damaged database of ours is
 * replaced, too; what is not ours never is.
 *
 * @throws {StorageError} `WRITER_ACTIVE` (an agent is running on it), `STORAGE_LOCKED` (somebody has it open),
 * `STORAGE_NOT_FOUND`, `BACKUP_INVALID`, `STORAGE_NOT_A_DATABASE`, `STORAGE_FOREIGN`, `STORAGE_CORRUPT`, `SCHEMA_NEWER`,
 * `MIGRATION_CHANGED`, `STORAGE_FULL`, `STORAGE_PERMISSION`. Nothing was changed then.
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
      await requireSound(from, driver, schemas);
      return { bytes, replaced: null };
    }
    using _lock = acquireWriter({ path, driver });
    requireReplaceable(path);
    const copy = `${path}.restoring`;
    try {
      copyPrivately(from, copy);
      await requireSound(copy, driver, schemas);
      return { bytes, replaced: replace(path, copy, driver, clock()) };
    } finally {
      discard(copy);
    }
  } catch (error) {
    throwTranslated(error, path);
  }
}

/** A whole database in one file: a copied live one may lack what was written last, and would look as if it did not. */
function requireBackup(from: string, path: string): void {
  requireFile(from);
  if (identityOf(from) === identityOf(path)) {
    throw new StorageError('BACKUP_INVALID', `${from} is the database itself. Name a backup of it.`);
  }
  const header = readHeader(from);
  if (header === null || header === 'empty') {
    throw new StorageError('STORAGE_NOT_A_DATABASE', `${from} is no SQLite database. Name another backup.`);
  }
  const belongs = companions.find((companion) => identityOf(from + companion) !== null);
  if (!header.hasLog && belongs === undefined) return;
  throw new StorageError(
    'BACKUP_INVALID',
    `${from} is a live database or a copy of one, which may lack what was written last. Make a backup with \`bonafide backup\` and restore that.`,
  );
}

/** What stands where the backup shall go: nothing, or a database of ours. */
function requireReplaceable(path: string): void {
  const header = identityOf(path) === null ? 'empty' : readHeader(path);
  if (header === 'empty' || header?.applicationId === applicationId) return;
  throw header === null
    ? new StorageError(
        'STORAGE_NOT_A_DATABASE',
        `${path} is no SQLite database, so it is not ours to replace. Move it away first.`,
      )
    : new StorageError(
        'STORAGE_FOREIGN',
        `${path} is a SQLite database of another application, so it is not ours to replace. Choose another path.`,
      );
}

/** Swaps the files. Returns where the old one is. */
function replace(path: string, copy: string, driver: SqliteDriver, now: number): string | null {
  forgetUnusedNames(path);
  if (identityOf(path) === null) {
    // A log that lost its database would be read into the new one.
    const stray = setAside(path, now);
    putInPlace(copy, path);
    return stray;
  }
  const held = canBeRead(path, driver) ? takeForGood(path, driver) : null;
  try {
    const kept = setAside(path, now);
    putInPlace(copy, path);
    return kept;
  } finally {
    held?.close();
  }
}

/**
 * Whether the database opens at all. It is only looked at: closing a damaged one otherwise takes away its log, from which
 * something may still be saved.
 */
function canBeRead(path: string, driver: SqliteDriver): boolean {
  try {
    readOnce({ driver, path, busyTimeoutMs }, (database) =>
      database.prepare('select * from sqlite_schema').all([]),
    );
    return true;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

/**
 * Takes the database for this process alone and brings what its log holds into the file, so that it is whole under
 * another name, and no log is left that would be taken for the new one's.
 *
 * @throws {StorageError} `STORAGE_LOCKED`
 */
function takeForGood(path: string, driver: SqliteDriver): SqliteDatabase {
  const database = openWithDriver(driver, path, { readonly: false, fileMustExist: true });
  try {
    assign(database, 'busy_timeout', 10);
    retryWhileBusy(busyTimeoutMs, () => pragma(database, 'journal_mode = delete'));
    retryWhileBusy(busyTimeoutMs, () => execute(database, 'begin exclusive'));
    // Between the two somebody may have come and begun a log anew.
    if (identityOf(`${path}-wal`) !== null) throw inUse(path);
    return database;
  } catch (error) {
    database.close();
    throw isBusy(error) ? inUse(path, error) : error;
  }
}

function inUse(path: string, cause?: unknown): StorageError {
  const message = `${path} is open somewhere. Nothing was changed: close it and try again.`;
  return new StorageError('STORAGE_LOCKED', message, { cause });
}

const isDamage = (error: unknown): boolean =>
  /^STORAGE_(CORRUPT|NOT_A_DATABASE)$/.test(classifyDriverError(error) ?? '');

/** Gives what is there, with what belongs to it, a second name. Returns it; null when there is nothing. */
function setAside(path: string, now: number): string | null {
  const kept = `${path}.replaced-${new Date(now).toISOString().replaceAll(':', '-')}`;
  const exists = identityOf(path) !== null;
  if (exists) keepAs(path, kept);
  const belongs = companions.filter((companion) => identityOf(path + companion) !== null);
  for (const companion of belongs) renameSync(path + companion, kept + companion);
  if (exists) narrowModes(kept);
  return exists || belongs.length > 0 ? kept : null;
}

/** Names that a restore gave which was killed before it put anything in place: they are still of the database itself. */
function forgetUnusedNames(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(path)}.replaced-`)) continue;
    if (identityOf(join(folder, name)) === identityOf(path)) rmSync(join(folder, name));
  }
}
