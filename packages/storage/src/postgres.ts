import { type Logger, silentLogger } from '@bonafide/internal';
import {
  type DatabaseConnection,
  type Dialect,
  Kysely,
  PostgresAdapter,
  type PostgresDialectConfig,
  PostgresDriver,
  PostgresIntrospector,
  type PostgresPool,
  PostgresQueryCompiler,
} from 'kysely';
import { StorageError } from './errors.ts';
import { throwTranslated } from './translate.ts';

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

async function createPool(options: OpenPostgresOptions): Promise<PostgresPool> {
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
  // Without a listener an idle connection that breaks would end the process; the pool has already replaced it.
  pool.on('error', (error) => logger.warn({ err: error }, 'Postgres dropped an idle connection'));
  return pool as unknown as PostgresPool;
}

/** Kysely's driver with typed errors. */
class TranslatingPostgresDriver extends PostgresDriver {
  readonly #decorated = new WeakSet<DatabaseConnection>();

  constructor(config: PostgresDialectConfig) {
    super(config);
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    try {
      const connection = await super.acquireConnection();
      if (!this.#decorated.has(connection)) {
        this.#decorated.add(connection);
        const execute = connection.executeQuery.bind(connection);
        connection.executeQuery = async (query, options) => {
          try {
            return await execute(query, options);
          } catch (error) {
            throwTranslated(error);
          }
        };
      }
      return connection;
    } catch (error) {
      throwTranslated(error);
    }
  }
}

/**
 * Opens a Postgres database over a pool of `pg` (an optional peer), loaded and connected when the first query runs.
 * `bigint` comes back as a number; one that a number can't hold exactly is an error, not a rounded value.
 * Errors are typed. `db.destroy()` ends the pool.
 *
 * Queries throw {@link StorageError}: `DRIVER_MISSING`, `STORAGE_UNAVAILABLE`, `STORAGE_PERMISSION`, `STORAGE_CANNOT_OPEN` …
 */
export function openPostgres<DB>(options: OpenPostgresOptions): Kysely<DB> {
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new TranslatingPostgresDriver({ pool: () => createPool(options) }),
    // biome-ignore lint/suspicious/noExplicitAny: Kysely's own signature.
    createIntrospector: (db: Kysely<any>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
  return new Kysely<DB>({ dialect });
}
