import { existsSync, readFileSync } from 'node:fs';
import { testDatabases } from '@bonafide/storage/testing';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createLedger } from '../src/index.ts';
import { createKyselyLedgerStore, migrateLedger } from '../src/stores/kysely.ts';

/** A word that occurs nowhere else, and shares no beginning with others. */
const word = (n: number) =>
  [0x9e3779b1, 0x85ebca6b].map((prime) => (Math.imul(n + 4711, prime) >>> 0).toString(36)).join('q');

const databases = testDatabases().filter(({ dialect }) => dialect === 'sqlite');

describe.each(databases)('text that is gone, on $name', ({ open }) => {
  /** Forty messages of Eve among two thousand others, of lengths that move them from page to page. */
  async function setUp() {
    const { db, url, close } = await open();
    await migrateLedger(db);
    const time = { now: Date.UTC(2026, 0, 1) };
    const ledger = createLedger({ store: createKyselyLedgerStore(db), clock: () => time.now });
    const words: string[] = [];
    for (let n = 0; n < 2_000; n += 1) {
      time.now += 1_000;
      const isEve = n % 50 === 0;
      if (isEve) words.push(word(n));
      const content = `${word(n)} hello there ${n % 7 === 0 ? `${word(n)} and more words. `.repeat(300) : ''}`;
      const peerId = isEve ? 'eve' : `peer-${n % 20}`;
      await ledger.recordIncoming({ peerId, channel: 'irc', content, alias: isEve ? word(n) : undefined });
    }
    /** Words of Eve that are still in the file or its log. */
    const left = () => {
      const files = ['', '-wal'].map((end) => `${url}${end}`).filter((path) => existsSync(path));
      const bytes = files.map((path) => readFileSync(path, 'latin1')).join('');
      return words.filter((each) => bytes.includes(each) || bytes.includes(each.slice(4)));
    };
    return { db, ledger, words, left, close, time };
  }

  it('LED-33 forgetPeer overwrites it in the file, and says how to remove the copies that SQLite made before', async () => {
    const { ledger, words, left, close } = await setUp();
    try {
      expect(left().length).toBe(words.length);
      const { textStays } = await ledger.forgetPeer('irc:eve', { reason: 'Asked for it.' });
      expect(textStays).toMatch(/copies .* Run: vacuum\./u);
      expect(left()).toEqual([]);
      expect((await ledger.searchInteractions({ text: word(1) })).items).toHaveLength(1);
      expect((await ledger.searchInteractions({ text: word(0) })).items).toHaveLength(0);
    } finally {
      await close();
    }
  });

  it('LED-27 LED-33 prune overwrites it in the file, without VACUUM', async () => {
    const { ledger, left, close, time } = await setUp();
    try {
      await ledger.prune({ before: time.now + 1 });
      // Aliases are no texts of messages: the newest one stays.
      expect(left()).toHaveLength(1);
    } finally {
      await close();
    }
  });

  it('LED-33 an index of an earlier version, which kept words of removed texts, is built anew', async () => {
    const { db, ledger, words, left, close } = await setUp();
    try {
      for (const name of ['ledger_search_insert', 'ledger_search_remove'])
        await sql.raw(`drop trigger ${name}`).execute(db);
      await sql`drop table ledger_search`.execute(db);
      await sql`create virtual table ledger_search using fts5(content, content='', contentless_delete=1)`.execute(
        db,
      );
      await sql`create trigger ledger_search_insert after insert on ledger_interactions begin select 1; end`.execute(
        db,
      );
      await migrateLedger(db);
      expect((await ledger.searchInteractions({ text: words[3] ?? '' })).items).toHaveLength(1);
      await ledger.forgetPeer('irc:eve', { reason: 'Asked for it.' });
      expect(left()).toEqual([]);
    } finally {
      await close();
    }
  });
});

const servers = testDatabases().filter(({ name }) => name === 'Postgres');

describe.each(servers)('text that is gone, on $name', ({ open }) => {
  it('LED-33 forgetPeer says that the text stays until the tables are rewritten, and how', async () => {
    const { db, close } = await open();
    try {
      await migrateLedger(db);
      const ledger = createLedger({ store: createKyselyLedgerStore(db) });
      const words = Array.from({ length: 20 }, (_, n) => word(n));
      for (const [n, content] of words.entries())
        await ledger.recordIncoming({ peerId: n % 2 ? 'eve' : 'bob', channel: 'irc', content });
      /** Words that are in the file of the table. */
      const left = async () => {
        await sql`checkpoint`.execute(db);
        const found = words.map(
          (each) => sql`position(convert_to(${each}, 'UTF8') in pg_read_binary_file(path)) > 0`,
        );
        const { rows } = await sql<{
          readonly found: readonly boolean[];
        }>`select array[${sql.join(found)}] as found
          from (select pg_relation_filepath('ledger_interactions') as path) as file`.execute(db);
        return words.filter((_, n) => rows[0]?.found[n]);
      };
      const { textStays } = await ledger.forgetPeer('irc:eve', { reason: 'Asked for it.' });
      expect(await left()).toEqual(words);
      const advised = /Run: (vacuum full [a-z_, ]+)\./u.exec(textStays ?? '')?.[1] ?? '';
      await sql.raw(advised).execute(db);
      expect(await left()).toEqual(words.filter((_, n) => n % 2 === 0));
    } finally {
      await close();
    }
  });
});
