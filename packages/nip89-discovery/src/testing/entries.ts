import { expect } from 'vitest';
import type { PlatformStatus } from '../registry/status.ts';
import type { DiscoveryStore } from '../registry/store.ts';
import { at, everyStatus, get, key, names, pages, put, row, sampleEntry } from './samples.ts';

/** Tests of entries and their histories, by capability. */
export const entriesTests = {
  entries: {
    'keeps an entry as it was given, and nothing else': async (store: DiscoveryStore) => {
      const entry = sampleEntry(1, "it's; -- ünïcode");
      expect(await get(store, entry.pubkey, entry.canonicalD)).toBeNull();
      expect(await put(store, entry, [])).toBe(true);
      expect(await get(store, entry.pubkey, entry.canonicalD)).toEqual(entry);
      expect(await get(store, entry.pubkey, 'other')).toBeNull();
      expect(await get(store, key(2), entry.canonicalD)).toBeNull();
    },

    'keeps an entry without an identifier, and one with every number': async (store: DiscoveryStore) => {
      const entry = sampleEntry(1, '', { trustScore: 0.875, deletedAt: at + 1, quarantinedUntilAt: at + 2 });
      await put(store, entry, []);
      expect(await get(store, entry.pubkey, '')).toEqual(entry);
    },

    'refuses a change that did not see the last one': async (store: DiscoveryStore) => {
      const first = sampleEntry(1, 'a');
      expect(await put(store, { ...first, revision: 2 }, [])).toBe(false);
      expect(await put(store, first, [])).toBe(true);
      expect(await put(store, { ...first, trustScore: 0.1 }, [row('lost')])).toBe(false);
      const second = { ...first, revision: 2, trustScore: 0.5, lastSeenAt: at + 5 };
      expect(await put(store, second, [])).toBe(true);
      expect(await put(store, { ...second, trustScore: 0.2 }, [])).toBe(false);
      expect(await put(store, { ...second, revision: 4 }, [])).toBe(false);
      expect(await get(store, first.pubkey, 'a')).toEqual(second);
      expect((await store.history(first.pubkey, 'a', { limit: 5 })).items).toEqual([]);
    },

    'lets one of several concurrent changes through': async (store: DiscoveryStore) => {
      const first = sampleEntry(1, 'a');
      const made = await Promise.all(Array.from({ length: 8 }, () => put(store, first, [])));
      expect(made.filter(Boolean)).toHaveLength(1);
      const next = Array.from({ length: 8 }, (_, n) => ({ ...first, revision: 2, trustScore: n / 10 }));
      const changed = await Promise.all(next.map((entry) => put(store, entry, [row('x')])));
      expect(changed.filter(Boolean)).toHaveLength(1);
      expect((await get(store, first.pubkey, 'a'))?.trustScore).toBe(next[changed.indexOf(true)]?.trustScore);
      expect((await store.history(first.pubkey, 'a', { limit: 5 })).items).toHaveLength(1);
    },

    'hands out copies: changing what was read changes nothing that is stored': async (
      store: DiscoveryStore,
    ) => {
      const entry = sampleEntry(1, 'a');
      await put(store, entry, []);
      const read = (await get(store, entry.pubkey, 'a')) as unknown as { card: { labels: string[] } };
      read.card.labels.push('more');
      expect((await get(store, entry.pubkey, 'a'))?.card.labels).toEqual(['benchmark-task']);
    },
  },

  list: {
    'lists by status and by key, both together': async (store: DiscoveryStore) => {
      await put(store, sampleEntry(1, 'a'), []);
      await put(store, sampleEntry(1, 'b', { status: 'partner' }), []);
      await put(store, sampleEntry(2, 'a', { status: 'archived' }), []);
      const list = async (query: object) => names((await store.list({ limit: 10, ...query })).items);
      expect(await list({})).toEqual(['1:a', '1:b', '2:a']);
      expect(await list({ statuses: ['partner', 'archived'] })).toEqual(['1:b', '2:a']);
      expect(await list({ statuses: [] })).toEqual([]);
      expect(await list({ pubkey: key(1) })).toEqual(['1:a', '1:b']);
      expect(await list({ pubkey: key(1), statuses: ['discovered'] })).toEqual(['1:a']);
    },

    'pages through every entry once': async (store: DiscoveryStore) => {
      const all = [1, 2, 3].flatMap((n) => ['', 'a', 'a b', 'z'].map((d) => sampleEntry(n, d)));
      for (const entry of all) await put(store, entry, []);
      expect(await pages((cursor) => store.list({ limit: 5, ...cursor }))).toEqual([
        names(all.slice(0, 5)),
        names(all.slice(5, 10)),
        names(all.slice(10)),
      ]);
    },
  },

  find: {
    'finds by kind, label or pattern, by status, each once': async (store: DiscoveryStore) => {
      await put(store, sampleEntry(1, 'a'), []);
      await put(store, sampleEntry(1, 'b', { status: 'partner' }, { kinds: [5_100], labels: [] }), []);
      await put(store, sampleEntry(2, 'a', { status: 'archived' }, { patterns: ['compute-*'] }), []);
      const find = async (terms: readonly string[], statuses: readonly PlatformStatus[] = everyStatus) =>
        names((await store.find({ stale: false, limit: 10, terms, statuses })).items);
      expect(await find(['5000'])).toEqual(['1:a', '2:a']);
      expect(await find(['5000', 'benchmark-task', '5000'])).toEqual(['1:a', '2:a']);
      expect(await find(['5100', 'compute-*'])).toEqual(['1:b', '2:a']);
      expect(await find(['500'])).toEqual([]);
      expect(await find([])).toEqual([]);
      expect(await find(['5000'], ['discovered'])).toEqual(['1:a']);
      expect(await find(['5000'], [])).toEqual([]);
    },

    'forgets terms that a newer card no longer has': async (store: DiscoveryStore) => {
      await put(store, sampleEntry(1, 'a'), []);
      await put(store, sampleEntry(1, 'a', { revision: 2 }, { kinds: [5_100], labels: ['prose'] }), []);
      const find = async (term: string) =>
        names((await store.find({ stale: false, limit: 10, terms: [term], statuses: everyStatus })).items);
      expect([
        await find('5000'),
        await find('benchmark-task'),
        await find('5100'),
        await find('prose'),
      ]).toEqual([[], [], ['1:a'], ['1:a']]);
    },

    'finds the most trusted first, page by page, with any status': async (store: DiscoveryStore) => {
      const trust = [null, 0.9, 0.1, null, 0, 0.5, 0.5];
      for (const [n, trustScore] of trust.entries()) {
        const status = n % 2 === 0 ? 'candidate' : 'partner';
        const labels = n % 3 === 0 ? ['benchmark-task'] : ['prose'];
        await put(store, sampleEntry(n, 'a', { trustScore, status }, { labels }), []);
      }
      const statuses: readonly PlatformStatus[] = ['candidate', 'partner'];
      const terms = ['5000', 'prose', 'benchmark-task'];
      expect(
        await pages((cursor) => store.find({ stale: false, limit: 3, terms, statuses, ...cursor })),
      ).toEqual([['1:a', '5:a', '6:a'], ['2:a', '0:a', '3:a'], ['4:a']]);
      // A change of trust and status moves it.
      const [last] = (await store.find({ stale: false, limit: 1, terms, statuses })).items;
      if (last === undefined) throw new Error('nothing was found');
      await put(store, { ...last, trustScore: 0, status: 'rejected', revision: 2 }, []);
      const found = await store.find({ stale: false, limit: 10, terms, statuses });
      expect(names(found.items)).toEqual(['5:a', '6:a', '2:a', '0:a', '3:a', '4:a']);
    },
  },

  history: {
    'keeps the history of each entry, newest first, page by page': async (store: DiscoveryStore) => {
      const entry = sampleEntry(1, 'a');
      await put(store, entry, [row('1'), row('2')]);
      await put(store, { ...entry, revision: 2 }, []);
      await put(store, { ...entry, revision: 3 }, [row('3')]);
      await put(store, sampleEntry(1, 'b'), [row('other')]);
      const first = await store.history(entry.pubkey, 'a', { limit: 2 });
      expect(first.items).toEqual([row('3'), row('2')]);
      const cursor = first.nextCursor ?? '';
      const rest = await store.history(entry.pubkey, 'a', { limit: 2, cursor });
      // A cursor is valid only in its own list.
      for (const wrong of [store.list({ limit: 2, cursor }), store.list({ limit: 2, cursor: 'x' })]) {
        await expect(wrong).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      }
      expect(rest).toEqual({ items: [row('1')], nextCursor: null });
      expect(await store.history(key(9), 'a', { limit: 2 })).toEqual({ items: [], nextCursor: null });
    },
  },
} as const;
