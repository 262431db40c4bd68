import { type Logger, silentLogger } from '@bonafide/internal';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { Pool } from 'pg';
import { classifyDriverError, throwTranslated } from './driver-errors.ts';
import { StorageError } from './errors.ts';
import { setRepeatSettings } from './queries/transaction.ts';

/** Options of {@link openPostgres}. */
export interface OpenPostgresOptions {
  /**
   * `postgres://user:password@host:port/database`, with libpq's parameters after `?`. Never logged, never
   * part of an error.
   */
  readonly url: string;
  /**
   * Maximum number of connections. They open on demand and close after 30 s without use.
   * @default 10
   */
  readonly maxConnections?: number;
  /**
   * Time after which the server ends a transaction in which nothing happens, ms; 0: never. A process that is stopped or cut off in a
   * transaction holds its locks until then, and all others wait for them.
   * @default 10000
   */
  readonly idleInTransactionMs?: number;
  /**
   * Receives a warning when the server drops an idle connection, and when a transaction is repeated. Silent by default.
   */
  readonly logger?: Logger;
  /** Returns a number in [0, 1), for the pauses before a transaction is repeated. @default Math.random */
  readonly random?: () => number;
}

const int8 = 20;

function parseInt8(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new StorageError(
    'VALUE_OUT_OF_RANGE',
    `${text} exceeds what a JavaScript number holds exactly. Select it cast to text.`,
  );
}

async function createPool(options: OpenPostgresOptions): Promise<Pool> {
  let pg: typeof import('pg');
  try {
    pg = await import('pg');
  } catch (error) {
    throw new StorageError('DRIVER_MISSING', "Postgres needs the package 'pg'. Install it: npm install pg", {
      cause: error,
    });
  }
  const { Pool, types } = pg.default ?? pg;
  const pool = new Pool({
    connectionString: options.url,
    application_name: 'bonafide',
    max: options.maxConnections ?? 10,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    idle_in_transaction_session_timeout: options.idleInTransactionMs ?? 10_000,
    // A process that did not close its database still exits.
    allowExitOnIdle: true,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8 && format !== 'binary' ? parseInt8 : types.getTypeParser(oid, format as 'text'),
    },
  });
  const logger = options.logger ?? silentLogger;
  const lost = (error: Error) => logger.warn({ err: error }, 'Postgres dropped a connection');
  // An 'error' event without a listener ends the process. The pool listens only while a connection is idle.
  pool.on('error', lost);
  pool.on('connect', (client) => void client.on('error', lost));
  return pool;
}

/**
 * Adapts the pool for Kysely's driver: errors are typed, and a connection that the server closed is not
 * reused.
 */
function typedPool(pool: Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch((error: unknown) => throwTranslated(error));
      let broken = false;
      const query = async (text: string, parameters: readonly unknown[]) => {
        try {
          return await client.query(text, [...parameters]);
        } catch (error) {
          // The error arrives before the socket closes, so pg would reuse the connection.
          broken ||= classifyDriverError(error) === 'STORAGE_UNAVAILABLE';
          throwTranslated(error);
        }
      };
      return {
        query: query as unknown as PostgresPoolClient['query'],
        release: (destroy) => client.release(destroy === true || broken),
      };
    },
  };
}

/**
 * Opens a Postgres database over a pool of `pg` (an optional peer), which is loaded and connected by the
 * first query. Returns `bigint` as a number; a value that a number cannot hold exactly is an error instead of
 * a rounded value. `db.destroy()` ends the pool.
 *
 * Queries throw {@link StorageError}: `DRIVER_MISSING`, `STORAGE_UNAVAILABLE`, `STORAGE_PERMISSION`,
 * `STORAGE_CANNOT_OPEN` …
 */
export function openPostgres<DB>(options: OpenPostgresOptions): Kysely<DB> {
  const { logger = silentLogger, random = Math.random } = options;
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: async () => typedPool(await createPool(options)) }),
  });
  setRepeatSettings(db, { logger, random });
  return db;
}
