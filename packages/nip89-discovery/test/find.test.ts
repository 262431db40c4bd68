import type { NostrEvent } from '@bonafide/nostr-transport';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldCamelCase, foldText, stemWord } from '../src/card/fold.ts';
import { termsOfCard } from '../src/card/match.ts';
import {
  createMemoryDiscoveryStore,
  type Discovery,
  matchCapability,
  type Recommendation,
  searchableCard,
} from '../src/index.ts';
import { migrateDiscovery } from '../src/stores/kysely.ts';
import { labelled, labelledEvents, measureFind, secondAuthor } from './labelled-cards.ts';
import { registryOver, onlyRelay as relay, sqliteStore } from './registry-over.ts';
import { cardOf, dayMs, fixture, signer, start } from './support.ts';

/** A registry of the given events, by a sync over a transport that has them. */
async function registryOf(...given: Parameters<typeof registryOver>) {
  const registry = registryOver(...given);
  await registry.discovery.sync();
  return registry;
}

const names = async (discovery: Discovery, capability: string) =>
  (await discovery.find({ capability }).toArray()).map(({ entry }) => entry.card.name);

describe('the labelled set', () => {
  it('DIS-18 has at least 200 cards and 100 queries', () => {
    expect(labelled.cards.length).toBeGreaterThanOrEqual(200);
    expect(labelled.queries.length).toBeGreaterThanOrEqual(100);
  });

  it.each([
    ['ours', labelled],
    ['by a second author', secondAuthor],
  ])(
    'is found with recall and precision of at least .9, in memory and in SQLite alike: %s (DIS-18)',
    async (_, set) => {
      const events = await labelledEvents(set);
      const [memory, sqlite] = [createMemoryDiscoveryStore(), (await sqliteStore()).store];
      const found = new Map<string, readonly string[]>();
      for (const store of [memory, sqlite]) {
        const { discovery } = await registryOf(events, store);
        const result = await measureFind(async (capability) => {
          const ids = (await discovery.find({ capability }).toArray()).map(({ entry }) => entry.d).sort();
          expect(ids).toEqual(found.get(capability) ?? ids);
          found.set(capability, ids);
          return ids;
        }, set);
        expect(result.recall, result.mistakes.join('\n')).toBeGreaterThanOrEqual(0.9);
        expect(result.precision, result.mistakes.join('\n')).toBeGreaterThanOrEqual(0.9);
      }
    },
  );

  it('DIS-18 is found by index exactly as every card is matched by itself', async () => {
    const { discovery } = await registryOf(await labelledEvents());
    const all = (await discovery.entries({ limit: 200 })).items;
    for (const { query } of labelled.queries) {
      const found = new Map(
        (await discovery.find({ capability: query, minConfidence: 0.5 }).toArray()).map(
          ({ entry, match }) => [entry.d, match.confidence],
        ),
      );
      for (const entry of all) {
        const { confidence } = matchCapability(searchableCard(entry), query);
        expect(found.get(entry.d) ?? 0, `${query}: ${entry.d}`).toBe(confidence);
      }
    }
  });
});

describe('a hostile card', () => {
  it('adds few index terms, however long its labels are and whatever they fold to (DIS-18)', () => {
    const raw = Array.from({ length: 200 }, (_, n) => `${n} ${'\ufdfa'.repeat(1_990)}`);
    const about = '\ufdfa'.repeat(4_000);
    const card = { kinds: [5_002], labels: [], patterns: [], performance: null, raw, about, fields: null };
    const terms = termsOfCard(card);
    expect(terms.reduce((sum, term) => sum + term.length, 0)).toBeLessThan(20_000);
  });
});

describe('published cards', () => {
  it('DIS-18 finds the real cards of the network by kind and by word, marked as stale', async () => {
    const events = fixture('handlers-31989-31990.jsonl').map(({ event }) => event as NostrEvent);
    const cards = events.filter(({ kind }) => kind === 31_990);
    expect(cards.length).toBeGreaterThanOrEqual(2);
    const { discovery } = await registryOf(events);
    for (const { tags } of cards) {
      const d = tags.find(([name]) => name === 'd')?.[1];
      const found = async (query: Parameters<typeof discovery.find>[0]) =>
        (await discovery.find(query).toArray()).filter(({ entry }) => entry.d === d);
      for (const [name, value = ''] of tags) {
        if (name === 'k') expect(await found({ kind: Number(value) })).toMatchObject([{ stale: true }]);
        if (name === 't') expect(await found({ capability: value })).toMatchObject([{ stale: true }]);
      }
    }
    expect(await names(discovery, 'highlighter')).toContain('Highlighter');
    expect(await names(discovery, 'Yaki Honne')).toContain('YakiHonne');
  });
});

