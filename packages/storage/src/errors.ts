import { BonafideError, isBonafideError, type SharedErrorCode } from '@bonafide/internal';

/**
 * Database errors, the same for every driver and dialect.
 *
 * - `CLOSED`: the database was closed.
 * - `INVALID_INPUT`: a parameter of a type or size that the database cannot store, several statements in one
 *   query, or an invalid list of migrations.
 * - `VALUE_OUT_OF_RANGE`: a stored integer exceeds what a JavaScript number holds exactly.
 * - `STORAGE_NOT_FOUND`: opened read-only, and there is no file at that path.
 * - `STORAGE_CANNOT_OPEN`: the path, its directory or its file system does not allow a database there.
 * - `STORAGE_PERMISSION`: the operating system or the server denies access to this user.
 * - `STORAGE_NOT_A_DATABASE`: the file is not a SQLite database.
 * - `STORAGE_FOREIGN`: a SQLite file of another application.
 * - `STORAGE_CORRUPT`: the database is damaged.
 * - `STORAGE_FULL`: no space left. Acknowledged writes are kept; the failed write changed nothing.
 * - `STORAGE_READONLY`: a write to a read-only database.
 * - `STORAGE_LOCKED`: another process held the database beyond the time limit, or a deadlock. Try again.
 * - `STORAGE_IO`: the disk or the file system failed.
 * - `STORAGE_UNAVAILABLE`: the server is unreachable or closed the connection.
 * - `STORAGE_NOT_UNIQUE`, `STORAGE_NO_PARENT`, `STORAGE_CHECK_FAILED`, `STORAGE_IS_NULL`,
 *   `STORAGE_CONSTRAINT`: a unique or primary key, a foreign key, a check, a not-null, or another constraint
 *   was violated.
 * - `NOT_MIGRATED`: a query needs a table or column that the database lacks: it was not migrated, or by an older version.
 * - `SCHEMA_NEWER`: a newer version of the package has migrated this database.
 * - `MIGRATION_CHANGED`: an applied migration differs from the one in the code.
 * - `MIGRATION_FAILED`: a statement of a migration failed; the whole run was rolled back.
 * - `BACKUP_INVALID`: the file is a sound database, but not a backup that can be restored here.
 * - `ERASURES_DAMAGED`: a line of the list of erasures cannot be read.
 * - `WRITER_ACTIVE`: another process holds the writer lock of this file.
 * - `DRIVER_MISSING`: the driver's package or Node module is not installed.
 * - `DIALECT_UNSUPPORTED`: neither SQLite nor Postgres, or without interactive transactions, as Cloudflare D1.
 */
export type StorageErrorCode =
  | Extract<SharedErrorCode, 'CLOSED' | 'INVALID_INPUT' | 'NOT_MIGRATED'>
  | 'STORAGE_NOT_FOUND'
  | 'STORAGE_CANNOT_OPEN'
  | 'STORAGE_PERMISSION'
  | 'STORAGE_NOT_A_DATABASE'
  | 'STORAGE_FOREIGN'
  | 'STORAGE_CORRUPT'
  | 'STORAGE_FULL'
  | 'STORAGE_READONLY'
  | 'STORAGE_LOCKED'
  | 'STORAGE_IO'
  | 'STORAGE_UNAVAILABLE'
  | 'VALUE_OUT_OF_RANGE'
  | 'STORAGE_NOT_UNIQUE'
  | 'STORAGE_NO_PARENT'
  | 'STORAGE_CHECK_FAILED'
  | 'STORAGE_IS_NULL'
  | 'STORAGE_CONSTRAINT'
  | 'SCHEMA_NEWER'
  | 'MIGRATION_CHANGED'
  | 'MIGRATION_FAILED'
  | 'BACKUP_INVALID'
  | 'ERASURES_DAMAGED'
  | 'WRITER_ACTIVE'
  | 'DRIVER_MISSING'
  | 'DIALECT_UNSUPPORTED';

/** Base class of this package's errors. Compare `code`; the driver's error is in `cause`. */
export class StorageError extends BonafideError<StorageErrorCode> {}

/**
 * Returns true for a {@link StorageError}, also of another copy of this package; with `code`, only for that
 * code.
 */
export function isStorageError(error: unknown, code?: StorageErrorCode): error is StorageError {
  return isBonafideError(error, code) && error.name === 'StorageError';
}
