import type { OpenedStore } from '@bonafide/storage/testing';
import { expect } from 'vitest';
import type { DiscoveryStore } from '../registry/store.ts';
import { termsOf } from '../registry/store.ts';
import { at, deletedAt, get, key, put, recommendation, row, sampleEntry } from './samples.ts';

/** Tests of the erasure of a peer, which is optional. */
export const erasingTests = {
  erasing: {
    'erases what is stored of a key, and nothing of others': async (
      store: DiscoveryStore,
      _: OpenedStore<DiscoveryStore>,
      skip: (reason: string) => never,
    ) => {
      if (store.erasePeer === undefined) return skip('this store cannot erase a peer');
      for (const d of ['a', 'b']) await put(store, sampleEntry(9, d), [row('1')]);
      await put(store, sampleEntry(1, 'a'), [row('1')]);
      for (const n of [9, 1]) await store.addDeletions(key(n), ['gone'], at);
      const ownHandler = { pubkey: key(1), canonicalD: 'a', relayHint: null };
      const mixed = recommendation(2, 5_000, ['a']);
      await store.putRecommendation({ ...mixed, handlers: [...mixed.handlers, ownHandler] });
      await store.putRecommendation({ ...recommendation(9, 5_000, []), handlers: [ownHandler] });
      await store.putRecommendation({ ...recommendation(3, 5_000, []), handlers: [ownHandler] });

      const counts = { erased: { platforms: 2, deletions: 1, recommendations: 2 }, kept: {} };
      expect(await store.erasePeer(key(9), { preview: true })).toEqual(counts);
      expect(await get(store, key(9), 'a')).toEqual(sampleEntry(9, 'a'));
      expect(await store.erasePeer(key(9))).toEqual(counts);

      for (const d of ['a', 'b']) {
        expect(await get(store, key(9), d)).toBeNull();
        expect((await store.history(key(9), d, { limit: 5 })).items).toEqual([]);
      }
      const query = { terms: termsOf(sampleEntry(1, 'a')), statuses: ['discovered'], stale: false } as const;
      expect((await store.find({ ...query, limit: 10 })).items).toEqual([sampleEntry(1, 'a')]);
      expect((await store.history(key(1), 'a', { limit: 5 })).items).toEqual([row('1')]);
      expect(await deletedAt(store, key(9), ['gone'])).toBeNull();
      expect(await deletedAt(store, key(1), ['gone'])).toBe(at);
      expect(await store.recommendationsOf(key(9), 'a', [key(2), key(3), key(9)], 5)).toEqual([]);
      const left = await store.recommendationsOf(key(1), 'a', [key(2), key(3), key(9)], 5);
      expect(left.map(({ recommender, handlers }) => [recommender, handlers])).toEqual([
        [key(2), [ownHandler]],
        [key(3), [ownHandler]],
      ]);
      // The key may come back as if it had never been there.
      expect(await put(store, sampleEntry(9, 'a'), [row('again')])).toBe(true);
      await expect(store.erasePeer('%')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    },
  },
} as const;
