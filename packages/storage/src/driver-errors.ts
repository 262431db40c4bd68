import { isBonafideError, isNotMigrated } from '@bonafide/internal';
import { isStorageError, StorageError, type StorageErrorCode } from './errors.ts';

const advice: Partial<Record<StorageErrorCode, string>> = {
  STORAGE_CANNOT_OPEN:
    'The database cannot be opened. Check that the path is right and that its directory exists and may be written to',
  STORAGE_PERMISSION:
    'Access to the database is denied. Check its owner and mode, or the user and password of the URL',
  STORAGE_NOT_A_DATABASE:
    'The file is not a SQLite database (or it is encrypted). Nothing was changed: choose another path, or move the file away',
  STORAGE_CORRUPT:
    'The database is damaged. Stop writing to it, keep a copy of the file with its -wal and -shm, and restore a backup or salvage it with `sqlite3 FILE .recover`',
  STORAGE_FULL:
    'No space is left for the database. Free some space and try again; earlier writes are kept, the failed write changed nothing',
  STORAGE_READONLY:
    'The database can only be read: it was opened read-only, or the file, its directory or its file system is read-only. Make them writable by this user',
  STORAGE_LOCKED:
    'Another process or transaction holds the database. Nothing was changed: try again, and look for a long-running writer if this repeats',
  STORAGE_IO:
    'The disk or file system under the database failed. Check it (dmesg, quotas, mounts) before you continue',
  STORAGE_UNAVAILABLE:
    'The database server cannot be reached or closed the connection. Check that it runs and the URL',
  CLOSED: 'The database was used after it had been closed',
  INVALID_INPUT: 'The database cannot store a value of this type or size',
  NOT_MIGRATED:
    "The database lacks a table or column that this version needs. Call the package's migrate function first (migrateLedger, migrateJobs …)",
  VALUE_OUT_OF_RANGE:
    'A stored integer exceeds what a JavaScript number holds exactly. Select it cast to text',
  STORAGE_NOT_UNIQUE: 'A row with this key exists already',
  STORAGE_NO_PARENT: 'A row refers to a missing row, or a row that others refer to would be removed',
  STORAGE_CHECK_FAILED: 'A value violates a check of the schema',
  STORAGE_IS_NULL: 'A value that the schema requires is missing',
  STORAGE_CONSTRAINT: 'A constraint of the schema was violated',
};

// Primary result codes, https://www.sqlite.org/rescode.html
const sqlitePrimary: Readonly<Record<number, StorageErrorCode>> = {
  3: 'STORAGE_PERMISSION',
  5: 'STORAGE_LOCKED',
  6: 'STORAGE_LOCKED',
  8: 'STORAGE_READONLY',
  10: 'STORAGE_IO',
  11: 'STORAGE_CORRUPT',
  13: 'STORAGE_FULL',
  14: 'STORAGE_CANNOT_OPEN',
  18: 'INVALID_INPUT',
  19: 'STORAGE_CONSTRAINT',
  20: 'INVALID_INPUT',
  23: 'STORAGE_PERMISSION',
  26: 'STORAGE_NOT_A_DATABASE',
};

// Extended result codes that say more than their primary one.
const sqliteExtended: Readonly<Record<number, StorageErrorCode>> = {
  275: 'STORAGE_CHECK_FAILED',
  787: 'STORAGE_NO_PARENT',
  1299: 'STORAGE_IS_NULL',
  1555: 'STORAGE_NOT_UNIQUE',
  2067: 'STORAGE_NOT_UNIQUE',
  2579: 'STORAGE_NOT_UNIQUE',
  3091: 'STORAGE_CHECK_FAILED',
  // The -shm file could not grow: a full disk shows here first.
  4874: 'STORAGE_FULL',
};

