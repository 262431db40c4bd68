import type { AuditRow, RegistryEntry } from '../entry.ts';
import { type Recommendation, replacesRecommendation } from '../recommendation.ts';
import { type DiscoveryStore, distanceOf, readTrustCursor, termsOf, trustCursor } from '../store.ts';

/** More withdrawals, and more recommendations, are not remembered. */
const maxRemembered = 10_000;

/** A registry that forgets everything when the process ends: for tests and short-lived tools. */
export function createMemoryDiscoveryStore(): DiscoveryStore {
  const entries = new Map<string, RegistryEntry>();
  const histories = new Map<string, AuditRow[]>();
  const watermarks = new Map<string, number>();
  const withdrawals = new Map<string, number>();
  const recommendations = new Map<string, Recommendation>();
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

    async list({ statuses, pubkey, limit, cursor }) {
      const found = [...entries.keys()]
        .sort()
        .filter((key) => cursor === undefined || key > cursor)
        .flatMap((key) => entries.get(key) ?? [])
        .filter(
          (entry) =>
            (pubkey === undefined || entry.pubkey === pubkey) &&
            (statuses === undefined || statuses.includes(entry.status)),
        );
      const items = found.slice(0, limit);
      const last = items.at(-1);
      const more = found.length > limit && last !== undefined;
      return {
        items: structuredClone(items),
        nextCursor: more ? keyOf(last.pubkey, last.canonicalD) : null,
      };
    },

    async find({ terms, statuses, limit, cursor }) {
      const after = cursor === undefined ? null : readTrustCursor(cursor);
      const found = [...entries]
        .filter(
          ([, entry]) =>
            statuses.includes(entry.status) && termsOf(entry).some((term) => terms.includes(term)),
        )
        .map(([key, entry]) => ({ key, entry, distance: distanceOf(entry) }))
        .sort((a, b) => a.distance - b.distance || (a.key < b.key ? -1 : 1))
        .filter(({ key, distance }) => {
          if (after === null) return true;
          const [past, pubkey, canonicalD] = after;
          return distance > past || (distance === past && key > keyOf(pubkey, canonicalD));
        });
      const items = found.slice(0, limit);
      const last = items.at(-1);
      const more = found.length > limit && last !== undefined;
      return {
        items: structuredClone(items.map(({ entry }) => entry)),
        nextCursor: more ? trustCursor({ ...last.entry, distance: last.distance }) : null,
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

    async addWithdrawals(pubkey, targets, at) {
      for (const target of targets) {
        const key = keyOf(pubkey, target);
        const latest = Math.max(withdrawals.get(key) ?? 0, at);
        withdrawals.delete(key);
        withdrawals.set(key, latest);
        forgetOldest(withdrawals);
      }
    },

    async withdrawnAt(pubkey, targets) {
      const dates = targets.flatMap((target) => withdrawals.get(keyOf(pubkey, target)) ?? []);
      return dates.length === 0 ? null : Math.max(...dates);
    },

    async putRecommendation(recommendation) {
      const key = keyOf(recommendation.recommender, String(recommendation.kind));
      const current = recommendations.get(key);
      if (current !== undefined && !replacesRecommendation(recommendation, current)) return false;
      recommendations.delete(key);
      recommendations.set(key, structuredClone(recommendation));
      forgetOldest(recommendations);
      return true;
    },

    async recommendationsOf(pubkey, canonicalD, limit) {
      const found = [...recommendations.values()]
        .filter(({ handlers }) =>
          handlers.some((handler) => handler.pubkey === pubkey && handler.canonicalD === canonicalD),
        )
        .sort((a, b) =>
          a.recommender === b.recommender ? a.kind - b.kind : a.recommender < b.recommender ? -1 : 1,
        );
      return structuredClone(found.slice(0, limit));
    },
  };
}

function forgetOldest(remembered: Map<string, unknown>): void {
  const [oldest] = remembered.keys();
  if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest);
}
