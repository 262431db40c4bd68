import { expect } from 'vitest';
import type { DiscoveryStore } from '../registry/store.ts';
import { at, key, recommendation, relayRecord } from './samples.ts';

/** What a store must keep beside entries. By capability. */
export const relayAndStatementTests = {
  watermarks: {
    'remembers how far each relay was read for each filter': async (store: DiscoveryStore) => {
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
    'remembers relays, each by its last record': async (store: DiscoveryStore) => {
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
    'remembers the latest date at which a key withdrew something, of its own only': async (
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
    'keeps the newest recommendation of each recommender and kind': async (store: DiscoveryStore) => {
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
} as const;
