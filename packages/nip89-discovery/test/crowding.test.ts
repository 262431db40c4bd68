import type { NostrEvent } from '@bonafide/nostr-transport';
import { testDatabases } from '@bonafide/storage/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMemoryDiscoveryStore, type DiscoveryStore, rankOf } from '../src/index.ts';
import {
  createKyselyDiscoveryStore,
  type KyselyDiscoveryStoreOptions,
  migrateDiscovery,
} from '../src/stores/kysely.ts';
import { at, key, put, recommendation, row, sampleEntry } from '../src/testing/samples.ts';
import { onlyRelay, registryOver, sqliteStore } from './registry-over.ts';
import { cardOf, dayMs, signer, start } from './support.ts';

/** Both kinds of stores, empty. */
const bothStores = async () => [createMemoryDiscoveryStore(), (await sqliteStore()).store];

/** Stores with limits, in memory and in both kinds of databases, by name. */
const limitedStores: readonly (readonly [
  string,
  (options: KyselyDiscoveryStoreOptions) => Promise<DiscoveryStore>,
])[] = [
  ['memory', async (options) => createMemoryDiscoveryStore(options)],
  ...testDatabases()
    .filter(({ name }) => name === 'node:sqlite' || name === 'Postgres')
    .map(
      (database) =>
        [
          database.name,
          async (options: KyselyDiscoveryStoreOptions) => {
            const { db, close } = await database.open();
            onTestFinished(close);
            await migrateDiscovery(db);
            return createKyselyDiscoveryStore(db, options);
          },
        ] as const,
    ),
];

const recommend = async (by: number, of: number, kind = 5_002, hint = ''): Promise<NostrEvent> =>
  signer(by).signEvent({
    kind: 31_989,
    created_at: start / 1_000,
    tags: [
      ['d', String(kind)],
      ['a', `31990:${await signer(of).getPublicKey()}:main`, hint],
    ],
    content: '',
  });
const translator = (n: number) => cardOf(n, { kinds: [5_002], capabilities: [] });

describe('recommendations by strangers', () => {
  it('hide no recommendation by somebody known, from one key or from many (DIS-13, DIS-18)', async () => {
    const known = 5_000;
    const knownKey = await signer(known).getPublicKey();
    const standing = (recommender: string) => (recommender === knownKey ? 0.9 : null);
    // Any number of keys can be tried until they sort first.
    const strangers = [];
    for (let n = 100; strangers.length < 210; n += 1) {
      if ((await signer(n).getPublicKey()) < knownKey) strangers.push(n);
    }
    const [one = 100] = strangers;
    const events = [
      await translator(1),
      await translator(2),
      ...(await Promise.all(strangers.map((n) => recommend(n, 2, 5_002, `wss://r${n}.example.com`)))),
      ...(await Promise.all(Array.from({ length: 210 }, (_, n) => recommend(one, 2, 6_000 + n)))),
      await recommend(known, 2, 5_002, 'wss://trusted.example.com'),
    ];
    for (const store of await bothStores()) {
      const { discovery } = registryOver(events, store, { standing });
      await discovery.sync();
      await discovery.stop();
      const found = await discovery.find({ kind: 5_002 }).toArray();
      expect(found.map(({ entry }) => entry.card.name)).toEqual(['P2', 'P1']);
      const pubkey = await signer(2).getPublicKey();
      expect((await discovery.get(pubkey, 'main'))?.recommendation).toBeCloseTo(0.9 / 1.9);
      const recommended = await discovery.recommendations(pubkey, 'main', { standing });
      expect(recommended).toMatchObject({ recommenders: 211, known: 1 });
      expect(recommended.recommendations[0]?.recommender).toBe(knownKey);
      expect(recommended.recommendations).toHaveLength(200);
      // One key with many recommendations takes few of the places.
      const byOne = recommended.recommendations.filter(
        ({ recommender }) => recommender === recommended.recommendations[1]?.recommender,
      );
      expect(byOne.length).toBeLessThanOrEqual(5);
      const hints = (await discovery.relaysFor(pubkey, 'main')).filter(
        ({ source }) => source === 'recommendation',
      );
      expect(hints[0]?.relay).toBe('wss://trusted.example.com');
    }
  });

  it.each(limitedStores)(
    'displace each other before one by somebody known, when there are too many, in %s (DIS-13, DIS-15)',
    async (_, open) => {
      const store = await open({ maxRemembered: 20 });
      await store.putRecommendation(recommendation(1, 5_000, ['a']), { isKnown: true });
      await store.putRecommendation(recommendation(2, 5_000, ['a'], at + 1));
      for (let n = 0; n < 100; n += 1) {
        await store.putRecommendation(recommendation(3, 5_100 + n, ['a'], at + 10 + n));
      }
      const { items } = await store.recommendersOf(key(9), 'a', { limit: 10 });
      // The one with most loses first.
      expect(items).toEqual([key(1), key(2), key(3)]);
    },
  );
});

