import { openSqlite } from '@bonafide/storage';
import { testDatabases } from '@bonafide/storage/testing';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDiscovery, createMemoryDiscoveryStore } from '../src/index.ts';
import type { RegistryEntry } from '../src/registry/entry.ts';
import { termsOf } from '../src/registry/store.ts';
import { createKyselyDiscoveryStore, type DiscoveryTables, migrateDiscovery } from '../src/stores/kysely.ts';
import { testDiscoveryStore } from '../src/testing/index.ts';
import { sampleEntry } from '../src/testing/samples.ts';
import { transportAt } from './set-up.ts';
import { cardOf, start } from './support.ts';

testDiscoveryStore('memory', () => ({ store: createMemoryDiscoveryStore() }));

for (const database of testDatabases()) {
  testDiscoveryStore(
    `kysely on ${database.name}`,
    async () => {
      const { db, connect, close } = await database.open();
      await migrateDiscovery(db);
      const reopen = () => createKyselyDiscoveryStore(connect?.() ?? db);
      return { store: createKyselyDiscoveryStore(db), reopen, close };
    },
    { timeoutMs: 240_000 },
  );

  it(`X-2 keeps the registries of two agents apart on ${database.name}`, async () => {
    const { db, close } = await database.open();
    try {
      await migrateDiscovery(db);
      await migrateDiscovery(db);
      const mine = createKyselyDiscoveryStore(db, { agentId: 'me' });
      const yours = createKyselyDiscoveryStore(db, { agentId: 'you' });
      await mine.putState(new Map([['a', '5']]));
      expect(await yours.getState(['a'])).toEqual(new Map());
    } finally {
      await close();
    }
  });
}

