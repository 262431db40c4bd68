import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { returnsRows } from '../src/sqlite/returns-rows.ts';

const database = new DatabaseSync(':memory:');
database.exec('create table t (a integer primary key, b text)');

it.each([
  'select 1',
  ' -- insert\n select 1',
  '/* update */ SELECT 1',
  'values (1)',
  "insert into t (b) values ('returning')",
  'insert into t (b) values (?) on conflict do nothing',
  'INSERT INTO t (b) VALUES (?) RETURNING a',
  "update t set b = 'it''s returning'",
  'update t set b = 1 returning *',
  'delete from t',
  'delete from t returning a',
  'replace into t (a) values (1)',
  'with x as (select 1) select * from x',
  'with x as (select 1) insert into t (a) select * from x',
  'with x(n) as (select 1), y as (select 2) update t set b = (select n from x)',
  'with x as (select 1) delete from t returning a',
  "with x as (select ') insert' as a) select * from x",
  'create table "returning" (a)',
  'begin immediate',
  'explain select 1',
  'pragma user_version',
])('Node 22.13, without columns(), knows which statements give rows: %s (X-18)', (sql) => {
  expect(returnsRows(sql)).toBe(database.prepare(sql).columns().length > 0);
});
