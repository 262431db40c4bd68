import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StorageError } from '../errors.ts';
import { isBusy, throwTranslated } from '../translate.ts';
import { openWithDriver, type SqliteDatabase, type SqliteDriver } from './database.ts';
import { isTemporary, prepareFile } from './file.ts';
import { nodeSqlite } from './node-sqlite.ts';
import { execute } from './pragma.ts';

/** Options of {@link acquireWriter}. */
export interface AcquireWriterOptions {
  /** The database's path; the lock is the file `<path>-lock` beside it, which stays when the lock is released. */
  readonly path: string;
  /**
   * As for openSqlite.
   * @default node:sqlite
   */
  readonly driver?: SqliteDriver;
}

/** Proof that this process is the one agent of a database file. */
export interface WriterLock {
  /** Lets the next one in. Calling it twice does nothing. */
  release(): void;
  [Symbol.dispose](): void;
}

// SQLite's locks belong to a process; that one process doesn't take a file twice is for us to see. Shared by all
// copies of this package in the process.
const registry = Symbol.for('bonafide.storage.writers');
const shared = globalThis as { [registry]?: Set<string> };
shared[registry] ??= new Set();
const held = shared[registry];

/** One file by one name, however it was reached. */
function canonical(path: string): string {
  const folder = realpathSync(dirname(path));
  try {
    return realpathSync(path);
  } catch {
    return join(folder, basename(path));
  }
}

/** Not only close(): libsql keeps the file, and so the lock, until its statements are collected. */
function letGo(database: SqliteDatabase): void {
  try {
    execute(database, 'rollback');
  } catch {
    // No transaction was open.
  }
  database.close();
}

function beginOrRefuse(database: SqliteDatabase, path: string): void {
  execute(database, 'pragma busy_timeout = 0');
  try {
    execute(database, 'begin immediate');
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new StorageError('WRITER_ACTIVE', refusal(path, holder(database)), { cause: error });
  }
}

function holder(database: SqliteDatabase): string {
  try {
    const [row] = database.prepare('select pid, since from holder').all([]) as {
      readonly pid: number;
      readonly since: number;
    }[];
    return row === undefined
      ? 'another process'
      : `process ${row.pid} since ${new Date(Number(row.since)).toISOString()}`;
  } catch {
    return 'another process';
  }
}

function refusal(path: string, who: string): string {
  return `An agent is already running on ${path} (${who}). Stop it, or give this one a database of its own.`;
}

/**
 * Makes this process the one agent of a database file (LED-22) until it releases the lock or ends, however it ends: the
 * lock is one that the kernel takes back from a dead process. It binds only those who ask for it: a short write of
 * another program beside a running agent needs no lock.
 *
 * @throws {StorageError} `WRITER_ACTIVE` when another process, or this one, holds it, naming the process; and what
 * openSqlite throws
 */
export function acquireWriter(options: AcquireWriterOptions): WriterLock {
  const { path, driver = nodeSqlite } = options;
  if (isTemporary(path)) return { release() {}, [Symbol.dispose]() {} };
  const lockPath = `${path}-lock`;
  prepareFile(lockPath);
  const name = canonical(lockPath);
  if (held.has(name)) throw new StorageError('WRITER_ACTIVE', refusal(path, 'this process'));
  let database: SqliteDatabase | undefined;
  try {
    database = openWithDriver(driver, name, { readonly: false, fileMustExist: true });
    // A write lock without a write: it keeps out whoever else asks for one, and lets them read who has it. Saying
    // who is a commit of its own, so somebody can slip in before the second begin; then that one has won.
    beginOrRefuse(database, path);
    execute(
      database,
      'create table if not exists holder (one integer primary key check (one = 1), pid integer, since integer)',
    );
    database.prepare('insert or replace into holder values (1, ?, ?)').run([process.pid, Date.now()]);
    execute(database, 'pragma busy_timeout = 2000');
    execute(database, 'commit');
    beginOrRefuse(database, path);
  } catch (error) {
    if (database !== undefined) letGo(database);
    throwTranslated(error, lockPath);
  }
  held.add(name);
  const open = database;
  const release = () => {
    if (!held.delete(name)) return;
    letGo(open);
  };
  return { release, [Symbol.dispose]: release };
}
