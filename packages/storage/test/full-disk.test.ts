import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { type Kysely, sql } from 'kysely';
import Libsql from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { backupSqlite, migrate, openSqlite, restoreSqlite, type SqliteDriver } from '../src/index.ts';
import { nodeSqlite } from '../src/sqlite/node-sqlite.ts';
import { runChild } from './support/child.ts';
import { failureOf } from './support/failure.ts';
import { temporaryFolder } from './support/temporary.ts';

interface Schema {
  readonly rows: { readonly id: number; readonly text: string };
}

/** A file system of its own, where this machine and user may mount one. */
function mountTmpfs(size: string): string | null {
  const folder = temporaryFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], {
    stdio: 'ignore',
  });
  if (mounted.status !== 0) return null;
  onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
  return folder;
}

const drivers: readonly (readonly [string, SqliteDriver])[] = [
  ['node:sqlite', nodeSqlite],
  ['better-sqlite3', BetterSqlite],
  ['libsql', Libsql],
];

/** Writes until there is no room; returns the ids that were acknowledged and why it ended. */
async function fill(db: Kysely<Schema>) {
  const acknowledged: number[] = [];
  const failure = await failureOf(async () => {
    for (let id = 1; id < 100_000; id += 1) {
      await db
        .insertInto('rows')
        .values({ id, text: 'x'.repeat(2000) })
        .execute();
      acknowledged.push(id);
    }
  });
  return { acknowledged, failure };
}

const check = async (db: Kysely<Schema>) =>
  (await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)).rows;
const stored = async (db: Kysely<Schema>) =>
  (await db.selectFrom('rows').select('id').orderBy('id').execute()).map((row) => row.id);

