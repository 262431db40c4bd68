import { existsSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { sql } from 'kysely';
import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import { acquireWriter, openSqlite, type SqliteDriver } from '../src/index.ts';
import { nodeSqlite } from '../src/sqlite/node-sqlite.ts';
import { runChild } from './support/child.ts';
import { failureOf } from './support/failure.ts';
import { temporaryFile, temporaryFolder } from './support/temporary.ts';

const drivers: readonly (readonly [string, SqliteDriver])[] = [
  ['node:sqlite', nodeSqlite],
  ['better-sqlite3', BetterSqlite],
  ['libsql', Libsql],
];

describe.each(drivers)('LED-22 one agent per file, %s', (_name, driver) => {
  it('refuses a second one in this process, until the first lets go', async () => {
    const path = temporaryFile();
    const first = acquireWriter({ path, driver });
    const failure = await failureOf(() => acquireWriter({ path, driver }));
    expect(failure.code).toBe('WRITER_ACTIVE');
    expect(failure.message).toContain(path);
    first.release();
    first.release();
    using second = acquireWriter({ path, driver });
    expect((await failureOf(() => acquireWriter({ path, driver }))).code).toBe('WRITER_ACTIVE');
    void second;
  });

  it('refuses one in another process, and says which process has it', async () => {
    const path = temporaryFile();
    const holder = runChild('hold.ts', [path]);
    await holder.sees('holding');
    const failure = await failureOf(() => acquireWriter({ path, driver }));
    expect(failure.code).toBe('WRITER_ACTIVE');
    expect(failure.message).toContain(`process ${holder.process.pid} since 20`);
  });

  it('passes on when the process that has it is killed', async () => {
    const path = temporaryFile();
    const holder = runChild('hold.ts', [path]);
    await holder.sees('holding');
    holder.process.kill('SIGKILL');
    await holder.ended;
    acquireWriter({ path, driver }).release();
  });
});

it('LED-22 knows the file behind another name', async () => {
  const folder = temporaryFolder();
  using lock = acquireWriter({ path: join(folder, 'real.db') });
  symlinkSync(folder, `${folder}/same`);
  expect((await failureOf(() => acquireWriter({ path: join(folder, 'same', 'real.db') }))).code).toBe(
    'WRITER_ACTIVE',
  );
  void lock;
});

it('LED-22 lets in exactly one of many that start together', async () => {
  const path = temporaryFile();
  const children = Array.from({ length: 4 }, () => runChild('hold.ts', [path, 'wait']));
  await Promise.all(children.map((child) => child.sees('ready')));
  for (const child of children) child.process.stdin?.write('go\n');
  await Promise.all(children.map((child) => child.sees('\n>')));
  const outcomes = children.map((child) =>
    child.output().includes('holding')
      ? 'holding'
      : child.output().includes('WRITER_ACTIVE')
        ? 'refused'
        : child.output(),
  );
  expect(outcomes.sort()).toEqual(['holding', 'refused', 'refused', 'refused']);
});

it('LED-22 leaves other programs their short writes', async () => {
  const path = temporaryFile();
  const agent = openSqlite<{ rows: { id: number } }>({ path });
  using lock = acquireWriter({ path });
  await sql`create table rows (id integer primary key)`.execute(agent);
  const command = openSqlite<{ rows: { id: number } }>({ path });
  await command.insertInto('rows').values({ id: 1 }).execute();
  await command.destroy();
  expect(await agent.selectFrom('rows').selectAll().execute()).toEqual([{ id: 1 }]);
  await agent.destroy();
  void lock;
});

it('LED-22 keeps the lock file to this user and needs none in memory', () => {
  const path = temporaryFile();
  acquireWriter({ path }).release();
  expect(statSync(`${path}-lock`).mode & 0o777).toBe(0o600);
  expect(existsSync(path)).toBe(false);
  acquireWriter({ path: ':memory:' }).release();
  acquireWriter({ path: ':memory:' });
  acquireWriter({ path: ':memory:' });
});