describe('what a card says of itself', () => {
  it('does not outrank a recommendation by its exact label (DIS-18)', async () => {
    const known = await signer(50).getPublicKey();
    const events = [
      await cardOf(1, { kinds: [], capabilities: ['translation'] }),
      await translator(2),
      await translator(3),
      await recommend(50, 3),
    ];
    for (const store of await bothStores()) {
      const { discovery } = registryOver(events, store, { standing: (who) => (who === known ? 0.9 : null) });
      await discovery.sync();
      await discovery.stop();
      const found = await discovery.find({ capability: 'translation' }).toArray();
      // A kind that stands for the capability declares it as well as its label. Without other differences, the label wins.
      expect(found.map(({ entry, match }) => [entry.card.name, match.confidence])).toEqual([
        ['P3', 0.8],
        ['P1', 1],
        ['P2', 0.8],
      ]);
    }
  });

  it('counts as a sign of life only if it has to be renewed soon (DIS-17, DIS-18)', () => {
    const rankWith = (lifeMs: number | null) =>
      rankOf(sampleEntry(1, 'a', {}, { expiresAt: lifeMs === null ? null : at + lifeMs }));
    expect(rankWith(3_600_000)).toBeLessThan(rankWith(null));
    expect(rankWith(7 * dayMs)).toBeLessThan(rankWith(null));
    for (const days of [8, 365, 10_000]) expect(rankWith(days * dayMs)).toBe(rankWith(null));
  });
});

describe('a flood of cards', () => {
  it('evicts itself: authors with many cards first, then the newest strangers (DIS-15)', async () => {
    const late = (ms: number) => ({ discoveredAt: at + ms, lastSeenAt: at + 1_000 });
    for (const store of await bothStores()) {
      const honest = [1, 2, 3].map((n) => sampleEntry(n, 'a', late(n)));
      const recommended = sampleEntry(4, 'a', { recommendation: 0.4, ...late(900) });
      const served = sampleEntry(5, 'a', {
        ...late(901),
        experience: [{ relay: onlyRelay, successes: 3, failures: 0, latencyMs: 5 }],
      });
      for (const entry of [...honest, recommended, served]) await put(store, entry, []);
      // One author with many cards, and many authors that say what is wanted.
      for (let n = 0; n < 20; n += 1) {
        await put(
          store,
          sampleEntry(50, `d${n}`, { ...late(10 + n), status: 'candidate', ordinal: n + 1 }),
          [],
        );
        await put(store, sampleEntry(100 + n, 'a', { ...late(10 + n), status: 'candidate' }), []);
      }
      expect(await store.evict(26)).toBe(19);
      const left = async () => (await store.list({ limit: 100 })).items;
      // Of the author with twenty, one is left.
      expect((await left()).filter(({ pubkey }) => pubkey === key(50)).map(({ d }) => d)).toEqual(['d0']);
      expect(await store.evict(5)).toBe(21);
      expect((await left()).map(({ pubkey }) => pubkey)).toEqual([1, 2, 3, 4, 5].map(key));
      // Those with a good reputation are the last.
      expect(await store.evict(2)).toBe(3);
      expect((await left()).map(({ pubkey }) => pubkey)).toEqual([4, 5].map(key));
    }
  });

  it('counts the cards of an author as they come (DIS-15)', async () => {
    const events = await Promise.all(
      ['a', 'b', 'c'].map((d, n) => cardOf(1, { d, createdAt: start - n * 1_000 })),
    );
    const { discovery } = registryOver(events);
    await discovery.sync();
    const { items } = await discovery.entries();
    expect(items.map(({ d, ordinal }) => [d, ordinal])).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
  });
});

describe('a flood of deletions', () => {
  it.each(limitedStores)(
    'displaces those of strangers, never that of a platform, in %s (DIS-15, DIS-20)',
    async (_, open) => {
      const store = await open({ maxRemembered: 20 });
      await put(store, sampleEntry(1, 'other'), []);
      await store.addDeletions(key(1), ['d:a'], at);
      for (let n = 0; n < 100; n += 1) {
        await store.addDeletions(key(2), [`d:${n}`], at + 10 + n);
        await store.addDeletions(key(1_000 + n), ['d:a'], at + 10 + n);
      }
      const [record] = await store.lookUp([{ pubkey: key(1), canonicalD: 'a', targets: ['d:a'] }]);
      expect(record?.deletedAt).toBe(at);
    },
  );
});

describe('a platform that changes its card all the time', () => {
  it.each(limitedStores)(
    'keeps its first and its newest rows of history, in %s (DIS-12, DIS-15)',
    async (_, open) => {
      const store = await open({ maxHistory: 100 });
      for (let revision = 1; revision <= 500; revision += 1) {
        await put(store, sampleEntry(1, 'a', { revision }), [row(`${revision}`)]);
      }
      const rows: string[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const page = await store.history(key(1), 'a', {
          limit: 200,
          ...(cursor === undefined ? {} : { cursor }),
        });
        rows.push(...page.items.map(({ reason }) => reason));
        cursor = page.nextCursor;
      }
      expect(rows.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, n) => `${500 - n}`));
      expect(rows.at(-1)).toBe('1');
      expect(rows.length).toBeLessThanOrEqual(201);
    },
  );

  it('adds rows of bounded size, whatever its cards contain (DIS-12, DIS-15)', async () => {
    const long = (letter: string) => letter.repeat(3_900);
    const version = (n: number) =>
      cardOf(1, {
        about: long(n % 2 === 0 ? 'a' : 'b'),
        createdAt: start - 60_000 + n * 1_000,
        nip90Params: Object.fromEntries(
          Array.from({ length: 6 }, (_, at) => [
            `p${at}`,
            { values: [long(String(n))], description: long('d') },
          ]),
        ),
      });
    const events = [await version(1)];
    const { discovery } = registryOver(events);
    await discovery.sync();
    events.push(await version(2));
    await discovery.sync();
    const { items } = await discovery.history(await signer(1).getPublicKey(), 'main');
    expect(items[0]?.diff?.fields).toHaveProperty('about');
    for (const item of items) expect(JSON.stringify(item).length).toBeLessThan(10_000);
  });
});
