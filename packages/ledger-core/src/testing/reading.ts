import { expect } from 'vitest';
import type { HistoryQuery, LedgerStore, Position } from '../store.ts';
import { assessment, message, type StoreTests } from './samples.ts';

/** Lists and counts. */
export const reading: StoreTests = {
  'lists a history both ways, in pages that stay stable while rows are added': async (store) => {
    // Two rows of one time each, so that the id decides too.
    for (let n = 0; n < 10; n++) {
      await store.recordInteraction(message(`i${n}`, { at: Math.floor(n / 2) * 1000 }));
    }
    const descending = ['i9', 'i8', 'i7', 'i6', 'i5', 'i4', 'i3', 'i2', 'i1', 'i0'];
    let arrived = 0;
    const arrive = async () => {
      const n = arrived++;
      await store.recordInteraction(message(`late${n}`, { at: 90_000 + n }));
    };
    expect(await pages(store, 'newest', 3, arrive)).toEqual(descending);
    const ascending = await pages(store, 'oldest', 4, async () => {});
    expect(ascending.slice(0, 10)).toEqual(descending.toReversed());
    expect(ascending).toHaveLength(10 + arrived);
  },

  'lists peers in every order and by every condition': async (store) => {
    const names = ['ann', 'bob', 'cat', 'dan', 'eve'];
    for (const [n, nativeId] of names.entries()) {
      const peer = { peerId: `telegram:${nativeId}`, nativeId };
      for (let count = 0; count <= n % 3; count++) {
        const at = count === 0 ? 5000 - n * 1000 : 6000 + Math.floor(n / 2);
        await store.recordInteraction(message(`${nativeId}-${count}`, { at, peer }));
      }
    }
    const signal = { peerId: 'signal:bob', nativeId: 'bob', channel: 'signal' };
    await store.recordInteraction(message('s', { at: 5000, peer: signal }));
    await store.recordAssessment('telegram:cat', (peer) => assessment('a1', peer, -1));
    await store.recordAssessment('telegram:dan', (peer) => assessment('a2', peer, -5));
    await store.recordAssessment('telegram:dan', (peer) => assessment('a3', { ...peer, createdAt: 9000 }, 0));

    const list = async (query: Partial<Parameters<LedgerStore['listPeers']>[0]>) =>
      (await store.listPeers({ orderBy: 'lastSeenAt', limit: 10, ...query })).map(({ peer }) => peer.peerId);
    const byLastSeen = [
      'telegram:eve',
      'telegram:cat',
      'telegram:bob',
      'telegram:ann',
      'signal:bob',
      'telegram:dan',
    ];
    expect(await list({})).toEqual(byLastSeen);
    expect(await list({ limit: 2 })).toEqual(byLastSeen.slice(0, 2));
    expect(await list({ after: { value: 6000, id: 'telegram:bob' } })).toEqual(byLastSeen.slice(3));
    expect(await list({ after: { value: 5000, id: 'telegram:ann' } })).toEqual(byLastSeen.slice(4));
    expect(await list({ orderBy: 'firstSeenAt' })).toEqual([
      'telegram:ann',
      'signal:bob',
      'telegram:bob',
      'telegram:cat',
      'telegram:dan',
      'telegram:eve',
    ]);
    expect(await list({ orderBy: 'interactionCount' })).toEqual([
      'telegram:cat',
      'telegram:eve',
      'telegram:bob',
      'telegram:dan',
      'telegram:ann',
      'signal:bob',
    ]);
    expect(await list({ peerIdPrefix: 'signal:' })).toEqual(['signal:bob']);
    expect(await list({ peerIdPrefix: 'telegram:%' })).toEqual([]);
    expect(await list({ trustBelow: 0 })).toEqual(['telegram:cat']);
    expect(await list({ trustBelow: 1 })).toEqual(['telegram:cat', 'telegram:dan']);
    const [first] = await store.listPeers({ orderBy: 'lastSeenAt', limit: 1, trustBelow: 0 });
    expect(first).toEqual(await store.getPeer('telegram:cat'));
  },

  'orders text by its bytes': async (store) => {
    // By UTF-16 units the second would come before the first.
    const names = ['\uff5e', '\u{1f600}', 'a', 'B', 'é', 'e\u0301', '~'];
    for (const [n, name] of names.entries()) {
      const peer = { peerId: `irc:${name}`, nativeId: name, channel: 'irc' };
      await store.recordInteraction(message(`${n}`, { at: 1000, peer }));
      await store.recordInteraction(message(`i${name}`, { at: 1000 }));
    }
    const byBytes = ['\u{1f600}', '\uff5e', 'é', '~', 'e\u0301', 'a', 'B'];
    const peers = await store.listPeers({
      orderBy: 'firstSeenAt',
      limit: 7,
      after: { value: 1000, id: 'telegram:' },
    });
    expect(peers.map(({ peer }) => peer.nativeId)).toEqual(byBytes);
    const rows = await store.listInteractions({ peerId: 'telegram:bob', order: 'newest', limit: 10 });
    expect(rows.map((row) => row.interactionId.slice(1))).toEqual(byBytes);
    const prefixed = await store.listPeers({
      orderBy: 'firstSeenAt',
      limit: 9,
      peerIdPrefix: 'irc:\u{1f600}',
    });
    expect(prefixed.map(({ peer }) => peer.nativeId)).toEqual(['\u{1f600}']);
  },

  'counts the whole journal': async (store) => {
    expect(await store.getTotals()).toEqual({
      peers: 0,
      interactions: 0,
      assessments: 0,
      positiveAssessments: 0,
      trustDistribution: [],
    });
    for (const nativeId of ['ann', 'bob', 'cat', 'dan']) {
      const peer = { peerId: `telegram:${nativeId}`, nativeId };
      await store.recordInteraction(message(`${nativeId}1`, { peer }));
      await store.recordInteraction(message(`${nativeId}2`, { peer }));
    }
    await store.recordAssessment('telegram:ann', (peer) => assessment('a1', peer, 5));
    await store.recordAssessment('telegram:bob', (peer) => assessment('a2', peer, -3));
    await store.recordAssessment('telegram:cat', (peer) => assessment('a3', peer, 9));
    await store.recordAssessment('telegram:cat', (peer) => assessment('a4', peer, 5));
    expect(await store.getTotals()).toEqual({
      peers: 4,
      interactions: 8,
      assessments: 4,
      positiveAssessments: 3,
      trustDistribution: [
        { trust: -3, peers: 1 },
        { trust: 5, peers: 2 },
      ],
    });
  },
};

async function pages(
  store: LedgerStore,
  order: HistoryQuery['order'],
  limit: number,
  between: () => Promise<void>,
): Promise<string[]> {
  const ids: string[] = [];
  let after: Position | undefined;
  for (;;) {
    const rows = await store.listInteractions({ peerId: 'telegram:bob', order, limit, after });
    ids.push(...rows.map((row) => row.interactionId));
    const last = rows.at(-1);
    if (!last || rows.length < limit) return ids;
    after = { value: last.createdAt, id: last.interactionId };
    await between();
  }
}