// better-sqlite3 gives names; the longest that fits decides.
const sqliteNames: readonly (readonly [string, StorageErrorCode])[] = [
  ['SQLITE_CONSTRAINT_CHECK', 'STORAGE_CHECK_FAILED'],
  ['SQLITE_CONSTRAINT_DATATYPE', 'STORAGE_CHECK_FAILED'],
  ['SQLITE_CONSTRAINT_FOREIGNKEY', 'STORAGE_NO_PARENT'],
  ['SQLITE_CONSTRAINT_NOTNULL', 'STORAGE_IS_NULL'],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 'STORAGE_NOT_UNIQUE'],
  ['SQLITE_CONSTRAINT_ROWID', 'STORAGE_NOT_UNIQUE'],
  ['SQLITE_CONSTRAINT_UNIQUE', 'STORAGE_NOT_UNIQUE'],
  ['SQLITE_IOERR_SHMSIZE', 'STORAGE_FULL'],
  ['SQLITE_AUTH', 'STORAGE_PERMISSION'],
  ['SQLITE_BUSY', 'STORAGE_LOCKED'],
  ['SQLITE_CANTOPEN', 'STORAGE_CANNOT_OPEN'],
  ['SQLITE_CONSTRAINT', 'STORAGE_CONSTRAINT'],
  ['SQLITE_CORRUPT', 'STORAGE_CORRUPT'],
  ['SQLITE_FULL', 'STORAGE_FULL'],
  ['SQLITE_IOERR', 'STORAGE_IO'],
  ['SQLITE_LOCKED', 'STORAGE_LOCKED'],
  ['SQLITE_MISMATCH', 'INVALID_INPUT'],
  ['SQLITE_NOTADB', 'STORAGE_NOT_A_DATABASE'],
  ['SQLITE_PERM', 'STORAGE_PERMISSION'],
  ['SQLITE_READONLY', 'STORAGE_READONLY'],
  ['SQLITE_TOOBIG', 'INVALID_INPUT'],
];

// SQLSTATEs, https://www.postgresql.org/docs/current/errcodes-appendix.html
const sqlStates: Readonly<Record<string, StorageErrorCode>> = {
  '22003': 'INVALID_INPUT',
  '22021': 'INVALID_INPUT',
  '22P02': 'INVALID_INPUT',
  '22P05': 'INVALID_INPUT',
  '23502': 'STORAGE_IS_NULL',
  '23503': 'STORAGE_NO_PARENT',
  '23505': 'STORAGE_NOT_UNIQUE',
  '23514': 'STORAGE_CHECK_FAILED',
  '25006': 'STORAGE_READONLY',
  '3D000': 'STORAGE_CANNOT_OPEN',
  '40001': 'STORAGE_LOCKED',
  '40P01': 'STORAGE_LOCKED',
  '42501': 'STORAGE_PERMISSION',
  '53100': 'STORAGE_FULL',
  '25P03': 'STORAGE_UNAVAILABLE',
  '53300': 'STORAGE_UNAVAILABLE',
  '55P03': 'STORAGE_LOCKED',
  '57P01': 'STORAGE_UNAVAILABLE',
  '57P02': 'STORAGE_UNAVAILABLE',
  '57P03': 'STORAGE_UNAVAILABLE',
  '57P05': 'STORAGE_UNAVAILABLE',
  '58030': 'STORAGE_IO',
  XX001: 'STORAGE_CORRUPT',
  XX002: 'STORAGE_CORRUPT',
};
const sqlStateClasses: Readonly<Record<string, StorageErrorCode>> = {
  '08': 'STORAGE_UNAVAILABLE',
  '23': 'STORAGE_CONSTRAINT',
  '28': 'STORAGE_PERMISSION',
};

const systemCodes: Readonly<Record<string, StorageErrorCode>> = {
  EACCES: 'STORAGE_PERMISSION',
  EPERM: 'STORAGE_PERMISSION',
  EROFS: 'STORAGE_READONLY',
  ENOSPC: 'STORAGE_FULL',
  EDQUOT: 'STORAGE_FULL',
  EEXIST: 'STORAGE_CANNOT_OPEN',
  ENOENT: 'STORAGE_CANNOT_OPEN',
  ELOOP: 'STORAGE_CANNOT_OPEN',
  ENAMETOOLONG: 'STORAGE_CANNOT_OPEN',
  ENOTDIR: 'STORAGE_CANNOT_OPEN',
  EISDIR: 'STORAGE_CANNOT_OPEN',
  EIO: 'STORAGE_IO',
  ECONNREFUSED: 'STORAGE_UNAVAILABLE',
  ECONNRESET: 'STORAGE_UNAVAILABLE',
  EPIPE: 'STORAGE_UNAVAILABLE',
  ENOTFOUND: 'STORAGE_UNAVAILABLE',
  EAI_AGAIN: 'STORAGE_UNAVAILABLE',
  ETIMEDOUT: 'STORAGE_UNAVAILABLE',
  EHOSTUNREACH: 'STORAGE_UNAVAILABLE',
  ENETUNREACH: 'STORAGE_UNAVAILABLE',
  // node:sqlite on reading an integer beyond Number.MAX_SAFE_INTEGER.
  ERR_OUT_OF_RANGE: 'VALUE_OUT_OF_RANGE',
};

