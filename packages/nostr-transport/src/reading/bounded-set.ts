/** A set that forgets its oldest members once it has `capacity` of them. */
export interface BoundedSet {
  /** False when `value` was already there. */
  add(value: string): boolean;
}

/** Grows with what is put in, unlike an LRU cache, which takes all its memory at once: there is one per subscription. */
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
