import type { Logger } from '@bonafide/internal';
import type { Signer, Transport } from '@bonafide/nostr-transport';
import type { ProviderStore } from '../store.ts';
import type { Timers } from '../timers.ts';
import type { ProviderSettings } from './provider-options.ts';

/** What every part of a provider needs. */
export interface ProviderContext {
  readonly transport: Transport;
  readonly signer: Signer;
  readonly store: ProviderStore;
  /** Where the provider listens. */
  readonly relays: readonly string[];
  readonly clock: () => number;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly config: ProviderSettings;
  /** Fires when the provider closes. */
  readonly stop: AbortSignal;
  /** Lets work go on that nobody waits for; what goes wrong is logged as `what`. */
  background(work: Promise<unknown>, what: string, requestId: string): void;
}