interface DriverError extends Error {
  readonly code?: unknown;
  readonly errcode?: unknown;
  readonly rawCode?: unknown;
}

/**
 * Returns the code for a driver's error, or null when it is not a storage failure (an SQL mistake, for
 * example). Pure; reads only the codes that node:sqlite, better-sqlite3, libsql, pg, PGlite and Node set.
 */
export function classifyDriverError(error: unknown): StorageErrorCode | null {
  if (!(error instanceof Error)) return null;
  if (isNotMigrated(error)) return 'NOT_MIGRATED';
  const { code, errcode, rawCode, message } = error as DriverError;
  // node:sqlite has a number in `errcode`, libsql in `rawCode` (its name is often the primary code's only).
  const result = code === 'ERR_SQLITE_ERROR' ? errcode : rawCode;
  if (typeof result === 'number') return sqliteExtended[result] ?? sqlitePrimary[result & 0xff] ?? null;
  if (typeof code === 'string') {
    if (code.startsWith('SQLITE_')) return sqliteNames.find(([name]) => code.startsWith(name))?.[1] ?? null;
    const known = systemCodes[code] ?? sqlStates[code];
    if (known !== undefined) return known;
    if (/^[0-9A-Z]{5}$/.test(code)) return sqlStateClasses[code.slice(0, 2)] ?? null;
  }
  // pg has no codes for these.
  if (
    /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/.test(
      message,
    )
  ) {
    return 'STORAGE_UNAVAILABLE';
  }
  if (
    /^(database is not open|The database connection is not open|driver has already been destroyed)/i.test(
      message,
    )
  ) {
    return 'CLOSED';
  }
  return null;
}

/**
 * Converts a driver's error into a {@link StorageError} with advice in its message and the original as its
 * cause; null when it is not a storage failure. Returns a StorageError unchanged. Stores that accept any
 * Kysely instance are wrapped in {@link withTypedErrors}, because only instances from openSqlite and openPostgres
 * convert errors automatically.
 *
 * @param where - database for the message; never a URL with a password
 */
export function asStorageError(error: unknown, where?: string): StorageError | null {
  if (isStorageError(error)) return error;
  const code = classifyDriverError(error);
  if (code === null) return null;
  const original = (error as Error).message;
  return new StorageError(
    code,
    `${advice[code]}${where === undefined ? '' : ` (${where})`}. The driver said: ${original}`,
    {
      cause: error,
    },
  );
}

/** Throws the result of {@link asStorageError}, or `error` when that is null. */
export function throwTranslated(error: unknown, where?: string): never {
  throw asStorageError(error, where) ?? error;
}

/**
 * Wraps the methods of a store over any Kysely instance, such as one of PGlite: a driver's error becomes a
 * {@link StorageError}, and typed errors of packages pass unchanged. Members that are objects are not wrapped.
 */
export function withTypedErrors<Store extends object>(store: Store): Store {
  const rethrow = (error: unknown): never => {
    if (isBonafideError(error)) throw error;
    throwTranslated(error);
  };
  const wrapped = Object.entries(store).map(([name, member]: [string, unknown]) => {
    if (typeof member !== 'function') return [name, member];
    const method = (...given: readonly unknown[]) => {
      try {
        const result: unknown = member.apply(store, given);
        return result instanceof Promise ? result.catch(rethrow) : result;
      } catch (error) {
        return rethrow(error);
      }
    };
    return [name, method];
  });
  return Object.fromEntries(wrapped) as Store;
}

/**
 * Returns true for a SQLite error that a retry can resolve: another process holds the lock. False for an
 * overtaken snapshot (`SQLITE_BUSY_SNAPSHOT`), after which the transaction must start again.
 */
export function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as DriverError;
  if (code === 'ERR_SQLITE_ERROR') return errcode === 5 || errcode === 261;
  return code === 'SQLITE_BUSY' || code === 'SQLITE_BUSY_RECOVERY';
}

/** SQLSTATEs after which the same transaction can succeed: serialization failure and deadlock. */
const conflictStates: readonly unknown[] = ['40001', '40P01'];

/**
 * Returns the SQLSTATE of an error with which Postgres ended a transaction because of concurrent ones, or null. Looks into
 * the cause of a {@link StorageError}.
 */
export function conflictStateOf(error: unknown): string | null {
  const original = isStorageError(error) ? error.cause : error;
  if (!(original instanceof Error)) return null;
  const { code } = original as DriverError;
  return typeof code === 'string' && conflictStates.includes(code) ? code : null;
}
