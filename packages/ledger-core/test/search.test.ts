import { openSqlite } from '@bonafide/storage';
import { testDatabases } from '@bonafide/storage/testing';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createLedger, createMemoryLedgerStore } from '../src/index.ts';
import { createKyselyLedgerStore, migrateLedger } from '../src/stores/kysely.ts';
import { hasSearchIndex, prepareSearchIndex } from '../src/stores/sql/search-index.ts';

async function setUp() {
  const ledger = createLedger({ store: createMemoryLedgerStore() });
  for (const [n, peerId] of ['bob', 'eve', 'bob'].entries()) {
    await ledger.recordIncoming({ peerId, channel: 'irc', content: `Invoice ${n} ## for you` });
  }
  return ledger;
}

describe('searchInteractions', () => {
  it('LED-33 finds messages of all peers or of one, page by page', async () => {
    const ledger = await setUp();
    const first = await ledger.searchInteractions({ text: 'you invoice!', limit: 2 });
    expect(first.items.map(({ content }) => content.slice(0, 9))).toEqual(['Invoice 2', 'Invoice 1']);
    const cursor = first.nextCursor;
    expect((await ledger.searchInteractions({ text: 'you invoice!', limit: 2, cursor })).items).toHaveLength(
      1,
    );
    expect((await ledger.searchInteractions({ text: 'invoice', peerId: 'irc:eve' })).items).toHaveLength(1);
    await expect(ledger.searchInteractions({ text: 'other', cursor })).rejects.toMatchObject({
      code: 'INVALID_CURSOR',
    });
  });

  it('LED-33 refuses what it cannot do', async () => {
    const ledger = await setUp();
    for (const text of ['', '!?', 'x'.repeat(1_001)]) {
      await expect(ledger.searchInteractions({ text })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
    await expect(ledger.searchInteractions({ text: 'x', peerId: 'irc:zoe' })).rejects.toMatchObject({
      code: 'PEER_NOT_FOUND',
    });
    const { searchInteractions, ...store } = createMemoryLedgerStore();
    await expect(createLedger({ store }).searchInteractions({ text: 'x' })).rejects.toMatchObject({
      code: 'NOT_SUPPORTED',
    });
  });

  it('LED-33 is a tool where the host offers it', async () => {
    const ledger = await setUp();
    expect(ledger.tools().map(({ name }) => name)).toEqual(['query_peer', 'list_peers', 'assess_peer']);
    const tool = ledger.tools({ search: true }).find(({ name }) => name === 'search_messages');
    const result = await tool?.execute({ text: 'invoice', peer_id: '⟦irc:bob⟧', limit: 1 });
    expect(result).toMatchObject({
      messages: [{ id: '⟦irc:bob⟧', text: '⟦Invoice 2 for you⟧' }],
      more: true,
    });
    await expect(tool?.execute({ text: 'x', peer_id: 'irc:zoe' })).rejects.toMatchObject({
      code: 'PEER_NOT_FOUND',
    });
  });

  it.each(testDatabases().filter(({ dialect }) => dialect === 'postgres'))(
    'LED-33 a migration on $name makes earlier messages findable',
    async ({ open }) => {
      const { db, close } = await open();
      try {
        await migrateLedger(db);
        const ledger = createLedger({ store: createKyselyLedgerStore(db) });
        for (let n = 0; n < 600; n += 1) {
          await ledger.recordIncoming({
            peerId: 'bob',
            channel: 'irc',
            content: `https://x.org/invoice-${n}`,
          });
        }
        await sql`update ledger_interactions set search_words = null`.execute(db);
        expect((await ledger.searchInteractions({ text: 'invoice' })).items).toHaveLength(0);
        await migrateLedger(db);
        expect((await ledger.searchInteractions({ text: 'invoice 599' })).items).toHaveLength(1);
        expect((await ledger.searchInteractions({ text: 'invoice', limit: 1000 })).items).toHaveLength(600);
      } finally {
        await close();
      }
    },
  );

  it('LED-33 finds the same without FTS5, and indexes what was written meanwhile once it is there', async () => {
    await using db = openSqlite<unknown>({ path: ':memory:' });
    await migrateLedger(db);
    expect(await hasSearchIndex(db)).toBe(true);
    const ledger = createLedger({ store: createKyselyLedgerStore(db) });
    const found = async (text: string, limit = 50) =>
      (await ledger.searchInteractions({ text, limit })).items.map(({ content }) => content);
    await ledger.recordIncoming({ peerId: 'bob', channel: 'irc', content: 'first invoice' });
    const indexed = await found('invoice');

    await prepareSearchIndex(db, async () => false);
    expect(await hasSearchIndex(db)).toBe(false);
    for (let n = 0; n < 600; n += 1) {
      await ledger.recordIncoming({
        peerId: 'bob',
        channel: 'irc',
        content: n % 100 === 0 ? `invoice ${n}` : `hello ${n}`,
      });
    }
    expect(indexed).toEqual(['first invoice']);
    const all = [...[500, 400, 300, 200, 100, 0].map((n) => `invoice ${n}`), 'first invoice'];
    expect(await found('Invoice')).toEqual(all);
    expect(await found('invoice', 2)).toEqual(all.slice(0, 2));
    expect(await found('invoices')).toEqual([]);

    await prepareSearchIndex(db);
    expect(await hasSearchIndex(db)).toBe(true);
    expect(await found('invoice')).toEqual(all);
    await ledger.recordIncoming({ peerId: 'bob', channel: 'irc', content: 'last invoice' });
    expect(await found('invoice')).toEqual(['last invoice', ...all]);
  });
});
