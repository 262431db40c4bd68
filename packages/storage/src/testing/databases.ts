import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as kysely from 'kysely';
import { Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { openPostgres } from '../postgres.ts';
import type { SqliteDriver } from '../sqlite/driver.ts';
import { openSqlite } from '../sqlite/open.ts';
import { startPglite } from './pglite.ts';
import { hasPostgres, startPostgres } from './postgres-server.ts';

// biome-ignore lint/suspicious/noExplicitAny: a store of any schema is tested on it.
type AnyKysely = Kysely<any>;

/** A new, empty database for one test. */
export interface OpenTestDatabase {
  readonly db: AnyKysely;
  /** Path or `postgres://` URL, for a second process; null when the database exists only in this process. */
  readonly url: string | null;
  /** Opens another connection, as another process would; null where only one is possible. */
  readonly connect: (() => AnyKysely) | null;
  /** Closes every connection and removes the database. */
  close(): Promise<void>;
}

/** A kind of database to test stores on. */
export interface TestDatabase {
  readonly name: 'node:sqlite' | 'better-sqlite3' | 'libsql' | 'PGlite' | 'Postgres';
  readonly dialect: Dialect;
  open(): Promise<OpenTestDatabase>;
}

function sqliteFile(name: TestDatabase['name'], loadDriver?: () => Promise<SqliteDriver>): TestDatabase {
  return {
    name,
    dialect: 'sqlite',
    async open() {
      const directory = mkdtempSync(join(tmpdir(), 'bonafide-test-'));
      const path = join(directory, 'test.db');
      const driver = await loadDriver?.();
      const connections: AnyKysely[] = [];
      const connect = () => {
        const db: AnyKysely = openSqlite(driver === undefined ? { path } : { path, driver });
        connections.push(db);
        return db;
      };
      return {
        db: connect(),
        url: path,
        connect,
        async close() {
          for (const db of connections) await db.destroy();
          rmSync(directory, { recursive: true, force: true });
        },
      };
    },
  };
}

type PGlite = import('@electric-sql/pglite').PGlite;

// Starting one takes seconds, so they are reused: open() takes an idle one, close() empties it.
const idlePglites: PGlite[] = [];

const pglite: TestDatabase = {
  name: 'PGlite',
  dialect: 'postgres',
  async open() {
    const instance = idlePglites.pop() ?? (await startPglite());
    const db: AnyKysely = new Kysely({
      dialect: new kysely.PGliteDialect({
        pglite: {
          ready: true,
          closed: false,
          waitReady: instance.waitReady,
          query: instance.query.bind(instance),
          transaction: instance.transaction.bind(instance),
          close: async () => {},
        },
      }),
    });
    return {
      db,
      url: null,
      connect: null,
      async close() {
        await db.destroy();
        await instance.exec('drop schema public cascade; create schema public');
        await instance.exec('discard all');
        idlePglites.push(instance);
      },
    };
  },
};

function inSchema(url: string, schema: string): string {
  const parsed = new URL(url);
  parsed.searchParams.set('options', `-c search_path=${schema}`);
  return parsed.href;
}

// Creating a schema takes 1 ms, a database 50 ms.
const postgres: TestDatabase = {
  name: 'Postgres',
  dialect: 'postgres',
  async open() {
    const { url } = await startPostgres();
    const schema = `test_${randomUUID().replaceAll('-', '')}`;
    const admin: AnyKysely = openPostgres({ url, maxConnections: 1 });
    await sql`create schema ${sql.id(schema)}`.execute(admin);
    const schemaUrl = inSchema(url, schema);
    const connections: AnyKysely[] = [];
    const connect = () => {
      const db: AnyKysely = openPostgres({ url: schemaUrl, maxConnections: 5 });
      connections.push(db);
      return db;
    };
    return {
      db: connect(),
      url: schemaUrl,
      connect,
      async close() {
        for (const db of connections) await db.destroy();
        await sql`drop schema ${sql.id(schema)} cascade`.execute(admin);
        await admin.destroy();
      },
    };
  },
};

function isInstalled(specifier: string): boolean {
  try {
    import.meta.resolve(specifier);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the databases that a store has to support, as far as they are installed: node:sqlite always,
 * better-sqlite3, libsql and PGlite when their packages are installed, Postgres when {@link startPostgres}
 * finds a server. Each `open()` creates a new database.
 */
export function testDatabases(): readonly TestDatabase[] {
  const databases: TestDatabase[] = [sqliteFile('node:sqlite')];
  if (isInstalled('better-sqlite3')) {
    databases.push(sqliteFile('better-sqlite3', async () => (await import('better-sqlite3')).default));
  }
  if (isInstalled('libsql'))
    databases.push(sqliteFile('libsql', async () => (await import('libsql')).default));
  // Kysely has the dialect since 0.29.
  if ('PGliteDialect' in kysely && isInstalled('@electric-sql/pglite')) databases.push(pglite);
  if (hasPostgres()) databases.push(postgres);
  return databases;
}
