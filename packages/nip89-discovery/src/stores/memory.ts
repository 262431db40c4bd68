import { type PeerEraser, pageOf } from '@bonafide/internal';
import { type Recommendation, replacesRecommendation } from '../card/recommendation.ts';
import { entryCursor, foundCursor, historyCursor } from '../registry/cursors.ts';
import type { AuditRow, RegistryEntry } from '../registry/entry.ts';
import { rankOf } from '../registry/rank.ts';
import { type DiscoveryStore, evictionOrder, termsOf } from '../registry/store.ts';
import { copyJson } from './copy-json.ts';
import { requireOperatorKey } from './operator-key.ts';

/** Largest number of deletions, and of recommendations. */
const maxRemembered = 10_000;

/** Creates a store in memory, for tests and short-lived tools. */
export function createMemoryDiscoveryStore(): DiscoveryStore & PeerEraser {
  const entries = new Map<string, RegistryEntry>();
  const histories = new Map<string, AuditRow[]>();
  const deletions = new Map<string, number>();
  const recommendations = new Map<string, Recommendation>();
  const state = new Map<string, string>();
  const cardsOfKey = new Map<string, number>();
  // A public key has a fixed length, so that no two pairs give one key, and keys sort as pairs do.
  const keyOf = (pubkey: string, canonicalD: string) => `${pubkey}${canonicalD}`;

  function put(entry: RegistryEntry, audit: readonly AuditRow[]): boolean {
    const { pubkey, canonicalD } = entry;
    const key = keyOf(pubkey, canonicalD);
    const known = entries.get(key);
    if ((known?.revision ?? 0) !== entry.revision - 1) return false;
    if (known === undefined) cardsOfKey.set(pubkey, (cardsOfKey.get(pubkey) ?? 0) + 1);
    entries.set(key, copyJson(entry));
    histories.set(key, [...(histories.get(key) ?? []), ...copyJson(audit)]);
    return true;
  }

  function forget(key: string, pubkey: string): void {
    entries.delete(key);
    histories.delete(key);
    const left = (cardsOfKey.get(pubkey) ?? 0) - 1;
    if (left > 0) cardsOfKey.set(pubkey, left);
    else cardsOfKey.delete(pubkey);
  }

  function deletedAt(pubkey: string, targets: readonly string[]): number | null {
    if (deletions.size === 0) return null;
    const dates = targets.flatMap((target) => deletions.get(keyOf(pubkey, target)) ?? []);
    return dates.length === 0 ? null : Math.max(...dates);
  }

  return {
    async lookUp(platforms) {
      return platforms.map(({ pubkey, canonicalD, targets }) => ({
        entry: copyJson(entries.get(keyOf(pubkey, canonicalD)) ?? null),
        deletedAt: deletedAt(pubkey, targets),
        cardsOfKey: cardsOfKey.get(pubkey) ?? 0,
      }));
    },

    async put(changes) {
      return changes.map(({ entry, audit }) => put(entry, audit));
    },

    async evict(capacity) {
      const tooMany = entries.size - capacity;
      if (tooMany <= 0) return 0;
      const worst = [...entries]
        .filter(([, { status }]) => evictionOrder.includes(status))
        .sort(
          ([, a], [, b]) =>
            evictionOrder.indexOf(a.status) - evictionOrder.indexOf(b.status) ||
            (a.trustScore ?? 0) - (b.trustScore ?? 0) ||
            a.lastSeenAt - b.lastSeenAt,
        )
        .slice(0, tooMany);
      for (const [key, { pubkey }] of worst) forget(key, pubkey);
      return worst.length;
    },

    async list({ statuses, pubkey, limit, cursor }) {
      const after = entryCursor.read(cursor);
      const from = after === null ? null : keyOf(...after);
      const found = [...entries.keys()]
        .sort()
        .filter((key) => from === null || key > from)
        .flatMap((key) => entries.get(key) ?? [])
        .filter(
          (entry) =>
            (pubkey === undefined || entry.pubkey === pubkey) &&
            (statuses === undefined || statuses.includes(entry.status)),
        );
      const { items, nextCursor } = pageOf(found, limit, (last) =>
        entryCursor.write(last.pubkey, last.canonicalD),
      );
      return { items: copyJson(items), nextCursor };
    },

    async find({ terms, statuses, stale, limit, cursor }) {
      const after = foundCursor.read(cursor);
      const found = [...entries]
        .filter(
          ([, entry]) =>
            entry.stale === stale &&
            statuses.includes(entry.status) &&
            termsOf(entry).some((term) => terms.includes(term)),
        )
        .map(([key, entry]) => ({ key, entry, rank: rankOf(entry) }))
        .sort((a, b) => a.rank - b.rank || (a.key < b.key ? -1 : 1))
        .filter(({ key, rank }) => {
          if (after === null) return true;
          const [past, pubkey, canonicalD] = after;
          return rank > past || (rank === past && key > keyOf(pubkey, canonicalD));
        });
      const { items, nextCursor } = pageOf(found, limit, ({ entry, rank }) =>
        foundCursor.write(rank, entry.pubkey, entry.canonicalD),
      );
      return { items: copyJson(items.map(({ entry }) => entry)), nextCursor };
    },

    async history(pubkey, canonicalD, { limit, cursor }) {
      const rows = histories.get(keyOf(pubkey, canonicalD)) ?? [];
      const [, end = rows.length] = historyCursor.read(cursor) ?? [];
      const start = Math.max(0, end - limit);
      return {
        items: copyJson(rows.slice(start, end).reverse()),
        nextCursor: start === 0 ? null : historyCursor.write(0, start),
      };
    },

    async addDeletions(pubkey, targets, at) {
      for (const target of targets) {
        const key = keyOf(pubkey, target);
        const latest = Math.max(deletions.get(key) ?? 0, at);
        deletions.delete(key);
        deletions.set(key, latest);
        forgetOldest(deletions);
      }
    },

    async putRecommendation(recommendation) {
      const key = keyOf(recommendation.recommender, String(recommendation.kind));
      const current = recommendations.get(key);
      if (current !== undefined && !replacesRecommendation(recommendation, current)) return false;
      recommendations.delete(key);
      recommendations.set(key, copyJson(recommendation));
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
      return copyJson(found.slice(0, limit));
    },

    async getState(keys) {
      return new Map(
        keys.flatMap((key) => {
          const value = state.get(key);
          return value === undefined ? [] : [[key, value] as const];
        }),
      );
    },

    async putState(values) {
      for (const [key, value] of values) state.set(key, value);
    },

    async erasePeer(peer, { preview = false } = {}) {
      const pubkey = requireOperatorKey(peer);
      const own = [...entries.keys()].filter((key) => key.startsWith(pubkey));
      const deleted = [...deletions.keys()].filter((key) => key.startsWith(pubkey));
      const naming = [...recommendations].filter(
        ([, { recommender, handlers }]) =>
          recommender === pubkey || handlers.some((handler) => handler.pubkey === pubkey),
      );
      if (!preview) {
        for (const key of own) forget(key, pubkey);
        for (const key of deleted) deletions.delete(key);
        for (const [key, recommendation] of naming) {
          if (recommendation.recommender === pubkey) recommendations.delete(key);
          else
            recommendations.set(key, {
              ...recommendation,
              handlers: recommendation.handlers.filter((handler) => handler.pubkey !== pubkey),
            });
        }
      }
      const erased = { platforms: own.length, deletions: deleted.length, recommendations: naming.length };
      return { erased, kept: {} };
    },
  };
}

function forgetOldest(remembered: Map<string, unknown>): void {
  const [oldest] = remembered.keys();
  if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest);
}
