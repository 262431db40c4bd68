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
import type { Recommendation } from '../recommendation.ts';
import type { RelayRecord } from '../relay-record.ts';
import type { PlatformStatus } from '../status.ts';
import { type DiscoveryStore, maxBatch, type Page } from '../store.ts';

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
    profile: null,
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

const everyStatus: readonly PlatformStatus[] = [
  'discovered',
  'candidate',
  'evaluating',
  'partner',
  'rejected',
  'quarantined',
  'archived',
];

const recommendation = (
  recommender: number,
  kind: number,
  identifiers: readonly string[],
  createdAt = at,
): Recommendation => ({
  recommender: key(recommender),
  kind,
  handlers: identifiers.map((canonicalD) => ({ pubkey: key(9), canonicalD, relayHint: null })),
  eventId: key(500 + recommender),
  createdAt,
});

/** All pages, each as names. */
async function pages(
  page: (cursor: { readonly cursor?: string }) => Promise<Page<RegistryEntry>>,
): Promise<string[][]> {
  const seen: string[][] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const { items, nextCursor } = await page(cursor === undefined ? {} : { cursor });
    seen.push(names(items));
    cursor = nextCursor;
  }
  return seen;
}

const names = (entries: readonly RegistryEntry[]) =>
  entries.map(({ pubkey, d }) => `${Number(`0x${pubkey}`)}:${d}`);

const lookup = (n: number, canonicalD: string, targets: readonly string[] = []) => ({
  pubkey: key(n),
  canonicalD,
  targets,
});

