/**
 * What every discovery store must do, as a vitest suite.
 * @packageDocumentation
 */
import {
  type DescribeStoreOptions,
  describeStore,
  type OpenedStore,
  type OpenStore,
} from '@bonafide/storage/testing';
import { expect } from 'vitest';
import type { CapabilityCard } from '../card.ts';
import type { AuditRow, RegistryEntry } from '../entry.ts';
import type { DiscoveryStore } from '../store.ts';

const at = 1_700_000_000_000;
const key = (n: number) => n.toString(16).padStart(64, '0');

/** An entry as the registry would make it, for tests of stores. */
function sampleEntry(
  n: number,
  canonicalD: string,
  rest: Partial<RegistryEntry> = {},
  abilities: Partial<CapabilityCard> = {},
): RegistryEntry {
  const pubkey = key(n);
  const eventId = key(n + 1_000);
  const card: CapabilityCard = {
    pubkey,
    d: canonicalD,
    canonicalD,
    eventId,
    createdAt: at,
    name: 'näïve 🙂',
    about: 'two\nlines \u0000 and a NUL',
    picture: null,
    website: null,
    version: null,
    lud16: null,
    pricing: { model: null, amountMsat: 1_000 },
    performance: null,
    encryptionSupported: null,
    nip90Params: null,
    unreadable: [],
    fields: { deep: [{ yes: true }] },
    contentPlain: false,
    kinds: [5_000],
    labels: ['benchmark-task'],
    patterns: [],
    raw: ['5000', 'benchmark-task'],
    confirmed: [],
    discrepancies: { tagsOnly: [], contentOnly: [] },
    relayHints: ['wss://relay.example.com'],
    refusedHints: [],
    topics: [],
    ...abilities,
  };
  return {
    pubkey,
    d: canonicalD,
    canonicalD,
    discoveredAt: at,
    lastSeenAt: at,
    supportedKinds: card.kinds,
    relayHints: card.relayHints,
    trustScore: null,
    card,
    event: {
      id: eventId,
      pubkey,
      kind: 31_990,
      created_at: at / 1_000,
      tags: [['d', canonicalD]],
      content: '',
      sig: '',
    },
    sightings: [],
    experience: [],
    authorRelays: null,
    deletedAt: null,
    revision: 1,
    status: 'discovered',
    statusBefore: null,
    quarantinedUntilAt: null,
    statusReason: 'card found',
    ...rest,
  };
}

const row = (reason: string): AuditRow => ({
  at,
  what: 'status',
  eventId: null,
  status: { before: 'discovered', after: 'evaluating' },
  trust: null,
  diff: null,
  reason,
  evidence: { note: 'näïve \u0000' },
});

const names = (entries: readonly RegistryEntry[]) =>
  entries.map(({ pubkey, d }) => `${Number(`0x${pubkey}`)}:${d}`);

