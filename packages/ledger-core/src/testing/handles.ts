import { expect } from 'vitest';
import type { LedgerStore } from '../store.ts';
import { everything, message, type StoreTests } from './samples.ts';

/** Tests of handles and of the named values, one of which is the key of handles. */
export const handles: StoreTests = {
  'finds a peer by its handle, exactly': async (store) => {
    const write = (id: string, name: string, handle: string) =>
      store.recordInteraction(message(id, { peer: { peerId: `irc:${name}`, nativeId: name, handle } }));
    await write('1', 'ann', 'p-aaaaaaaa');
    await write('2', 'bob', 'p-aaaaaaaab');
    await write('3', 'cat', 'irc:cat');
    const found = async (handle: string) => await peerIds(store, handle);
    expect(await found('p-aaaaaaaa')).toEqual(['irc:ann']);
    expect(await found('p-aaaaaaaab')).toEqual(['irc:bob']);
    expect(await found('irc:cat')).toEqual(['irc:cat']);
    for (const other of ['p-aaaaaaa', 'P-AAAAAAAA', 'p-aaaaaaaa ', 'p-%', 'irc:ann', 'IRC:cat', '']) {
      expect(await found(other), other).toEqual([]);
    }
    expect((await store.getPeer('irc:bob'))?.peer.handle).toBe('p-aaaaaaaab');
  },

  'keeps the handle of a known peer': async (store) => {
    const peer = { peerId: 'irc:ann', nativeId: 'ann', handle: 'p-aaaaaaaa' };
    await store.recordInteraction(message('1', { peer }));
    await store.recordInteraction(message('2', { peer: { ...peer, handle: 'p-bbbbbbbb' } }));
    expect(await peerIds(store, 'p-aaaaaaaa')).toEqual(['irc:ann']);
    expect(await peerIds(store, 'p-bbbbbbbb')).toEqual([]);
  },

  'refuses a new peer with the handle of another, and writes nothing then': async (store) => {
    const ann = { peerId: 'irc:ann', nativeId: 'ann', handle: 'p-aaaaaaaa' };
    await store.recordInteraction(message('1', { peer: ann }));
    const before = await everything(store);
    const bob = { peerId: 'irc:bob', nativeId: 'bob', handle: 'p-aaaaaaaa' };
    await expect(store.recordInteraction(message('2', { peer: bob }))).rejects.toThrow();
    expect(await everything(store)).toEqual(before);
  },

  'keeps the first value, also when several are offered at once': async (store, { reopen }) => {
    const candidates = Array.from({ length: 10 }, (_, n) => `${n}`.repeat(64));
    const offer = (to: LedgerStore, first: string) => to.keepValue('key', { first });
    const kept = await Promise.all(candidates.map((candidate) => offer(store, candidate)));
    expect(candidates).toContain(kept[0]);
    expect(new Set(kept).size).toBe(1);
    expect(await offer(store, 'f'.repeat(64))).toBe(kept[0]);
    if (reopen) expect(await offer(await reopen(), 'e'.repeat(64))).toBe(kept[0]);
  },

  'reads, replaces and removes named values': async (store, { reopen }) => {
    expect(await store.keepValue('a')).toBeNull();
    expect(await store.keepValue('a', { replace: 'one' })).toBe('one');
    expect(await store.keepValue('b', { replace: 'other' })).toBe('other');
    expect(await store.keepValue('a', { replace: 'two' })).toBe('two');
    expect(await store.keepValue('a', { first: 'three' })).toBe('two');
    if (reopen) expect(await (await reopen()).keepValue('a')).toBe('two');
    expect(await store.keepValue('a', { replace: null })).toBeNull();
    expect(await store.keepValue('a')).toBeNull();
    expect(await store.keepValue('b')).toBe('other');
  },

  'keeps handles and values of agents apart': async (store, { forAgent }, skip) => {
    if (!forAgent) return skip('agents cannot share this store');
    const other = await forAgent('another-agent');
    expect(await store.keepValue('key', { first: 'mine' })).toBe('mine');
    expect(await other.keepValue('key')).toBeNull();
    expect(await other.keepValue('key', { first: 'theirs' })).toBe('theirs');
    await other.keepValue('key', { replace: null });
    expect(await store.keepValue('key')).toBe('mine');
    const ann = { peerId: 'irc:ann', nativeId: 'ann', handle: 'p-aaaaaaaa' };
    const bob = { peerId: 'irc:bob', nativeId: 'bob', handle: 'p-aaaaaaaa' };
    await store.recordInteraction(message('1', { peer: ann }));
    expect(await peerIds(other, 'p-aaaaaaaa')).toEqual([]);
    await other.recordInteraction(message('2', { peer: bob }));
    expect(await peerIds(store, 'p-aaaaaaaa')).toEqual(['irc:ann']);
  },
};

async function peerIds(store: LedgerStore, handle: string): Promise<readonly string[]> {
  const rows = await store.listPeers({ orderBy: 'lastSeenAt', limit: 10, handle });
  return rows.map(({ peer }) => peer.peerId);
}