const relayRecord = (relay: string, rest: Partial<RelayRecord> = {}): RelayRecord => ({
  relay,
  tier: 'polled',
  score: 0.5,
  changedAt: at,
  received: 3,
  taken: 1,
  dropped: 0,
  rejected: { 'wrong-signature': 2 },
  lastEventAt: null,
  ...rest,
});

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

  batches: {
    'DIS-16 looks up several at once, in the order asked for, with what was withdrawn and how many there are':
      async (store: DiscoveryStore) => {
        if (store.lookUp === undefined) return;
        for (const d of ['a', 'b', '']) await store.put(sampleEntry(1, d), []);
        await store.addWithdrawals(key(1), ['d:a', key(7)], at);
        await store.addWithdrawals(key(3), ['d:a'], at + 5);
        expect(await store.lookUp([])).toEqual([]);
        const found = await store.lookUp([
          lookup(3, 'a', ['d:a', key(8)]),
          lookup(1, 'a', ['d:a', key(7)]),
          lookup(1, 'c', ['d:c']),
          lookup(1, ''),
          lookup(2, 'a', ['d:a']),
          lookup(1, 'a'),
        ]);
        expect(found).toEqual([
          { entry: null, withdrawnAt: at + 5, cardsOfKey: 0 },
          { entry: sampleEntry(1, 'a'), withdrawnAt: at, cardsOfKey: 3 },
          { entry: null, withdrawnAt: null, cardsOfKey: 3 },
          { entry: sampleEntry(1, ''), withdrawnAt: null, cardsOfKey: 3 },
          { entry: null, withdrawnAt: null, cardsOfKey: 0 },
          { entry: sampleEntry(1, 'a'), withdrawnAt: null, cardsOfKey: 3 },
        ]);
        const many = Array.from({ length: maxBatch }, (_, n) => lookup(n, 'a', ['d:a']));
        expect((await store.lookUp(many)).map(({ entry }) => entry !== null).indexOf(true)).toBe(1);
      },

    'DIS-16 keeps several at once, each with its own answer': async (store: DiscoveryStore) => {
      if (store.putAll === undefined) return;
      expect(await store.putAll([])).toEqual([]);
      await store.put(sampleEntry(1, 'a'), []);
      const second = { ...sampleEntry(1, 'a', {}, { labels: ['prose'] }), revision: 2, trustScore: 0.5 };
      const changes = [
        { entry: sampleEntry(2, 'a'), audit: [row('new'), row('more')] },
        // Was there before, and did not see the last one: neither.
        { entry: sampleEntry(1, 'a', { trustScore: 0.1 }), audit: [row('lost')] },
        { entry: sampleEntry(3, 'a', { revision: 4 }), audit: [row('lost')] },
        { entry: sampleEntry(4, 'a'), audit: [] },
      ];
      expect(await store.putAll(changes)).toEqual([true, false, false, true]);
      expect(await store.putAll([{ entry: second, audit: [row('second')] }])).toEqual([true]);
      expect(await store.get(key(1), 'a')).toEqual(second);
      expect(await store.get(key(2), 'a')).toEqual(sampleEntry(2, 'a'));
      expect(await store.get(key(3), 'a')).toBeNull();
      const reasons = async (n: number) =>
        (await store.history(key(n), 'a', { limit: 9 })).items.map(({ reason }) => reason);
      expect([await reasons(1), await reasons(2), await reasons(3)]).toEqual([
        ['second'],
        ['more', 'new'],
        [],
      ]);
      const find = async (term: string) =>
        names((await store.find({ limit: 10, terms: [term], statuses: everyStatus })).items);
      expect(await find('benchmark-task')).toEqual(['2:a', '4:a']);
      expect(await find('prose')).toEqual(['1:a']);
    },

    'DIS-16 keeps as many as a batch has, and lets one of several concurrent batches through': async (
      store: DiscoveryStore,
    ) => {
      const { putAll } = store;
      if (putAll === undefined) return;
      const batch = Array.from({ length: maxBatch }, (_, n) => ({
        entry: sampleEntry(n, 'a'),
        audit: [row('x')],
      }));
      const made = await Promise.all([1, 2, 3].map(() => putAll(batch)));
      expect(made.flat().filter(Boolean)).toHaveLength(maxBatch);
      expect((await store.history(key(maxBatch - 1), 'a', { limit: 9 })).items).toHaveLength(1);
      expect((await store.find({ limit: 200, terms: ['5000'], statuses: everyStatus })).items).toHaveLength(
        200,
      );
    },
  },

  room: {
    'DIS-15 forgets the least trusted and oldest when there is too much, with their histories, and nobody who was looked into':
      async (store: DiscoveryStore) => {
        const statuses = everyStatus.flatMap((status) => [status, status]);
        for (const [n, status] of statuses.entries()) {
          await store.put(sampleEntry(n, 'a', { status, lastSeenAt: at + 100 - n }), [row('x')]);
        }
        // Of those that are only discovered, 0 and 1, the one that was seen last is trusted less.
        await store.put(
          { ...sampleEntry(1, 'a', { lastSeenAt: at + 99, trustScore: 0.5 }), revision: 2 },
          [],
        );
        const left = async () =>
          names((await store.list({ limit: 50 })).items).map((name) => Number.parseInt(name, 10));
        expect(await store.keepAtMost(14)).toBe(0);
        // Archived 12 and 13, the older one first.
        expect(await store.keepAtMost(13)).toBe(1);
        expect(await left()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
        expect(await store.keepAtMost(9)).toBe(4);
        expect(await left()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
        expect(await store.keepAtMost(0)).toBe(3);
        expect(await left()).toEqual([4, 5, 6, 7, 8, 9]);
        expect(await store.get(key(0), 'a')).toBeNull();
        expect((await store.history(key(0), 'a', { limit: 5 })).items).toEqual([]);
        expect((await store.find({ limit: 50, terms: ['5000'], statuses: everyStatus })).items).toHaveLength(
          6,
        );
        // It is welcome again, from the beginning.
        expect(await store.put(sampleEntry(0, 'a'), [row('again')])).toBe(true);
        expect((await store.history(key(0), 'a', { limit: 5 })).items).toEqual([row('again')]);
      },
  },

  list: {
    'DIS-14 lists by status and by key, both together': async (store: DiscoveryStore) => {
      await store.put(sampleEntry(1, 'a'), []);
      await store.put(sampleEntry(1, 'b', { status: 'partner' }), []);
      await store.put(sampleEntry(2, 'a', { status: 'archived' }), []);
      const list = async (query: object) => names((await store.list({ limit: 10, ...query })).items);
      expect(await list({})).toEqual(['1:a', '1:b', '2:a']);
      expect(await list({ statuses: ['partner', 'archived'] })).toEqual(['1:b', '2:a']);
      expect(await list({ statuses: [] })).toEqual([]);
      expect(await list({ pubkey: key(1) })).toEqual(['1:a', '1:b']);
      expect(await list({ pubkey: key(1), statuses: ['discovered'] })).toEqual(['1:a']);
    },

    'DIS-14 pages through every entry once': async (store: DiscoveryStore) => {
      const all = [1, 2, 3].flatMap((n) => ['', 'a', 'a b', 'z'].map((d) => sampleEntry(n, d)));
      for (const entry of all) await store.put(entry, []);
      expect(await pages((cursor) => store.list({ limit: 5, ...cursor }))).toEqual([
        names(all.slice(0, 5)),
        names(all.slice(5, 10)),
        names(all.slice(10)),
      ]);
    },
  },

  find: {
    'DIS-14 finds by kind, label or pattern, by status, each once': async (store: DiscoveryStore) => {
      await store.put(sampleEntry(1, 'a'), []);
      await store.put(sampleEntry(1, 'b', { status: 'partner' }, { kinds: [5_100], labels: [] }), []);
      await store.put(sampleEntry(2, 'a', { status: 'archived' }, { patterns: ['compute-*'] }), []);
      const find = async (terms: readonly string[], statuses: readonly PlatformStatus[] = everyStatus) =>
        names((await store.find({ limit: 10, terms, statuses })).items);
      expect(await find(['5000'])).toEqual(['1:a', '2:a']);
      expect(await find(['5000', 'benchmark-task', '5000'])).toEqual(['1:a', '2:a']);
      expect(await find(['5100', 'compute-*'])).toEqual(['1:b', '2:a']);
      expect(await find(['500'])).toEqual([]);
      expect(await find([])).toEqual([]);
      expect(await find(['5000'], ['discovered'])).toEqual(['1:a']);
      expect(await find(['5000'], [])).toEqual([]);
    },

    'DIS-14 forgets terms that a newer card no longer has': async (store: DiscoveryStore) => {
      await store.put(sampleEntry(1, 'a'), []);
      await store.put(sampleEntry(1, 'a', { revision: 2 }, { kinds: [5_100], labels: ['prose'] }), []);
      const find = async (term: string) =>
        names((await store.find({ limit: 10, terms: [term], statuses: everyStatus })).items);
      expect([
        await find('5000'),
        await find('benchmark-task'),
        await find('5100'),
        await find('prose'),
      ]).toEqual([[], [], ['1:a'], ['1:a']]);
    },

    'DIS-10 DIS-16 finds the most trusted first, page by page, whatever their status': async (
      store: DiscoveryStore,
    ) => {
      const trust = [null, 0.9, 0.1, null, 0, 0.5, 0.5];
      for (const [n, trustScore] of trust.entries()) {
        const status = n % 2 === 0 ? 'candidate' : 'partner';
        const labels = n % 3 === 0 ? ['benchmark-task'] : ['prose'];
        await store.put(sampleEntry(n, 'a', { trustScore, status }, { labels }), []);
      }
      const statuses: readonly PlatformStatus[] = ['candidate', 'partner'];
      const terms = ['5000', 'prose', 'benchmark-task'];
      expect(await pages((cursor) => store.find({ limit: 3, terms, statuses, ...cursor }))).toEqual([
        ['1:a', '5:a', '6:a'],
        ['2:a', '0:a', '3:a'],
        ['4:a'],
      ]);
      // Trust and status that change move it.
      const [last] = (await store.find({ limit: 1, terms, statuses })).items;
      if (last === undefined) throw new Error('nothing was found');
      await store.put({ ...last, trustScore: 0, status: 'rejected', revision: 2 }, []);
      const found = await store.find({ limit: 10, terms, statuses });
      expect(names(found.items)).toEqual(['5:a', '6:a', '2:a', '0:a', '3:a', '4:a']);
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
      const cursor = first.nextCursor ?? '';
      const rest = await store.history(entry.pubkey, 'a', { limit: 2, cursor });
      // A cursor goes on in the list that gave it, and nowhere else.
      for (const wrong of [store.list({ limit: 2, cursor }), store.list({ limit: 2, cursor: 'x' })]) {
        await expect(wrong).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      }
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

  relays: {
    'DIS-1 remembers relays, each by its last record': async (store: DiscoveryStore) => {
      expect(await store.getRelays()).toEqual([]);
      await store.putRelays([]);
      const [a, b] = [
        relayRecord('wss://a.example'),
        relayRecord('wss://b.example', { score: null, lastEventAt: at }),
      ];
      await store.putRelays([a, b]);
      const later = relayRecord('wss://a.example', { tier: 'persistent', received: 9, rejected: {} });
      await store.putRelays([later]);
      const known = [...(await store.getRelays())].sort((one, other) => (one.relay < other.relay ? -1 : 1));
      expect(known).toEqual([later, b]);
    },
  },

  withdrawals: {
    'DIS-11 remembers the latest date at which a key withdrew something, of its own only': async (
      store: DiscoveryStore,
    ) => {
      expect(await store.withdrawnAt(key(1), ['a'])).toBeNull();
      await store.addWithdrawals(key(1), ['a', 'a', key(7)], at);
      await store.addWithdrawals(key(1), ['a'], at - 5);
      await store.addWithdrawals(key(1), ['b'], at + 5);
      await store.addWithdrawals(key(1), [], at);
      expect(await store.withdrawnAt(key(1), ['a'])).toBe(at);
      expect(await store.withdrawnAt(key(1), ['none', key(7)])).toBe(at);
      expect(await store.withdrawnAt(key(1), ['a', 'b'])).toBe(at + 5);
      expect(await store.withdrawnAt(key(1), [])).toBeNull();
      expect(await store.withdrawnAt(key(2), ['a'])).toBeNull();
    },
  },

  recommendations: {
    'DIS-13 keeps the newest recommendation of each recommender and kind': async (store: DiscoveryStore) => {
      const first = recommendation(1, 5_000, ['a', 'b']);
      const who = async (d: string) => store.recommendationsOf(key(9), d, 10);
      expect(await store.putRecommendation(first)).toBe(true);
      expect(await store.putRecommendation(first)).toBe(false);
      const other = recommendation(2, 5_000, ['a']);
      const otherKind = recommendation(1, 5_100, ['a']);
      for (const each of [otherKind, other]) await store.putRecommendation(each);
      expect(await who('a')).toEqual([first, otherKind, other]);
      expect(await who('b')).toEqual([first]);
      expect(await who('c')).toEqual([]);
      expect(await store.recommendationsOf(key(9), 'a', 2)).toEqual([first, otherKind]);
      expect(await store.recommendationsOf(key(8), 'a', 2)).toEqual([]);
      const tie = { ...recommendation(1, 5_000, ['c']), eventId: key(1) };
      expect(await store.putRecommendation({ ...tie, eventId: `f${key(1).slice(1)}` })).toBe(false);
      expect(await store.putRecommendation(tie)).toBe(true);
      expect([await who('b'), await who('c')]).toEqual([[], [tie]]);
      const later = recommendation(1, 5_000, [], at + 1_000);
      expect(await store.putRecommendation(later)).toBe(true);
      expect(await store.putRecommendation(first)).toBe(false);
      expect([await who('b'), await who('c')]).toEqual([[], []]);
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
      await store.putRelays([relayRecord('wss://a.example')]);
      await store.addWithdrawals(key(1), ['gone'], at);
      await store.putRecommendation(recommendation(1, 5_000, ['a']));
      const again = await opened.reopen();
      expect(await again.withdrawnAt(key(1), ['gone'])).toBe(at);
      expect(await again.recommendationsOf(key(9), 'a', 1)).toEqual([recommendation(1, 5_000, ['a'])]);
      expect(await again.get(entry.pubkey, 'a')).toEqual(entry);
      expect((await again.history(entry.pubkey, 'a', { limit: 1 })).items).toEqual([row('1')]);
      expect(await again.getWatermark('wss://a.example', 'k')).toBe(5);
      expect(await again.getRelays()).toEqual([relayRecord('wss://a.example')]);
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
