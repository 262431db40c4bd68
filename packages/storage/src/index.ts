/**
 * Opens SQLite and Postgres through Kysely, migrates them, and converts their failures into typed errors.
 * @packageDocumentation
 */
// Cursors and pages, for stores of every kind.
export {
  decodeCursor,
  encodeCursor,
  isBonafideError,
  type PositionOf,
  type PositionPart,
  type PositionShape,
  pageOf,
} from '@bonafide/internal';
export { type Backup, type BackupOptions, backupSqlite } from './backup/backup.ts';
export type {
  ErasureInput,
  ErasureListContent,
  KeptValue,
  ListedBackup,
  ListedErasure,
} from './backup/erasure-lines.ts';
export { type ErasureList, openErasureList } from './backup/erasure-list.ts';
export { openPostgresErasures, type PostgresErasureList } from './backup/postgres-erasures.ts';
export { type Restored, type RestoreOptions, restoreSqlite } from './backup/restore.ts';
export { byteOrderedText, type Dialect, dialectOf } from './dialect.ts';
export { asStorageError, withTypedErrors } from './driver-errors.ts';
export { StorageError, type StorageErrorCode } from './errors.ts';
export { type MigrateOptions, type MigrationStatus, migrate, migrationStatus } from './migrations/migrate.ts';
export {
  type AppliedMigration,
  type Migration,
  migrationChecksum,
  planMigrations,
} from './migrations/plan.ts';
export { type OpenPostgresOptions, openPostgres } from './postgres.ts';
export { type Keyset, keyset } from './queries/keyset.ts';
export { type PreparedQuery, prepare, type QueryArgument } from './queries/prepared-query.ts';
export { type InTransactionOptions, inTransaction } from './queries/transaction.ts';
export type {
  SqliteDatabase,
  SqliteDriver,
  SqliteDriverOptions,
  SqliteStatement,
} from './sqlite/driver.ts';
export { type OpenSqliteOptions, openSqlite } from './sqlite/open.ts';
export { type AcquireWriterOptions, acquireWriter, type WriterLock } from './sqlite/writer-lock.ts';
