import type { OpenedStore } from '@bonafide/storage/testing';
import { expect } from 'vitest';
import type { DiscoveryStore } from '../registry/store.ts';
import { at, key, recommendation, relayRecord, row, sampleEntry } from './samples.ts';

/** What a store must still have when it is opened again. By capability. */
export const persistenceTests = {
  persistence: {
    'has everything after it is opened again': async (
      store: DiscoveryStore,
      opened: OpenedStore<DiscoveryStore>,
      skip: (reason: string) => never,
    ) => {
      if (opened.reopen === undefined) return skip('nothing outlives the object');
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
