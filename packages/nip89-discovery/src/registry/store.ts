import type { Page } from '@bonafide/internal';
import { termsOfCard } from '../card/match.ts';
import type { Recommendation } from '../card/recommendation.ts';
import type { AuditRow, RegistryEntry } from './entry.ts';
import type { EntryChange } from './entry-changes.ts';
import type { RelayRecord } from './relay-record.ts';
import type { PlatformStatus } from './status.ts';

/** Which entries to list; conditions that are given must all hold. */
export interface EntryQuery {
  readonly statuses?: readonly PlatformStatus[];
  readonly pubkey?: string;
  readonly limit: number;
  readonly cursor?: string;
}

/** Which entries to find by what they offer. */
export interface TermQuery {
  /** Any of these, as {@link termsOf} gives them. */
  readonly terms: readonly string[];
  /** Any of these. */
  readonly statuses: readonly PlatformStatus[];
  readonly limit: number;
  readonly cursor?: string;
}

/** A platform to be looked up before its card is taken in. */
export interface PlatformLookup {
  readonly pubkey: string;
  readonly canonicalD: string;
  /** What its key may have withdrawn, see `withdrawnAt`. */
  readonly targets: readonly string[];
}

/** What is known of a platform before its card is taken in. */
export interface PlatformRecord {
  readonly entry: RegistryEntry | null;
  /** The latest date at which its key withdrew any of the targets, ms; `null` when never. */
  readonly withdrawnAt: number | null;
  /** Entries of its key, of any status and this one included. */
  readonly cardsOfKey: number;
}

/** More platforms than these are never looked up or changed at once. */
export const maxBatch = 256;

/**
 * Where the registry keeps its entries, their history, what was withdrawn and recommended, and how far each relay was
 * read. Keys are the public key and the **canonical** identifier.
 */
export interface DiscoveryStore {
  get(pubkey: string, canonicalD: string): Promise<RegistryEntry | null>;
  /**
   * Keeps an entry and appends to its history, both or neither. False, and nothing is written, when the entry that is there
   * is not of revision `entry.revision - 1` (none there counts as revision 0).
   */
  put(entry: RegistryEntry, audit: readonly AuditRow[]): Promise<boolean>;
  /**
   * Several platforms at once, in the order asked for, at most {@link maxBatch}. **Optional**: without it, each is looked up by
   * itself, which is slower when cards come in thousands.
   */
  lookUp?(wanted: readonly PlatformLookup[]): Promise<readonly PlatformRecord[]>;
  /**
   * Several `put` in one transaction, at most {@link maxBatch} and of different platforms, each with its own answer in the same
   * order: one that is refused hinders no other. When it rejects, nothing was written. **Optional**, as `lookUp` is.
   */
  putAll?(changes: readonly EntryChange[]): Promise<readonly boolean[]>;
  /**
   * Keeps at most `most` entries: forgets others with their histories, in the order of {@link forgettable}, within each the
   * least trusted and then the one not seen for longest first. Statuses that are not in it are never forgotten, even if there are more of them.
   * Gives how many went.
   */
  evict(most: number): Promise<number>;
  /** Entries in the order of public key and identifier. */
  list(query: EntryQuery): Promise<Page<RegistryEntry>>;
  /**
   * Entries that offer something, each once: those with the highest `trustScore` first (none counts as 0), then in
   * the order of public key and identifier. Has to be quick however many there are.
   */
  find(query: TermQuery): Promise<Page<RegistryEntry>>;
  /** The history of an entry, newest first. */
  history(
    pubkey: string,
    canonicalD: string,
    page: { readonly limit: number; readonly cursor?: string },
  ): Promise<Page<AuditRow>>;
  /** Seconds up to which `relay` was read for the filter called `key`; `null` when never. */
  getWatermark(relay: string, key: string): Promise<number | null>;
  setWatermark(relay: string, key: string, seconds: number): Promise<void>;
  /**
   * Remembers that a key withdrew `targets` (its identifiers, event ids) at `at`, ms; a later date replaces an earlier one,
   * never the other way. May forget the oldest when there are very many.
   */
  addWithdrawals(pubkey: string, targets: readonly string[], at: number): Promise<void>;
  /** The latest date at which a key withdrew any of `targets`; `null` when never. */
  withdrawnAt(pubkey: string, targets: readonly string[]): Promise<number | null>;
  /**
   * Keeps a recommendation instead of the one of the same recommender and kind; false when that one is not older (see
   * {@link replacesRecommendation}). May forget the oldest when there are very many.
   */
  putRecommendation(recommendation: Recommendation): Promise<boolean>;
  /** Who recommends a platform, by recommender and kind; at most `limit`. */
  recommendationsOf(pubkey: string, canonicalD: string, limit: number): Promise<readonly Recommendation[]>;
  /** What is remembered of relays, in no particular order. */
  getRelays(): Promise<readonly RelayRecord[]>;
  /** Remembers relays, each instead of what was remembered of it. */
  putRelays(records: readonly RelayRecord[]): Promise<void>;
}

/**
 * What may be forgotten when there is too much, the least worth keeping first: nothing that somebody has looked into. A
 * platform that was rejected stays too, or it would be tried again.
 */
export const evictionOrder: readonly PlatformStatus[] = [
  'archived',
  'quarantined',
  'discovered',
  'candidate',
];

/** The terms under which an entry is found. */
export function termsOf(entry: Pick<RegistryEntry, 'card'>): string[] {
  return termsOfCard(entry.card);
}

/** Sorts before others what is trusted more: 0 for full trust, 1 for none. */
export function distanceOf({ trustScore }: Pick<RegistryEntry, 'trustScore'>): number {
  return 1 - (trustScore ?? 0);
}
