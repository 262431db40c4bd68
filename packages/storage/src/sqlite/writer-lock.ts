import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isBusy, throwTranslated } from '../driver-errors.ts';
import { StorageError } from '../errors.ts';
import { openWithDriver, type SqliteDatabase, type SqliteDriver } from './driver.ts';
import { isTemporary, prepareFile } from './file.ts';
import { nodeSqlite } from './node-sqlite.ts';
import { execute } from './pragma.ts';

/** Options of {@link acquireWriter}. */
export interface AcquireWriterOptions {
  /** Path of the database. The lock is the file `<path>-lock` beside it, which remains after the release. */
  readonly path: string;
  /**
   * Driver, as for openSqlite.
   * @default node:sqlite
   */
  readonly driver?: SqliteDriver;
}

/** Exclusive right of this process to run an agent on a database file. */
export interface WriterLock {
  /** Releases the lock. A second call has no effect. */
  release(): void;
  [Symbol.dispose](): void;
}

// SQLite's locks belong to a process, so a second lock in the same process has to be refused here. Shared by all copies
// of this package in the process.
const registry = Symbol.for('bonafide.storage.writers');
const shared = globalThis as { [registry]?: Set<string> };
shared[registry] ??= new Set();
const held = shared[registry];

/** Returns one name per file, resolving links. */
function canonical(path: string): string {
  const folder = realpathSync(dirname(path));
  try {
    return realpathSync(path);
  } catch {
    return join(folder, basename(path));
  }
}

/** Rolls back before closing: libsql keeps the file, and so the lock, until its statements are collected. */
function closeLockFile(database: SqliteDatabase): void {
  try {
    execute(database, 'rollback');
  } catch {
    // No transaction was open.
  }
  database.close();
}

function beginImmediate(database: SqliteDatabase, path: string): void {
  execute(database, 'pragma busy_timeout = 0');
  try {
    execute(database, 'begin immediate');
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new StorageError('WRITER_ACTIVE', writerActiveMessage(path, holder(database)), { cause: error });
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

function writerActiveMessage(path: string, who: string): string {
  return `An agent is already running on ${path} (${who}). Stop it, or give this one another database.`;
}

/**
 * Acquires the writer lock of a database file for this process, until it is released or the process ends: the
 * kernel frees the lock of a dead process. The lock is advisory: other programs may do short writes beside a
 * running agent without it.
 *
 * @throws {StorageError} `WRITER_ACTIVE` when another process, or this one, holds it, naming the process; and
 *   the errors of openSqlite
 */
export function acquireWriter(options: AcquireWriterOptions): WriterLock {
  const { path, driver = nodeSqlite } = options;
  if (isTemporary(path)) return { release() {}, [Symbol.dispose]() {} };
  const lockPath = `${path}-lock`;
  prepareFile(lockPath);
  const name = canonical(lockPath);
  if (held.has(name)) throw new StorageError('WRITER_ACTIVE', writerActiveMessage(path, 'this process'));
  let database: SqliteDatabase | undefined;
  try {
    database = openWithDriver(driver, name, { readonly: false, fileMustExist: true });
    // An open write transaction is the lock; others can still read the holder's name. Writing the name needs a commit
    // first, so another process may get the lock before the second begin.
    beginImmediate(database, path);
    execute(
      database,
      'create table if not exists holder (one integer primary key check (one = 1), pid integer, since integer)',
    );
    database.prepare('insert or replace into holder values (1, ?, ?)').run([process.pid, Date.now()]);
    execute(database, 'pragma busy_timeout = 2000');
    execute(database, 'commit');
    beginImmediate(database, path);
  } catch (error) {
    if (database !== undefined) closeLockFile(database);
    throwTranslated(error, lockPath);
  }
  held.add(name);
  const open = database;
  const release = () => {
    if (!held.delete(name)) return;
    closeLockFile(open);
  };
  return { release, [Symbol.dispose]: release };
}
