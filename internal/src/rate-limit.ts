/** Maximum number of keys in memory; the least recent ones are removed. */
const maxKeys = 10_000;

/** A rate limit per key. */
export interface RateLimit {
  /** Takes one of the key's permits. Returns false without one. */
  take(key: string): boolean;
  /** Returns true when the key has no permit left. Takes none. */
  isExhausted(key: string): boolean;
}

/** Creates a rate limit per key (of a customer, a peer) in windows of fixed length. */
export function createRateLimit(options: {
  readonly count: number;
  readonly perMs: number;
  readonly clock: () => number;
}): RateLimit {
  const { count, perMs, clock } = options;
  const windows = new Map<string, { readonly since: number; taken: number }>();
  return {
    take(key) {
      const now = clock();
      const known = windows.get(key);
      const window = known && now - known.since < perMs ? known : { since: now, taken: 0 };
      windows.delete(key);
      windows.set(key, window);
      const [oldest] = windows.keys();
      if (windows.size > maxKeys && oldest !== undefined) windows.delete(oldest);
      if (window.taken >= count) return false;
      window.taken += 1;
      return true;
    },
    isExhausted(key) {
      const window = windows.get(key);
      return window !== undefined && clock() - window.since < perMs && window.taken >= count;
    },
  };
}
