import { expect } from 'vitest';
import { type DiscoveryStore, maxBatch } from '../registry/store.ts';
import { at, everyStatus, get, key, lookup, names, put, row, sampleEntry } from './samples.ts';

/** Tests of operations on many entries, by capability. */
export const batchesTests = {
  batches: {
    'looks up several at once, in the order asked for, with what was deleted and how many there are': async (
      store: DiscoveryStore,
    ) => {
      for (const d of ['a', 'b', '']) await put(store, sampleEntry(1, d), []);
      await store.addDeletions(key(1), ['d:a', key(7)], at);
      await store.addDeletions(key(3), ['d:a'], at + 5);
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
        { entry: null, deletedAt: at + 5, cardsOfKey: 0 },
        { entry: sampleEntry(1, 'a'), deletedAt: at, cardsOfKey: 3 },
        { entry: null, deletedAt: null, cardsOfKey: 3 },
        { entry: sampleEntry(1, ''), deletedAt: null, cardsOfKey: 3 },
        { entry: null, deletedAt: null, cardsOfKey: 0 },
        { entry: sampleEntry(1, 'a'), deletedAt: null, cardsOfKey: 3 },
      ]);
      const many = Array.from({ length: maxBatch }, (_, n) => lookup(n, 'a', ['d:a']));
      expect((await store.lookUp(many)).map(({ entry }) => entry !== null).indexOf(true)).toBe(1);
    },

    'keeps several at once, each with its own answer': async (store: DiscoveryStore) => {
      expect(await store.put([])).toEqual([]);
      await put(store, sampleEntry(1, 'a'), []);
      const second = { ...sampleEntry(1, 'a', {}, { labels: ['prose'] }), revision: 2, trustScore: 0.5 };
      const changes = [
        { entry: sampleEntry(2, 'a'), audit: [row('new'), row('more')] },
        // Neither is the next revision.
        { entry: sampleEntry(1, 'a', { trustScore: 0.1 }), audit: [row('lost')] },
        { entry: sampleEntry(3, 'a', { revision: 4 }), audit: [row('lost')] },
        { entry: sampleEntry(4, 'a'), audit: [] },
      ];
      expect(await store.put(changes)).toEqual([true, false, false, true]);
      expect(await store.put([{ entry: second, audit: [row('second')] }])).toEqual([true]);
      expect(await get(store, key(1), 'a')).toEqual(second);
      expect(await get(store, key(2), 'a')).toEqual(sampleEntry(2, 'a'));
      expect(await get(store, key(3), 'a')).toBeNull();
      const reasons = async (n: number) =>
        (await store.history(key(n), 'a', { limit: 9 })).items.map(({ reason }) => reason);
      expect([await reasons(1), await reasons(2), await reasons(3)]).toEqual([
        ['second'],
        ['more', 'new'],
        [],
      ]);
      const find = async (term: string) =>
        names((await store.find({ stale: false, limit: 10, terms: [term], statuses: everyStatus })).items);
      expect(await find('benchmark-task')).toEqual(['2:a', '4:a']);
      expect(await find('prose')).toEqual(['1:a']);
    },

    'keeps as many as a batch has, and lets one of several concurrent batches through': async (
      store: DiscoveryStore,
    ) => {
      const batch = Array.from({ length: maxBatch }, (_, n) => ({
        entry: sampleEntry(n, 'a'),
        audit: [row('x')],
      }));
      const made = await Promise.all([1, 2, 3].map(() => store.put(batch)));
      expect(made.flat().filter(Boolean)).toHaveLength(maxBatch);
      expect((await store.history(key(maxBatch - 1), 'a', { limit: 9 })).items).toHaveLength(1);
      expect(
        (await store.find({ stale: false, limit: 200, terms: ['5000'], statuses: everyStatus })).items,
      ).toHaveLength(200);
    },
  },

  capacity: {
    'evicts by class, then the author with most entries, then the newest, with history and index terms':
      async (store: DiscoveryStore) => {
        for (const [n, status] of everyStatus.entries()) {
          for (const later of [0, 1]) {
            const entry = sampleEntry(2 * n + later, 'a', { status, discoveredAt: at - later });
            await put(store, entry, [row('x')]);
          }
        }
        // One author has a second card, and one platform some trust.
        await put(store, sampleEntry(0, 'b', { ordinal: 2, discoveredAt: at - 9 }), [row('x')]);
        await put(
          store,
          {
            ...sampleEntry(3, 'a', { trustScore: 0.5, status: 'candidate', discoveredAt: at - 1 }),
            revision: 2,
          },
          [],
        );
        const left = async () =>
          names((await store.list({ limit: 50 })).items).map((name) => name.replace(':a', ''));
        expect(await store.evict(15)).toBe(0);
        // Archived 12 and 13, the newer one first; then quarantined 10 and 11.
        expect(await store.evict(14)).toBe(1);
        expect(await left()).not.toContain('12');
        expect(await store.evict(11)).toBe(3);
        expect(await left()).toEqual(['0', '0:b', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
        // The author with most entries, then the newer strangers, whatever they say that they offer.
        expect(await store.evict(10)).toBe(1);
        expect(await left()).not.toContain('0:b');
        expect(await store.evict(8)).toBe(2);
        expect(await left()).toEqual(['1', '3', '4', '5', '6', '7', '8', '9']);
        expect(await store.evict(0)).toBe(2);
        expect(await left()).toEqual(['4', '5', '6', '7', '8', '9']);
        expect(await get(store, key(0), 'a')).toBeNull();
        expect((await store.history(key(0), 'a', { limit: 5 })).items).toEqual([]);
        expect(
          (await store.find({ stale: false, limit: 50, terms: ['5000'], statuses: everyStatus })).items,
        ).toHaveLength(6);
        // An evicted platform can be added again.
        expect(await put(store, sampleEntry(0, 'a'), [row('again')])).toBe(true);
        expect((await store.history(key(0), 'a', { limit: 5 })).items).toEqual([row('again')]);
      },
  },
} as const;
