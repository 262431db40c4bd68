import { createHash } from 'node:crypto';
import type { Dialect } from '../dialect.ts';
import { StorageError } from '../errors.ts';

/**
 * One step of a package's schema. Once released, neither its id nor its statements may change: later changes
 * are new migrations at the end of the list.
 */
export interface Migration {
  /** Unique in its list, for example `001-peers`. */
  readonly id: string;
  /** Plain DDL, one statement per string, run in order inside the migration's transaction. */
  statements(dialect: Dialect): readonly string[];
}

/** A row of the history table. */
export interface AppliedMigration {
  readonly id: string;
  readonly checksum: string;
}

/** Returns the checksum of a migration on one dialect: SHA-256 over its statements, in hex. */
export function migrationChecksum(migration: Migration, dialect: Dialect): string {
  return createHash('sha256')
    .update(JSON.stringify(migration.statements(dialect)))
    .digest('hex');
}

/**
 * Returns the migrations that still have to run, given the history `applied` in order. The history must be a
 * prefix of the list: otherwise two versions of the code that must not share a database have used it.
 *
 * @throws {StorageError} `SCHEMA_NEWER`, `MIGRATION_CHANGED`, `INVALID_INPUT`
 */
export function planMigrations(
  name: string,
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
  dialect: Dialect,
): readonly Migration[] {
  const ids = new Set(migrations.map((migration) => migration.id));
  if (ids.size !== migrations.length) {
    throw new StorageError(
      'INVALID_INPUT',
      `Two migrations of '${name}' have the same id. Give each its own.`,
    );
  }
  const unknown = applied.filter((row) => !ids.has(row.id));
  if (unknown.length > 0) {
    throw new StorageError(
      'SCHEMA_NEWER',
      `This database was migrated by a newer version of '${name}' (it has ${unknown.map((row) => `'${row.id}'`).join(', ')}). Nothing was changed: update the package, or restore a backup from before.`,
    );
  }
  for (const [index, row] of applied.entries()) {
    const migration = migrations[index];
    if (migration === undefined || migration.id !== row.id) {
      throw new StorageError(
        'MIGRATION_CHANGED',
        `The migrations of '${name}' were applied in another order: step ${index + 1} is '${row.id}' in the database and '${migration?.id}' in the code. Nothing was changed: put the list back in order and add new migrations at its end.`,
      );
    }
    if (migrationChecksum(migration, dialect) !== row.checksum) {
      throw new StorageError(
        'MIGRATION_CHANGED',
        `Migration '${row.id}' of '${name}' differs from the one that was applied. Nothing was changed: restore its statements and put the change into a new migration.`,
      );
    }
  }
  return migrations.slice(applied.length);
}
