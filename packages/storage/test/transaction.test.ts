import { type Logger, silentLogger } from '@bonafide/internal';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inTransaction, openPostgres } from '../src/index.ts';
import { testDatabases } from '../src/testing/index.ts';
import { failureOf } from './support/failure.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests of any table.
type AnyKysely = Kysely<any>;

const databases = testDatabases();

/** Opens an empty database with two rows, and with what repeats log. */
async function open(name: string) {
  const opened = await databases.find((each) => each.name === name)?.open();
  if (opened === undefined) throw new Error(`No ${name}`);
  onTestFinished(() => opened.close());
  await sql`create table rows (id integer primary key, n integer)`.execute(opened.db);
  await sql`insert into rows values (1, 0), (2, 0)`.execute(opened.db);
  const url = opened.url ?? '';
  const read = async () => (await sql<{ n: number }>`select n from rows order by id`.execute(opened.db)).rows;
  return { db: opened.db, url, read };
}

function openLogged(url: string, random: () => number) {
  const logged: object[] = [];
  const logger: Logger = { ...silentLogger, warn: (details) => void logged.push(details) };
  const db: AnyKysely = openPostgres({ url, logger, random });
  onTestFinished(() => db.destroy());
  return { db, logged };
}

const add = (db: AnyKysely, id: number) => sql`update rows set n = n + 1 where id = ${id}`.execute(db);

/** Runs two transactions that lock rows 1 and 2 in opposite order, each its first row before the other its second. */
async function cross(db: AnyKysely) {
  const both = Promise.withResolvers<void>();
  let runs = 0;
  const one = (first: number, second: number) =>
    inTransaction(db, async (transaction) => {
      await sql`set local deadlock_timeout = '20ms'`.execute(transaction);
      await add(transaction, first);
      runs += 1;
      if (runs === 2) both.resolve();
      await both.promise;
      await add(transaction, second);
      return first;
    });
  const results = await Promise.all([one(1, 2), one(2, 1)]);
  return { results, runs };
}

describe('transactions that Postgres ends because of others (STO-1, X-20)', () => {
  it('both succeed after a deadlock: the one that Postgres ended is repeated and logged', async () => {
    const { url, read } = await open('Postgres');
    const { db, logged } = openLogged(url, () => 0.25);
    expect(await cross(db)).toEqual({ results: [1, 2], runs: 3 });
    expect(await read()).toEqual([{ n: 2 }, { n: 2 }]);
    expect(logged).toEqual([{ sqlState: '40P01', repeat: 1, pauseMs: 5 }]);
  });

  it('both succeed on a Kysely instance that was opened elsewhere', async () => {
    const { url, read } = await open('Postgres');
    const db: AnyKysely = new Kysely({
      dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
    });
    onTestFinished(() => db.destroy());
    expect(await cross(db)).toEqual({ results: [1, 2], runs: 3 });
    expect(await read()).toEqual([{ n: 2 }, { n: 2 }]);
  });

  it('repeats a transaction that cannot be serialized', async () => {
    const { url, read } = await open('Postgres');
    const { db, logged } = openLogged(url, () => 0);
    let runs = 0;
    await inTransaction(db.withSchema('public'), async (transaction) => {
      await sql`set transaction isolation level repeatable read`.execute(transaction);
      await sql`select n from rows`.execute(transaction);
      runs += 1;
      if (runs === 1) await add(db, 1);
      await add(transaction, 1);
    });
    expect([runs, await read()]).toEqual([2, [{ n: 2 }, { n: 0 }]]);
    expect(logged).toEqual([{ sqlState: '40001', repeat: 1, pauseMs: 0 }]);
  });

  it('refuses writes in a transaction that is read only', async () => {
    const { db, read } = await open('Postgres');
    const work = inTransaction(db, (transaction) => add(transaction, 1), { accessMode: 'read only' });
    expect((await failureOf(() => work)).code).toBe('STORAGE_READONLY');
    expect(await read()).toEqual([{ n: 0 }, { n: 0 }]);
  });

  it('throws the error after ten repeats, and has changed nothing', async () => {
    const { url, read } = await open('Postgres');
    const { db, logged } = openLogged(url, () => 0);
    let runs = 0;
    const failure = await failureOf(() =>
      inTransaction(db, async (transaction) => {
        runs += 1;
        await add(transaction, 1);
        await sql`do $$ begin raise exception 'deadlock' using errcode = '40P01'; end $$`.execute(
          transaction,
        );
      }),
    );
    expect([failure.code, runs, logged.length]).toEqual(['STORAGE_LOCKED', 11, 10]);
    expect(await read()).toEqual([{ n: 0 }, { n: 0 }]);
  });
});

describe.each(databases)('transactions on $name (STO-1)', ({ name }) => {
  it('are not repeated after other errors, which undo them', async () => {
    const { db, read } = await open(name);
    let runs = 0;
    const work = inTransaction(db, async (transaction) => {
      runs += 1;
      await add(transaction, 1);
      await sql`insert into rows values (2, 0)`.execute(transaction);
    });
    await expect(work).rejects.toThrow();
    expect([runs, await read()]).toEqual([1, [{ n: 0 }, { n: 0 }]]);
  });

  it('return the result of their work', async () => {
    const { db, read } = await open(name);
    expect(await inTransaction(db, (transaction) => add(transaction, 2).then(() => 'done'))).toBe('done');
    expect(await read()).toEqual([{ n: 0 }, { n: 1 }]);
    const { rows } = await inTransaction(db, (transaction) => sql`select n from rows`.execute(transaction), {
      accessMode: 'read only',
    });
    expect(rows).toHaveLength(2);
  });
});
