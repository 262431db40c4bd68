import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { acquireWriter, isBonafideError, migrate, openSqlite } from '@bonafide/storage';
import { testDatabases } from '@bonafide/storage/testing';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLedger } from '../src/index.ts';
import { createKyselyLedgerStore, ledgerMigrations, migrateLedger } from '../src/stores/kysely.ts';

const bob = { peerId: 'bob', channel: 'irc', content: 'hi' };

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens the ledger at a path as an agent does at its start, all the way to a first record. */
async function openLedger(path: string) {
  const db = openSqlite({ path });
  onTestFinished(() => db.destroy());
  await migrateLedger(db);
  const ledger = createLedger({ store: createKyselyLedgerStore(db) });
  return { db, ledger };
}

async function failureOf(work: () => Promise<unknown>) {
  try {
    await work();
  } catch (error) {
    if (isBonafideError(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('Nothing was thrown');
}

async function writtenLedger(messages = 1) {
  const path = join(temporaryFolder(), 'ledger.db');
  const { db, ledger } = await openLedger(path);
  for (let n = 0; n < messages; n++)
    await ledger.recordIncoming({ ...bob, content: `${n} ${'x'.repeat(500)}` });
  await db.destroy();
  return path;
}

/** A file system of its own, or null where none may be mounted. */
function mountTmpfs(size: string): string | null {
  const folder = temporaryFolder();
  const options = ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder];
  if (spawnSync('mount', options, { stdio: 'ignore' }).status !== 0) return null;
  onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
  return folder;
}

describe('LED-25 a typed error that says what to do, and nothing overwritten', () => {
  it.each([
    [
      'a text',
      'STORAGE_NOT_A_DATABASE',
      () => Buffer.from('Dear diary, nobody shall overwrite you. '.repeat(50)),
    ],
    ['a database of somebody else', 'STORAGE_FOREIGN', foreignDatabase],
  ])('%s in the place of the ledger: %s', async (_, code, make) => {
    const path = join(temporaryFolder(), 'ledger.db');
    const before = make();
    writeFileSync(path, before);
    const failure = await failureOf(() => openLedger(path));
    expect(failure.code).toBe(code);
    expect(failure.message).toContain(path);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  function foreignDatabase(): Buffer {
    const path = join(temporaryFolder(), 'other.db');
    const other = new DatabaseSync(path);
    other.exec('create table bookmarks (url text)');
    other.close();
    return readFileSync(path);
  }

  it('a damaged ledger: STORAGE_CORRUPT', async () => {
    const path = await writtenLedger(200);
    const bytes = readFileSync(path);
    // Every page but the first, which says that it is a database.
    bytes.fill(0xa5, 4096);
    writeFileSync(path, bytes);
    const failure = await failureOf(async () => {
      const { ledger } = await openLedger(path);
      await ledger.recordIncoming(bob);
    });
    expect(failure.code).toBe('STORAGE_CORRUPT');
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it.each(testDatabases())('a $name that was not migrated: NOT_MIGRATED (X-14)', async ({ open }) => {
    const { db, close } = await open();
    onTestFinished(close);
    const ledger = createLedger({ store: createKyselyLedgerStore(db) });
    expect(await failureOf(() => ledger.recordIncoming(bob))).toMatchObject({
      code: 'NOT_MIGRATED',
      message: expect.stringContaining('migrateLedger'),
    });
  });

  it('a ledger that a newer version has migrated: SCHEMA_NEWER', async () => {
    const path = await writtenLedger();
    const db = openSqlite({ path });
    const next = { id: '9999-the-future', statements: () => ['create table ledger_future (x integer)'] };
    await migrate(db, { name: 'ledger', migrations: [...ledgerMigrations, next] });
    await db.destroy();
    const copy = `${path}.copy`;
    copyFileSync(path, copy);
    const failure = await failureOf(() => openLedger(path));
    expect(failure.code).toBe('SCHEMA_NEWER');
    expect(readFileSync(path).equals(readFileSync(copy))).toBe(true);
  });

  it('a ledger of the version before is brought up to date and keeps everything', async () => {
    const path = join(temporaryFolder(), 'ledger.db');
    const db = openSqlite({ path });
    await migrate(db, { name: 'ledger', migrations: ledgerMigrations.slice(0, 1) });
    await sql`insert into ledger_peers (agent_id, peer_id, native_id, channel, first_seen_at, last_seen_at, interaction_count)
      values ('default', 'irc:bob', 'bob', 'irc', 1, 1, 1)`.execute(db);
    await sql`insert into ledger_interactions (agent_id, interaction_id, peer_id, direction, channel, content,
      content_length, redacted, created_at) values ('default', 'i', 'irc:bob', 'in', 'irc', 'old', 3, 0, 1)`.execute(
      db,
    );
    await db.destroy();
    const { ledger } = await openLedger(path);
    expect((await ledger.getInteractions('irc:bob')).items).toMatchObject([
      { content: 'old', pruned: false },
    ]);
  });

  it('a full disk: STORAGE_FULL; what was acknowledged is there, and it goes on when there is room', async () => {
    const folder = mountTmpfs('2m');
    const path = join(folder ?? temporaryFolder(), 'ledger.db');
    const { db, ledger } = await openLedger(path);
    // Where nothing may be mounted the room ends by SQLite's own limit: the same error by another way.
    if (folder === null) await sql`pragma max_page_count = 200`.execute(db);
    let acknowledged = 0;
    const failure = await failureOf(async () => {
      for (;;) {
        await ledger.recordIncoming({ ...bob, content: 'x'.repeat(5000) });
        acknowledged += 1;
      }
    });
    expect(failure.code).toBe('STORAGE_FULL');
    expect(acknowledged).toBeGreaterThan(10);
    expect((await ledger.getPeer('irc:bob'))?.interactionCount).toBe(acknowledged);
    await db.destroy();
    if (folder !== null) spawnSync('mount', ['-o', 'remount,size=8m', folder], { stdio: 'ignore' });
    const again = await openLedger(path);
    expect((await sql`pragma integrity_check`.execute(again.db)).rows).toEqual([{ integrity_check: 'ok' }]);
    if (folder !== null) await again.ledger.recordIncoming(bob);
    const expected = acknowledged + (folder === null ? 0 : 1);
    expect((await again.ledger.getPeer('irc:bob'))?.interactionCount).toBe(expected);
  });

  it('a directory without the right to write: STORAGE_PERMISSION', () => {
    const folder = temporaryFolder();
    const locked = join(folder, 'locked');
    mkdirSync(locked);
    chmodSync(locked, 0o555);
    // Root may write anywhere, so the attempt is made by a process without its rights.
    const nobody = 65534;
    const asNobody = process.getuid?.() === 0 ? [`${nobody}`] : [];
    if (process.getuid?.() === 0) chownSync(folder, nobody, nobody);
    const open = join(import.meta.dirname, 'support/open.ts');
    const ran = spawnSync(process.execPath, [open, join(locked, 'ledger.db'), ...asNobody], {
      encoding: 'utf8',
    });
    expect(ran.stdout, ran.stderr).toContain('STORAGE_PERMISSION');
  });
});

describe('LED-22 the file', () => {
  it('has mode 0600, and so have its companions', async () => {
    const path = join(temporaryFolder(), 'ledger.db');
    const { db, ledger } = await openLedger(path);
    await ledger.recordIncoming(bob);
    for (const end of ['', '-wal', '-shm']) expect(statSync(path + end).mode & 0o777, end).toBe(0o600);
    const setting = async (name: string) =>
      Object.values((await sql.raw(`pragma ${name}`).execute(db)).rows[0] ?? {})[0];
    expect(await setting('journal_mode')).toBe('wal');
    expect(await setting('foreign_keys')).toBe(1);
    expect(await setting('synchronous')).toBe(2);
  });

  it('refuses a second agent, and lets others read and write a word beside the first', async () => {
    const path = join(temporaryFolder(), 'ledger.db');
    using _agent = acquireWriter({ path });
    const { ledger } = await openLedger(path);
    await ledger.recordIncoming(bob);
    expect((await failureOf(async () => acquireWriter({ path }))).code).toBe('WRITER_ACTIVE');
    const beside = openSqlite({ path });
    onTestFinished(() => beside.destroy());
    const operator = createLedger({ store: createKyselyLedgerStore(beside) });
    await operator.recordAssessment('irc:bob', -4, 'A bot.', { source: 'operator' });
    expect(await ledger.getLatestAssessment('irc:bob')).toMatchObject({ trust: -4, source: 'operator' });
  });
});
