import { type Kysely, sql } from 'kysely';
import { StorageError } from './errors.ts';

/** The two families of databases that Bonafide's stores are written for and proved on. */
export type Dialect = 'sqlite' | 'postgres';

/**
 * Returns the dialect of `db`, detected from the SQL that it compiles. Works for Kysely instances created
 * elsewhere, with another copy of Kysely or a third-party dialect.
 *
 * @throws {StorageError} `DIALECT_UNSUPPORTED`
 */
// biome-ignore lint/suspicious/noExplicitAny: any schema will do; Kysely<unknown> would refuse all others.
export function dialectOf(db: Kysely<any>): Dialect {
  const compiled = sql`${sql.id('x')} = ${1}`.compile(db).sql;
  if (compiled === '"x" = ?') return 'sqlite';
  if (compiled === '"x" = $1') return 'postgres';
  throw new StorageError(
    'DIALECT_UNSUPPORTED',
    'This Kysely instance speaks neither SQLite nor Postgres. Open the database with openSqlite or openPostgres.',
  );
}

/**
 * Returns the type of a text column that sorts by bytes, as in SQLite. Without it the order of pages depends on the locale of a
 * Postgres server.
 */
export function byteOrderedText(dialect: Dialect): string {
  return dialect === 'postgres' ? 'TEXT COLLATE "C"' : 'TEXT';
}
