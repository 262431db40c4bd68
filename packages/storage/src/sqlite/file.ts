import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StorageError } from '../errors.ts';
import { throwTranslated } from '../translate.ts';

/** What SQLite keeps beside a database, by what is added to its path. */
export const companions = ['-wal', '-shm', '-journal'] as const;

/** SQLite keeps such a database in memory or in a file that it removes itself. */
export function isTemporary(path: string): boolean {
  return path === ':memory:' || path === '';
}

/** Which file is at `path`, by whatever name; null when there is none. */
export function identityOf(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? null : `${stat.dev}:${stat.ino}`;
}

function modeOf(path: string): number | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : stat.mode & 0o777;
}

/**
 * Makes sure that a new database at `path` is nobody else's to read (LED-22): creates the file with mode 0600
 * before SQLite would with 0644, so that there is no moment at which others may open it, and its missing
 * directories with 0700. SQLite gives -wal and -shm the mode of the file.
 *
 * An existing file is never opened here: closing it would drop the locks that SQLite holds in this process.
 *
 * @throws {StorageError} `STORAGE_CANNOT_OPEN`, `STORAGE_PERMISSION`, `STORAGE_READONLY`, `STORAGE_FULL`
 */
export function prepareFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (modeOf(path) === null) createPrivately(path);
  } catch (error) {
    throwTranslated(error, path);
  }
}

function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'EEXIST') throw error;
    // Another process was quicker, which is fine, or it is a link into nowhere.
    if (modeOf(path) === null) {
      throw new StorageError(
        'STORAGE_CANNOT_OPEN',
        `${path} is a link to a file that doesn't exist. Give the real path.`,
      );
    }
  }
}

/**
 * Takes group's and others' rights from a database of ours and from its companions, where there are any. Not to be
 * called before it is known to be ours: the path may be a slip that names anybody's file.
 *
 * @throws {StorageError} `STORAGE_PERMISSION` when the file is another user's
 */
export function narrowModes(path: string): void {
  for (const companion of ['', ...companions]) {
    const mode = modeOf(path + companion);
    if (mode === null || (mode & 0o077) === 0) continue;
    try {
      chmodSync(path + companion, 0o600);
    } catch (error) {
      // A companion may vanish in between.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throwTranslated(error, path + companion);
    }
  }
}

/** @throws {StorageError} `STORAGE_NOT_FOUND` */
export function requireFile(path: string): void {
  if (modeOf(path) !== null) return;
  throw new StorageError(
    'STORAGE_NOT_FOUND',
    `There is no database at ${path}. Check the path; opening read-only creates nothing.`,
  );
}
