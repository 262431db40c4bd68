// Writes of one process share the commits of SQLite.
import { openSqlite } from '@bonafide/storage';
import { type Kysely, sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { createGroupCommit } from '../src/stores/group-commit.ts';

interface Tables {
  t: { id: number };
}

async function open() {
  const db = openSqlite<Tables>({ path: ':memory:' });
  onTestFinished(() => db.destroy());
  await sql`create table t (id integer primary key)`.execute(db);
  let transactions = 0;
  const counted = new Proxy(db, {
    get(target, name) {
      const member = Reflect.get(target, name, target);
      if (name === 'transaction') transactions += 1;
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  const insert = (id: number) => async (executor: Kysely<Tables>) => {
    await executor.insertInto('t').values({ id }).execute();
    return id;
  };
  const stored = async () => {
    const rows = await db.selectFrom('t').select('id').orderBy('id').execute();
    return rows.map(({ id }) => id);
  };
  return { db, commit: createGroupCommit(counted), insert, stored, transactions: () => transactions };
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => index);

it('lets writes of the same moment share a transaction, and gives each its own result (DLG-11)', async () => {
  const { commit, insert, stored, transactions } = await open();
  expect(await Promise.all(ids(100).map((id) => commit(insert(id))))).toEqual(ids(100));
  expect(await stored()).toEqual(ids(100));
  expect(transactions()).toBe(1);
  // A single one needs no transaction around it.
  await commit(insert(100));
  expect(transactions()).toBe(1);
});

it('repeats each alone when one fails, so that it stops no other (DLG-10)', async () => {
  const { commit, insert, stored } = await open();
  await commit(insert(1));
  const thrown = () => {
    throw new Error('before it began');
  };
  const results = await Promise.allSettled([
    ...[0, 1, 2].map((id) => commit(insert(id))),
    commit(thrown),
    commit(insert(3)),
  ]);
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(await stored()).toEqual([0, 1, 2, 3]);
  await commit(insert(4));
  expect(await stored()).toEqual([0, 1, 2, 3, 4]);
});

it('rejects every write after the database was closed, and none hangs (DLG-10)', async () => {
  const { db, commit, insert } = await open();
  await db.destroy();
  const results = await Promise.allSettled(ids(3).map((id) => commit(insert(id))));
  expect(results.every(({ status }) => status === 'rejected')).toBe(true);
});
