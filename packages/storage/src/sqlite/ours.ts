import { closeSync, openSync, readSync } from 'node:fs';
import { StorageError } from '../errors.ts';
import type { SqliteDatabase } from './database.ts';
import { assign, pragma } from './pragma.ts';

/** `PRAGMA application_id` of the files we make: 'Bona' in ASCII. */
export const applicationId = 0x426f6e61;

/**
 * Marks a new file as ours; refuses one that is somebody else's. Writes nothing into what isn't empty.
 *
 * @throws {StorageError} `STORAGE_FOREIGN`
 */
export function requireOurs(database: SqliteDatabase, path: string, readonly: boolean): void {
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

/** What the first hundred bytes of a SQLite file say (https://www.sqlite.org/fileformat2.html). */
export interface SqliteHeader {
  readonly applicationId: number;
  /** Whether a write-ahead log belongs to the file: by itself it may lack what was written last. */
  readonly hasLog: boolean;
}

/** The header of the file; `empty` when there is nothing in it, null when it is no SQLite file. */
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
