import type { Unsubscribe } from '@bonafide/internal';
import type { Signer } from '@bonafide/nostr-transport';
import type { PublishedCard, PublishedCardSpec } from './card/build.ts';
import type { DiscoveryConfig } from './config.ts';
import type { DiscoveryEvents } from './registry/events.ts';
import type { StatusCommands } from './registry/known-platforms.ts';
import type { RegistryQueries } from './registry/queries.ts';
import type { Rejections, RelayStats } from './registry/rejections.ts';
import type { PlatformRelays } from './relays/platform-relays.ts';
import type { SyncResult } from './relays/sync.ts';

/**
 * Finds platforms by their capability cards and keeps a registry of them. Accepts keys as hex or npub, and identifiers in any
 * spelling. Methods reject with `STORE_FAILED` when the store fails, and with `CLOSED` after `close()`.
 */
export interface Discovery extends RegistryQueries, StatusCommands, PlatformRelays {
  /**
   * Reads cards from the stored watermarks until `stop()`: the best relays live, the others by polling. Has no effect if it is
   * running already.
   */
  start(): Promise<void>;
  /** Stops reading and finishes the work in progress. `start()` resumes. */
  stop(): Promise<void>;
  /**
   * Reads all cards that the relays have stored, of any age. A relay that offers NIP-77 sends only the cards that the registry
   * lacks; any other is read page by page.
   */
  sync(options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number }): Promise<SyncResult>;
  /** Signs a card and publishes it to the relays of this registry, for platforms. Its date is now unless `spec` has one. */
  publishCard(
    spec: PublishedCardSpec,
    signer: Signer,
    options?: { readonly signal?: AbortSignal },
  ): Promise<PublishedCard>;
  /** Returns statistics of each relay since it was first read, including earlier runs. */
  relayStats(): RelayStats[];
  /** Returns the numbers of rejections by reason, and the latest in detail. */
  rejections(): Rejections;
  on<Name extends keyof DiscoveryEvents & string>(
    name: Name,
    listener: (event: DiscoveryEvents[Name]) => unknown,
  ): Unsubscribe;
  readonly config: DiscoveryConfig;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
