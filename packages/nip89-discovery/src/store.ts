import type { AuditRow, RegistryEntry } from './entry.ts';
import type { PlatformStatus } from './status.ts';

/** A page of something. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Hand it back to go on; `null` at the end. */
  readonly nextCursor: string | null;
}

/** Which entries to find; conditions that are given must all hold. */
export interface EntryQuery {
  /** Any of these: kinds as decimal text, labels, patterns, as a card's `kinds`, `labels` and `patterns` have them. */
  readonly terms?: readonly string[];
  readonly statuses?: readonly PlatformStatus[];
  readonly pubkey?: string;
  readonly limit: number;
  readonly cursor?: string;
}

/**
 * Where the registry keeps its entries, their history, and how far each relay was read. Keys are the public key and the
 * **canonical** identifier.
 */
export interface DiscoveryStore {
  get(pubkey: string, canonicalD: string): Promise<RegistryEntry | null>;
  /**
   * Keeps an entry and appends to its history, both or neither. False, and nothing is written, when the entry that is there
   * is not of revision `entry.revision - 1` (none there counts as revision 0).
   */
  put(entry: RegistryEntry, audit: readonly AuditRow[]): Promise<boolean>;
  /** Entries in the order of public key and identifier. */
  find(query: EntryQuery): Promise<Page<RegistryEntry>>;
  /** The history of an entry, newest first. */
  history(
    pubkey: string,
    canonicalD: string,
    page: { readonly limit: number; readonly cursor?: string },
  ): Promise<Page<AuditRow>>;
  /** Seconds up to which `relay` was read for the filter called `key`; `null` when never. */
  getWatermark(relay: string, key: string): Promise<number | null>;
  setWatermark(relay: string, key: string, seconds: number): Promise<void>;
}

/** The terms under which an entry is found. */
export function termsOf(entry: RegistryEntry): string[] {
  const { kinds, labels, patterns } = entry.card;
  return [...kinds.map(String), ...labels, ...patterns];
}
