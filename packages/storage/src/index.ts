/**
 * Opens SQLite and Postgres through Kysely, migrates them, and turns what goes wrong into typed errors.
 * @packageDocumentation
 */
// Also for stores that need no database: cursors and pages are the same everywhere.
export {
  decodeCursor,
  encodeCursor,
  type PlaceOf,
  type PlacePart,
  type PlaceShape,
  pageOf,
} from '@bonafide/internal';
export { type Backup, type BackupOptions, backupSqlite } from './backup.ts';
export { type Dialect, dialectOf } from './dialect.ts';
export { isStorageError, StorageError, type StorageErrorCode } from './errors.ts';
export { type Keyset, keyset } from './keyset.ts';
export { type MigrateOptions, type MigrationStatus, migrate, migrationStatus } from './migrate.ts';
export {
  type AppliedMigration,
  type Migration,
  migrationChecksum,
  planMigrations,
} from './migration-plan.ts';
export { type OpenPostgresOptions, openPostgres } from './postgres.ts';
export { type PreparedQuery, prepare, type QueryArgument } from './prepared-query.ts';
export { type Restored, type RestoreOptions, restoreSqlite } from './restore.ts';
export { type OpenSqliteOptions, openSqlite } from './sqlite.ts';
export type {
  SqliteDatabase,
  SqliteDriver,
  SqliteDriverOptions,
  SqliteStatement,
} from './sqlite-database.ts';
export { asStorageError } from './translate.ts';
export { type AcquireWriterOptions, acquireWriter, type WriterLock } from './writer.ts';
