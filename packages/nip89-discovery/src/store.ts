import type { AuditRow, RegistryEntry } from './entry.ts';
import { termsOfCard } from './match.ts';
import type { Recommendation } from './recommendation.ts';
import type { PlatformStatus } from './status.ts';

/** A page of something. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Hand it back to go on; `null` at the end. */
  readonly nextCursor: string | null;
}

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
}

/** The terms under which an entry is found. */
export function termsOf(entry: Pick<RegistryEntry, 'card'>): string[] {
  return termsOfCard(entry.card);
}

/** Sorts before others what is trusted more: 0 for full trust, 1 for none. */
export function distanceOf({ trustScore }: Pick<RegistryEntry, 'trustScore'>): number {
  return 1 - (trustScore ?? 0);
}

/** Where a page by trust ended. */
export function trustCursor(last: {
  readonly distance: number;
  readonly pubkey: string;
  readonly canonicalD: string;
}): string {
  return JSON.stringify([last.distance, last.pubkey, last.canonicalD]);
}

/** Reads {@link trustCursor}. @throws SyntaxError for what is none */
export function readTrustCursor(cursor: string): readonly [number, string, string] {
  const parsed: unknown = JSON.parse(cursor);
  if (!Array.isArray(parsed)) throw new SyntaxError('This is no cursor');
  const [distance, pubkey, canonicalD] = parsed;
  if (typeof distance === 'number' && typeof pubkey === 'string' && typeof canonicalD === 'string') {
    return [distance, pubkey, canonicalD];
  }
  throw new SyntaxError('This is no cursor');
}
