import { seededRandom } from '@bonafide/internal';
import { testDatabases } from '@bonafide/storage/testing';
import { describe, expect, it } from 'vitest';
import { canonicalIdentifier, createMemoryDiscoveryStore, type DiscoveryStore } from '../src/index.ts';
import { createKyselyDiscoveryStore, migrateDiscovery } from '../src/stores/kysely.ts';
import { registryOver } from './registry-over.ts';
import { cardOf, signer, start } from './support.ts';

/** Text that does not compress: the same every time. */
function randomText(length: number, first: number, count: number): string {
  const random = seededRandom(1);
  return Array.from({ length }, () => String.fromCodePoint(first + Math.floor(random() * count))).join('');
}

const han = (length: number) => randomText(length, 0x4e00, 20_000);
const letters = (length: number) => randomText(length, 0x61, 26);

/** Cards whose indexed values are as long as they may be, with an honest card between them. */
async function longCards() {
  const sign = (n: number, tags: string[][], content = '') =>
    signer(n).signEvent({ kind: 31_990, created_at: start / 1_000, tags, content });
  return [
    await sign(1, [
      ['d', han(1_024)],
      ['k', '5000'],
    ]),
    await sign(2, [
      ['d', 'topic'],
      ['t', letters(300)],
      ['t', letters(4_096)],
      ['t', han(4_000)],
    ]),
    await sign(3, [
      ['d', 'labels'],
      ['k', letters(256)],
      ['k', han(256)],
      ['k', '\ufdfa'.repeat(250)],
      ['k', '5002'],
    ]),
    await cardOf(4, { kinds: [5_002] }),
    await sign(
      5,
      [['d', 'name']].concat([['k', '5000']]),
      JSON.stringify({ name: han(4_000), about: letters(40_000) }),
    ),
    // A deletion and a recommendation of such identifiers.
    await signer(6).signEvent({
      kind: 5,
      created_at: start / 1_000,
      tags: [
        ['a', `31990:${await signer(6).getPublicKey()}:${han(1_024)}`],
        ['k', '31990'],
      ],
      content: '',
    }),
    await signer(7).signEvent({
      kind: 31_989,
      created_at: start / 1_000,
      tags: [
        ['d', '5000'],
        ['a', `31990:${await signer(1).getPublicKey()}:${han(1_024)}`],
      ],
      content: '',
    }),
  ];
}

describe('long values', () => {
  for (const database of testDatabases()) {
    it(`are indexed by a bounded number of bytes and stop no sync on ${database.name} (DIS-3, DIS-15, DIS-18)`, async () => {
      const { db, close } = await database.open();
      try {
        await migrateDiscovery(db);
        const events = await longCards();
        const { discovery } = registryOver(events, createKyselyDiscoveryStore(db));
        expect(await discovery.sync()).toMatchObject({ taken: 5, relays: [{ status: 'complete' }] });
        const found = await discovery.find({ kind: 5_002 }).toArray();
        expect(found.map(({ entry }) => entry.card.name)).toContain('P4');
        // Cut values still name their card, and nothing else.
        const named = await discovery.find({ capability: letters(300) }).toArray();
        expect(named.map(({ entry }) => entry.d)).toEqual(['topic']);
        expect(await discovery.find({ capability: letters(299) }).toArray()).toEqual([]);
        const [first] = events;
        expect((await discovery.get(first?.pubkey ?? '', han(1_024)))?.d).toBe(han(1_024));
        expect((await discovery.recommendations(first?.pubkey ?? '', han(1_024))).recommenders).toBe(1);
      } finally {
        await close();
      }
    });
  }

  it('have different canonical forms when they differ anywhere, of at most 256 bytes (DIS-8)', () => {
    const long = han(1_024);
    const forms = [long, `${long.slice(0, -1)}x`, `x${long.slice(1)}`, '\ufb03'.repeat(1_024)].map(
      canonicalIdentifier,
    );
    expect(new Set(forms).size).toBe(forms.length);
    for (const form of forms) expect(new TextEncoder().encode(form).length).toBeLessThanOrEqual(256);
    for (const form of forms) expect(canonicalIdentifier(form)).toBe(form);
  });
});

describe('a card that the store refuses', () => {
  /** A store that fails for the cards of one key, or always. */
  function failingStore(fails: (pubkey: string) => boolean): DiscoveryStore {
    const store = createMemoryDiscoveryStore();
    return {
      ...store,
      async put(changes) {
        if (changes.some(({ entry }) => fails(entry.pubkey))) throw new Error('index row too large');
        return store.put(changes);
      },
      async putState(values) {
        if (fails('')) throw new Error('disk full');
        return store.putState(values);
      },
    };
  }

  it('is counted and logged, and the others of its batch are stored (DIS-3, DIS-15)', async () => {
    const bad = await signer(3).getPublicKey();
    const { discovery } = registryOver(
      await Promise.all([1, 2, 3, 4, 5].map((n) => cardOf(n))),
      failingStore((pubkey) => pubkey === bad),
    );
    expect(await discovery.sync()).toMatchObject({ received: 5, taken: 4 });
    expect(discovery.rejections().counts).toEqual({ 'not-stored': 1 });
    expect((await discovery.entries()).items).toHaveLength(4);
    expect(discovery.relayStats()[0]).toMatchObject({ received: 5, taken: 4 });
  });

  it('is told apart from a store that fails for everything (DIS-15)', async () => {
    const { discovery } = registryOver(
      await Promise.all([1, 2].map((n) => cardOf(n))),
      failingStore(() => true),
    );
    await expect(discovery.sync()).rejects.toMatchObject({ code: 'STORE_FAILED' });
    expect(discovery.rejections().counts).toEqual({});
  });
});
