import type { OpenedStore } from '@bonafide/storage/testing';
import { expect } from 'vitest';
import type { DiscoveryStore } from '../registry/store.ts';
import { at, deletedAt, get, key, put, recommendation, row, sampleEntry } from './samples.ts';

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
      expect(await again.recommendationsOf(key(9), 'a', 1)).toEqual([recommendation(1, 5_000, ['a'])]);
      expect(await get(again, entry.pubkey, 'a')).toEqual(entry);
      expect((await again.history(entry.pubkey, 'a', { limit: 1 })).items).toEqual([row('1')]);
      expect(await again.getState(['a'])).toEqual(new Map([['a', '5']]));
      expect(await put(again, { ...entry, revision: 2 }, [])).toBe(true);
    },
  },
} as const;
