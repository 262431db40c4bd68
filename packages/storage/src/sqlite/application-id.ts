import { closeSync, openSync, readSync } from 'node:fs';
import { StorageError } from '../errors.ts';
import type { SqliteDatabase } from './driver.ts';
import { assign, pragma } from './pragma.ts';

/** `PRAGMA application_id` of Bonafide's files: 'Bona' in ASCII. */
export const applicationId = 0x426f6e61;

/**
 * Sets the application id of an empty file, and refuses a file of another application. Never writes into a
 * file that has content.
 *
 * @throws {StorageError} `STORAGE_FOREIGN`
 */
export function requireApplicationId(database: SqliteDatabase, path: string, readonly: boolean): void {
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

/** Fields of the 100-byte header of a SQLite file (https://www.sqlite.org/fileformat2.html). */
export interface SqliteHeader {
  readonly applicationId: number;
  /** True when the file has a write-ahead log: without it, the latest writes may be missing. */
  readonly hasLog: boolean;
}

/** Reads the file's header; `empty` for an empty file, null for one that is not a SQLite database. */
export function readHeader(path: string): SqliteHeader | 'empty' | null {
  const header = Buffer.alloc(100);
  const file = openSync(path, 'r');
  try {
    const read = readSync(file, header, 0, header.length, 0);
    if (read === 0) return 'empty';
  } finally {
    closeSync(file);
  }
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') return null;
  return { applicationId: header.readUInt32BE(68), hasLog: header[18] === 2 || header[19] === 2 };
}
