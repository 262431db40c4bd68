/**
 * Conformance suite of routing stores for vitest.
 * @packageDocumentation
 */
import {
  type DescribeStoreOptions,
  describeStore,
  type OpenedStore,
  type OpenStore,
} from '@bonafide/storage/testing';
import { expect } from 'vitest';
import type { LogRecord, RoutingStore } from '../store.ts';

const record = (id: string, rest: Partial<LogRecord> = {}): LogRecord => ({
  id,
  kind: 'outcome',
  at: 1_700_000_000_000,
  taskType: 'code',
  data: { id },
  ...rest,
});

const groups = {
  log: {
    'keeps records in the order of appending and reads them back as they were': async (
      store: RoutingStore,
    ) => {
      const first = record('a', {
        data: { text: 'näïve 🙂 \u0000', list: [1, 2.5, null], deep: { yes: true } },
      });
      const second = record('b', { kind: 'platform', taskType: null, at: 0 });
      expect(await store.append([first, second])).toEqual([
        { seq: 1, appended: true },
        { seq: 2, appended: true },
      ]);
      expect(await store.append([record('c', { at: 1 })])).toEqual([{ seq: 3, appended: true }]);
      expect(await store.readAfter(0, 10)).toEqual([
        { ...first, seq: 1 },
        { ...second, seq: 2 },
        { ...record('c', { at: 1 }), seq: 3 },
      ]);
    },
    'reads page by page and past the end': async (store: RoutingStore) => {
      await store.append(['a', 'b', 'c', 'd', 'e'].map((id) => record(id)));
      const ids = async (after: number, limit: number) =>
        (await store.readAfter(after, limit)).map(({ id }) => id);
      expect(await ids(0, 2)).toEqual(['a', 'b']);
      expect(await ids(2, 2)).toEqual(['c', 'd']);
      expect(await ids(4, 2)).toEqual(['e']);
      expect(await ids(5, 2)).toEqual([]);
    },
    'keeps one record per id, within a call and between calls': async (store: RoutingStore) => {
      expect(await store.append([record('a'), record('a', { data: { other: 1 } }), record('b')])).toEqual([
        { seq: 1, appended: true },
        { seq: 1, appended: false },
        { seq: 2, appended: true },
      ]);
      expect(await store.append([record('b', { data: { other: 1 } }), record('c')])).toEqual([
        { seq: 2, appended: false },
        { seq: 3, appended: true },
      ]);
      expect((await store.readAfter(0, 10)).map(({ data }) => data)).toEqual([
        { id: 'a' },
        { id: 'b' },
        { id: 'c' },
      ]);
    },
    'finds a record by its id': async (store: RoutingStore) => {
      await store.append([record('a'), record("it's; --", { at: 5 })]);
      expect(await store.get("it's; --")).toEqual({ ...record("it's; --", { at: 5 }), seq: 2 });
      expect(await store.get('z')).toBeNull();
    },
    'appends nothing when there is nothing': async (store: RoutingStore) => {
      expect(await store.append([])).toEqual([]);
      expect(await store.readAfter(0, 10)).toEqual([]);
    },
    'numbers concurrent appends without gaps, and never twice': async (
      store: RoutingStore,
      { reopen }: OpenedStore<RoutingStore>,
    ) => {
      const both = [store, (await reopen?.()) ?? store] as const;
      const batches = Array.from({ length: 20 }, (_, batch) => [
        record(`own-${batch}`),
        record(`shared-${batch % 5}`),
      ]);
      const results = await Promise.all(batches.map((batch, n) => both[n % 2 === 0 ? 0 : 1].append(batch)));
      const written = results.flat().filter(({ appended }) => appended);
      expect(written).toHaveLength(25);
      expect(await both[1].readAfter(0, 100)).toEqual(await store.readAfter(0, 100));
      const stored = await store.readAfter(0, 100);
      expect(stored.map(({ seq }) => seq)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
      for (const [batch, result] of results.entries()) {
        expect(stored[(result[0]?.seq ?? 0) - 1]?.id).toBe(`own-${batch}`);
        expect(stored[(result[1]?.seq ?? 0) - 1]?.id).toBe(`shared-${batch % 5}`);
      }
    },
    'writes all of a call or nothing': async (store: RoutingStore) => {
      await store.append([record('a')]);
      // A BigInt is not JSON: an unchecked caller might pass one.
      const broken = record('c', { data: { value: (() => {}) as never, big: 1n as never } });
      await expect(store.append([record('b'), broken])).rejects.toThrow();
      expect((await store.readAfter(0, 10)).map(({ id }) => id)).toEqual(['a']);
      expect(await store.append([record('b')])).toEqual([{ seq: 2, appended: true }]);
    },
    'hands out copies: changing what was read changes nothing that is stored': async (
      store: RoutingStore,
    ) => {
      const given = { list: [1] };
      await store.append([record('a', { data: given })]);
      given.list.push(2);
      const [read] = await store.readAfter(0, 1);
      (read as unknown as { data: { list: number[] } }).data.list.push(3);
      expect((await store.get('a'))?.data).toEqual({ list: [1] });
    },
  },
  decisions: {
    'lists one kind newest first, page by page, of one task type when asked': async (store: RoutingStore) => {
      await store.append([
        record('d1', { kind: 'decision' }),
        record('o1'),
        record('d2', { kind: 'decision', taskType: 'prose' }),
        record('d3', { kind: 'decision' }),
        record('d4', { kind: 'decision' }),
      ]);
      const page = await store.latest({ kind: 'decision', limit: 2 });
      expect(page.items.map(({ id }) => id)).toEqual(['d4', 'd3']);
      const cursor = page.nextCursor ?? '';
      const rest = await store.latest({ kind: 'decision', limit: 2, cursor });
      expect(rest.items.map(({ id }) => id)).toEqual(['d2', 'd1']);
      expect(rest.nextCursor).toBeNull();
      const prose = await store.latest({ kind: 'decision', taskType: 'prose', limit: 5 });
      expect(prose.items.map(({ id }) => id)).toEqual(['d2']);
      expect(await store.latest({ kind: 'nothing', limit: 5 })).toEqual({ items: [], nextCursor: null });
    },
    'refuses a cursor that it did not return': async (store: RoutingStore) => {
      await store.append([record('d1', { kind: 'decision' }), record('d2', { kind: 'decision' })]);
      for (const cursor of ['', 'no cursor', '1', 'WyJvdGhlcnMiLDFd'])
        await expect(store.latest({ kind: 'decision', limit: 1, cursor })).rejects.toMatchObject({
          code: 'INVALID_INPUT',
        });
    },
  },
  erasing: {
    'takes the identity of an operator out of the records, and keeps every number and number of sequence':
      async (store: RoutingStore, _: OpenedStore<RoutingStore>, skip: (reason: string) => never) => {
        if (store.erasePeer === undefined) return skip('this store cannot erase a peer');
        const [peer, other] = ['a', 'b'].map((digit) => digit.repeat(64)) as [string, string];
        const of = (pubkey: string, d: string) => ({ platform: { pubkey, d }, name: 'Shop', score: 0.5 });
        await store.append([
          record(`platform:${peer}:main`, { kind: 'platform', taskType: null, data: of(peer, 'main') }),
          record('outcome:1', { data: of(peer, 'main') }),
          record('outcome:2', { data: of(other, 'main') }),
          record('decision:1', {
            data: {
              picks: [{ ...of(peer, ''), platformId: `${peer}:`, reason: 'cheap' }, of(other, '')],
              byPlatform: { [`${peer}:main`]: 2 },
            },
          }),
        ]);
        const before = await store.readAfter(0, 10);
        expect(await store.erasePeer(peer, { preview: true })).toEqual({ erased: { records: 3 }, kept: {} });
        expect(await store.readAfter(0, 10)).toEqual(before);
        expect(await store.erasePeer(peer)).toEqual({ erased: { records: 3 }, kept: {} });
        const after = await store.readAfter(0, 10);
        expect(JSON.stringify(after)).not.toContain(peer);
        expect(after.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
        expect(after[2]).toEqual(before[2]);
        const [registered, outcome, , decision] = after.map(
          ({ data }) => data as never,
        ) as unknown as readonly [
          ReturnType<typeof of>,
          ReturnType<typeof of>,
          unknown,
          { picks: readonly [ReturnType<typeof of>, unknown]; byPlatform: Record<string, number> },
        ];
        // One platform stays one platform, and differs from every other.
        const { pubkey, d } = registered.platform;
        expect(outcome).toEqual({ platform: { pubkey, d }, name: null, score: 0.5 });
        expect(d).not.toBe('main');
        expect(decision.picks[0].platform).toEqual({ pubkey, d: '' });
        expect(decision.byPlatform).toEqual({ [`${pubkey}:${d}`]: 2 });
        expect(await store.get('outcome:1')).toEqual(after[1]);
        expect(await store.get(`platform:${peer}:main`)).toBeNull();
        expect(await store.erasePeer(peer)).toEqual({ erased: { records: 0 }, kept: {} });
        await expect(store.erasePeer('%')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      },
  },
  persistence: {
    'has the same log after it is opened again, and continues at its end': async (
      store: RoutingStore,
      opened: OpenedStore<RoutingStore>,
      skip: (reason: string) => never,
    ) => {
      if (opened.reopen === undefined) return skip('nothing outlives the object');
      await store.append([record('a'), record('b', { kind: 'decision' })]);
      const again = await opened.reopen();
      expect(await again.readAfter(0, 10)).toEqual(await store.readAfter(0, 10));
      expect(await again.append([record('a'), record('c')])).toEqual([
        { seq: 1, appended: false },
        { seq: 3, appended: true },
      ]);
      expect(await store.append([record('c'), record('d')])).toEqual([
        { seq: 3, appended: false },
        { seq: 4, appended: true },
      ]);
    },
  },
} as const;

/** Capabilities that {@link testRoutingStore} tests. */
export type RoutingStoreGroup = keyof typeof groups;

/**
 * Defines the conformance suite. `open` returns a store with an empty log for each test.
 *
 * ```ts
 * testRoutingStore('my adapter', () => ({ store: createMyStore() }));
 * ```
 */
export function testRoutingStore(
  name: string,
  open: OpenStore<RoutingStore>,
  options: DescribeStoreOptions<RoutingStoreGroup> = {},
): void {
  describeStore(`routing store: ${name}`, open, groups, options);
}
