import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asStorageError, dialectOf, isBonafideError } from '../src/index.ts';
import { type OpenTestDatabase, testDatabases } from '../src/testing/index.ts';
import { failureOf } from './support/failure.ts';
import { tableNames } from './support/tables.ts';

interface Schema {
  readonly parents: {
    readonly id: string;
    readonly score: number;
    readonly at: number;
    readonly note: string | null;
  };
  readonly children: { readonly id: number; readonly parent: string };
}

const ddl = [
  `create table parents (id text primary key, score integer not null check (score between 0 and 10), at bigint not null unique, note text)`,
  `create table children (id integer primary key, parent text not null references parents (id))`,
];

it('STO-1 is proved on all five databases', () => {
  expect(testDatabases().map((database) => database.name)).toEqual([
    'node:sqlite',
    'better-sqlite3',
    'libsql',
    'PGlite',
    'Postgres',
  ]);
});

describe.each(testDatabases())('STO-1 $name', ({ name, dialect, open }) => {
  let opened: OpenTestDatabase;
  let db: Kysely<Schema>;
  const now = 1_750_000_000_123;

  beforeEach(async () => {
    opened = await open();
    db = opened.db;
    for (const statement of ddl) await sql.raw(statement).execute(db);
  });
  afterEach(() => opened.close());

  const insert = (id: string, at = now, into: Kysely<Schema> = db) =>
    into.insertInto('parents').values({ id, score: 1, at, note: null }).executeTakeFirst();
  const ids = async (from: Kysely<Schema> = db) =>
    (await from.selectFrom('parents').select('id').orderBy('id').execute()).map((row) => row.id);

  it('tells its dialect by the SQL it speaks', () => {
    expect(dialectOf(db)).toBe(dialect);
  });

  it('gives back what was stored, times in ms as numbers', async () => {
    const row = { id: 'ñ – 🦊 "\' -- ;', score: 10, at: now, note: JSON.stringify({ a: [1, null] }) };
    await db.insertInto('parents').values(row).execute();
    expect(await db.selectFrom('parents').selectAll().executeTakeFirst()).toEqual(row);
  });

  it('gives back bytes as bytes', async () => {
    const bytes = Uint8Array.from([0, 1, 255]);
    const type = sql.raw(dialect === 'sqlite' ? 'blob' : 'bytea');
    await sql`create table files (body ${type})`.execute(db);
    await sql`insert into files values (${bytes})`.execute(db);
    const { rows } = await sql<{ body: Uint8Array }>`select body from files`.execute(db);
    expect(rows[0]?.body).toBeInstanceOf(Uint8Array);
    expect([...(rows[0]?.body ?? [])]).toEqual([0, 1, 255]);
  });

  it('counts affected rows, and returns rows when asked to', async () => {
    expect(await insert('a')).toMatchObject({ numInsertedOrUpdatedRows: 1n });
    const again = db.insertInto('parents').values({ id: 'a', score: 2, at: 5, note: null });
    expect(await again.onConflict((conflict) => conflict.doNothing()).executeTakeFirst()).toMatchObject({
      numInsertedOrUpdatedRows: 0n,
    });
    expect(
      await again
        .onConflict((on) => on.column('id').doUpdateSet({ score: 2 }))
        .returning('score')
        .execute(),
    ).toEqual([{ score: 2 }]);
    expect(await db.deleteFrom('parents').executeTakeFirst()).toMatchObject({ numDeletedRows: 1n });
  });

  it('sees what a later change of the schema adds, in a query it has prepared before', async () => {
    await insert('a');
    await db.selectFrom('parents').selectAll().execute();
    await sql`alter table parents add column colour text default 'red'`.execute(db);
    expect(await db.selectFrom('parents').selectAll().execute()).toEqual([
      { id: 'a', score: 1, at: now, note: null, colour: 'red' },
    ]);
  });

  it('keeps all of a transaction or nothing', async () => {
    await db.transaction().execute((trx) => insert('kept', 1, trx));
    const broken = db.transaction().execute(async (trx) => {
      await insert('lost', 2, trx);
      throw new Error('stop');
    });
    await expect(broken).rejects.toThrow('stop');
    expect(await ids()).toEqual(['kept']);
  });

  it('runs transactions that are started together one after the other or apart, never into each other', async () => {
    const transfer = (step: number) =>
      db.transaction().execute(async (trx) => {
        if (dialect === 'postgres') await sql`lock table parents in exclusive mode`.execute(trx);
        const { count } = await trx
          .selectFrom('parents')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow();
        await insert(`${step}`, Number(count), trx);
      });
    await Promise.all(Array.from({ length: 20 }, (_, step) => transfer(step)));
    const rows = await db.selectFrom('parents').select('at').orderBy('at').execute();
    expect(rows.map((row) => row.at)).toEqual(Array.from({ length: 20 }, (_, at) => at));
  });

  it('goes on after a failed statement, and rolls back to a savepoint', async () => {
    await insert('a');
    await expect(insert('a')).rejects.toThrow();
    await insert('b', 2);
    const trx = await db.startTransaction().execute();
    const saved = await trx.savepoint('before').execute();
    await insert('c', 3, saved);
    await saved.rollbackToSavepoint('before').execute();
    await insert('d', 4, saved);
    await trx.commit().execute();
    expect(await ids()).toEqual(['a', 'b', 'd']);
  });

  // PGlite's Kysely instance is Kysely's own: its errors are translated by those who ask, the others' already are.
  const codeOf = async (work: () => unknown) => {
    try {
      await work();
    } catch (error) {
      if (name !== 'PGlite') expect(isBonafideError(error)).toBe(true);
      return asStorageError(error)?.code;
    }
    return 'nothing was thrown';
  };

  it('LED-4 tells which constraint of the schema was violated', async () => {
    await insert('a');
    expect(await codeOf(() => insert('a', 2))).toBe('STORAGE_NOT_UNIQUE');
    expect(await codeOf(() => insert('b'))).toBe('STORAGE_NOT_UNIQUE');
    expect(await codeOf(() => db.insertInto('children').values({ id: 1, parent: 'nobody' }).execute())).toBe(
      'STORAGE_NO_PARENT',
    );
    const tooMuch = { id: 'b', score: 11, at: 3, note: null };
    expect(await codeOf(() => db.insertInto('parents').values(tooMuch).execute())).toBe(
      'STORAGE_CHECK_FAILED',
    );
    expect(await codeOf(() => sql`insert into parents (id, score) values ('b', 1)`.execute(db))).toBe(
      'STORAGE_IS_NULL',
    );
  });

  it('X-14 tells that a table or a column is missing, which a migration adds', async () => {
    const missing = [
      sql`select 1 from nowhere`,
      sql`insert into nowhere (id) values (1)`,
      sql`select colour from parents`,
      sql`insert into parents (id, score, at, colour) values ('a', 1, 1, 'red')`,
      sql`update parents set colour = 'red'`,
    ];
    for (const query of missing) expect(await codeOf(() => query.execute(db))).toBe('NOT_MIGRATED');
  });

  it('lets a mistake in the SQL through as the driver says it', async () => {
    const error = await sql`selec 1`.execute(db).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(isBonafideError(error)).toBe(false);
  });

  it.runIf(name !== 'PGlite')(
    'refuses an integer that a number cannot hold, or gives it back exactly',
    async () => {
      const read = () => sql<{ big: number }>`select cast('9007199254740993' as bigint) as big`.execute(db);
      if (name === 'node:sqlite' || name === 'Postgres')
        expect((await failureOf(read)).code).toBe('VALUE_OUT_OF_RANGE');
      const { rows } = await sql<{ big: number }>`select cast('9007199254740991' as bigint) as big`.execute(
        db,
      );
      expect(rows).toEqual([{ big: Number.MAX_SAFE_INTEGER }]);
    },
  );

  it('starts every test empty', async () => {
    expect(await ids()).toEqual([]);
    expect(await tableNames(db)).not.toContain('files');
  });

  describe.skipIf(name === 'PGlite')('with a second connection', () => {
    it('reads what was committed and nothing else', async () => {
      const other: Kysely<Schema> = opened.connect?.() ?? db;
      await insert('a');
      await db.transaction().execute(async (trx) => {
        await insert('b', 2, trx);
        expect(await ids(other)).toEqual(['a']);
      });
      expect(await ids(other)).toEqual(['a', 'b']);
    });

    it('lets two writers take turns without blocking the event loop', async () => {
      const other: Kysely<Schema> = opened.connect?.() ?? db;
      const begun = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const first = db.transaction().execute(async (trx) => {
        await insert('first', 1, trx);
        begun.resolve();
        await gate.promise;
      });
      await begun.promise;
      const second = other.transaction().execute((trx) => insert('second', 2, trx));
      setTimeout(gate.resolve, 50);
      await Promise.all([first, second]);
      expect(await ids()).toEqual(['first', 'second']);
    });
  });
});
