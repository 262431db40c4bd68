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

  it('LED-33 forgetPeer leaves nothing of it in the file, without VACUUM', async () => {
    const { ledger, words, left, close } = await setUp();
    try {
      expect(left().length).toBe(words.length);
      await ledger.forgetPeer('irc:eve', { reason: 'Asked for it.' });
      expect(left()).toEqual([]);
      expect((await ledger.searchInteractions({ text: word(1) })).items).toHaveLength(1);
      expect((await ledger.searchInteractions({ text: word(0) })).items).toHaveLength(0);
    } finally {
      await close();
    }
  });

  it('LED-27 LED-33 prune leaves nothing of it in the file, without VACUUM', async () => {
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
