import { type Logger, relayList, requireOptions, requireRuntime, silentLogger } from '@bonafide/internal';
import type { AddressPolicy, Transport, Verifier } from '@bonafide/nostr-transport';
import * as z from 'zod';
import { type DiscoveryConfig, type DiscoveryConfigInput, resolveConfig } from './config.ts';
import { DiscoveryError } from './errors.ts';
import { parseRelayUrl } from './registry/platform-key.ts';
import type { DiscoveryStore } from './registry/store.ts';
import { callable, port, readConfig, verifier as verifierSchema } from './valid.ts';

/** The ports and settings of a registry. */
export interface DiscoveryOptions {
  /** Delivers **verified** events, as nostr-transport does. The registry does not close it. */
  readonly transport: Pick<Transport, 'subscribe' | 'query' | 'publish'> &
    Partial<Pick<Transport, 'status' | 'reconcile'>>;
  /** Stores the entries. The registry does not close it. */
  readonly store: DiscoveryStore;
  /** URLs of the relays to read. */
  readonly relays: readonly string[];
  /** Verifies every event again, for a transport that is not trusted. @default null */
  readonly verifier?: Verifier | null;
  /** Returns the current time in ms since epoch. @default Date.now */
  readonly clock?: () => number;
  /** Returns random numbers in [0, 1), for the times at which relays are sampled. @default Math.random */
  readonly random?: () => number;
  /**
   * Returns the standing of a recommender, 0..1, or `null` if it is unknown. `find` puts platforms first that recommenders with a
   * standing recommend. @default all are unknown
   */
  readonly standing?: (recommender: string) => number | null;
  readonly config?: DiscoveryConfigInput;
  readonly logger?: Logger;
}

/** {@link DiscoveryOptions} with their defaults. */
export interface DiscoveryContext {
  readonly transport: DiscoveryOptions['transport'];
  readonly store: DiscoveryStore;
  /** Normalized relay URLs. */
  readonly relays: readonly string[];
  readonly verifier: Verifier | null;
  readonly clock: () => number;
  readonly random: () => number;
  readonly standing: ((recommender: string) => number | null) | null;
  readonly config: DiscoveryConfig;
  readonly logger: Logger;
  /** Policy for relay addresses from cards, relay lists and recommendations. */
  readonly addresses: AddressPolicy;
}

const optionsSchema = z.strictObject({
  transport: port('query'),
  store: port('lookUp'),
  relays: z.array(z.string()),
  verifier: verifierSchema.nullish(),
  clock: callable.optional(),
  random: callable.optional(),
  standing: callable.optional(),
  // Checked on its own.
  config: z.unknown().optional(),
  logger: port('debug', 'info', 'warn', 'error').optional(),
});

/** Applies the defaults. @throws DiscoveryError `INVALID_CONFIG`; `RUNTIME_TOO_OLD` before Node 22.13 */
export function resolveContext(options: DiscoveryOptions): DiscoveryContext {
  requireRuntime((message) => new DiscoveryError('RUNTIME_TOO_OLD', message));
  requireOptions(
    options,
    {
      transport: { methods: ['query'], example: 'createTransport() of @bonafide/nostr-transport' },
      store: { methods: ['lookUp'], example: 'createMemoryDiscoveryStore()' },
      relays: relayList,
    },
    (message) => new DiscoveryError('INVALID_CONFIG', message),
  );
  readConfig(optionsSchema, options);
  const { transport, store, clock = Date.now, logger = silentLogger, verifier = null } = options;
  const { random = Math.random, standing = null } = options;
  const config = resolveConfig(options.config);
  const { allowLoopback, allowHosts } = config;
  const relays = [...new Set(options.relays.map((relay) => parseRelayUrl(relay, 'INVALID_CONFIG')))];
  return {
    transport,
    store,
    relays,
    verifier,
    clock,
    random,
    standing: standing === null ? null : guardStanding(standing, logger),
    config,
    logger,
    addresses: { allowLoopback, allowHosts },
  };
}

/** Returns the standing within 0..1, and `null` where the function throws or returns something else. Logs the first failure. */
function guardStanding(
  standing: (recommender: string) => number | null,
  logger: Logger,
): (recommender: string) => number | null {
  let hasFailed = false;
  const fail = (error: unknown) => {
    if (!hasFailed) logger.error({ err: error }, 'standing failed; such recommenders count as unknown');
    hasFailed = true;
    return null;
  };
  return (recommender) => {
    try {
      const value: unknown = standing(recommender);
      if (value === null || value === undefined) return null;
      if (typeof value === 'number' && !Number.isNaN(value)) return Math.min(1, Math.max(0, value));
      return fail(new TypeError(`standing returned ${typeof value}, not a number or null`));
    } catch (error) {
      return fail(error);
    }
  };
}
