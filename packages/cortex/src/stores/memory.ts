import type { SharedState, StatePort, StoredText } from '../state/state-port.ts';

/** Creates a state port in memory, for tests and for agents without persistence. */
export function createMemoryState(): StatePort & { readonly shared: SharedState } {
  const texts = new Map<string, StoredText>();
  const leases = new Map<string, { readonly holder: string; readonly until: number }>();
  const put = (key: string, text: string) => {
    texts.set(key, { text, revision: (texts.get(key)?.revision ?? 0) + 1 });
  };
  return {
    async store(key, text) {
      put(key, text);
    },
    async retrieve(key) {
      return texts.get(key)?.text ?? null;
    },
    shared: {
      async read(key) {
        return texts.get(key) ?? null;
      },
      async swap(key, text, revision) {
        if ((texts.get(key)?.revision ?? 0) !== revision) return false;
        put(key, text);
        return true;
      },
      async lease(name, holder, { now, until }) {
        const lease = leases.get(name);
        if (lease !== undefined && lease.holder !== holder && lease.until > now) return false;
        leases.set(name, { holder, until });
        return true;
      },
      async release(name, holder) {
        if (leases.get(name)?.holder === holder) leases.delete(name);
      },
    },
  };
}
