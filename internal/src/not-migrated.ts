import { isBonafideError } from './errors.ts';

/** SQLSTATEs of a missing table, column and schema, https://www.postgresql.org/docs/current/errcodes-appendix.html */
const sqlStates: ReadonlySet<unknown> = new Set(['42P01', '42703', '3F000']);

/** SQLite has one code for all errors in SQL: only the message tells them apart. */
const sqliteMessages = /^(?:no such (?:table|column): |table \S+ has no column named )/u;

/**
 * Returns true for the error of a query whose table or column is missing: the database is new, or was migrated by an
 * older version. Recognizes `NOT_MIGRATED`, and the errors of node:sqlite, better-sqlite3, libsql, pg and PGlite.
 */
export function isNotMigrated(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isBonafideError(error)) return error.code === 'NOT_MIGRATED';
  return sqlStates.has((error as { readonly code?: unknown }).code) || sqliteMessages.test(error.message);
}
