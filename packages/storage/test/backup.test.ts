import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import BetterSqlite from 'better-sqlite3';
import { type Kysely, sql } from 'kysely';
import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import {
  acquireWriter,
  backupSqlite,
  type Migration,
  migrate,
  openSqlite,
  restoreSqlite,
  type SqliteDriver,
} from '../src/index.ts';
import { nodeSqlite } from '../src/sqlite/node-sqlite.ts';
import { runChild } from './support/child.ts';
import { failureOf } from './support/failure.ts';
import { temporaryFile, temporaryFolder } from './support/temporary.ts';

interface Schema {
  readonly notes: { readonly id: number; readonly text: string };
}

const first: Migration = {
  id: '001',
  statements: () => ['create table notes (id integer primary key, text text not null)'],
};
const second: Migration = { id: '002', statements: () => ['create index notes_text on notes (text)'] };
const notes = { name: 'notes', migrations: [first, second] };

const drivers: readonly (readonly [string, SqliteDriver])[] = [
  ['node:sqlite', nodeSqlite],
  ['better-sqlite3', BetterSqlite],
  ['libsql', Libsql],
];

/** A database with one note, open. */
async function opened(
  path: string,
  text: string,
  driver: SqliteDriver = nodeSqlite,
): Promise<Kysely<Schema>> {
  const db = openSqlite<Schema>({ path, driver });
  await migrate(db, notes);
  await db.insertInto('notes').values({ id: 1, text }).execute();
  return db;
}

async function closed(path: string, text: string): Promise<void> {
  await (await opened(path, text)).destroy();
}

/** What is in a sound database. Looked at only, a backup stays one; after a crash, a database has to be opened to write. */
async function textsIn(path: string, readonly = true): Promise<readonly string[]> {
  const db = openSqlite<Schema>({ path, readonly });
  try {
    const { rows } = await sql<{ readonly answer: string }>`pragma integrity_check`.execute(db);
    expect(Object.values(rows[0] ?? {})).toEqual(['ok']);
    return (await db.selectFrom('notes').select('text').orderBy('id').execute()).map(({ text }) => text);
  } finally {
    await db.destroy();
  }
}

const modeOf = (path: string) => statSync(path).mode & 0o777;
/** What else is there; reading a database leaves an empty log behind. */
const besides = (path: string) =>
  readdirSync(dirname(path))
    .filter((name) => name !== basename(path) && !/-(wal|shm)$/.test(name))
    .sort();

describe.each(drivers)('LED-27 a backup, %s', (_name, driver) => {
  it('is one private file with everything as it was at that moment, while the database is in use', async () => {
    const path = temporaryFile();
    const to = join(temporaryFolder(), 'new/deep', 'ledger.db');
    const db = await opened(path, 'before', driver);
    await db.insertInto('notes').values({ id: 2, text: 'in the log only' }).execute();
    expect(existsSync(`${path}-wal`)).toBe(true);
    const made = await backupSqlite({ path, to, driver });
    await db.insertInto('notes').values({ id: 3, text: 'after' }).execute();
    expect(made).toEqual({ path: to, bytes: statSync(to).size });
    expect(modeOf(to)).toBe(0o600);
    expect(besides(to)).toEqual([]);
    expect(await textsIn(to)).toEqual(['before', 'in the log only']);
    expect((await db.selectFrom('notes').select('id').execute()).length).toBe(3);
    await db.destroy();
  });
});

