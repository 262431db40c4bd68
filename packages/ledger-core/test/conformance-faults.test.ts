import { describe, expect, it } from 'vitest';
import { createMemoryLedgerStore, type LedgerStore } from '../src/index.ts';
import { ledgerStoreTests } from '../src/testing/index.ts';

class Skipped extends Error {}

/** Titles of the conformance tests that a store fails. */
async function failuresOf(open: () => LedgerStore, reopen?: (store: LedgerStore) => LedgerStore) {
  const failed: string[] = [];
  for (const tests of Object.values(ledgerStoreTests)) {
    for (const [title, test] of Object.entries(tests)) {
      const store = open();
      const fixture = { store, ...(reopen && { reopen: () => reopen(store) }) };
      try {
        await test(store, fixture, (reason) => {
          throw new Skipped(reason);
        });
      } catch (error) {
        if (!(error instanceof Skipped)) failed.push(title);
      }
    }
  }
  return failed;
}

type Change = (store: LedgerStore) => Partial<LedgerStore>;

const lower = <Value>(value: Value) => (typeof value === 'string' ? value.toLowerCase() : value) as Value;

/** One fault each, as adapters have had them. */
const faults: Readonly<Record<string, Change>> = {
  'needs a row at the position to continue after': (store) => ({
    async listAssessments(query) {
      const rows = await store.listAssessments({ ...query, limit: 1001, after: undefined });
      const at = query.after ? rows.findIndex((row) => row.assessmentId === query.after?.id) : -1;
      return query.after && at < 0 ? [] : rows.slice(at + 1, at + 1 + query.limit);
    },
  }),
  'returns short pages': (store) => ({
    listInteractions: (query) => store.listInteractions({ ...query, limit: Math.min(100, query.limit) }),
  }),
  'returns short pages of assessments': (store) => ({
    listAssessments: (query) => store.listAssessments({ ...query, limit: Math.min(100, query.limit) }),
  }),
  'ignores the position in outcomes': (store) => ({
    listOutcomes: (query) => store.listOutcomes({ ...query, after: undefined }),
  }),
  'lists outcomes of voided work as counted': (store) => ({
    async listOutcomes(query) {
      const rows = await store.listOutcomes({ ...query, only: undefined });
      return query.only === 'finished' ? rows.filter(({ result }) => result !== 'open') : rows;
    },
  }),
  'ignores the source of assessments': (store) => ({
    listAssessments: (query) => store.listAssessments({ ...query, source: undefined }),
  }),
  'returns one row too many': (store) => ({
    listOutcomes: (query) => store.listOutcomes({ ...query, limit: query.limit + 1 }),
  }),
  'returns one peer too many': (store) => ({
    listPeers: (query) => store.listPeers({ ...query, limit: query.limit + 1 }),
  }),
  'drops a condition after the first page': (store) => ({
    listPeers: (query) => store.listPeers(query.after ? { ...query, trustBelow: undefined } : query),
  }),
  'compares prefixes without case': (store) => ({
    async listPeers(query) {
      const { peerIdPrefix: prefix, ...rest } = query;
      const rows = await store.listPeers({ ...rest, limit: 1001 });
      return rows
        .filter(({ peer }) => prefix === undefined || lower(peer.peerId).startsWith(lower(prefix)))
        .slice(0, query.limit);
    },
  }),
  'compares external ids without case': (store) => ({
    recordInteraction: (write) =>
      store.recordInteraction({
        ...write,
        interaction: { ...write.interaction, externalId: lower(write.interaction.externalId) },
      }),
  }),
  'compares external ids of outcomes without trailing spaces': (store) => ({
    recordOutcome: (write) =>
      store.recordOutcome({ ...write, externalId: write.externalId?.trimEnd() ?? null }),
  }),
  'compares peers without case': (store) => ({
    getPeer: async (peerId) => (await store.getPeer(peerId)) ?? (await store.getPeer(lower(peerId))),
    recordInteraction: (write) =>
      store.recordInteraction({ ...write, peer: { ...write.peer, peerId: lower(write.peer.peerId) } }),
  }),
  'cuts long texts': (store) => ({
    recordInteraction: (write) =>
      store.recordInteraction({
        ...write,
        interaction: { ...write.interaction, content: write.interaction.content.slice(0, 60_000) },
      }),
  }),
  'keeps the newest value instead of the first': (store) => ({
    keepValue: (name, write) =>
      store.keepValue(name, write && 'first' in write ? { replace: write.first } : write),
  }),
  'erases everything, also what came later': (store) => ({
    forgetPeer: (write) => store.forgetPeer({ ...write, until: null }),
  }),
  'keeps the erased rows apart from works': (store) => ({
    async listOutcomes(query) {
      return (await store.listOutcomes(query)).map((row) => ({ ...row, sequence: 1 }));
    },
  }),
  'finds handles without case': (store) => ({
    listPeers: (query) => store.listPeers({ ...query, ...(query.handle && { handle: lower(query.handle) }) }),
  }),
  'lets later outcomes take violations back': (store) => ({
    async getPeer(peerId) {
      const found = await store.getPeer(peerId);
      return (
        found && { ...found, peer: { ...found.peer, violationCount: Math.min(1, found.peer.violationCount) } }
      );
    },
  }),
};

describe('the conformance suite', () => {
  it('LED-34 passes the memory store', async () => {
    expect(await failuresOf(createMemoryLedgerStore)).toEqual([]);
  });

  it.each(Object.entries(faults))('LED-34 catches a store that %s', async (_, change) => {
    const broken = () => {
      const store = createMemoryLedgerStore();
      return { ...store, ...change(store) };
    };
    expect(await failuresOf(broken)).not.toEqual([]);
  });

  it('LED-34 catches a store that forgets its last write', async () => {
    /** Acknowledges a write when the next one comes. */
    const lazy = () => {
      const [durable, store] = [createMemoryLedgerStore(), createMemoryLedgerStore()];
      let pending: (() => Promise<unknown>) | undefined;
      const recordInteraction: LedgerStore['recordInteraction'] = async (write) => {
        await pending?.();
        pending = () => durable.recordInteraction(write);
        return await store.recordInteraction(write);
      };
      return { ...store, recordInteraction, durable };
    };
    const failed = await failuresOf(lazy, (store) => (store as ReturnType<typeof lazy>).durable);
    expect(failed).toContain('has everything after it was opened again');
  });
});
