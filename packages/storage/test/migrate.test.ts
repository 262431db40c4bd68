import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Migration, migrate, migrationStatus } from '../src/index.ts';
import { type OpenTestDatabase, testDatabases } from '../src/testing/index.ts';
import { runChild } from './support/child.ts';
import { failureOf } from './support/failure.ts';
import { tableNames } from './support/tables.ts';
import { temporaryFile } from './support/temporary.ts';

interface Schema {
  readonly shop_items: { readonly id: number; readonly name: string };
}

const first: Migration = {
  id: '001-items',
  statements: () => ['create table shop_items (id bigint primary key, name text not null)'],
};
const second: Migration = {
  id: '002-by-name',
  statements: (dialect) => [
    'create index shop_items_by_name on shop_items (name)',
    dialect === 'sqlite'
      ? "insert into shop_items values (1, 'by sqlite')"
      : "insert into shop_items values (1, 'by postgres')",
  ],
};
const broken: Migration = {
  id: '003-broken',
  statements: () => ['create table shop_extra (id bigint)', "insert into shop_items values (1, 'twice')"],
};

describe.each(testDatabases())('STO-1 migrate on $name', ({ name, dialect, open }) => {
  let opened: OpenTestDatabase;
  let db: Kysely<Schema>;
  beforeEach(async () => {
    opened = await open();
    db = opened.db;
  });
  afterEach(() => opened.close());

  const run = (...migrations: readonly Migration[]) => migrate(db, { name: 'shop', migrations });
  const items = () => db.selectFrom('shop_items').selectAll().execute();

  it('runs what is missing, in order, once', async () => {
    expect(await run(first)).toEqual({ applied: ['001-items'] });
    expect(await run(first, second)).toEqual({ applied: ['002-by-name'] });
    expect(await run(first, second)).toEqual({ applied: [] });
    expect(await items()).toEqual([{ id: 1, name: `by ${dialect}` }]);
  });

  it('keeps a history of its own for every package', async () => {
    await run(first);
    const other: Migration = { id: '001-items', statements: () => ['create table depot_items (id bigint)'] };
    expect(await migrate(db, { name: 'depot', migrations: [other] })).toEqual({ applied: ['001-items'] });
    expect(await run(first)).toEqual({ applied: [] });
  });

  it('LED-25 keeps nothing of a run that fails, and says which migration it was', async () => {
    const failure = await failureOf(() => run(first, second, broken));
    expect(failure.code).toBe('MIGRATION_FAILED');
    expect(failure.message).toContain("'003-broken'");
    expect(await migrationStatus(db, { name: 'shop', migrations: [first] })).toMatchObject({
      applied: [],
      pending: ['001-items'],
    });
    expect(await run(first, second)).toEqual({ applied: ['001-items', '002-by-name'] });
    expect((await failureOf(() => run(first, second, broken))).code).toBe('MIGRATION_FAILED');
    const astray: Migration = {
      id: '003-astray',
      statements: () => ['alter table nowhere add column a int'],
    };
    expect((await failureOf(() => run(first, second, astray))).code).toBe('MIGRATION_FAILED');
    await expect(sql`select * from shop_extra`.execute(db)).rejects.toThrow();
    expect(await items()).toHaveLength(1);
  });

  it('LED-25 refuses a schema of a newer version and changes nothing', async () => {
    await run(first, second);
    const failure = await failureOf(() => run(first));
    expect(failure.code).toBe('SCHEMA_NEWER');
    expect(failure.message).toContain("'002-by-name'");
    expect(await items()).toHaveLength(1);
  });

  it('refuses a migration that was edited after it ran', async () => {
    await run(first);
    const edited: Migration = {
      id: first.id,
      statements: () => ['create table shop_items (id bigint primary key, name text)'],
    };
    expect((await failureOf(() => run(edited, second))).code).toBe('MIGRATION_CHANGED');
    expect(await items()).toEqual([]);
  });

  it('tells its state without changing anything', async () => {
    const status = (...migrations: readonly Migration[]) => migrationStatus(db, { name: 'shop', migrations });
    expect(await status(first, second)).toEqual({
      name: 'shop',
      applied: [],
      pending: ['001-items', '002-by-name'],
      problem: null,
    });
    expect((await tableNames(db)).filter((table) => table.startsWith('shop'))).toEqual([]);
    const before = Date.now();
    await run(first);
    const { applied, pending } = await status(first, second);
    expect(pending).toEqual(['002-by-name']);
    expect(applied.map((each) => each.id)).toEqual(['001-items']);
    expect(applied[0]?.appliedAt).toBeGreaterThanOrEqual(before);
    expect(applied[0]?.appliedAt).toBeLessThanOrEqual(Date.now());
    expect((await status()).problem?.code).toBe('SCHEMA_NEWER');
  });

  it('refuses a name that is none, and a transaction', async () => {
    for (const bad of ['', 'Shop', 'a-b', 'a"; drop table x', 'x'.repeat(41), '1a']) {
      expect((await failureOf(() => migrate(db, { name: bad, migrations: [first] }))).code).toBe(
        'INVALID_INPUT',
      );
    }
    await db.transaction().execute(async (trx) => {
      expect((await failureOf(() => migrate(trx, { name: 'shop', migrations: [first] }))).code).toBe(
        'INVALID_INPUT',
      );
    });
  });

  it.skipIf(name === 'PGlite')('is done once when several connections begin together', async () => {
    const others = Array.from({ length: 4 }, () => opened.connect?.() ?? db);
    const together = (...migrations: readonly Migration[]) =>
      Promise.all([db, ...others].map((each) => migrate(each, { name: 'shop', migrations })));
    const counts = (results: readonly { readonly applied: readonly string[] }[]) =>
      results.map((result) => result.applied.length).sort();
    // Once with everything to make, once with a history that is read before anything is written.
    expect(counts(await together(first))).toEqual([0, 0, 0, 0, 1]);
    expect(counts(await together(first, second))).toEqual([0, 0, 0, 0, 1]);
    expect(await items()).toHaveLength(1);
  });
});

describe('STO-1 migrate in several processes at once', () => {
  const race = async (target: string) => {
    const children = Array.from({ length: 3 }, () => runChild('migrate.ts', [target]));
    await Promise.all(children.map((child) => child.sees('ready')));
    for (const child of children) child.process.stdin?.write('go\n');
    await Promise.all(children.map((child) => child.sees('applied')));
    return children.map((child) => /applied (\d)/.exec(child.output())?.[1]).sort();
  };

  it('on one new SQLite file: one applies, the others find it done', async () => {
    expect(await race(temporaryFile())).toEqual(['0', '0', '2']);
  });

  it('on one Postgres schema: one applies, the others find it done', async () => {
    const postgres = testDatabases().find((database) => database.name === 'Postgres');
    const opened = await postgres?.open();
    try {
      expect(await race(opened?.url ?? '')).toEqual(['0', '0', '2']);
    } finally {
      await opened?.close();
    }
  });
});
