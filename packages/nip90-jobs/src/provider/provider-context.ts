import type { Logger } from '@bonafide/internal';
import type { Signer, Transport } from '@bonafide/nostr-transport';
import type { Timers } from '../timers.ts';
import type { ProvidedJobs } from './provided-jobs.ts';
import type { ProviderSettings } from './provider-options.ts';

/** Services that the parts of a provider share. */
export interface ProviderContext {
  readonly transport: Transport;
  readonly signer: Signer;
  readonly jobs: ProvidedJobs;
  /** Relays on which the provider listens. */
  readonly relays: readonly string[];
  readonly clock: () => number;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly config: ProviderSettings;
  /** Aborts when the provider closes. */
  readonly stop: AbortSignal;
  /** Runs work in the background and logs its failure as `message`. */
  background(work: Promise<unknown>, message: string, requestId: string): void;
}
