import type { PlatformSource } from '../ports.ts';

/** Statuses of a registry's entries that may not be given work. */
const closed: ReadonlySet<string> = new Set(['archived', 'quarantined', 'rejected']);

/**
 * Returns a source whose `get` finds only platforms that may be given work, as its `find` does: a registry also keeps entries whose
 * card was deleted or has expired.
 */
export const openPlatforms = (source: PlatformSource): PlatformSource => ({
  find: (query) => source.find(query),
  async get(pubkey, d) {
    const listed = await source.get(pubkey, d);
    return listed === null || closed.has(listed.status ?? '') ? null : listed;
  },
});
