import { sql } from 'kysely';
import { StorageError } from '../errors.ts';
import { type MigrateOptions, migrationStatus } from '../migrations/migrate.ts';
import type { SqliteDriver } from '../sqlite/driver.ts';
import { openSqlite } from '../sqlite/open.ts';

/**
 * Verifies a whole Bonafide database: every page, index and foreign key, and the migration history of each
 * schema, which must exist and be known to this version.
 *
 * @throws {StorageError} `STORAGE_CORRUPT`, `STORAGE_FOREIGN`, `STORAGE_NOT_A_DATABASE`, `BACKUP_INVALID`,
 *   `SCHEMA_NEWER`, `MIGRATION_CHANGED`
 */
export async function verifyDatabase(
  path: string,
  driver: SqliteDriver,
  schemas: readonly MigrateOptions[] = [],
): Promise<void> {
  const db = openSqlite<unknown>({ path, driver, readonly: true });
  try {
    const { rows } = await sql<{ readonly integrity_check: string }>`pragma integrity_check(3)`.execute(db);
    const damages = rows.map((row) => row.integrity_check).filter((line) => line !== 'ok');
    if (damages.length > 0) throw damaged(path, damages.join('; '));
    const orphans = await sql<{ readonly table: string }>`pragma foreign_key_check`.execute(db);
    if (orphans.rows.length > 0)
      throw damaged(path, `${orphans.rows.length} rows refer to what is not there`);
    for (const schema of schemas) {
      const { applied, problem } = await migrationStatus(db, schema);
      if (problem !== null) throw problem;
      if (applied.length > 0) continue;
      throw new StorageError('BACKUP_INVALID', `${path} has no tables of '${schema.name}'.`);
    }
  } finally {
    await db.destroy();
  }
}

function damaged(path: string, why: string): StorageError {
  return new StorageError('STORAGE_CORRUPT', `${path} is damaged (${why}). Use another backup.`);
}
