import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { StorageError } from '../errors.ts';
import type { SqliteDriver } from '../sqlite/database.ts';
import { identityOf, prepareFile, requireFile } from '../sqlite/file.ts';
import { nodeSqlite } from '../sqlite/node-sqlite.ts';
import { readOnce } from '../sqlite/read-once.ts';
import { throwTranslated } from '../translate.ts';
import { discard, putInPlace, syncFile } from './durable-file.ts';
import { requireSound } from './sound.ts';

/** Options of {@link backupSqlite}. */
export interface BackupOptions {
  /** The database to back up. It is read only, and may be in use. */
  readonly path: string;
  /** Where the backup shall be; there must be nothing yet. Missing directories are made, with mode 0700. */
  readonly to: string;
  /**
   * As for openSqlite.
   * @default node:sqlite
   */
  readonly driver?: SqliteDriver;
}

/** A backup that was made. */
export interface Backup {
  readonly path: string;
  readonly bytes: number;
}

const busyTimeoutMs = 5_000;

/**
 * Copies a database of ours as it is at one moment, while others go on reading and writing (LED-27). The backup is one
 * file of mode 0600 without a write-ahead log, checked and on the disk before it gets its name: killed at any moment,
 * there is a whole backup or none. What was deleted is not in it.
 *
 * It blocks this process while it copies: in an agent that has a lot to remember, run `bonafide backup` beside it.
 *
 * @throws {StorageError} `STORAGE_NOT_FOUND`, `STORAGE_NOT_A_DATABASE`, `STORAGE_FOREIGN`, `STORAGE_CORRUPT`,
 * `STORAGE_CANNOT_OPEN` (something is there already), `STORAGE_PERMISSION`, `STORAGE_FULL`, `STORAGE_LOCKED`
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
    await requireSound(unfinished, driver);
    syncFile(unfinished);
    putInPlace(unfinished, to);
  } catch (error) {
    discard(unfinished);
    throwTranslated(error, path);
  }
  return { path: to, bytes: statSync(to).size };
}
