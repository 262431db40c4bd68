import { classifyDriverError } from '../driver-errors.ts';
import { requireApplicationId } from './application-id.ts';
import { openWithDriver, type SqliteDatabase, type SqliteDriver } from './driver.ts';
import { assign, retryWhileBusy } from './pragma.ts';

/** Options of {@link readOnce}. */
interface ReadOnceOptions {
  readonly driver: SqliteDriver;
  readonly path: string;
  /** Maximum wait for another process's write, in ms. Blocks. */
  readonly busyTimeoutMs: number;
}

/**
 * Opens a database, calls `look` and closes it, without changing the file: a read-write connection would
 * checkpoint and delete the log on close. Opens it for writing only where a crash interrupted a transaction,
 * because only a writer may roll it back.
 *
 * @throws {StorageError} `STORAGE_FOREIGN`, and the driver's errors
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
    retryWhileBusy(busyTimeoutMs, () => requireApplicationId(database, path, true));
    return retryWhileBusy(busyTimeoutMs, () => look(database));
  } finally {
    database.close();
  }
}
