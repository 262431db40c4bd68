/**
 * Opens SQLite and Postgres through Kysely, migrates them, and turns what goes wrong into typed errors.
 * @packageDocumentation
 */
// Also for stores that need no database: cursors and pages are the same everywhere.
export {
  decodeCursor,
  encodeCursor,
  type PositionOf,
  type PositionPart,
  type PositionShape,
  pageOf,
} from '@bonafide/internal';
export { type Backup, type BackupOptions, backupSqlite } from './backup/backup.ts';
export { type Restored, type RestoreOptions, restoreSqlite } from './backup/restore.ts';
export { type Dialect, dialectOf } from './dialect.ts';
export { isStorageError, StorageError, type StorageErrorCode } from './errors.ts';
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
export type {
  SqliteDatabase,
  SqliteDriver,
  SqliteDriverOptions,
  SqliteStatement,
} from './sqlite/database.ts';
export { type OpenSqliteOptions, openSqlite } from './sqlite/open.ts';
export { type AcquireWriterOptions, acquireWriter, type WriterLock } from './sqlite/writer.ts';
export { asStorageError } from './translate.ts';
