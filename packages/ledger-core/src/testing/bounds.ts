import { expect } from 'vitest';
import { latestTime } from '../claimed-time.ts';
import type { LedgerStore, PeerQuery, Position } from '../store.ts';
import { assessment, everything, message, newest, oldest, outcomeOf, type StoreTests } from './samples.ts';

const many = 120;
const id = (n: number) => `${n}`.padStart(4, '0');

/** Writes as many messages, outcomes and assessments of bob, and as many other peers. */
async function fill(store: LedgerStore): Promise<void> {
  for (let n = 0; n < many; n++) {
    const correlationId = `work-${n}`;
    const write = message(`i${id(n)}`, { at: 1000 + Math.floor(n / 2), correlationId });
    const event = { ...outcomeOf(`o${id(n)}`, correlationId, 'paid'), createdAt: 1000 + Math.floor(n / 2) };
    await store.recordInteraction({ ...write, outcome: event });
    await store.recordAssessment('telegram:bob', () =>
      assessment(`a${id(n)}`, { createdAt: 1000 + Math.floor(n / 2) }),
    );
    const peer = { peerId: `irc:peer-${id(n)}`, nativeId: `peer-${id(n)}`, channel: 'irc' };
    await store.recordInteraction(message(`p${id(n)}`, { at: 1000 + Math.floor(n / 2), peer }));
  }
}

type List = (page: { readonly limit: number; readonly after?: Position }) => Promise<readonly Position[]>;

/** The lists of a filled store, each as positions. */
function listsOf(store: LedgerStore): Readonly<Record<string, List>> {
  const history = (order: 'newest' | 'oldest') => ({ peerId: 'telegram:bob', order }) as const;
  const lists: Record<string, List> = {};
  for (const order of ['newest', 'oldest'] as const) {
    lists[`interactions, ${order}`] = async (page) =>
      (await store.listInteractions({ ...history(order), ...page })).map((row) => ({
        value: row.createdAt,
        id: row.interactionId,
      }));
    lists[`outcomes, ${order}`] = async (page) =>
      (await store.listOutcomes({ ...history(order), ...page })).map((row) => ({
        value: row.createdAt,
        id: row.outcomeId,
      }));
    for (const peerId of ['telegram:bob', null]) {
      lists[`assessments of ${peerId ?? 'all'}, ${order}`] = async (page) =>
        (await store.listAssessments({ peerId, order, ...page })).map((row) => ({
          value: row.createdAt,
          id: row.assessmentId,
        }));
    }
  }
  for (const orderBy of ['lastSeenAt', 'firstSeenAt', 'interactionCount'] as const) {
    lists[`peers by ${orderBy}`] = async (page) =>
      (await store.listPeers({ orderBy, peerIdPrefix: 'irc:', ...page })).map(({ peer }) => ({
        value: peer[orderBy],
        id: peer.peerId,
      }));
  }
  return lists;
}

