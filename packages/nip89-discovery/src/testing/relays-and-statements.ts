import { expect } from 'vitest';
import type { DiscoveryStore } from '../registry/store.ts';
import { at, deletedAt, key, recommendation } from './samples.ts';

/** Tests of deletions, recommendations and reader state, by capability. */
export const relayAndStatementTests = {
  state: {
    'keeps reader state by key, each with its last value': async (store: DiscoveryStore) => {
      expect(await store.getState(['a', 'b'])).toEqual(new Map());
      expect(await store.getState([])).toEqual(new Map());
      await store.putState(new Map());
      await store.putState(
        new Map([
          ['a', '1'],
          ["b's näïve", '{"x":1}'],
        ]),
      );
      await store.putState(new Map([['a', '1700000000']]));
      expect(await store.getState(['a', "b's näïve", 'none'])).toEqual(
        new Map([
          ['a', '1700000000'],
          ["b's näïve", '{"x":1}'],
        ]),
      );
    },
  },

  deletions: {
    'remembers the latest date at which a key deleted something that it signed': async (
      store: DiscoveryStore,
    ) => {
      expect(await deletedAt(store, key(1), ['a'])).toBeNull();
      await store.addDeletions(key(1), ['a', 'a', key(7)], at);
      await store.addDeletions(key(1), ['a'], at - 5);
      await store.addDeletions(key(1), ['b'], at + 5);
      await store.addDeletions(key(1), [], at);
      expect(await deletedAt(store, key(1), ['a'])).toBe(at);
      expect(await deletedAt(store, key(1), ['none', key(7)])).toBe(at);
      expect(await deletedAt(store, key(1), ['a', 'b'])).toBe(at + 5);
      expect(await deletedAt(store, key(1), [])).toBeNull();
      expect(await deletedAt(store, key(2), ['a'])).toBeNull();
    },
  },

  recommendations: {
    'keeps the newest recommendation of each recommender and kind': async (store: DiscoveryStore) => {
      const first = recommendation(1, 5_000, ['a', 'b']);
      const who = async (d: string) => {
        const { items } = await store.recommendersOf(key(9), d, { limit: 10 });
        return store.recommendationsOf(key(9), d, items, 10);
      };
      expect(await store.putRecommendation(first)).toBe(true);
      expect(await store.putRecommendation(first)).toBe(false);
      const other = recommendation(2, 5_000, ['a']);
      const otherKind = recommendation(1, 5_100, ['a']);
      for (const each of [otherKind, other]) await store.putRecommendation(each);
      expect(await who('a')).toEqual([first, otherKind, other]);
      expect(await who('b')).toEqual([first]);
      expect(await who('c')).toEqual([]);
      expect(await store.recommendationsOf(key(9), 'a', [key(1), key(2)], 1)).toEqual([first, other]);
      expect(await store.recommendationsOf(key(9), 'a', [key(2)], 5)).toEqual([other]);
      expect(await store.recommendationsOf(key(9), 'a', [], 5)).toEqual([]);
      expect(await store.recommendationsOf(key(8), 'a', [key(1)], 5)).toEqual([]);
      const tie = { ...recommendation(1, 5_000, ['c']), eventId: key(1) };
      expect(await store.putRecommendation({ ...tie, eventId: `f${key(1).slice(1)}` })).toBe(false);
      expect(await store.putRecommendation(tie)).toBe(true);
      expect([await who('b'), await who('c')]).toEqual([[], [tie]]);
      const later = recommendation(1, 5_000, [], at + 1_000);
      expect(await store.putRecommendation(later)).toBe(true);
      expect(await store.putRecommendation(first)).toBe(false);
      expect([await who('b'), await who('c')]).toEqual([[], []]);
    },

    'lists the keys that recommend a platform, each once, page by page': async (store: DiscoveryStore) => {
      for (const n of [3, 1, 2]) await store.putRecommendation(recommendation(n, 5_000, ['a', 'b']));
      await store.putRecommendation(recommendation(1, 5_100, ['a']), { isKnown: true });
      const first = await store.recommendersOf(key(9), 'a', { limit: 2 });
      expect(first.items).toEqual([key(1), key(2)]);
      const cursor = first.nextCursor ?? '';
      expect(await store.recommendersOf(key(9), 'a', { limit: 2, cursor })).toEqual({
        items: [key(3)],
        nextCursor: null,
      });
      expect(await store.recommendersOf(key(9), 'c', { limit: 2 })).toEqual({ items: [], nextCursor: null });
      await expect(store.list({ limit: 2, cursor })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    },
  },
} as const;
