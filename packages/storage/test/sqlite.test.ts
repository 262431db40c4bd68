import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import BetterSqlite from 'better-sqlite3';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import Libsql from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { asStorageError, openSqlite, type SqliteDatabase, type SqliteDriver } from '../src/index.ts';
import { createSqliteDialect } from '../src/sqlite/dialect.ts';
import { nodeSqlite } from '../src/sqlite/node-sqlite.ts';
import { runChild } from './support/child.ts';
import { failureOf } from './support/failure.ts';
import { temporaryFile, temporaryFolder } from './support/temporary.ts';

interface Schema {
  readonly rows: { readonly id: number; readonly text: string };
}

function open(path: string, options: Partial<Parameters<typeof openSqlite>[0]> = {}): Kysely<Schema> {
  const db = openSqlite<Schema>({ path, ...options });
  onTestFinished(() => db.destroy());
  return db;
}

async function withTable(db: Kysely<Schema>): Promise<Kysely<Schema>> {
  await sql`create table rows (id integer primary key, text text not null)`.execute(db);
  return db;
}

const read = async (db: Kysely<Schema>, name: string) =>
  Object.values((await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(db)).rows[0] ?? {})[0];
const modes = (path: string) =>
  ['', '-wal', '-shm'].map((suffix) => `${suffix}${(statSync(path + suffix).mode & 0o777).toString(8)}`);

const drivers: readonly (readonly [string, SqliteDriver])[] = [
  ['node:sqlite', nodeSqlite],
  ['better-sqlite3', BetterSqlite],
  ['libsql', Libsql],
];

