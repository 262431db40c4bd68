import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { isBonafideError, type Logger } from '@bonafide/internal';
import { acquireWriter, migrationStatus, openPostgres, openSqlite } from '@bonafide/storage';
import { type Kysely, sql } from 'kysely';
import { commandLog } from './command-log.ts';
import { CliError } from './errors.ts';
import { createWorkspace, isPostgres } from './workspace.ts';

/**
 * Opens a file, or a Postgres database, without a look at its tables.
 *
 * @param options.logger - Receives a warning for each transaction that Postgres has repeated. @default that of the command
 */
export const openAny = (
  path: string,
  { readonly = false, logger = commandLog() }: { readonly readonly?: boolean; readonly logger?: Logger } = {},
): Kysely<unknown> =>
  isPostgres(path) ? openPostgres<unknown>({ url: path, logger }) : openSqlite<unknown>({ path, readonly });

/** Tables of a package in an agent's database. */
export interface AgentSchema {
  readonly name: string;
  readonly migrations: Parameters<typeof migrationStatus>[1]['migrations'];
  /** Begin of the message when they are missing, for example `There are no orders`. */
  readonly missing: string;
}

/** @throws `DATABASE_NOT_FOUND` when there is no file at the path */
export function requireFile(path: string, { missing }: Pick<AgentSchema, 'missing'>): void {
  if (isPostgres(path) || existsSync(path)) return;
  throw new CliError(
    'DATABASE_NOT_FOUND',
    `${missing} at ${path}. Name the agent's folder with --workspace <dir>, or the database with --db <file or url>.`,
  );
}

/**
 * Opens a database of an agent, also while the agent uses it: for reading, which creates and changes nothing, or for short writes, each
 * in a transaction that waits for the lock.
 *
 * @throws `DATABASE_NOT_FOUND`, `NOT_MIGRATED`, or a `StorageError`
 */
export async function openDatabase(
  path: string,
  schema: AgentSchema,
  mode: 'read' | 'write' = 'read',
): Promise<Kysely<unknown>> {
  requireFile(path, schema);
  const db = openAny(path, { readonly: mode === 'read' });
  try {
    const { pending, problem } = await migrationStatus(db, schema);
    if (problem !== null) throw problem;
    if (pending.length === 0) return db;
    throw new CliError(
      'NOT_MIGRATED',
      `${schema.missing} in ${isPostgres(path) ? 'the database' : path}, or only of an older version. Start the agent once, which migrates it.`,
    );
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Creates the tables of a package in a database, and the folder of its file. */
export async function createTables(
  path: string,
  migrate: (db: Kysely<unknown>) => Promise<unknown>,
): Promise<void> {
  if (!isPostgres(path)) createWorkspace(dirname(path));
  const db = openAny(path);
  try {
    await migrate(db);
  } finally {
    await db.destroy();
  }
}

/**
 * Empties the write-ahead log of a file, which contains erased text until then. Returns true when another process that reads keeps it.
 * Postgres has no such file: its vacuum removes old rows.
 */
export async function emptyLog(db: Kysely<unknown>, path: string): Promise<boolean> {
  if (isPostgres(path)) return false;
  const { rows } = await sql<{ readonly busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
  return rows[0]?.busy === 1;
}

/**
 * Rewrites a file: SQLite overwrites deleted rows, but not the copies of rows in unused parts of pages from which it has moved them.
 * Takes as much space again, and blocks writers meanwhile.
 *
 * @throws StorageError `STORAGE_FULL`, `STORAGE_LOCKED` …
 */
export async function rewriteFile(path: string): Promise<void> {
  await using db = openAny(path);
  await sql`vacuum`.execute(db);
  await emptyLog(db, path);
}

/**
 * Rewrites files after an erasure, unless an agent runs on the ledger. Returns false when that is so, or when a file cannot be
 * rewritten: copies of erased rows may stay.
 */
export async function rewriteFiles(ledgerPath: string, files: readonly string[]): Promise<boolean> {
  if (isPostgres(ledgerPath)) return true;
  try {
    using _lock = acquireWriter({ path: ledgerPath });
    for (const file of files) await rewriteFile(file);
    return true;
  } catch (error) {
    if (!isBonafideError(error)) throw error;
    return false;
  }
}

/** @throws `USAGE` for a Postgres database, with its own tool */
export function requireSqlite(path: string, tool: string): void {
  if (!isPostgres(path)) return;
  throw new CliError('USAGE', `This command is for a ledger that is a file. For Postgres, use ${tool}.`);
}