describe('what lay in a database', () => {
  it('X-5 DIS-11 is checked when it is read: a damaged row is an error that names it, never an entry', async () => {
    const db = openSqlite<DiscoveryTables>({ path: ':memory:' });
    onTestFinished(() => db.destroy());
    await migrateDiscovery(db);
    const card = await cardOf(1);
    const discovery = createDiscovery({
      transport: {
        subscribe: () => ({ close() {} }),
        query: async (_relays, [filter]) => (filter?.kinds?.includes(31_990) ? [card] : []),
        publish: async () => [],
      },
      store: createKyselyDiscoveryStore(db),
      relays: ['wss://relay.example.com'],
      clock: () => start,
    });
    onTestFinished(() => discovery.close());
    await discovery.sync();
    const { entry } = await db.selectFrom('discovery_platforms').select('entry').executeTakeFirstOrThrow();
    const whole = JSON.parse(entry);
    const before = await discovery.get(card.pubkey, 'main');
    const damages: readonly string[] = [
      '',
      '{',
      'null',
      '{}',
      JSON.stringify({ ...whole, status: 'admin' }),
      JSON.stringify({ ...whole, trustScore: 7 }),
      JSON.stringify({ ...whole, card: { ...whole.card, kinds: ['5000'] } }),
      JSON.stringify({ ...whole, card: { ...whole.card, eventId: 'f'.repeat(64) } }),
      JSON.stringify({ ...whole, d: 'x'.repeat(5_000_000) }),
    ];
    for (const damaged of damages) {
      await db.updateTable('discovery_platforms').set({ entry: damaged }).execute();
      const failure = {
        code: 'STORE_FAILED',
        cause: { message: expect.stringContaining(card.pubkey.slice(0, 8)) },
      };
      await expect(discovery.get(card.pubkey, 'main')).rejects.toMatchObject(failure);
      await expect(discovery.find({ kind: 5_000 }).toArray()).rejects.toMatchObject(failure);
    }
    await db.updateTable('discovery_platforms').set({ entry }).execute();
    expect(await discovery.get(card.pubkey, 'main')).toEqual(before);
    // The fields of the content are stored once, in the event.
    expect(whole.card).not.toHaveProperty('fields');
    expect(before?.card.fields).toEqual(JSON.parse(card.content));
    await db.updateTable('discovery_audit').set({ row_json: '{"at":-1}' }).execute();
    await expect(discovery.history(card.pubkey, 'main')).rejects.toMatchObject({ code: 'STORE_FAILED' });
  });

  it('DIS-15 keeps the newest deletions and recommendations only, however many keys there are', async () => {
    const db = openSqlite<DiscoveryTables>({ path: ':memory:' });
    onTestFinished(() => db.destroy());
    await migrateDiscovery(db);
    const store = createKyselyDiscoveryStore(db, { maxRemembered: 10 });
    const key = (n: number) => n.toString(16).padStart(64, '0');
    for (let n = 1; n <= 50; n += 1) {
      await store.addDeletions(key(n), ['d:main'], n * 1_000);
      const handlers = [{ pubkey: key(9), canonicalD: 'main', relayHint: null }];
      await store.putRecommendation({
        recommender: key(n),
        kind: 1,
        handlers,
        eventId: key(n),
        createdAt: n * 1_000,
      });
    }
    const count = async (table: keyof DiscoveryTables) => {
      const { n } = await db.selectFrom(table).select(db.fn.countAll().as('n')).executeTakeFirstOrThrow();
      return Number(n);
    };
    expect(await count('discovery_deletions')).toBeLessThanOrEqual(20);
    expect(await count('discovery_recommendations')).toBeLessThanOrEqual(20);
    expect(await count('discovery_recommended')).toBe(await count('discovery_recommendations'));
    expect(await store.lookUp([{ pubkey: key(50), canonicalD: 'main', targets: ['d:main'] }])).toMatchObject([
      { deletedAt: 50_000 },
    ]);
    expect((await store.recommendersOf(key(9), 'main', { limit: 100 })).items).toContain(key(50));
  });

  it('DIS-16 is searched by one seek for each term and status, never by a scan', async () => {
    const db = openSqlite<DiscoveryTables>({ path: ':memory:' });
    onTestFinished(() => db.destroy());
    await migrateDiscovery(db);
    const plan = await sql<{ readonly detail: string }>`EXPLAIN QUERY PLAN
      SELECT distance, pubkey, canonical_d FROM discovery_terms
      WHERE agent_id = 'default' AND term = 'x' AND status = 'partner' AND (distance, pubkey, canonical_d) > (0.5, 'a', '')
      ORDER BY distance, pubkey, canonical_d LIMIT 21`.execute(db);
    expect(plan.rows.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(
        /^SEARCH discovery_terms USING PRIMARY KEY \(agent_id=\? AND term=\? AND status=\?/u,
      ),
    ]);
  });

  it('keeps no terms of an earlier revision or of a removed platform (DIS-16)', async () => {
    const db = openSqlite<DiscoveryTables>({ path: ':memory:' });
    onTestFinished(() => db.destroy());
    await migrateDiscovery(db);
    const store = createKyselyDiscoveryStore(db);
    const termsStored = async () => {
      const rows = await db
        .selectFrom('discovery_terms')
        .select(['term', 'pubkey'])
        .orderBy('pubkey')
        .orderBy('term')
        .execute();
      return rows.map(({ term, pubkey }) => `${pubkey} ${term}`);
    };
    const [one, two] = [sampleEntry(1, 'main', {}, { labels: ['translation'] }), sampleEntry(2, 'main')];
    await store.put([one, two].map((entry) => ({ entry, audit: [] })));
    const second = sampleEntry(1, 'main', { revision: 2 }, { labels: ['summarization'] });
    await store.put([{ entry: second, audit: [] }]);
    const termsIn = (entries: readonly RegistryEntry[]) =>
      entries.flatMap((entry) => termsOf(entry).map((term) => `${entry.pubkey} ${term}`)).sort();
    expect((await termsStored()).sort()).toEqual(termsIn([second, two]));
    await store.evict(0);
    expect(await termsStored()).toEqual([]);
  });
});

it.each(testDatabases())('X-14 names the migration that is missing on $name', async ({ open }) => {
  const { db, close } = await open();
  try {
    const transport = transportAt(Date.now);
    const relays = ['wss://relay.example.com'];
    const discovery = createDiscovery({ transport, relays, store: createKyselyDiscoveryStore(db) });
    await expect(discovery.get('a'.repeat(64), 'main')).rejects.toMatchObject({ code: 'NOT_MIGRATED' });
  } finally {
    await close();
  }
});
