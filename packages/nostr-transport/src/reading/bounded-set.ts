/** A set of strings that evicts its oldest members beyond its capacity. */
export interface BoundedSet {
  /** Adds `value`; returns false if it was in the set. */
  add(value: string): boolean;
}

/**
 * Creates a set of at most `capacity` members. Unlike an LRU cache it allocates no memory in advance, because
 * there is one per subscription.
 */
export function createBoundedSet(capacity: number): BoundedSet {
  const values = new Set<string>();
  return {
    add(value) {
      if (values.has(value)) return false;
      values.add(value);
      if (values.size > capacity) {
        for (const oldest of values) {
          values.delete(oldest);
          break;
        }
      }
      return true;
    },
  };
}
