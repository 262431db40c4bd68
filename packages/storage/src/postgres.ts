import { type Logger, silentLogger } from '@bonafide/internal';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { Pool } from 'pg';
import { StorageError } from './errors.ts';
import { classifyDriverError, throwTranslated } from './translate.ts';

/** Options of {@link openPostgres}. */
export interface OpenPostgresOptions {
  /** `postgres://user:password@host:port/database`; libpq's parameters after `?`. Never logged, never part of an error. */
  readonly url: string;
  /**
   * Connections at most. They are opened when needed and closed after half a minute of rest.
   * @default 10
   */
  readonly maxConnections?: number;
  /** Told when the server drops an idle connection. Silent by default. */
  readonly logger?: Logger;
}

const int8 = 20;

function parseInt8(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new StorageError(
    'STORAGE_BAD_VALUE',
    `${text} is beyond what a number holds exactly. Select it cast to text.`,
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
    // An agent that forgot to close its database still ends.
    allowExitOnIdle: true,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8 && format !== 'binary' ? parseInt8 : types.getTypeParser(oid, format as 'text'),
    },
  });
  const logger = options.logger ?? silentLogger;
  const lost = (error: Error) => logger.warn({ err: error }, 'Postgres dropped a connection');
  // A connection that breaks would end the process where nobody listens: the pool does while one is idle, nobody while
  // one is in use.
  pool.on('error', lost);
  pool.on('connect', (client) => void client.on('error', lost));
  return pool;
}

/** What Kysely's driver sees of the pool: errors are typed, and a connection that the server gave up isn't used again. */
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
          // The server says so before its end of the socket closes, so pg still believes in the connection.
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
 * Opens a Postgres database over a pool of `pg` (an optional peer), loaded and connected when the first query runs.
 * `bigint` comes back as a number; one that a number can't hold exactly is an error, not a rounded value.
 * Errors are typed. `db.destroy()` ends the pool.
 *
 * Queries throw {@link StorageError}: `DRIVER_MISSING`, `STORAGE_UNAVAILABLE`, `STORAGE_PERMISSION`, `STORAGE_CANNOT_OPEN` …
 */
export function openPostgres<DB>(options: OpenPostgresOptions): Kysely<DB> {
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool: async () => typedPool(await createPool(options)) }),
  });
}
