import { describe, expect, it } from 'vitest';
import { createMemoryDelegationStore, type DelegationStore, type WakeStore } from '../src/index.ts';
import { delegationStoreTests } from '../src/testing/store.ts';

class Skipped extends Error {}

/** Titles of the conformance tests that a store fails. */
async function failuresOf(open: () => DelegationStore): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const tests of Object.values(delegationStoreTests))
    for (const [title, test] of Object.entries(tests)) {
      const store = open();
      try {
        await test(store, { store }, (reason) => {
          throw new Skipped(reason);
        });
      } catch (error) {
        if (!(error instanceof Skipped)) failed.push(title);
      }
    }
  return failed;
}

type Fault = (store: DelegationStore) => Partial<DelegationStore>;

const ofWakes =
  (change: (wakes: WakeStore) => Partial<WakeStore>): Fault =>
  ({ wakes }) => ({ wakes: { ...wakes, ...change(wakes) } });

/** One fault each, as adapters may have them. */
const faults: Readonly<Record<string, Fault>> = {
  'replaces an order of the same id': (store) => ({
    create: async (record) => {
      const { created } = await store.create(record);
      return { record, created };
    },
  }),
  'writes whatever revision is stored': (store) => ({
    update: async (record) => {
      const stored = await store.get(record.id);
      return store.update({ ...record, revision: (stored?.revision ?? 0) + 1 });
    },
  }),
  'compares ids without case': (store) => ({
    create: (record) => store.create({ ...record, id: record.id.toLowerCase() }),
    get: (id) => store.get(id.toLowerCase()),
  }),
  'compares ids without spaces at their end': (store) => ({
    create: (record) => store.create({ ...record, id: record.id.trimEnd() }),
    get: (id) => store.get(id.trimEnd()),
  }),
  'compares names of notes without case': (store) => ({
    note: (name) => store.note(name.toLowerCase()),
    putNote: (name, note) => store.putNote(name.toLowerCase(), note),
  }),
  'cuts long orders': (store) => ({
    get: async (id) => {
      const record = await store.get(id);
      return record === null || JSON.stringify(record).length < 65_536
        ? record
        : { ...record, state: { ...record.state, replicas: [] } };
    },
  }),
  'drops its conditions after the first page': (store) => ({
    list: (query = {}) =>
      store.list(query.cursor === undefined ? query : { cursor: query.cursor, limit: query.limit }),
  }),
  'ends its pages too early': (store) => ({
    list: async (query) => ({ ...(await store.list(query)), nextCursor: null }),
  }),
  'prunes what was written at the given time': (store) => ({
    prune: ({ before, limit }) => store.prune({ before: before + 1, limit }),
  }),
  'ignores the limit of a claim': ofWakes((wakes) => ({
    claim: (claim) => wakes.claim({ ...claim, limit: 1_000 }),
  })),
  'ignores priorities': ofWakes((wakes) => ({ put: (wake) => wakes.put({ ...wake, priority: 0 }) })),
  'forgets the failures of a wake': ofWakes((wakes) => ({
    finish: (result) => wakes.finish({ ...result, failures: 0 }),
  })),
  'never prolongs a claim': ofWakes(() => ({ renew: async () => {} })),
  'prolongs every claim': ofWakes((wakes) => {
    const tokens = new Set<string>();
    return {
      claim: (claim) => {
        tokens.add(claim.token);
        return wakes.claim(claim);
      },
      renew: async (_, until) => {
        for (const token of tokens) await wakes.renew(token, until);
      },
    };
  }),
  'ends the claims of every queue': ofWakes((wakes) => ({
    release: async () => {
      for (const { queue } of await wakes.list()) await wakes.release(queue);
    },
  })),
  'lets a former holder end a claim': ofWakes((wakes) => {
    const holders = new Map<string, string>();
    return {
      claim: async (claim) => {
        const taken = await wakes.claim(claim);
        for (const { id } of taken.claimed) holders.set(id, claim.token);
        return taken;
      },
      finish: (result) => wakes.finish({ ...result, token: holders.get(result.id) ?? result.token }),
    };
  }),
  'lists the wakes of every queue': ofWakes((wakes) => ({
    list: ({ limit } = {}) => wakes.list({ limit }),
  })),
  'lists wakes without a limit': ofWakes((wakes) => ({ list: ({ queue } = {}) => wakes.list({ queue }) })),
};

describe('the conformance suite of stores', () => {
  it('passes the memory store (DLG-8)', async () => {
    expect(await failuresOf(createMemoryDelegationStore)).toEqual([]);
  });

  it.each(Object.entries(faults))('catches a store that %s (DLG-8, DLG-10)', async (_, change) => {
    const broken = () => {
      const store = createMemoryDelegationStore();
      return { ...store, ...change(store) };
    };
    expect(await failuresOf(broken)).not.toEqual([]);
  });
});
