import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { throwTranslated } from '../driver-errors.ts';
import { StorageError } from '../errors.ts';
import type { SqliteDriver } from '../sqlite/driver.ts';
import { identityOf, prepareFile, requireFile } from '../sqlite/file.ts';
import { nodeSqlite } from '../sqlite/node-sqlite.ts';
import { readOnce } from '../sqlite/read-once.ts';
import { discard, renameDurably, syncFile } from './durable-file.ts';
import { verifyDatabase } from './verify-database.ts';

/** Options of {@link backupSqlite}. */
export interface BackupOptions {
  /** Database to back up. It is only read, and may be in use. */
  readonly path: string;
  /** Path of the backup, where nothing may exist yet. Missing directories are created with mode 0700. */
  readonly to: string;
  /**
   * Driver, as for openSqlite.
   * @default node:sqlite
   */
  readonly driver?: SqliteDriver;
}

/** A finished backup. */
export interface Backup {
  readonly path: string;
  readonly bytes: number;
}

const busyTimeoutMs = 5_000;

/**
 * Copies a database as of one moment, while other processes read and write. The backup is one file of mode
 * 0600 without a write-ahead log, which is verified and synced before it gets its final name: if the process
 * is killed, the backup is complete or absent. Deleted rows are not in it.
 *
 * Blocks this process while it copies. For a large database, run `bonafide backup` in a second process.
 *
 * @throws {StorageError} `STORAGE_NOT_FOUND`, `STORAGE_NOT_A_DATABASE`, `STORAGE_FOREIGN`, `STORAGE_CORRUPT`,
 *   `STORAGE_CANNOT_OPEN` (the target exists), `STORAGE_PERMISSION`, `STORAGE_FULL`, `STORAGE_LOCKED`
 */
export async function backupSqlite(options: BackupOptions): Promise<Backup> {
  const { driver = nodeSqlite } = options;
  const path = resolve(options.path);
  const to = resolve(options.to);
  requireFile(path);
  if (identityOf(to) !== null) {
    throw new StorageError(
      'STORAGE_CANNOT_OPEN',
      `There is something at ${to} already, and a backup never replaces anything. Choose another name.`,
    );
  }
  const unfinished = `${to}.unfinished`;
  try {
    discard(unfinished);
    prepareFile(unfinished);
    readOnce({ driver, path, busyTimeoutMs }, (database) =>
      database.prepare('vacuum into ?').run([unfinished]),
    );
    await verifyDatabase(unfinished, driver);
    syncFile(unfinished);
    renameDurably(unfinished, to);
  } catch (error) {
    discard(unfinished);
    throwTranslated(error, path);
  }
  return { path: to, bytes: statSync(to).size };
}