describe.each(drivers)('%s', (name, driver) => {
  it('LED-22 writes ahead, syncs every commit and enforces foreign keys', async () => {
    const db = open(temporaryFile(), { driver });
    expect(await read(db, 'journal_mode')).toBe('wal');
    expect(await read(db, 'synchronous')).toBe(2);
    expect(await read(db, 'foreign_keys')).toBe(1);
    expect(await read(db, 'trusted_schema')).toBe(0);
    expect(await read(db, 'secure_delete')).toBe(1);
  });

  it('LED-22 keeps the file, its companions and the folders it makes to this user, whatever the umask', async () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const folder = temporaryFolder();
    const path = join(folder, 'made', 'here', 'test.db');
    const atFirst: string[] = [];
    const db = open(path, {
      driver: (file, options) => {
        atFirst.push((statSync(file).mode & 0o777).toString(8));
        return makeWith(driver, file, options);
      },
    });
    await withTable(db);
    expect(atFirst).toEqual(['600']);
    expect(modes(path)).toEqual(['600', '-wal600', '-shm600']);
    expect(statSync(join(folder, 'made')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'made', 'here')).mode & 0o777).toBe(0o700);
  });

  it('LED-22 narrows the modes of a database of ours that others could read', async () => {
    const path = temporaryFile();
    const first = open(path, { driver });
    await withTable(first);
    for (const suffix of ['', '-wal', '-shm']) chmodSync(path + suffix, 0o664);
    await open(path, { driver }).insertInto('rows').values({ id: 1, text: 'x' }).execute();
    expect(modes(path)).toEqual(['600', '-wal600', '-shm600']);
  });

  it('STO-1 takes the class, a function, or an open database', async () => {
    const direct = open(temporaryFile(), { driver: (path, options) => makeWith(driver, path, options) });
    await withTable(direct);
    const path = temporaryFile();
    const opened = open(path, { driver: makeWith(driver, path, { readonly: false, fileMustExist: false }) });
    await withTable(opened);
    expect(await read(opened, 'journal_mode')).toBe('wal');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('closes a database that was never queried', async () => {
    let closed = 0;
    const db = openSqlite({
      path: temporaryFile(),
      driver: (path, options) => {
        const database = makeWith(driver, path, options);
        return { prepare: (text) => database.prepare(text), close: () => ++closed && database.close() };
      },
    });
    await db.destroy();
    await db.destroy();
    expect(closed).toBe(1);
    const late = await sql`select 1`.execute(db).catch((thrown: unknown) => thrown);
    expect(asStorageError(late)?.code).toBe('CLOSED');
  });

  it('STO-1 prepares a statement once, however often it runs', async () => {
    const prepared: string[] = [];
    const db = open(temporaryFile(), {
      driver: (path, options) => {
        const database = makeWith(driver, path, options);
        return {
          prepare: (text) => {
            prepared.push(text);
            return database.prepare(text);
          },
          close: () => database.close(),
        };
      },
    });
    await withTable(db);
    for (let id = 0; id < 10; id += 1) {
      await db
        .insertInto('rows')
        .values({ id, text: `${id}` })
        .execute();
      await db.selectFrom('rows').selectAll().where('id', '=', id).execute();
    }
    expect(prepared.filter((text) => text.startsWith('insert'))).toHaveLength(1);
    expect(prepared.filter((text) => text.startsWith('select *'))).toHaveLength(1);
    for (let column = 0; column < 600; column += 1) await sql`select ${sql.lit(column)} as n`.execute(db);
    const before = prepared.length;
    await sql`select ${sql.lit(599)} as n`.execute(db);
    expect(prepared).toHaveLength(before);
    await sql`select ${sql.lit(0)} as n`.execute(db);
    expect(prepared).toHaveLength(before + 1);
  });

  // Kysely itself gives a connection to one query at a time; the driver below must not rely on it.
  it('STO-1 never lends a statement whose rows are still being read', async () => {
    const database = makeWith(driver, ':memory:', { readonly: false, fileMustExist: false });
    const dialect = createSqliteDialect({ database, path: ':memory:', busyTimeoutMs: 0 }).createDriver();
    onTestFinished(() => dialect.destroy());
    await dialect.init();
    const connection = await dialect.acquireConnection();
    const all = CompiledQuery.raw('select column1 as value from (values (1), (2), (3)) order by 1');
    const seen: unknown[] = [];
    for await (const outer of connection.streamQuery(all, 1)) {
      for await (const inner of connection.streamQuery(all, 1)) seen.push([...outer.rows, ...inner.rows]);
      seen.push((await connection.executeQuery(all)).rows);
    }
    const rows = [1, 2, 3].map((value) => ({ value }));
    expect(seen).toEqual(rows.flatMap((outer) => [...rows.map((inner) => [outer, inner]), rows]));
  });

  it('lets go of the rows of a stream that was left early', async () => {
    const db = await withTable(open(temporaryFile(), { driver }));
    // More than any driver fetches ahead.
    await db.transaction().execute(async (trx) => {
      for (let id = 1; id <= 500; id += 1)
        await trx
          .insertInto('rows')
          .values({ id, text: `${id}` })
          .execute();
    });
    for await (const row of db.selectFrom('rows').selectAll().stream()) {
      if (row.id === 2) break;
    }
    await db.insertInto('rows').values({ id: 501, text: '501' }).execute();
    expect(await sql`pragma wal_checkpoint(truncate)`.execute(db)).toMatchObject({ rows: [{ busy: 0 }] });
  });

  it('refuses values that a driver would misread, crash on or store as something else', async () => {
    const db = await withTable(open(temporaryFile(), { driver }));
    for (const value of [
      true,
      undefined,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      new Date(0),
      { a: 1 },
      [1],
      Symbol('s'),
    ]) {
      const failure = await failureOf(() => sql`select ${value} as value`.execute(db));
      expect(failure.code).toBe('INVALID_INPUT');
      const stream = db.selectFrom('rows').selectAll().where(sql<boolean>`text = ${value}`).stream();
      expect((await failureOf(() => stream.next())).code).toBe('INVALID_INPUT');
    }
  });

  it('reads read-only, and creates nothing', async () => {
    const path = temporaryFile();
    expect((await failureOf(() => open(path, { driver, readonly: true }))).code).toBe('STORAGE_NOT_FOUND');
    expect(existsSync(path)).toBe(false);
    const writer = await withTable(open(path, { driver }));
    const reader = open(path, { driver, readonly: true });
    await writer.insertInto('rows').values({ id: 1, text: 'x' }).execute();
    expect(await reader.selectFrom('rows').selectAll().execute()).toEqual([{ id: 1, text: 'x' }]);
    const failure = await failureOf(() => reader.insertInto('rows').values({ id: 2, text: 'y' }).execute());
    expect(failure.code).toBe('STORAGE_READONLY');
  });

  it('begins transactions so that a read followed by a write is never overtaken', async () => {
    const path = temporaryFile();
    const one = await withTable(open(path, { driver }));
    const two = open(path, { driver });
    const increment = (db: Kysely<Schema>) =>
      db.transaction().execute(async (trx) => {
        const last = await trx.selectFrom('rows').select('id').orderBy('id', 'desc').executeTakeFirst();
        await trx
          .insertInto('rows')
          .values({ id: (last?.id ?? 0) + 1, text: '' })
          .execute();
      });
    await Promise.all(Array.from({ length: 20 }, (_, index) => increment(index % 2 === 0 ? one : two)));
    expect(await two.selectFrom('rows').select('id').orderBy('id', 'desc').limit(1).execute()).toEqual([
      { id: 20 },
    ]);
  });

  it('reads in a read-only transaction beside a writer, from one moment', async () => {
    const path = temporaryFile();
    const one = await withTable(open(path, { driver }));
    const two = open(path, { driver });
    await two
      .transaction()
      .setAccessMode('read only')
      .execute(async (trx) => {
        expect(await trx.selectFrom('rows').selectAll().execute()).toEqual([]);
        await one.insertInto('rows').values({ id: 1, text: 'x' }).execute();
        expect(await trx.selectFrom('rows').selectAll().execute()).toEqual([]);
      });
    expect(await two.selectFrom('rows').selectAll().execute()).toHaveLength(1);
  });

  it('STORAGE_LOCKED after waiting in vain for another writer', async () => {
    const path = temporaryFile();
    const one = await withTable(open(path, { driver }));
    const two = open(path, { driver, busyTimeoutMs: 60 });
    await one.transaction().execute(async () => {
      const failure = await failureOf(() => two.insertInto('rows').values({ id: 1, text: 'x' }).execute());
      expect(failure.code).toBe('STORAGE_LOCKED');
      expect(failure.message).toContain(path);
    });
    await two.insertInto('rows').values({ id: 1, text: 'x' }).execute();
  });

  it('works in memory', async () => {
    const db = await withTable(open(':memory:', { driver }));
    await db.insertInto('rows').values({ id: 1, text: 'x' }).execute();
    expect(await db.selectFrom('rows').selectAll().execute()).toEqual([{ id: 1, text: 'x' }]);
    expect(await read(db, 'foreign_keys')).toBe(1);
    expect(existsSync(':memory:')).toBe(false);
  });

  it.skipIf(name === 'libsql')('runs one statement at a time, and says so', async () => {
    const db = open(temporaryFile(), { driver });
    await expect(sql.raw('create table a (x); create table b (x)').execute(db)).rejects.toThrow(
      /one (SQL )?statement/,
    );
    await sql.raw('create table c (x); -- and that is all\n').execute(db);
  });
});

