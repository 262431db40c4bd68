import type { Logger, Page, Unsubscribe } from '@bonafide/internal';
import type { Signer, Transport, Verifier } from '@bonafide/nostr-transport';
import type { CardSpec, PublishedCard } from './card/build.ts';
import type { JsonValue } from './card/content.ts';
import type { CapabilityMatch } from './card/match.ts';
import type { Recommendation, RecommendationSignal } from './card/recommendation.ts';
import type { DiscoveryConfig, DiscoveryConfigInput } from './config.ts';
import type { AuditRow, RegistryEntry } from './registry/entry.ts';
import type { RejectedCard, Rejections, RelayStats } from './registry/rejections.ts';
import type { RelayTier } from './registry/relay-tier.ts';
import type { PlatformStatus } from './registry/status.ts';
import type { DiscoveryStore, EntryQuery } from './registry/store.ts';
import type { RankedRelay } from './relays/rank-relays.ts';
import type { ProbedRelay } from './relays/relay-probe.ts';

/** What a registry is made of. */
export interface DiscoveryOptions {
  /** Delivers **verified** events, as nostr-transport does. It is not closed by the registry. */
  readonly transport: Pick<Transport, 'subscribe' | 'query' | 'publish'> & Partial<Pick<Transport, 'status'>>;
  /** Where entries are kept. It is not closed by the registry. */
  readonly store: DiscoveryStore;
  /** The relays to read. */
  readonly relays: readonly string[];
  /** Verifies every event once more, for a transport that is not to be relied on. @default null */
  readonly verifier?: Verifier | null;
  /** Now, in ms since epoch. @default Date.now */
  readonly clock?: () => number;
  /** Numbers of [0, 1), for the times at which relays are sampled. @default Math.random */
  readonly random?: () => number;
  readonly config?: DiscoveryConfigInput;
  readonly logger?: Logger;
}

/** What to look for: a capability, a kind, or both. */
export interface FindQuery {
  /** A label such as `benchmark-task`. */
  readonly capability?: string;
  /** A job kind such as 5000. */
  readonly kind?: number;
  /** Least confidence, 0..1. @default 0.5, which takes in what is inferred */
  readonly minConfidence?: number;
  /** @default those that may be worked with: discovered, candidate, evaluating, partner */
  readonly statuses?: readonly PlatformStatus[];
  /** No more than so many. @default all */
  readonly limit?: number;
}

/** A platform that offers what was asked for. */
export interface Found {
  readonly entry: RegistryEntry;
  readonly match: CapabilityMatch;
}

/** The surest match first, then the most trusted. Iterate over it, which reads page by page, or take it whole. */
export interface FindResult extends AsyncIterable<Found> {
  toArray(): Promise<Found[]>;
}

/** What came of a `sync`. */
export interface SyncResult {
  /** Events that the relays had. */
  readonly received: number;
  /** Platforms that were new or had a newer card. */
  readonly taken: number;
}

/** Who recommends a platform, and what that comes to. */
export interface Recommended extends RecommendationSignal {
  /** At most 200. */
  readonly recommendations: readonly Recommendation[];
}

/** What a registry emits, once the change is durable. */
export interface DiscoveryEvents {
  discovered: { readonly entry: RegistryEntry };
  updated: { readonly entry: RegistryEntry; readonly before: RegistryEntry };
  status: { readonly entry: RegistryEntry; readonly before: PlatformStatus };
  stale: { readonly entry: RegistryEntry };
  archived: { readonly entry: RegistryEntry };
  rejected: RejectedCard;
  /** Somebody recommends other platforms for a kind than before (DIS-13). */
  recommended: { readonly recommendation: Recommendation };
  /** A relay was promoted or demoted (DIS-1). */
  tier: {
    readonly relay: string;
    readonly before: RelayTier;
    readonly after: RelayTier;
    readonly score: number | null;
  };
}

/**
 * Finds platforms by their capability cards and keeps a registry of them (DIS-11, DIS-14). Keys are accepted as hex or npub, and
 * identifiers in any spelling. Methods reject with `STORE_FAILED` when the store does, with `CLOSED` after `close()`.
 */
export interface Discovery {
  /**
   * Reads cards from where it stopped, until `stop()`: of the best relays live, of others now and then (DIS-1). Calling it
   * twice does nothing.
   */
  start(): Promise<void>;
  /** Stops reading and finishes what was begun; `start()` goes on from there. */
  stop(): Promise<void>;
  /** Reads all cards that the relays have, however old, page by page (DIS-2). */
  sync(options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number }): Promise<SyncResult>;
  /** Platforms that offer something, each with how well it matches (DIS-10). */
  find(query: FindQuery): FindResult;
  get(pubkey: string, d: string): Promise<RegistryEntry | null>;
  /** Entries of any status, page by page (at most 200). */
  entries(query?: Partial<EntryQuery>): Promise<Page<RegistryEntry>>;
  /** What happened to a platform, newest first (DIS-12). */
  history(
    pubkey: string,
    d: string,
    page?: { readonly limit?: number; readonly cursor?: string },
  ): Promise<Page<AuditRow>>;
  /** Moves a platform along its life cycle. @throws DiscoveryError `UNKNOWN_PLATFORM`, `TRANSITION_REFUSED` */
  transition(
    pubkey: string,
    d: string,
    to: 'evaluating' | 'partner' | 'rejected' | 'unresponsive',
    evidence?: JsonValue,
  ): Promise<RegistryEntry>;
  /** Sets the display copy of the matrix's trust, 0..1; `null` removes it. @throws DiscoveryError `UNKNOWN_PLATFORM` */
  setTrust(
    pubkey: string,
    d: string,
    trustScore: number | null,
    evidence?: JsonValue,
  ): Promise<RegistryEntry>;
  /** The relays over which to reach a platform, best first; looks up the author's relay list once (DIS-9). Connect to few of them at once. */
  relaysFor(
    pubkey: string,
    d: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly RankedRelay[]>;
  /**
   * Who recommends a platform (DIS-13), weighed by `standing`: a recommender's standing, 0..1, or `null` for a
   * stranger. One signal among others, never the truth.
   */
  recommendations(
    pubkey: string,
    d: string,
    options?: { readonly standing?: (recommender: string) => number | null },
  ): Promise<Recommended>;
  /**
   * Tries whether a platform's relays answer, three at a time, and notes it as `recordRelayResult` does (DIS-9). The
   * transport's guard holds: it connects to public addresses only.
   */
  probe(
    pubkey: string,
    d: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly ProbedRelay[]>;
  /** Notes how reaching a platform over a relay went, for `relaysFor`. */
  recordRelayResult(
    pubkey: string,
    d: string,
    relay: string,
    result: { readonly ok: boolean; readonly latencyMs?: number | null },
  ): Promise<void>;
  /** Publishes a card to this registry's relays: for platforms. */
  publishCard(
    spec: CardSpec,
    signer: Signer,
    options?: { readonly signal?: AbortSignal },
  ): Promise<PublishedCard>;
  /** What each relay gave us since it was first read, over restarts, too. */
  relayStats(): RelayStats[];
  /** What was not taken and why; the last of them in detail. */
  rejections(): Rejections;
  on<Name extends keyof DiscoveryEvents & string>(
    name: Name,
    listener: (event: DiscoveryEvents[Name]) => unknown,
  ): Unsubscribe;
  readonly config: DiscoveryConfig;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
