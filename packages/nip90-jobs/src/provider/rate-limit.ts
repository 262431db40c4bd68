/** Maximum number of customers in memory; the least recent ones are removed. */
const maxCustomers = 10_000;

/** Creates a rate limit per customer in windows of fixed length. */
export function createRateLimit(options: {
  readonly count: number;
  readonly perMs: number;
  readonly clock: () => number;
}): { take(customer: string): boolean } {
  const { count, perMs, clock } = options;
  const windows = new Map<string, { readonly since: number; taken: number }>();
  return {
    take(customer) {
      const now = clock();
      const known = windows.get(customer);
      const window = known && now - known.since < perMs ? known : { since: now, taken: 0 };
      windows.delete(customer);
      windows.set(customer, window);
      const [oldest] = windows.keys();
      if (windows.size > maxCustomers && oldest !== undefined) windows.delete(oldest);
      if (window.taken >= count) return false;
      window.taken += 1;
      return true;
    },
  };
}
