import { BonafideError, isBonafideError } from '@bonafide/internal';

/**
 * What can go wrong with a database, the same for every driver and dialect.
 *
 * - `STORAGE_NOT_FOUND`: opened read-only, and there is nothing at that path.
 * - `STORAGE_CANNOT_OPEN`: the path, its directory or its file system doesn't allow a database there.
 * - `STORAGE_PERMISSION`: the operating system or the server refuses this user.
 * - `STORAGE_NOT_A_DATABASE`: the file is something else than SQLite.
 * - `STORAGE_FOREIGN`: a SQLite file, but another application's.
 * - `STORAGE_CORRUPT`: the database is damaged.
 * - `STORAGE_FULL`: no room left. What was acknowledged before is kept; the failed write left nothing.
 * - `STORAGE_READONLY`: a write to what can only be read.
 * - `STORAGE_LOCKED`: another process held the database for longer than we waited, or a deadlock. Try again.
 * - `STORAGE_IO`: the disk or the file system failed.
 * - `STORAGE_UNAVAILABLE`: the server can't be reached or went away.
 * - `STORAGE_CLOSED`: used after it was closed.
 * - `STORAGE_BAD_VALUE`: a parameter or a stored value that has no faithful form on the other side.
 * - `STORAGE_NOT_UNIQUE`, `STORAGE_NO_PARENT`, `STORAGE_CHECK_FAILED`, `STORAGE_IS_NULL`, `STORAGE_CONSTRAINT`:
 *   a unique or primary key, a foreign key, a check, a not-null, any other constraint of the schema was violated.
 * - `SCHEMA_NEWER`: a newer version of the package has migrated this database.
 * - `MIGRATION_CHANGED`: a migration that was applied differs from the one in the code.
 * - `MIGRATION_FAILED`: a migration's statement failed; nothing of the run was kept.
 * - `MIGRATION_INVALID`: the list of migrations or the call itself is wrong.
 * - `BACKUP_INVALID`: the file is sound, but no backup that can be restored here.
 * - `WRITER_ACTIVE`: another process is this file's one writer.
 * - `DRIVER_MISSING`: the driver's package or Node module isn't there.
 * - `DIALECT_UNSUPPORTED`: neither SQLite nor Postgres.
 */
export type StorageErrorCode =
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
  | 'STORAGE_CLOSED'
  | 'STORAGE_BAD_VALUE'
  | 'STORAGE_NOT_UNIQUE'
  | 'STORAGE_NO_PARENT'
  | 'STORAGE_CHECK_FAILED'
  | 'STORAGE_IS_NULL'
  | 'STORAGE_CONSTRAINT'
  | 'SCHEMA_NEWER'
  | 'MIGRATION_CHANGED'
  | 'MIGRATION_FAILED'
  | 'MIGRATION_INVALID'
  | 'BACKUP_INVALID'
  | 'WRITER_ACTIVE'
  | 'DRIVER_MISSING'
  | 'DIALECT_UNSUPPORTED';

/** Every error this package throws on purpose. Switch on `code`; the driver's own error is in `cause`. */
export class StorageError extends BonafideError<StorageErrorCode> {}

/** True for a {@link StorageError}, also one from another copy of this package; with `code`, only for that code. */
export function isStorageError(error: unknown, code?: StorageErrorCode): error is StorageError {
  return isBonafideError(error, code) && error.name === 'StorageError';
}
