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

/** Copies a file to one that only its owner may read, and onto the disk. */
export function copyPrivately(from: string, to: string): void {
  discard(to);
  prepareFile(to);
  // Gives the copy the mode of what is copied, so that nobody reads in it what he could not read there.
  copyFileSync(from, to);
  chmodSync(to, 0o600);
  syncFile(to);
}

/** Removes an unfinished database, as far as it is there, with what SQLite began beside it. */
export function discard(path: string): void {
  for (const end of ['', ...companions]) rmSync(path + end, { force: true });
}

/** Waits until a file's content is on the disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Puts a file in the place of another, or of none, at one moment; it is there after a power cut, too. */
export function putInPlace(from: string, to: string): void {
  renameSync(from, to);
  // Windows opens no folders; its file systems keep the order of renames by themselves.
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(to), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Gives a file a second name, so that it is never without one; where the file system knows no such thing, a copy. */
export function keepAs(path: string, kept: string): void {
  try {
    linkSync(path, kept);
  } catch (error) {
    if (identityOf(kept) !== null) throw error;
    copyPrivately(path, kept);
  }
}
