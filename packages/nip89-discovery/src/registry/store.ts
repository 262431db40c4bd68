import type { Page, PeerEraser } from '@bonafide/internal';
import { termsOfCard } from '../card/match.ts';
import type { Recommendation } from '../card/recommendation.ts';
import { type AuditRow, type RegistryEntry, searchableCard } from './entry.ts';
import type { EntryChange } from './entry-changes.ts';
import type { PlatformStatus } from './status.ts';

/** A query for entries. All conditions that are given must hold. */
export interface EntryQuery {
  readonly statuses?: readonly PlatformStatus[];
  readonly pubkey?: string;
  readonly limit: number;
  readonly cursor?: string;
}

/** A query for entries by their index terms. */
export interface TermQuery {
  /** Index terms as {@link termsOf} returns them. An entry matches when it has any of them. */
  readonly terms: readonly string[];
  /** An entry matches when it has any of these statuses. */
  readonly statuses: readonly PlatformStatus[];
  /** True for entries with stale cards, false for the others. */
  readonly stale: boolean;
  readonly limit: number;
  readonly cursor?: string;
}

/** A platform to look up. */
export interface PlatformLookup {
  readonly pubkey: string;
  readonly canonicalD: string;
  /** Deletion targets to look up for the same key: identifiers and event ids, as in `addDeletions`. */
  readonly targets: readonly string[];
}

/** The state of a platform in the store. */
export interface PlatformRecord {
  readonly entry: RegistryEntry | null;
  /** Latest date at which its key deleted any of the targets, ms since epoch; `null` if none was deleted. */
  readonly deletedAt: number | null;
  /** Number of entries of its key, of any status, including this one. */
  readonly cardsOfKey: number;
}

/**
 * Largest number of platforms in one `lookUp` or `put`. Cards of one batch share pages of the indexes, which are written once per
 * transaction.
 */
export const maxBatch = 1_024;

/**
 * Storage for entries, their histories, deletions, recommendations and reader state. Platforms are keyed by public key and
 * **canonical** identifier. `erasePeer` is optional: it erases a key's entries, histories, deletions and recommendations, and the
 * key from recommendations of others. What relays still have is found again.
 */
export interface DiscoveryStore extends Partial<PeerEraser> {
  /** Returns the records of at most {@link maxBatch} platforms, in the order of the argument. */
  lookUp(platforms: readonly PlatformLookup[]): Promise<readonly PlatformRecord[]>;
  /**
   * Writes entries of different platforms and appends to their histories, in one transaction, at most {@link maxBatch}. An
   * entry is written only if the stored revision is `entry.revision - 1` (0 if there is none). Returns, in the order of the
   * argument, whether each was written. On rejection nothing was written.
   */
  put(changes: readonly EntryChange[]): Promise<readonly boolean[]>;
  /** Returns entries ordered by public key and identifier. */
  list(query: EntryQuery): Promise<Page<RegistryEntry>>;
  /** Returns entries that match, each once, ordered by {@link rankOf}, public key and identifier. Must use an index. */
  find(query: TermQuery): Promise<Page<RegistryEntry>>;
  /** Returns the history of an entry, newest first. */
  history(
    pubkey: string,
    canonicalD: string,
    page: { readonly limit: number; readonly cursor?: string },
  ): Promise<Page<AuditRow>>;
  /**
   * Removes entries with their histories until at most `capacity` remain: by {@link evictionClassOf}, then the highest
   * `ordinal`, then the most recently discovered. Never removes entries without a class. Returns the number of removed entries.
   */
  evict(capacity: number): Promise<number>;
  /**
   * Records that a key deleted `targets` (identifiers, event ids) at `at`, ms since epoch. Keeps the latest date of each.
   * Beyond a limit it may drop some: of keys without an entry first, then of the key with most, then the oldest.
   */
  addDeletions(pubkey: string, targets: readonly string[], at: number): Promise<void>;
  /**
   * Replaces the recommendation of the same recommender and kind. Returns false, and writes nothing, if the stored one is not
   * older. Beyond a limit it may drop some: of recommenders that are not known first, then of the one with most, then the
   * oldest.
   */
  putRecommendation(
    recommendation: Recommendation,
    options?: { readonly isKnown?: boolean },
  ): Promise<boolean>;
  /** Returns the keys that recommend a platform, each once, in order. */
  recommendersOf(
    pubkey: string,
    canonicalD: string,
    page: { readonly limit: number; readonly cursor?: string },
  ): Promise<Page<string>>;
  /**
   * Returns the recommendations of a platform by at most {@link maxBatch} recommenders, ordered by recommender and kind: the
   * newest of each recommender, at most `limitPerRecommender`.
   */
  recommendationsOf(
    pubkey: string,
    canonicalD: string,
    recommenders: readonly string[],
    limitPerRecommender: number,
  ): Promise<readonly Recommendation[]>;
  /** Returns reader state (watermarks, relay statistics) by key. Unknown keys are absent from the result. */
  getState(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Replaces reader state by key. */
  putState(values: ReadonlyMap<string, string>): Promise<void>;
}

/** The place of an entry in the order of eviction, lowest first; `null` for an entry that stays. */
export type EvictionClass = 0 | 1 | 2 | 3 | null;

/**
 * Returns the eviction class of an entry: 0 archived, 1 quarantined, 2 unknown, 3 recommended, trusted or reached before. Platforms
 * that were evaluated stay, rejected ones included, so that they are not tried again. What a card says of itself does not matter. Pure.
 */
export function evictionClassOf(
  entry: Pick<RegistryEntry, 'status' | 'trustScore' | 'recommendation' | 'experience'>,
): EvictionClass {
  const { status, trustScore, recommendation, experience } = entry;
  if (status === 'evaluating' || status === 'partner' || status === 'rejected') return null;
  const isReached = experience.some(({ successes }) => successes > 0);
  if ((trustScore ?? 0) > 0 || recommendation > 0 || isReached) return 3;
  return status === 'archived' ? 0 : status === 'quarantined' ? 1 : 2;
}

/** Returns the index terms of an entry. */
export function termsOf(entry: Pick<RegistryEntry, 'card' | 'profile'>): string[] {
  return termsOfCard(searchableCard(entry));
}