/** Limits of pages, texts and ids. */
export const bounds: StoreTests = {
  'returns full pages: as many rows as there are, up to the limit': async (store) => {
    await fill(store);
    for (const [name, list] of Object.entries(listsOf(store))) {
      const all = await list({ limit: 1001 });
      expect(new Set(all.map((row) => row.id)).size, name).toBe(many);
      for (const limit of [1, 2, many - 1, many]) {
        expect(await list({ limit }), `${name}, limit ${limit}`).toEqual(all.slice(0, limit));
      }
    }
  },

  'continues after any position, also one without a row': async (store) => {
    await fill(store);
    for (const [name, list] of Object.entries(listsOf(store))) {
      const all = await list({ limit: 1001 });
      const paged: Position[] = [];
      for (;;) {
        const rows = await list({ limit: 50, ...(paged.at(-1) && { after: paged.at(-1) as Position }) });
        if (rows.length === 0) break;
        paged.push(...rows);
        expect(paged.length, name).toBeLessThanOrEqual(many);
      }
      expect(paged, name).toEqual(all);
      const ascends = (all[0]?.value ?? 0) < (all.at(-1)?.value ?? 0);
      for (const after of [
        { value: 1030, id: '\u{10ffff}' },
        { value: 1030, id: '!' },
      ]) {
        const isAfter = (row: Position) =>
          (row.value - after.value || (after.id === '!' ? 1 : -1)) * (ascends ? 1 : -1) > 0;
        const expected = name.includes('interactionCount')
          ? all.filter((row) => row.value < after.value)
          : all.filter(isAfter);
        expect(await list({ limit: 1001, after }), `${name}, after ${JSON.stringify(after)}`).toEqual(
          expected,
        );
      }
    }
  },

  'keeps every condition on every page of peers': async (store) => {
    for (let n = 0; n < 9; n++) {
      const peer = { peerId: `irc:p${n}`, nativeId: `p${n}`, channel: 'irc' };
      await store.recordInteraction(message(`${n}`, { at: 1000 + n, peer }));
      await store.recordAssessment(peer.peerId, () =>
        assessment(`a${n}`, { peerId: peer.peerId, trust: n % 3 === 0 ? -5 : 5 }),
      );
    }
    const pages = async (query: Partial<PeerQuery>) => {
      const found: string[] = [];
      let after: Position | undefined;
      for (;;) {
        const [row, ...more] = await store.listPeers({ orderBy: 'lastSeenAt', limit: 1, ...query, after });
        expect(more).toEqual([]);
        if (!row) return found;
        found.push(row.peer.peerId);
        after = { value: row.peer.lastSeenAt, id: row.peer.peerId };
        expect(found.length).toBeLessThanOrEqual(9);
      }
    };
    expect(await pages({ trustBelow: 0 })).toEqual(['irc:p6', 'irc:p3', 'irc:p0']);
    expect(await pages({ peerIdPrefix: 'irc:p', trustBelow: 0 })).toEqual(['irc:p6', 'irc:p3', 'irc:p0']);
    expect(await pages({ peerIdPrefix: 'irc:p8' })).toEqual(['irc:p8']);
  },

  'compares ids exactly: case, accents, spaces and wildcards count': async (store) => {
    const ids = ['bob', 'Bob', 'BOB', 'bob ', 'böb', 'bo\u0308b', 'b_b', 'b%b', 'bôb'];
    for (const name of ids) {
      const peer = { peerId: `irc:${name}`, nativeId: name, channel: 'irc', alias: name };
      await store.recordInteraction(message(`i-${name}`, { peer, correlationId: `work ${name}` }));
    }
    for (const name of ids) {
      expect((await store.getPeer(`irc:${name}`))?.peer, name).toMatchObject({
        alias: name,
        interactionCount: 1,
      });
      const found = await store.recordOutcome(outcomeOf(`o-${name}`, `work ${name}`, 'paid'));
      expect(found, name).toMatchObject({ kind: 'recorded', event: { peerId: `irc:${name}` } });
      const prefixed = await store.listPeers({
        orderBy: 'lastSeenAt',
        limit: 99,
        peerIdPrefix: `irc:${name}`,
      });
      const expected = ids.filter((other) => other.startsWith(name)).map((other) => `irc:${other}`);
      expect(prefixed.map(({ peer }) => peer.peerId).sort(), name).toEqual(expected.sort());
      const external = message(`e-${name}`, { externalId: name });
      expect(await store.recordInteraction(external), name).toMatchObject({ recorded: true });
      const event = { ...outcomeOf(`x-${name}`, 'work bob', 'paid'), externalId: name };
      expect(await store.recordOutcome(event), name).toMatchObject({ kind: 'recorded' });
    }
    expect(await store.listPeers({ orderBy: 'lastSeenAt', limit: 99, peerIdPrefix: 'IRC:' })).toEqual([]);
  },

  'keeps long texts, long ids and late times as they are': async (store) => {
    const content = `${'漢字🙂é'.repeat(40_000)}the end`;
    // The longest id of the contract, in bytes: two in an index, with the agent's.
    const long = (first: string, bytes: number) => `${first}${'漢'.repeat(Math.floor((bytes - 1) / 3))}`;
    const nativeId = long('n', 512);
    const peerId = `${'c'.repeat(64)}:${nativeId}`;
    const peer = { peerId, nativeId, channel: 'c'.repeat(64), handle: 'p-aaaaaaaa' };
    const [correlationId, externalId] = [long('k', 512), long('e', 512)];
    const evidence = { id: externalId, content: content.slice(0, 100_000) };
    const full = message('1', {
      at: latestTime,
      receivedAt: latestTime,
      content,
      peer,
      correlationId,
      externalId,
      evidence,
    });
    const event = { ...outcomeOf('o', correlationId, 'paid'), externalId, createdAt: latestTime };
    await store.recordInteraction({ ...full, outcome: event });
    const [row] = await store.listInteractions({ ...newest(peerId) });
    expect(row?.content).toBe(content);
    expect(row).toMatchObject({ peerId, correlationId, externalId, evidence, createdAt: latestTime });
    expect((await store.listOutcomes(oldest(peerId)))[0]).toMatchObject({ correlationId, externalId });
    expect((await store.getPeer(peerId))?.peer).toMatchObject({ nativeId, lastSeenAt: latestTime });
    const rationale = `${'Lieferte alles, pünktlich. '.repeat(400)}Ende.`;
    await store.recordAssessment(peerId, () => assessment('a', { peerId, rationale, createdAt: latestTime }));
    expect((await store.getPeer(peerId))?.latest?.rationale).toBe(rationale);
  },

  'has everything after it was opened again': async (store, { reopen }, skip) => {
    if (!reopen) return skip('this store cannot be opened a second time');
    await store.recordInteraction(
      message('1', { correlationId: 'job', externalId: 'e', peer: { alias: 'Bob' } }),
    );
    await store.recordOutcome(outcomeOf('o', 'job', 'paid'));
    await store.recordAssessment('telegram:bob', () => assessment('a'));
    await store.recordInteraction(message('2', { at: 9000, content: 'last' }));
    const before = await everything(store);
    const again = await reopen();
    expect(await everything(again)).toEqual(before);
    expect(await again.recordInteraction(message('3', { externalId: 'e' }))).toMatchObject({
      recorded: false,
    });
    await expect(again.recordInteraction(message('2', {}))).rejects.toThrow();
    await store.prune(5000);
    expect(await everything(await reopen())).toEqual(await everything(store));
  },
};