// libsql lets go of a file when it feels like it, so that nobody can know that it is closed.
describe.each(drivers.slice(0, 2))('LED-27 restoring a backup, %s', (_name, driver) => {
  it('is restored in the place of what is there, which is kept', async () => {
    const path = temporaryFile();
    const to = `${path}.backup`;
    await closed(path, 'old');
    await backupSqlite({ path, to, driver });
    const db = openSqlite<Schema>({ path, driver });
    await db.insertInto('notes').values({ id: 2, text: 'new' }).execute();
    await db.destroy();

    const now = Date.UTC(2026, 0, 3, 12, 30);
    const restored = await restoreSqlite({ path, from: to, schemas: [notes], driver, clock: () => now });
    const kept = `${path}.replaced-2026-01-03T12-30-00.000Z`;
    expect(restored).toEqual({ bytes: statSync(to).size, replaced: kept });
    expect(modeOf(path)).toBe(0o600);
    expect(modeOf(kept)).toBe(0o600);
    expect(statSync(path).nlink).toBe(1);
    expect(await textsIn(path)).toEqual(['old']);
    expect(await textsIn(kept)).toEqual(['old', 'new']);
    expect(await textsIn(to)).toEqual(['old']);
    const written = (name: string) => /-journal|restoring|unfinished/.test(name);
    expect(besides(path).filter(written)).toEqual([]);
    expect(existsSync(`${kept}-wal`)).toBe(false);
  });

  it('is refused while somebody has the database open, and nothing is changed', async () => {
    const path = temporaryFile();
    const to = `${path}.backup`;
    const db = await opened(path, 'old', driver);
    await backupSqlite({ path, to, driver });
    await db.insertInto('notes').values({ id: 2, text: 'new' }).execute();
    expect((await failureOf(() => restoreSqlite({ path, from: to, driver }))).code).toBe('STORAGE_LOCKED');
    await db.insertInto('notes').values({ id: 3, text: 'newer' }).execute();
    await db.destroy();
    expect(await textsIn(path)).toEqual(['old', 'new', 'newer']);
    expect(besides(path).some((name) => name.includes('replaced') || name.includes('restoring'))).toBe(false);
  });

  it('takes the place of a database that is damaged, whose log is kept beside it', async () => {
    const path = temporaryFile();
    const to = `${path}.backup`;
    await closed(path, 'whole');
    await backupSqlite({ path, to, driver });
    const file = readFileSync(path);
    file.fill(0xff, 100, 4096);
    writeFileSync(path, file);
    writeFileSync(`${path}-wal`, 'what is left of a log');
    const { replaced } = await restoreSqlite({ path, from: to, schemas: [notes], driver });
    expect(await textsIn(path)).toEqual(['whole']);
    expect(readFileSync(replaced ?? '')).toEqual(file);
    expect(readFileSync(`${replaced}-wal`, 'utf8')).toBe('what is left of a log');
  });
});

