import type { AuditRow, RegistryEntry } from '../entry.ts';
import { type DiscoveryStore, termsOf } from '../store.ts';

/** A registry that forgets everything when the process ends: for tests and short-lived tools. */
export function createMemoryDiscoveryStore(): DiscoveryStore {
  const entries = new Map<string, RegistryEntry>();
  const histories = new Map<string, AuditRow[]>();
  const watermarks = new Map<string, number>();
  // A public key has a fixed length, so that no two pairs give one key, and keys sort as pairs do.
  const keyOf = (pubkey: string, canonicalD: string) => `${pubkey}${canonicalD}`;

  return {
    async get(pubkey, canonicalD) {
      return structuredClone(entries.get(keyOf(pubkey, canonicalD)) ?? null);
    },

    async put(entry, audit) {
      const key = keyOf(entry.pubkey, entry.canonicalD);
      if ((entries.get(key)?.revision ?? 0) !== entry.revision - 1) return false;
      const [kept, rows] = structuredClone([entry, audit] as const);
      entries.set(key, kept);
      histories.set(key, [...(histories.get(key) ?? []), ...rows]);
      return true;
    },

    async find({ terms, statuses, pubkey, limit, cursor }) {
      const found = [...entries.keys()]
        .sort()
        .filter((key) => cursor === undefined || key > cursor)
        .flatMap((key) => entries.get(key) ?? [])
        .filter(
          (entry) =>
            (pubkey === undefined || entry.pubkey === pubkey) &&
            (statuses === undefined || statuses.includes(entry.status)) &&
            (terms === undefined || termsOf(entry).some((term) => terms.includes(term))),
        );
      const items = found.slice(0, limit);
      const last = items.at(-1);
      const more = found.length > limit && last !== undefined;
      return {
        items: structuredClone(items),
        nextCursor: more ? keyOf(last.pubkey, last.canonicalD) : null,
      };
    },

    async history(pubkey, canonicalD, { limit, cursor }) {
      const rows = histories.get(keyOf(pubkey, canonicalD)) ?? [];
      const end = cursor === undefined ? rows.length : Number(cursor);
      const start = Math.max(0, end - limit);
      return {
        items: structuredClone(rows.slice(start, end).reverse()),
        nextCursor: start === 0 ? null : String(start),
      };
    },

    async getWatermark(relay, key) {
      return watermarks.get(`${relay} ${key}`) ?? null;
    },

    async setWatermark(relay, key, seconds) {
      watermarks.set(`${relay} ${key}`, seconds);
    },
  };
}
