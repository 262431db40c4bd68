import {
  chmodSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { companions, identityOf, prepareFile } from '../sqlite/file.ts';

/** Copies a file to one that only its owner may read, and syncs it to disk. */
export function copyWithPrivateMode(from: string, to: string): void {
  discard(to);
  prepareFile(to);
  // copyFile also copies the mode, so it is set again.
  copyFileSync(from, to);
  chmodSync(to, 0o600);
  syncFile(to);
}

/** Removes an unfinished database and the files SQLite created beside it, if they exist. */
export function discard(path: string): void {
  for (const end of ['', ...companions]) rmSync(path + end, { force: true });
}

/** Blocks until a file's content is on disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Renames a file atomically, replacing the target if there is one. The new name survives a power failure. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  // Windows cannot open folders; its file systems keep the order of renames.
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(to), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Creates a hard link `kept` to a file, or a copy where the file system has no hard links. */
export function linkOrCopy(path: string, kept: string): void {
  try {
    linkSync(path, kept);
  } catch (error) {
    if (identityOf(kept) !== null) throw error;
    copyWithPrivateMode(path, kept);
  }
}