describe('LED-27 a backup', () => {
  async function backedUp() {
    const path = temporaryFile();
    const to = join(temporaryFolder(), 'backup.db');
    await closed(path, 'old');
    await backupSqlite({ path, to });
    return { path, to };
  }

  it('never takes the place of another file', async () => {
    const { path, to } = await backedUp();
    const before = readFileSync(to);
    expect((await failureOf(() => backupSqlite({ path, to }))).code).toBe('STORAGE_CANNOT_OPEN');
    expect(readFileSync(to)).toEqual(before);
  });

  it('is not made of what is no database of ours, and leaves nothing then', async () => {
    const to = join(temporaryFolder(), 'backup.db');
    const attempt = async (path: string) => (await failureOf(() => backupSqlite({ path, to }))).code;
    expect(await attempt(temporaryFile())).toBe('STORAGE_NOT_FOUND');
    const text = temporaryFile();
    writeFileSync(text, 'no database at all, but long enough to be asked '.repeat(40));
    expect(await attempt(text)).toBe('STORAGE_NOT_A_DATABASE');
    const foreign = temporaryFile();
    new BetterSqlite(foreign).exec('create table theirs (id)').close();
    expect(await attempt(foreign)).toBe('STORAGE_FOREIGN');
    expect(readdirSync(dirname(to))).toEqual([]);
  });

  it('that others may read is restored as a file that nobody else may', async () => {
    const { path, to } = await backedUp();
    chmodSync(to, 0o644);
    await restoreSqlite({ path, from: to });
    expect(modeOf(path)).toBe(0o600);
    expect(modeOf(to)).toBe(0o644);
  });

  it('is restored where nothing is, and where only a log was left, which is not read into it', async () => {
    const { to } = await backedUp();
    const fresh = join(temporaryFolder(), 'new', 'ledger.db');
    expect(await restoreSqlite({ path: fresh, from: to })).toMatchObject({ replaced: null });
    expect(await textsIn(fresh)).toEqual(['old']);

    const path = temporaryFile();
    const db = await opened(path, 'lost');
    copyFileSync(`${path}-wal`, `${path}.kept-wal`);
    await db.destroy();
    rmSync(path);
    renameSync(`${path}.kept-wal`, `${path}-wal`);
    const { replaced } = await restoreSqlite({ path, from: to });
    expect(await textsIn(path)).toEqual(['old']);
    expect(existsSync(`${replaced}-wal`)).toBe(true);
  });

  it('that is none is refused, and nothing is changed', async () => {
    const { path, to } = await backedUp();
    const folder = temporaryFolder();
    const file = (name: string, content: string | Buffer) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const bytes = readFileSync(to);
    const damagedBytes = Buffer.from(bytes);
    damagedBytes.fill(0xff, 4096, 8192);
    const foreign = join(folder, 'foreign.db');
    new BetterSqlite(foreign).exec('create table theirs (id)').close();
    const live = temporaryFile();
    const db = await opened(live, 'live');
    const other = temporaryFile();
    const ours = openSqlite({ path: other });
    await migrate(ours, { name: 'other', migrations: [first] });
    await ours.destroy();
    const otherBackup = join(folder, 'other.db');
    await backupSqlite({ path: other, to: otherBackup });
    const crashed = file('crashed.db', bytes);
    file('crashed.db-journal', 'a transaction that was never finished');

    const cases: readonly (readonly [string, string])[] = [
      [join(folder, 'none.db'), 'STORAGE_NOT_FOUND'],
      [file('empty.db', ''), 'STORAGE_NOT_A_DATABASE'],
      [file('text.db', 'dear diary, '.repeat(100)), 'STORAGE_NOT_A_DATABASE'],
      [file('short.db', bytes.subarray(0, 5000)), 'STORAGE_CORRUPT'],
      [file('damaged.db', damagedBytes), 'STORAGE_CORRUPT'],
      [foreign, 'STORAGE_FOREIGN'],
      [live, 'BACKUP_INVALID'],
      [crashed, 'BACKUP_INVALID'],
      [otherBackup, 'BACKUP_INVALID'],
      [path, 'BACKUP_INVALID'],
    ];
    const before = readFileSync(path);
    for (const [from, code] of cases) {
      for (const dryRun of [true, false]) {
        const failure = await failureOf(() => restoreSqlite({ path, from, schemas: [notes], dryRun }));
        expect([from, failure.code]).toEqual([from, code]);
      }
    }
    await db.destroy();
    expect(readFileSync(path)).toEqual(before);
    expect(besides(path)).toEqual([`${basename(path)}-lock`]);
  });

  it('of a newer version is refused, and one of an older version is welcome', async () => {
    const { path, to } = await backedUp();
    const older = { name: 'notes', migrations: [first] };
    const newer = { name: 'notes', migrations: [first, second, { ...second, id: '003' }] };
    expect((await failureOf(() => restoreSqlite({ path, from: to, schemas: [older] }))).code).toBe(
      'SCHEMA_NEWER',
    );
    await restoreSqlite({ path, from: to, schemas: [newer] });
    expect(await textsIn(path)).toEqual(['old']);
  });

  it('never takes the place of what is not ours', async () => {
    const { to } = await backedUp();
    const text = temporaryFile();
    writeFileSync(text, 'dear diary');
    const foreign = temporaryFile();
    new BetterSqlite(foreign).exec('create table theirs (id)').close();
    const before = [readFileSync(text), readFileSync(foreign)];
    for (const dryRun of [true, false]) {
      const writerActiveMessage = async (path: string) =>
        (await failureOf(() => restoreSqlite({ path, from: to, dryRun }))).code;
      expect(await writerActiveMessage(text)).toBe('STORAGE_NOT_A_DATABASE');
      expect(await writerActiveMessage(foreign)).toBe('STORAGE_FOREIGN');
    }
    expect([readFileSync(text), readFileSync(foreign)]).toEqual(before);
  });

  it('is refused while an agent is running on the database, in a dry run too', async () => {
    const { path, to } = await backedUp();
    const lock = acquireWriter({ path });
    for (const dryRun of [true, false]) {
      expect((await failureOf(() => restoreSqlite({ path, from: to, dryRun }))).code).toBe('WRITER_ACTIVE');
    }
    lock.release();
    await restoreSqlite({ path, from: to });
  });

  it('is made of, and restored over, a database whose process was killed in a transaction', async () => {
    const { path, to } = await backedUp();
    /** The files as they lie there after a kill: rows of a transaction in one, how to undo them in the other. */
    const killed = () => {
      const hot = temporaryFile();
      const database = new BetterSqlite(path);
      database.exec('pragma journal_mode = delete; pragma cache_size = 1; begin');
      const insert = database.prepare('insert into notes values (?, ?)');
      for (let id = 2; id < 400; id++) insert.run(id, 'lost '.repeat(100));
      for (const end of ['', '-journal']) copyFileSync(path + end, hot + end);
      database.exec('rollback').close();
      expect(readFileSync(hot).includes('lost lost')).toBe(true);
      return hot;
    };
    const again = join(temporaryFolder(), 'again.db');
    await backupSqlite({ path: killed(), to: again });
    expect(await textsIn(again)).toEqual(['old']);

    const hot = killed();
    const { replaced } = await restoreSqlite({ path: hot, from: to });
    expect(await textsIn(hot)).toEqual(['old']);
    expect(await textsIn(replaced ?? '')).toEqual(['old']);
  });

  it('changes nothing in a dry run', async () => {
    const { path, to } = await backedUp();
    const before = [readFileSync(path), readdirSync(dirname(path))];
    const restored = await restoreSqlite({ path, from: to, schemas: [notes], dryRun: true });
    expect(restored).toEqual({ bytes: statSync(to).size, replaced: null });
    expect([readFileSync(path), readdirSync(dirname(path))]).toEqual(before);
  });

  it('takes away the second name that a restore left which was killed half-way, and no other', async () => {
    const { path, to } = await backedUp();
    linkSync(path, `${path}.replaced-half-way`);
    writeFileSync(`${path}.replaced-before`, 'an older one');
    writeFileSync(`${path}.restoring`, 'half a copy');
    await restoreSqlite({ path, from: to });
    expect(besides(path)).toEqual([
      `${basename(path)}-lock`,
      expect.stringMatching(/\.replaced-20\d\d-/),
      `${basename(path)}.replaced-before`,
    ]);
  });

  it('tells who opened the old file while it was replaced to try again', async () => {
    const { path, to } = await backedUp();
    const swapping: SqliteDriver = (file, options) => {
      const database = nodeSqlite(file, options);
      if (file === path) {
        copyFileSync(to, `${path}.new`);
        renameSync(`${path}.new`, path);
      }
      return database;
    };
    expect((await failureOf(() => openSqlite({ path, driver: swapping }))).code).toBe('STORAGE_LOCKED');
    expect(besides(path)).toEqual([]);
    expect(await textsIn(path)).toEqual(['old']);
  });

  it('is whole or not there, and so is what it is restored to, however often the process is killed', async () => {
    const path = temporaryFile();
    const backups = temporaryFolder();
    const db = await opened(path, 'old');
    // Large enough that a kill falls into the copying now and then.
    for (let id = 2; id < 40; id++) {
      await db
        .insertInto('notes')
        .values({ id, text: randomBytes(50_000).toString('hex') })
        .execute();
    }
    const whole = (await db.selectFrom('notes').select('id').execute()).length;
    await db.destroy();
    const from = join(backups, 'small.db');
    const small = temporaryFile();
    await closed(small, 'small');
    await backupSqlite({ path: small, to: from });

    const finished = (run: number, n: number) => existsSync(join(backups, `${run}-${n}.db`));
    const copied = (file: string, share: number) =>
      (statSync(file, { throwIfNoEntry: false })?.size ?? -1) >= share * statSync(from).size;
    /** Stages of the child's work, in their order. Each stays true when it is over, so that none can be missed. */
    const moments: readonly ((run: number) => boolean)[] = [
      () => true,
      (run) => copied(join(backups, `${run}-0.db.unfinished`), 0) || finished(run, 0),
      (run) => copied(join(backups, `${run}-0.db.unfinished`), 5) || finished(run, 0),
      (run) => finished(run, 0),
      (run) =>
        finished(run, 0) && (besides(path).some((name) => name.includes('restoring')) || finished(run, 1)),
      (run) =>
        finished(run, 0) && (besides(path).some((name) => name.includes('replaced')) || finished(run, 1)),
      (run) => finished(run, 1),
      (run) => copied(join(backups, `${run}-2.db.unfinished`), 5) || finished(run, 2),
    ];
    const kills = process.env.BONAFIDE_PROOF === 'full' ? 100 : moments.length;
    for (let kill = 0; kill < kills; kill++) {
      const child = runChild('back-up.ts', [path, from, backups, String(kill)]);
      await child.sees('begun');
      while (!moments[kill % moments.length]?.(kill)) await nextTurn();
      child.process.kill('SIGKILL');
      expect(await child.ended, child.output()).toBe('SIGKILL');
      // At any moment the one or the other, never something between and never nothing.
      expect([1, whole]).toContain((await textsIn(path, false)).length);
      for (const name of readdirSync(backups).filter((one) => one.endsWith('.db'))) {
        expect([1, whole]).toContain((await textsIn(join(backups, name))).length);
      }
    }
  });

  it.skipIf(process.getuid?.() === 0)('that may not be read is told as such', async () => {
    const { path, to } = await backedUp();
    chmodSync(to, 0o000);
    expect((await failureOf(() => restoreSqlite({ path, from: to }))).code).toBe('STORAGE_PERMISSION');
  });
});
