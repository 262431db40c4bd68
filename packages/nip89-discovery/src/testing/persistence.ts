import type { OpenedStore } from '@bonafide/storage/testing';
import { expect } from 'vitest';
import type { DiscoveryStore } from '../registry/store.ts';
import { at, deletedAt, get, key, lookup, put, recommendation, row, sampleEntry } from './samples.ts';

/** Tests of reopened stores, by capability. */
export const persistenceTests = {
  persistence: {
    'has everything after it is opened again': async (
      store: DiscoveryStore,
      opened: OpenedStore<DiscoveryStore>,
      skip: (reason: string) => never,
    ) => {
      if (opened.reopen === undefined) return skip('nothing outlives the object');
      const entry = sampleEntry(1, 'a');
      await put(store, entry, [row('1')]);
      await store.putState(new Map([['a', '5']]));
      await store.addDeletions(key(1), ['gone'], at);
      await store.putRecommendation(recommendation(1, 5_000, ['a']));
      const again = await opened.reopen();
      expect(await deletedAt(again, key(1), ['gone'])).toBe(at);
      expect(await again.recommendationsOf(key(9), 'a', [key(1)], 1)).toEqual([
        recommendation(1, 5_000, ['a']),
      ]);
      expect(await get(again, entry.pubkey, 'a')).toEqual(entry);
      expect((await again.history(entry.pubkey, 'a', { limit: 1 })).items).toEqual([row('1')]);
      expect(await again.getState(['a'])).toEqual(new Map([['a', '5']]));
      expect(await put(again, { ...entry, revision: 2 }, [])).toBe(true);
    },
  },

  'two processes': {
    'lets two stores on one database write the same entries, and loses no change': async (
      store: DiscoveryStore,
      opened: OpenedStore<DiscoveryStore>,
      skip: (reason: string) => never,
    ) => {
      if (opened.reopen === undefined) return skip('nothing outlives the object');
      const other = await opened.reopen();
      const keys = [1, 2, 3, 4, 5];
      const rounds = 8;
      /** Adds a row to the history of every entry, several entries in one batch, and tries again what another store wrote first. */
      const work = async (of: DiscoveryStore, name: string, order: readonly number[]): Promise<void> => {
        for (let round = 0; round < rounds; round += 1) {
          let left = [...order];
          while (left.length > 0) {
            const records = await of.lookUp(left.map((n) => lookup(n, 'a')));
            const changes = left.map((n, index) => ({
              entry: { ...sampleEntry(n, 'a'), revision: (records[index]?.entry?.revision ?? 0) + 1 },
              audit: [row(`${name} ${round}`)],
            }));
            const written = await of.put(changes);
            left = left.filter((_, index) => written[index] !== true);
          }
        }
      };
      await Promise.all([work(store, 'one', keys), work(other, 'other', [...keys].reverse())]);
      for (const n of keys) {
        const { items } = await store.history(key(n), 'a', { limit: 50 });
        expect(items).toHaveLength(2 * rounds);
        expect(new Set(items.map(({ reason }) => reason)).size).toBe(2 * rounds);
        expect((await get(other, key(n), 'a'))?.revision).toBe(2 * rounds);
      }
    },

    'gives one answer to both for a recommendation that both bring': async (
      store: DiscoveryStore,
      opened: OpenedStore<DiscoveryStore>,
      skip: (reason: string) => never,
    ) => {
      if (opened.reopen === undefined) return skip('nothing outlives the object');
      const other = await opened.reopen();
      const first = recommendation(1, 5_000, ['a']);
      const later = recommendation(1, 5_000, ['b'], at + 1_000);
      const written = await Promise.all(
        [store, other].flatMap((each) => [each.putRecommendation(first), each.putRecommendation(later)]),
      );
      // The later one is stored by one of them, whatever the order.
      expect(written.filter(Boolean).length).toBeGreaterThanOrEqual(1);
      expect(await store.recommendationsOf(key(9), 'b', [key(1)], 5)).toEqual([later]);
      expect(await other.recommendationsOf(key(9), 'a', [key(1)], 5)).toEqual([]);
    },
  },
} as const;
