import { classifyDriverError } from '../translate.ts';
import { openWithDriver, type SqliteDatabase, type SqliteDriver } from './database.ts';
import { requireOurs } from './ours.ts';
import { assign, retryWhileBusy } from './pragma.ts';

/** How to read a database. */
interface ReadOnceOptions {
  readonly driver: SqliteDriver;
  readonly path: string;
  /** How long somebody else's write is waited for, blocking. */
  readonly busyTimeoutMs: number;
}

/**
 * Opens a database of ours, looks at it and closes it again, which changes nothing: a writer would bring the log into the
 * file and take it away. Only where a transaction was cut off by a crash is it opened to write, since none but a
 * writer may undo it.
 *
 * @throws {StorageError} `STORAGE_FOREIGN`, and what the driver throws
 */
export function readOnce<T>(options: ReadOnceOptions, look: (database: SqliteDatabase) => T): T {
  try {
    return attempt(options, true, look);
  } catch (error) {
    if (classifyDriverError(error) !== 'STORAGE_READONLY') throw error;
    return attempt(options, false, look);
  }
}

function attempt<T>(
  { driver, path, busyTimeoutMs }: ReadOnceOptions,
  readonly: boolean,
  look: (database: SqliteDatabase) => T,
): T {
  const database = openWithDriver(driver, path, { readonly, fileMustExist: true });
  try {
    assign(database, 'trusted_schema', 'off');
    retryWhileBusy(busyTimeoutMs, () => requireOurs(database, path, true));
    return retryWhileBusy(busyTimeoutMs, () => look(database));
  } finally {
    database.close();
  }
}