describe.each(drivers)('LED-25 a full disk, %s', (_name, driver) => {
  it('is told as such, loses nothing that was acknowledged, and goes on when there is room', async () => {
    const folder = mountTmpfs('2m');
    const path = join(folder ?? temporaryFolder(), 'test.db');
    const open = () => openSqlite<Schema>({ path, driver });
    let db = open();
    // Where nothing may be mounted the room ends by SQLite's own limit: the same error by another way.
    const limit = () => (folder === null ? sql`pragma max_page_count = 200`.execute(db) : Promise.resolve());
    await limit();
    await sql`create table rows (id integer primary key, text text not null)`.execute(db);
    const { acknowledged, failure } = await fill(db);
    expect(failure.code).toBe('STORAGE_FULL');
    expect(failure.message).toContain('Free some space');
    expect(failure.message).toContain(path);
    expect(acknowledged.length).toBeGreaterThan(10);
    if (folder !== null) expect(statfsSync(folder).bavail * statfsSync(folder).bsize).toBeLessThan(100_000);

    expect(await stored(db)).toEqual(acknowledged);
    await db.destroy();
    db = open();
    onTestFinished(() => db.destroy());
    expect(await check(db)).toEqual([{ integrity_check: 'ok' }]);
    expect(await stored(db)).toEqual(acknowledged);
    if (folder === null) return;
    const roomier = spawnSync('mount', ['-o', 'remount,size=8m', folder], { stdio: 'ignore' });
    if (roomier.status === 0) await db.insertInto('rows').values({ id: 200_000, text: 'x' }).execute();
  });

  it('is told by a transaction too, and leaves nothing of it', async () => {
    const db = openSqlite<Schema>({ path: join(temporaryFolder(), 'test.db'), driver });
    onTestFinished(() => db.destroy());
    await sql`pragma max_page_count = 50`.execute(db);
    await sql`create table rows (id integer primary key, text text not null)`.execute(db);
    const failure = await failureOf(() =>
      db.transaction().execute(async (trx) => {
        for (let id = 1; ; id += 1) {
          await trx
            .insertInto('rows')
            .values({ id, text: 'x'.repeat(2000) })
            .execute();
        }
      }),
    );
    expect(failure.code).toBe('STORAGE_FULL');
    expect(await stored(db)).toEqual([]);
    await db.transaction().execute((trx) => trx.insertInto('rows').values({ id: 1, text: 'x' }).execute());
    expect(await stored(db)).toEqual([1]);
  });

  it('is told already when there is no room to open in', async ({ skip }) => {
    const folder = mountTmpfs('1m');
    if (folder === null) return skip('nothing may be mounted here');
    const path = join(folder, 'test.db');
    // Made with node:sqlite: libsql lets go of a file only when its statements are collected.
    const db = openSqlite<Schema>({ path });
    await sql`create table rows (id integer primary key, text text not null)`.execute(db);
    await db.destroy();
    expect(() => writeFileSync(join(folder, 'filler'), Buffer.alloc(2 ** 21))).toThrow('ENOSPC');
    const before = readFileSync(path);
    const failure = await failureOf(async () => {
      const opened = openSqlite<Schema>({ path, driver });
      onTestFinished(() => opened.destroy());
      await opened.insertInto('rows').values({ id: 1, text: 'x' }).execute();
    });
    expect(failure.code).toBe('STORAGE_FULL');
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('stops a migration, which leaves nothing', async () => {
    const folder = mountTmpfs('1m');
    const db = openSqlite<Schema>({ path: join(folder ?? temporaryFolder(), 'test.db'), driver });
    onTestFinished(() => db.destroy());
    if (folder === null) await sql`pragma max_page_count = 50`.execute(db);
    const migrations = [
      {
        id: '001',
        statements: () => [
          'create table rows (id integer primary key, text text not null)',
          "insert into rows select value, printf('%.*c', 4000, 'x') from json_each('[1,2,3,4,5,6,7,8]')",
          'create table big (x blob)',
          'insert into big values (zeroblob(4000000))',
        ],
      },
    ];
    const failure = await failureOf(() => migrate(db, { name: 't', migrations }));
    expect(failure.code).toBe('STORAGE_FULL');
    expect(await db.introspection.getTables()).toEqual([]);
  });
});

describe('LED-25 what may not be written', () => {
  it('a file system mounted read-only is told, and still read from', async () => {
    const folder = mountTmpfs('2m');
    if (folder === null) return readOnlyByMode();
    const path = join(folder, 'test.db');
    const db = openSqlite<Schema>({ path });
    await sql`create table rows (id integer primary key, text text not null)`.execute(db);
    await db.destroy();
    expect(spawnSync('mount', ['-o', 'remount,ro', folder]).status).toBe(0);
    const failure = await failureOf(async () => {
      const opened = openSqlite<Schema>({ path });
      onTestFinished(() => opened.destroy());
      await opened.insertInto('rows').values({ id: 1, text: 'x' }).execute();
    });
    expect(['STORAGE_READONLY', 'STORAGE_CANNOT_OPEN']).toContain(failure.code);
    expect((await failureOf(() => openSqlite({ path: join(folder, 'new.db') }))).code).toBe(
      'STORAGE_READONLY',
    );
  });

  // Root may write anywhere, so the attempt is made by a process without its rights.
  const readOnlyByMode = async () => {
    const folder = temporaryFolder();
    const inside = join(folder, 'locked');
    mkdirSync(inside);
    chmodSync(inside, 0o555);
    const uid = process.getuid?.() === 0 ? 65534 : undefined;
    if (uid !== undefined) chownSync(folder, uid, uid);
    const child = runChild('open.ts', [join(inside, 'test.db'), ...(uid === undefined ? [] : [`${uid}`])]);
    await child.ended;
    expect(child.output()).toContain('STORAGE_PERMISSION');
    expect(child.output()).toContain('owner and mode');
  };
  it('a folder without the right to write is told', readOnlyByMode);
});

describe('LED-27 a full disk', () => {
  it('leaves nothing of a backup, and the database as it was that a backup should replace', async ({
    skip,
  }) => {
    const folder = mountTmpfs('2m');
    if (folder === null) return skip('nothing may be mounted here');
    const large = join(temporaryFolder(), 'large.db');
    const small = join(folder, 'small.db');
    const open = async (path: string, rows: number) => {
      const db = openSqlite<Schema>({ path });
      await sql`create table rows (id integer primary key, text text not null)`.execute(db);
      for (let id = 1; id <= rows; id += 1) {
        await db
          .insertInto('rows')
          .values({ id, text: 'x'.repeat(100_000) })
          .execute();
      }
      await db.destroy();
    };
    await open(large, 40);
    await open(small, 1);
    const before = readFileSync(small);

    const to = join(folder, 'backup.db');
    expect((await failureOf(() => backupSqlite({ path: large, to }))).code).toBe('STORAGE_FULL');
    const from = join(temporaryFolder(), 'backup.db');
    await backupSqlite({ path: large, to: from });
    expect((await failureOf(() => restoreSqlite({ path: small, from }))).code).toBe('STORAGE_FULL');
    expect(readFileSync(small)).toEqual(before);
    expect(readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name))).toEqual([
      'small.db',
      'small.db-lock',
    ]);
  });
});
