import { setTimeout as sleep } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely';
import { isBusy, throwTranslated } from '../driver-errors.ts';
import { StorageError } from '../errors.ts';
import type { SqliteDatabase, SqliteStatement } from './driver.ts';
import { createStatementCache, type StatementCache } from './statement-cache.ts';

/** Options of {@link createSqliteDialect}. */
export interface SqliteDialectOptions {
  readonly database: SqliteDatabase;
  /** Path for error messages. */
  readonly path: string;
  readonly busyTimeoutMs: number;
}

// Drivers treat other types differently, up to aborting the process (libsql and booleans), so they are refused here.
function checkParameters(parameters: readonly unknown[]): void {
  for (let index = 0; index < parameters.length; index += 1) {
    const value = parameters[index];
    if (typeof value === 'string' || value === null || Number.isFinite(value)) continue;
    if (typeof value === 'bigint' || value instanceof Uint8Array) continue;
    const kind = typeof value === 'object' ? (value?.constructor?.name ?? 'object') : String(value);
    throw new StorageError(
      'INVALID_INPUT',
      `Parameter ${index + 1} is ${kind}. SQLite holds strings, finite numbers, bigints, bytes and null: write a boolean as 0 or 1, a date in ms, an object as JSON, an absent value as null.`,
    );
  }
}

/** Returns true for libsql, which returns bytes as an ArrayBuffer; the others return a Uint8Array. */
function returnsArrayBuffers(database: SqliteDatabase): boolean {
  const [row] = database.prepare("select x'00' as bytes").all([]) as { readonly bytes: unknown }[];
  return row?.bytes instanceof ArrayBuffer;
}

function withBytes(row: unknown): unknown {
  return Object.fromEntries(
    Object.entries(row as object).map(([key, value]) => [
      key,
      value instanceof ArrayBuffer ? new Uint8Array(value) : value,
    ]),
  );
}

class SqliteConnection implements DatabaseConnection {
  readonly #options: SqliteDialectOptions;
  readonly #statements: StatementCache;
  readonly #adapt: (row: unknown) => unknown;
  readonly #adapts: boolean;

  constructor(options: SqliteDialectOptions) {
    this.#options = options;
    this.#statements = createStatementCache(options.database);
    this.#adapts = returnsArrayBuffers(options.database);
    this.#adapt = this.#adapts ? withBytes : (row) => row;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    checkParameters(parameters);
    let waitedUntil = 0;
    let pause = 1;
    for (;;) {
      try {
        return this.#run<R>(this.#statements.get(sql), parameters);
      } catch (error) {
        // SQLite's own busy handler would block the event loop.
        const now = performance.now();
        waitedUntil ||= now + this.#options.busyTimeoutMs;
        if (!isBusy(error) || now >= waitedUntil) throwTranslated(error, this.#options.path);
        await sleep(pause);
        pause = Math.min(pause * 2, 25);
      }
    }
  }

  #run<R>(statement: SqliteStatement, parameters: readonly unknown[]): QueryResult<R> {
    if (statement.reader) {
      const rows = statement.all(parameters);
      return { rows: (this.#adapts ? rows.map(this.#adapt) : rows) as R[] };
    }
    const { changes, lastInsertRowid } = statement.run(parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    checkParameters(parameters);
    try {
      const statement = this.#statements.fresh(sql);
      const rows = statement.iterate(parameters);
      // A cursor that cannot be closed would pin its snapshot until it is collected (libsql).
      const cursor = typeof rows.return === 'function' ? rows : statement.all(parameters);
      for (const row of cursor) yield { rows: [this.#adapt(row) as R] };
    } catch (error) {
      throwTranslated(error, this.#options.path);
    }
  }
}

class CachingSqliteDriver extends SqliteDriver {
  readonly #connection: SqliteConnection;
  readonly #options: SqliteDialectOptions;

  constructor(options: SqliteDialectOptions) {
    super({ database: options.database });
    this.#options = options;
    this.#connection = new SqliteConnection(options);
  }

  override async init(): Promise<void> {}

  // Kysely 0.28 waits here until the connection is free; 0.29 has waited before.
  override async acquireConnection(): Promise<DatabaseConnection> {
    await super.acquireConnection();
    return this.#connection;
  }

  // A deferred transaction that reads and then writes fails at once when another process wrote in between;
  // an immediate one waits for the lock at the start.
  override async beginTransaction(
    connection: DatabaseConnection,
    settings?: TransactionSettings,
  ): Promise<void> {
    const begin = settings?.accessMode === 'read only' ? 'begin deferred' : 'begin immediate';
    await connection.executeQuery(CompiledQuery.raw(begin));
  }

  // SQLite rolls back automatically on a full disk. Kysely rolls back again, and its error would replace the cause.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error;
    }
  }

  override async destroy(): Promise<void> {
    this.#options.database.close();
  }
}

/** Kysely's SQLite dialect with cached statements, immediate transactions and typed errors. */
export function createSqliteDialect(options: SqliteDialectOptions): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new CachingSqliteDriver(options),
    // biome-ignore lint/suspicious/noExplicitAny: Kysely's own signature.
    createIntrospector: (db: Kysely<any>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