function makeWith(
  driver: SqliteDriver,
  path: string,
  options: { readonly: boolean; fileMustExist: boolean },
): SqliteDatabase {
  if (driver === nodeSqlite) return nodeSqlite(path, options);
  return driver === Libsql ? new Libsql(path) : new BetterSqlite(path, options);
}

describe('LED-25 a file that is not ours', () => {
  const openings = [false, true];

  it.each(openings)(
    'is refused and left byte for byte when it is no database (readonly: %s)',
    async (readonly) => {
      const path = temporaryFile();
      const content = 'Dear diary, '.repeat(400);
      writeFileSync(path, content, { mode: 0o644 });
      const failure = await failureOf(() => open(path, { readonly }));
      expect(failure.code).toBe('STORAGE_NOT_A_DATABASE');
      expect(failure.message).toContain('choose another path');
      expect(failure.message).toContain(path);
      expect(readFileSync(path, 'utf8')).toBe(content);
      expect(statSync(path).mode & 0o777).toBe(0o644);
      expect(existsSync(`${path}-wal`)).toBe(false);
    },
  );

  it.each(openings)(
    'is refused and left as it was when another application made it (readonly: %s)',
    async (readonly) => {
      const path = temporaryFile();
      const theirs = new DatabaseSync(path);
      theirs.exec('create table cookies (name text)');
      theirs.close();
      chmodSync(path, 0o644);
      const before = readFileSync(path);
      const failure = await failureOf(() => open(path, { readonly }));
      expect(failure.code).toBe('STORAGE_FOREIGN');
      expect(failure.message).toContain('adopt: true');
      expect(readFileSync(path).equals(before)).toBe(true);
      expect(statSync(path).mode & 0o777).toBe(0o644);
    },
  );

  it('is shared when the caller says so', async () => {
    const path = temporaryFile();
    const theirs = new DatabaseSync(path);
    theirs.exec(
      "pragma application_id = 77; create table cookies (name text); insert into cookies values ('a')",
    );
    theirs.close();
    chmodSync(path, 0o640);
    const db = await withTable(open(path, { adopt: true }));
    expect(await sql`select * from cookies`.execute(db)).toMatchObject({ rows: [{ name: 'a' }] });
    expect(await read(db, 'application_id')).toBe(77);
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  it('is refused when it is a folder, a link into nowhere, or below a file', async () => {
    const folder = temporaryFolder();
    expect((await failureOf(() => open(folder))).code).toBe('STORAGE_CANNOT_OPEN');
    symlinkSync(join(folder, 'nowhere'), join(folder, 'link'));
    expect((await failureOf(() => open(join(folder, 'link')))).code).toBe('STORAGE_CANNOT_OPEN');
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
    writeFileSync(join(folder, 'file'), '');
    expect((await failureOf(() => open(join(folder, 'file', 'test.db')))).code).toBe('STORAGE_CANNOT_OPEN');
  });
});

describe('LED-25 a damaged file', () => {
  async function damaged(from: number): Promise<string> {
    const path = temporaryFile();
    const db = openSqlite<Schema>({ path });
    await withTable(db);
    await sql`insert into rows select value, hex(randomblob(200)) from generate_series(1, 500)`
      .execute(db)
      .catch(async () => {
        for (let id = 0; id < 500; id += 1)
          await db
            .insertInto('rows')
            .values({ id, text: 'x'.repeat(400) })
            .execute();
      });
    await db.destroy();
    const bytes = readFileSync(path);
    bytes.fill(0x5a, from);
    writeFileSync(path, bytes);
    return path;
  }

  it('is refused when it is opened, if the damage is at the start', async () => {
    const path = await damaged(100);
    const before = readFileSync(path);
    const failure = await failureOf(() => open(path));
    expect(failure.code).toBe('STORAGE_CORRUPT');
    expect(failure.message).toContain('restore a backup');
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('is told by the query that meets it', async () => {
    const path = await damaged(8192);
    const db = open(path);
    const failure = await failureOf(() => db.selectFrom('rows').selectAll().execute());
    expect(failure.code).toBe('STORAGE_CORRUPT');
    expect(failure.cause).toBeInstanceOf(Error);
    expect(
      (
        await failureOf(async () => {
          for await (const _ of db.selectFrom('rows').selectAll().stream());
        })
      ).code,
    ).toBe('STORAGE_CORRUPT');
  });
});

it('LED-22 enforces foreign keys also where the driver leaves them off', async () => {
  const db = open(temporaryFile(), {
    driver: (path) => {
      const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
      return {
        prepare: (text) => {
          const statement = database.prepare(text);
          return {
            reader: statement.columns().length > 0,
            all: () => statement.all(),
            run: () => statement.run(),
            iterate: () => statement.iterate(),
          };
        },
        close: () => database.close(),
      };
    },
  });
  expect(await read(db, 'foreign_keys')).toBe(1);
});

it('waits with opening while another process writes into a file that has no write-ahead log yet', async () => {
  const path = temporaryFile();
  const fresh = openSqlite({ path });
  await sql`pragma journal_mode = delete`.execute(fresh);
  await fresh.destroy();
  const writer = runChild('lock.ts', [path, '1500']);
  await writer.sees('locked');
  expect((await failureOf(() => open(path, { busyTimeoutMs: 20 }))).code).toBe('STORAGE_LOCKED');
  expect(await read(open(path), 'journal_mode')).toBe('wal');
});

it('does not take a path that begins with file: for a URI', async () => {
  const folder = temporaryFolder();
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
  await withTable(open('file:test.db?mode=memory'));
  expect(statSync(join(folder, 'file:test.db?mode=memory')).size).toBeGreaterThan(0);
});