const groups = {
  entries: {
    'DIS-11 keeps an entry as it was given, and nothing else': async (store: DiscoveryStore) => {
      const entry = sampleEntry(1, "it's; -- ünïcode");
      expect(await store.get(entry.pubkey, entry.canonicalD)).toBeNull();
      expect(await store.put(entry, [])).toBe(true);
      expect(await store.get(entry.pubkey, entry.canonicalD)).toEqual(entry);
      expect(await store.get(entry.pubkey, 'other')).toBeNull();
      expect(await store.get(key(2), entry.canonicalD)).toBeNull();
    },

    'DIS-11 keeps an entry without an identifier, and one with every number': async (
      store: DiscoveryStore,
    ) => {
      const entry = sampleEntry(1, '', { trustScore: 0.875, deletedAt: at + 1, quarantinedUntilAt: at + 2 });
      await store.put(entry, []);
      expect(await store.get(entry.pubkey, '')).toEqual(entry);
    },

    'DIS-11 refuses a change that did not see the last one': async (store: DiscoveryStore) => {
      const first = sampleEntry(1, 'a');
      expect(await store.put({ ...first, revision: 2 }, [])).toBe(false);
      expect(await store.put(first, [])).toBe(true);
      expect(await store.put({ ...first, trustScore: 0.1 }, [row('lost')])).toBe(false);
      const second = { ...first, revision: 2, trustScore: 0.5, lastSeenAt: at + 5 };
      expect(await store.put(second, [])).toBe(true);
      expect(await store.put({ ...second, trustScore: 0.2 }, [])).toBe(false);
      expect(await store.put({ ...second, revision: 4 }, [])).toBe(false);
      expect(await store.get(first.pubkey, 'a')).toEqual(second);
      expect((await store.history(first.pubkey, 'a', { limit: 5 })).items).toEqual([]);
    },

    'DIS-11 lets one of several concurrent changes through': async (store: DiscoveryStore) => {
      const first = sampleEntry(1, 'a');
      const made = await Promise.all(Array.from({ length: 8 }, () => store.put(first, [])));
      expect(made.filter(Boolean)).toHaveLength(1);
      const next = Array.from({ length: 8 }, (_, n) => ({ ...first, revision: 2, trustScore: n / 10 }));
      const changed = await Promise.all(next.map((entry) => store.put(entry, [row('x')])));
      expect(changed.filter(Boolean)).toHaveLength(1);
      expect((await store.get(first.pubkey, 'a'))?.trustScore).toBe(next[changed.indexOf(true)]?.trustScore);
      expect((await store.history(first.pubkey, 'a', { limit: 5 })).items).toHaveLength(1);
    },

    'DIS-11 hands out copies: changing what was read changes nothing that is stored': async (
      store: DiscoveryStore,
    ) => {
      const entry = sampleEntry(1, 'a');
      await store.put(entry, []);
      const read = (await store.get(entry.pubkey, 'a')) as unknown as { card: { labels: string[] } };
      read.card.labels.push('more');
      expect((await store.get(entry.pubkey, 'a'))?.card.labels).toEqual(['benchmark-task']);
    },
  },

  find: {
    'DIS-14 finds by kind, label or pattern, by status and by key, all together': async (
      store: DiscoveryStore,
    ) => {
      await store.put(sampleEntry(1, 'a'), []);
      await store.put(sampleEntry(1, 'b', { status: 'partner' }, { kinds: [5_100], labels: [] }), []);
      await store.put(sampleEntry(2, 'a', { status: 'archived' }, { patterns: ['compute-*'] }), []);
      const find = async (query: object) => names((await store.find({ limit: 10, ...query })).items);
      expect(await find({})).toEqual(['1:a', '1:b', '2:a']);
      expect(await find({ terms: ['5000'] })).toEqual(['1:a', '2:a']);
      expect(await find({ terms: ['5100', 'compute-*'] })).toEqual(['1:b', '2:a']);
      expect(await find({ terms: ['500'] })).toEqual([]);
      expect(await find({ terms: [] })).toEqual([]);
      expect(await find({ statuses: ['partner', 'archived'] })).toEqual(['1:b', '2:a']);
      expect(await find({ statuses: [] })).toEqual([]);
      expect(await find({ pubkey: key(1) })).toEqual(['1:a', '1:b']);
      expect(await find({ pubkey: key(1), terms: ['5000'], statuses: ['discovered'] })).toEqual(['1:a']);
    },

    'DIS-14 forgets terms that a newer card no longer has': async (store: DiscoveryStore) => {
      await store.put(sampleEntry(1, 'a'), []);
      await store.put(sampleEntry(1, 'a', { revision: 2 }, { kinds: [5_100], labels: ['prose'] }), []);
      const find = async (term: string) => names((await store.find({ limit: 10, terms: [term] })).items);
      expect([
        await find('5000'),
        await find('benchmark-task'),
        await find('5100'),
        await find('prose'),
      ]).toEqual([[], [], ['1:a'], ['1:a']]);
    },

    'DIS-14 pages through every entry once': async (store: DiscoveryStore) => {
      const all = [1, 2, 3].flatMap((n) => ['', 'a', 'a b', 'z'].map((d) => sampleEntry(n, d)));
      for (const entry of all) await store.put(entry, []);
      const seen: string[] = [];
      let cursor: string | undefined;
      let pages = 0;
      do {
        const page = await store.find({
          limit: 5,
          terms: ['5000', 'benchmark-task'],
          ...(cursor ? { cursor } : {}),
        });
        seen.push(...names(page.items));
        cursor = page.nextCursor ?? undefined;
        pages += 1;
      } while (cursor !== undefined);
      expect(seen).toEqual(names(all));
      expect(pages).toBe(3);
    },
  },

  history: {
    'DIS-12 keeps the history of each entry, newest first, page by page': async (store: DiscoveryStore) => {
      const entry = sampleEntry(1, 'a');
      await store.put(entry, [row('1'), row('2')]);
      await store.put({ ...entry, revision: 2 }, []);
      await store.put({ ...entry, revision: 3 }, [row('3')]);
      await store.put(sampleEntry(1, 'b'), [row('other')]);
      const first = await store.history(entry.pubkey, 'a', { limit: 2 });
      expect(first.items).toEqual([row('3'), row('2')]);
      const rest = await store.history(entry.pubkey, 'a', { limit: 2, cursor: first.nextCursor ?? '' });
      expect(rest).toEqual({ items: [row('1')], nextCursor: null });
      expect(await store.history(key(9), 'a', { limit: 2 })).toEqual({ items: [], nextCursor: null });
    },
  },

  watermarks: {
    'DIS-2 remembers how far each relay was read for each filter': async (store: DiscoveryStore) => {
      expect(await store.getWatermark('wss://a.example', 'k')).toBeNull();
      await store.setWatermark('wss://a.example', 'k', 5);
      await store.setWatermark('wss://a.example', 'other', 6);
      await store.setWatermark('wss://b.example', 'k', 7);
      await store.setWatermark('wss://a.example', 'k', 1_700_000_000);
      expect(await store.getWatermark('wss://a.example', 'k')).toBe(1_700_000_000);
      expect(await store.getWatermark('wss://a.example', 'other')).toBe(6);
      expect(await store.getWatermark('wss://b.example', 'k')).toBe(7);
    },
  },

  persistence: {
    'DIS-15 has everything after it is opened again': async (
      store: DiscoveryStore,
      opened: OpenedStore<DiscoveryStore>,
    ) => {
      if (opened.reopen === undefined) return;
      const entry = sampleEntry(1, 'a');
      await store.put(entry, [row('1')]);
      await store.setWatermark('wss://a.example', 'k', 5);
      const again = await opened.reopen();
      expect(await again.get(entry.pubkey, 'a')).toEqual(entry);
      expect((await again.history(entry.pubkey, 'a', { limit: 1 })).items).toEqual([row('1')]);
      expect(await again.getWatermark('wss://a.example', 'k')).toBe(5);
      expect(await again.put({ ...entry, revision: 2 }, [])).toBe(true);
    },
  },
} as const;

/** The capabilities that {@link testDiscoveryStore} tests. */
export type DiscoveryStoreGroup = keyof typeof groups;

/**
 * Declares the conformance suite (X-2); `open` gives an empty store each time it is called.
 *
 * ```ts
 * testDiscoveryStore('my adapter', () => ({ store: createMyStore() }));
 * ```
 */
export function testDiscoveryStore(
  name: string,
  open: OpenStore<DiscoveryStore>,
  options: DescribeStoreOptions<DiscoveryStoreGroup> = {},
): void {
  describeStore(`discovery store: ${name}`, open, groups, options);
}