describe('matching', () => {
  const card = (over: Partial<Parameters<typeof matchCapability>[0]>) => ({
    kinds: [],
    labels: [],
    patterns: [],
    performance: null,
    ...over,
  });

  it('DIS-18 knows the kinds of the registry by name', () => {
    for (const [kind, name] of [
      [5_001, 'summarization'],
      [5_002, 'translation'],
      [5_050, 'text generation'],
      [5_100, 'image-generation'],
      [5_200, 'video conversion'],
      [5_250, 'text to speech'],
      [5_300, 'content discovery'],
      [5_970, 'proof of work'],
    ] as const) {
      expect(matchCapability(card({ kinds: [kind] }), name)).toMatchObject({
        confidence: 0.8,
        match: 'synonym',
      });
    }
    expect(matchCapability(card({ kinds: [5_000] }), 'text extraction').confidence).toBe(0.6);
    expect(matchCapability(card({ kinds: [5_000], labels: ['prose'] }), 'translation').confidence).toBe(0);
  });

  it('DIS-18 folds case, diacritics, hyphens, spaces, underscores and plurals', () => {
    const spellings = [
      'Image-Generation',
      'image_generation',
      'IMAGE GENERATION',
      'imagegeneration',
      'ímage  generations',
    ];
    for (const label of ['image-generation', 'Image_Generation', 'imagegeneration']) {
      for (const wanted of spellings) {
        expect(matchCapability(card({ labels: [label.toLowerCase()] }), wanted).confidence, wanted).toBe(1);
      }
    }
    expect(matchCapability(card({ labels: ['ｏｃｒ'] }), 'OCR').confidence).toBe(1);
    expect(matchCapability(card({ labels: ['straßenkarte'] }), 'STRASSENKARTE').confidence).toBe(1);
  });

  it('DIS-18 folds plain text as it folds any other', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 60 }), (text) => {
        // A letter of another script at the end leaves the beginning as it is.
        expect(foldText(`${text} \u044f`)).toBe(`${foldText(text)} \u044f`.trim());
        expect(foldCamelCase(`${text} \u044f`)).toBe(`${foldCamelCase(text)} \u044f`.trim());
      }),
      { numRuns: 1_000 },
    );
    expect(['classes', 'status', 'services', 'queries', 'organise', 'glass', 'gas'].map(stemWord)).toEqual([
      'classe',
      'status',
      'service',
      'query',
      'organize',
      'glass',
      'gas',
    ]);
  });

  it('DIS-18 trusts labels more than topics, these more than names, and these more than descriptions', () => {
    const confidences = [
      card({ labels: ['translator'] }),
      card({ topics: ['translate'] }),
      card({ name: 'Translator' }),
      card({ about: 'I translate your notes.' }),
      card({ about: 'I do not translate anything.' }),
    ].map((each) => matchCapability(each, 'translation').confidence);
    expect(confidences).toEqual([0.8, 0.7, 0.65, 0.55, 0]);
    // Any other word, too, and of several all.
    expect(matchCapability(card({ about: 'Writes haiku about bees' }), 'haiku bees').confidence).toBe(0.55);
    expect(matchCapability(card({ about: 'Writes haiku about bees' }), 'haiku wasps').confidence).toBe(0);
  });

  it('DIS-18 never throws, takes bounded time, and gives a confidence that its index step has', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.constantFrom('a ', 'make ', 'generate ', 'into ', 'not '),
        (wanted, name, word) => {
          const match = matchCapability(card({ name, about: word.repeat(8_000), topics: [name] }), wanted);
          expect([1, 0.8, 0.7, 0.65, 0.6, 0.55, 0.5, 0]).toContain(match.confidence);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('evidence', () => {
  it('DIS-18 is computed at intake: find reads the index terms, not the text', async () => {
    const card = await cardOf(1, {
      kinds: [5_000],
      capabilities: [],
      about: 'I translate books.',
      topics: ['haiku'],
    });
    const stored = createMemoryDiscoveryStore();
    const silent = { name: null, about: null, topics: [], raw: [], fields: null };
    const store = {
      ...stored,
      find: async (query: Parameters<typeof stored.find>[0]) => {
        const page = await stored.find(query);
        return {
          ...page,
          items: page.items.map((entry) => ({ ...entry, card: { ...entry.card, ...silent } })),
        };
      },
    };
    const { discovery } = await registryOf([card], store);
    const confidences = async (capability: string) =>
      (await discovery.find({ capability }).toArray()).map(({ match }) => match.confidence);
    expect(await confidences('translation')).toEqual([0.55]);
    expect(await confidences('haiku books')).toEqual([0.55]);
    expect(await confidences('haiku')).toEqual([0.7]);
    expect(await confidences('haiku wasps')).toEqual([]);
  });
});

describe('order', () => {
  const recommend = async (by: number, of: number, kind = 5_002) =>
    signer(by).signEvent({
      kind: 31_989,
      created_at: start / 1_000,
      tags: [
        ['d', String(kind)],
        ['a', `31990:${await signer(of).getPublicKey()}:main`],
      ],
      content: '',
    });
  const translator = (n: number, age = 0) =>
    cardOf(n, { kinds: [5_002], capabilities: [], createdAt: start - age });

  it('DIS-18 is by confidence, then recommendations of those I trust, liveness and trust; the stale come last', async () => {
    const heartbeat = await signer(4).signEvent({
      kind: 31_990,
      created_at: start / 1_000,
      tags: [
        ['d', 'main'],
        ['k', '5002'],
        ['expiration', String(start / 1_000 + 600)],
      ],
      content: '{"name":"P4"}',
    });
    const exact = await cardOf(7, {
      kinds: [],
      capabilities: ['translation'],
      createdAt: start - 40 * dayMs,
    });
    const events = [
      ...(await Promise.all([1, 2, 3, 5, 6].map((n) => translator(n)))),
      heartbeat,
      exact,
      // Known to me: key 50. A hundred strangers recommend the third.
      await recommend(50, 2),
      ...(await Promise.all(Array.from({ length: 20 }, (_, n) => recommend(100 + n, 3, 5_100 + n)))),
    ];
    const known = await signer(50).getPublicKey();
    for (const store of [createMemoryDiscoveryStore(), (await sqliteStore()).store]) {
      const { discovery } = await registryOf(events, store, {
        standing: (key) => (key === known ? 0.9 : null),
      });
      await discovery.setTrust(await signer(5).getPublicKey(), 'main', 0.8);
      for (let n = 0; n < 3; n += 1) {
        await discovery.recordRelayResult(await signer(6).getPublicKey(), 'main', relay, { ok: false });
      }
      const found = await discovery.find({ capability: 'translation' }).toArray();
      const order = found.map(({ entry }) => entry.card.name);
      expect(order.slice(0, 3)).toEqual(['P2', 'P4', 'P5']);
      expect(order.slice(3, 5).sort()).toEqual(['P1', 'P3']);
      // The failing one comes after the others, and the stale one last, although it matches best.
      expect(order.slice(5)).toEqual(['P6', 'P7']);
      expect(found.map(({ stale }) => stale)).toEqual([...Array(6).fill(false), true]);
      expect(found.at(-1)?.match.confidence).toBe(1);
    }
  });

  it('DIS-18 lets a recommendation count whose recommender became known after it was stored', async () => {
    let known = 0;
    const events = [await translator(1), await translator(2), await recommend(50, 2)];
    const { discovery } = await registryOf(events, undefined, { standing: () => known });
    const key = await signer(2).getPublicKey();
    expect((await discovery.get(key, 'main'))?.recommendation).toBe(0);
    known = 0.9;
    await discovery.sync();
    expect((await discovery.get(key, 'main'))?.recommendation).toBeCloseTo(0.9 / 1.9);
    expect(await names(discovery, 'translation')).toEqual(['P2', 'P1']);
  });

  it('DIS-18 lets a recommendation count that came before the card, and forgets one that was revoked', async () => {
    const known = await signer(50).getPublicKey();
    const store = createMemoryDiscoveryStore();
    const { discovery } = await registryOf([await recommend(50, 1), await translator(1)], store, {
      standing: () => 0.9,
    });
    const key = await signer(1).getPublicKey();
    await discovery.stop();
    expect((await discovery.get(key, 'main'))?.recommendation).toBeCloseTo(0.9 / 1.9);
    const revoked: Recommendation = {
      recommender: known,
      kind: 5_002,
      handlers: [],
      eventId: 'f'.repeat(64),
      createdAt: start + 1_000,
    };
    await store.putRecommendation(revoked);
    await discovery.start();
    await discovery.stop();
    expect((await discovery.get(key, 'main'))?.recommendation).toBe(0);
  });
});

describe('the search index', () => {
  it('DIS-18 is built again for entries of an older version', async () => {
    const { db, store } = await sqliteStore();
    const { discovery } = await registryOf(await labelledEvents(), store);
    const found = await names(discovery, 'translation');
    expect(found.length).toBeGreaterThan(10);
    await db.deleteFrom('discovery_terms').execute();
    await db.updateTable('discovery_state').set({ value: '0' }).where('agent_id', '=', '').execute();
    expect(await names(discovery, 'translation')).toEqual([]);
    await migrateDiscovery(db);
    expect(await names(discovery, 'translation')).toEqual(found);
  });
});
