/**
 * Opens SQLite and Postgres through Kysely, migrates them, and turns what goes wrong into typed errors.
 * @packageDocumentation
 */
export { type Dialect, dialectOf } from './dialect.ts';
export { isStorageError, StorageError, type StorageErrorCode } from './errors.ts';
export { type MigrateOptions, type MigrationStatus, migrate, migrationStatus } from './migrate.ts';
export {
  type AppliedMigration,
  type Migration,
  migrationChecksum,
  planMigrations,
} from './migration-plan.ts';
export { type OpenPostgresOptions, openPostgres } from './postgres.ts';
export { type OpenSqliteOptions, openSqlite } from './sqlite.ts';
export type {
  SqliteDatabase,
  SqliteDriver,
  SqliteDriverOptions,
  SqliteStatement,
} from './sqlite-database.ts';
export { asStorageError } from './translate.ts';
export { type AcquireWriterOptions, acquireWriter, type WriterLock } from './writer.ts';
