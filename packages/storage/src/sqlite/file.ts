import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '@bonafide/internal';
import { throwTranslated } from '../driver-errors.ts';
import { StorageError } from '../errors.ts';

/** Suffixes of the files that SQLite keeps beside a database. */
export const companions = ['-wal', '-shm', '-journal'] as const;

/** Returns true for a path that SQLite keeps in memory or in a file that it removes. */
export function isTemporary(path: string): boolean {
  return path === ':memory:' || path === '';
}

/**
 * Identifies the file at `path` by device and inode, the same through every link; null when there is none.
 */
export function identityOf(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? null : `${stat.dev}:${stat.ino}`;
}

function modeOf(path: string): number | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : stat.mode & 0o777;
}

/**
 * Ensures that other users cannot read a new database at `path`: creates the file with mode 0600 before
 * SQLite would with 0644, and missing directories with 0700. SQLite gives -wal and -shm the mode of the file.
 *
 * Never opens an existing file: closing it would drop the locks that SQLite holds in this process.
 *
 * @throws {StorageError} `STORAGE_CANNOT_OPEN`, `STORAGE_PERMISSION`, `STORAGE_READONLY`, `STORAGE_FULL`
 */
export function prepareFile(path: string): void {
  try {
    makeFolder(dirname(path), 0o700);
    if (modeOf(path) === null) createWithPrivateMode(path);
  } catch (error) {
    throwTranslated(error, path);
  }
}

function createWithPrivateMode(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'EEXIST') throw error;
    // Another process created it first, or it is a dangling link.
    if (modeOf(path) === null) {
      throw new StorageError(
        'STORAGE_CANNOT_OPEN',
        `${path} is a link to a file that doesn't exist. Give the real path.`,
      );
    }
  }
}

/**
 * Removes the rights of group and others from a database and its companion files. Call it only for a file
 * that carries our application id: a mistyped path may name any file.
 *
 * @throws {StorageError} `STORAGE_PERMISSION` when the file belongs to another user
 */
export function restrictModes(path: string): void {
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
