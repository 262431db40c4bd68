import { type PeerEraser, pageOf } from '@bonafide/internal';
import * as z from 'zod';
import { type Recommendation, replacesRecommendation } from '../card/recommendation.ts';
import { entryCursor, foundCursor, historyCursor, recommenderCursor } from '../registry/cursors.ts';
import type { AuditRow, RegistryEntry } from '../registry/entry.ts';
import { rankOf } from '../registry/rank.ts';
import { type DiscoveryStore, evictionClassOf } from '../registry/store.ts';
import { limits, readConfig } from '../valid.ts';
import { copyJson } from './copy-json.ts';
import { requireOperatorKey } from './operator-key.ts';

/** Options of {@link createMemoryDiscoveryStore}. */
export interface MemoryDiscoveryStoreOptions {
  /** Number of deletions, and of recommendations, to keep. @default 10000 */
  readonly maxRemembered?: number;
  /** Number of rows of each history to keep, beside its first. Up to twice as many are kept for a time. @default 500 */
  readonly maxHistory?: number;
}

const optionsSchema = z.strictObject(limits);

/** Creates a store in memory, for tests and short-lived tools. */
export function createMemoryDiscoveryStore(
  options: MemoryDiscoveryStoreOptions = {},
): DiscoveryStore & PeerEraser {
  const { maxRemembered = 10_000, maxHistory = 500 } = readConfig(optionsSchema, options);
  const entries = new Map<string, RegistryEntry>();
  const histories = new Map<string, { readonly place: number; readonly row: AuditRow }[]>();
  const deletions = new Map<string, number>();
  const recommendations = new Map<string, { readonly isKnown: boolean; readonly stored: Recommendation }>();
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
    const before = histories.get(key) ?? [];
    const next = (before.at(-1)?.place ?? 0) + 1;
    const history = [...before, ...copyJson(audit).map((row, index) => ({ place: next + index, row }))];
    const tooMany = history.length > 2 * maxHistory ? history.length - maxHistory - 1 : 0;
    if (tooMany > 0) history.splice(1, tooMany);
    histories.set(key, history);
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

  function recommending(pubkey: string, canonicalD: string): Recommendation[] {
    return [...recommendations.values()]
      .map(({ stored }) => stored)
      .filter(({ handlers }) =>
        handlers.some((handler) => handler.pubkey === pubkey && handler.canonicalD === canonicalD),
      );
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
        .flatMap(([key, entry]) => {
          const group = evictionClassOf(entry);
          return group === null ? [] : [{ key, entry, group }];
        })
        .sort(
          (a, b) =>
            a.group - b.group ||
            b.entry.ordinal - a.entry.ordinal ||
            b.entry.discoveredAt - a.entry.discoveredAt ||
            (a.key < b.key ? 1 : -1),
        )
        .slice(0, tooMany);
      for (const { key, entry } of worst) forget(key, entry.pubkey);
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
            entry.terms.some((term) => terms.includes(term)),
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
      const [, end = Number.POSITIVE_INFINITY] = historyCursor.read(cursor) ?? [];
      const rows = (histories.get(keyOf(pubkey, canonicalD)) ?? [])
        .filter(({ place }) => place < end)
        .reverse();
      const page = pageOf(rows, limit, (last) => historyCursor.write(0, last.place));
      return { items: copyJson(page.items.map(({ row }) => row)), nextCursor: page.nextCursor };
    },

    async addDeletions(pubkey, targets, at) {
      for (const target of targets) {
        const key = keyOf(pubkey, target);
        const latest = Math.max(deletions.get(key) ?? 0, at);
        deletions.delete(key);
        deletions.set(key, latest);
      }
      keepFairly(deletions, maxRemembered, {
        isKept: (_, owner) => cardsOfKey.has(owner),
        age: (date) => date,
      });
    },

    async putRecommendation(recommendation, { isKnown = false } = {}) {
      const key = keyOf(recommendation.recommender, String(recommendation.kind));
      const current = recommendations.get(key);
      if (current !== undefined && !replacesRecommendation(recommendation, current.stored)) return false;
      recommendations.delete(key);
      recommendations.set(key, { isKnown, stored: copyJson(recommendation) });
      keepFairly(recommendations, maxRemembered, {
        isKept: (each) => each.isKnown,
        age: ({ stored }) => stored.createdAt,
      });
      return true;
    },

    async recommendersOf(pubkey, canonicalD, { limit, cursor }) {
      const [after = ''] = recommenderCursor.read(cursor) ?? [];
      const all = recommending(pubkey, canonicalD).map(({ recommender }) => recommender);
      const found = [...new Set(all)].sort().filter((key) => key > after);
      return pageOf(found, limit, (last) => recommenderCursor.write(last));
    },

    async recommendationsOf(pubkey, canonicalD, recommenders, limitPerRecommender) {
      const wanted = new Set(recommenders);
      const found = recommending(pubkey, canonicalD).filter(({ recommender }) => wanted.has(recommender));
      const newest = [...Map.groupBy(found, ({ recommender }) => recommender).values()].flatMap((its) =>
        its.sort((a, b) => b.createdAt - a.createdAt || a.kind - b.kind).slice(0, limitPerRecommender),
      );
      return copyJson(
        newest.sort((a, b) =>
          a.recommender === b.recommender ? a.kind - b.kind : a.recommender < b.recommender ? -1 : 1,
        ),
      );
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
        ([, { stored }]) =>
          stored.recommender === pubkey || stored.handlers.some((handler) => handler.pubkey === pubkey),
      );
      if (!preview) {
        for (const key of own) forget(key, pubkey);
        for (const key of deleted) deletions.delete(key);
        for (const [key, { isKnown, stored }] of naming) {
          if (stored.recommender === pubkey) recommendations.delete(key);
          else {
            const handlers = stored.handlers.filter((handler) => handler.pubkey !== pubkey);
            recommendations.set(key, { isKnown, stored: { ...stored, handlers } });
          }
        }
      }
      const erased = { platforms: own.length, deletions: deleted.length, recommendations: naming.length };
      return { erased, kept: {} };
    },
  };
}

/** Length of a public key, with which the keys of {@link keepFairly} begin. */
const ownerChars = 64;

/**
 * Limits what is remembered: removes rows that are not kept before those that are, then rows of the owner with most, then the
 * oldest.
 */
function keepFairly<Row>(
  rows: Map<string, Row>,
  most: number,
  rules: { readonly isKept: (row: Row, owner: string) => boolean; readonly age: (row: Row) => number },
): void {
  if (rows.size <= most) return;
  const countOf = new Map<string, number>();
  const ranked = [...rows]
    .map(([key, row]) => ({ key, owner: key.slice(0, ownerChars), row, age: rules.age(row) }))
    .sort((a, b) => b.age - a.age)
    .map(({ key, owner, row, age }) => {
      const place = (countOf.get(owner) ?? 0) + 1;
      countOf.set(owner, place);
      return { key, isKept: rules.isKept(row, owner), place, age };
    })
    .sort((a, b) => Number(a.isKept) - Number(b.isKept) || b.place - a.place || a.age - b.age);
  // A tenth more than necessary, so that a flood does not sort all rows each time.
  const removed = rows.size - most + Math.floor(most / 10);
  for (const { key } of ranked.slice(0, removed)) rows.delete(key);
}
