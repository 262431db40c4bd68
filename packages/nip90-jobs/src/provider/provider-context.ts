import { createEmitter, type Emitter, type Logger, silentLogger } from '@bonafide/internal';
import type { Signer, Transport } from '@bonafide/nostr-transport';
import { JobError } from '../errors.ts';
import { measureProvider } from '../metrics.ts';
import { createMemoryProviderStore } from '../stores/memory.ts';
import { systemTimers, type Timers } from '../timers.ts';
import { createProvidedJobs, type ProvidedJobs } from './provided-jobs.ts';
import { type ProviderEvents, providerEventNames } from './provider-events.ts';
import type { ProviderOptions, ProviderSettings } from './provider-options.ts';
import type { ProviderStore } from './provider-store.ts';

/** Services that the parts of a provider share. */
export interface ProviderContext {
  readonly transport: Transport;
  readonly signer: Signer;
  readonly store: ProviderStore;
  readonly jobs: ProvidedJobs;
  readonly emitter: Emitter<ProviderEvents>;
  /** Relays on which the provider listens. */
  readonly relays: readonly string[];
  readonly clock: () => number;
  readonly random: () => number;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly config: ProviderSettings;
  /** Aborts when the provider closes. */
  readonly stop: AbortSignal;
  /** Runs work in the background and logs its failure as `message`. */
  background(work: Promise<unknown>, message: string, requestId: string): void;
}

/** Creates the context from the options of a provider. `stop` aborts when the provider closes. */
export function createProviderContext(
  options: ProviderOptions,
  config: ProviderSettings,
  stop: AbortSignal,
): ProviderContext {
  const { transport, signer, relays, store = createMemoryProviderStore(), logger = silentLogger } = options;
  const emitter = createEmitter<ProviderEvents>({
    logger,
    names: providerEventNames,
    fail: (message) => new JobError('INVALID_INPUT', message),
  });
  measureProvider(emitter);
  const timers = options.timers ?? systemTimers;
  return {
    ...{ transport, signer, relays, store, emitter, logger, config, stop },
    jobs: createProvidedJobs(store, { timers, logger, stop }),
    clock: options.clock ?? Date.now,
    random: options.random ?? Math.random,
    timers,
    background(work, message, requestId) {
      work.catch((error) => {
        if (!stop.aborted) logger.error({ err: error, requestId }, message);
      });
    },
  };
}
