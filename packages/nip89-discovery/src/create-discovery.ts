import { publishCard } from './card/build.ts';
import { type DiscoveryOptions, resolveContext } from './context.ts';
import type { Discovery } from './discovery.ts';
import { DiscoveryError } from './errors.ts';
import { createLifecycle } from './lifecycle.ts';
import { createRegistry } from './registry/create-registry.ts';
import { createKnownPlatforms, createStatusCommands } from './registry/known-platforms.ts';
import { createRegistryQueries } from './registry/queries.ts';
import { createIngestion } from './relays/ingestion.ts';
import { createPlatformRelays } from './relays/platform-relays.ts';
import { createRelayListLookup } from './relays/relay-lists.ts';
import { duration, endable, readInput } from './valid.ts';

const syncSchema = endable.extend({ timeoutMs: duration.optional() });

/**
 * Creates a registry over a transport and a store.
 *
 * @throws DiscoveryError `INVALID_CONFIG`
 */
export function createDiscovery(options: DiscoveryOptions): Discovery {
  const context = resolveContext(options);
  const { transport, store, relays, config, addresses, standing, clock } = context;
  const { synonyms, queryTimeoutMs } = config;
  const registry = createRegistry(context);
  const { emitter, counters, profiles, writer } = registry;
  const { verifier } = context;
  const relayLists = createRelayListLookup({
    transport,
    addresses,
    verifier,
    timeoutMs: queryTimeoutMs,
    clock,
  });
  const ingestion = createIngestion(context, registry, relayLists);
  const lifecycle = createLifecycle(context, registry, ingestion);
  let isClosed = false;

  const assertOpen = () => {
    if (isClosed) throw new DiscoveryError('CLOSED', 'This registry is closed.');
  };
  const known = createKnownPlatforms(writer, assertOpen);

  async function close(): Promise<void> {
    isClosed = true;
    await lifecycle.stop();
    emitter.clear();
  }

  return {
    config,
    ...createRegistryQueries({ store, synonyms, standing, clock, assertOpen }),
    ...createStatusCommands(known, clock),
    ...createPlatformRelays({
      transport,
      store,
      known,
      standing,
      relays,
      relayLists,
      timeoutMs: queryTimeoutMs,
      clock,
    }),

    async start() {
      assertOpen();
      await lifecycle.start();
    },

    stop: lifecycle.stop,

    async sync(given = {}) {
      assertOpen();
      const { signal, timeoutMs = queryTimeoutMs } = readInput(syncSchema, given);
      const result = await ingestion.sync({ timeoutMs, ...(signal === undefined ? {} : { signal }) });
      while (profiles.hasRequests) await profiles.fetch(signal);
      return result;
    },

    async publishCard(spec, signer, given = {}) {
      const { signal } = readInput(endable, given);
      return publishCard(spec, signer, {
        transport,
        relays,
        clock,
        ...(signal === undefined ? {} : { signal }),
      });
    },

    relayStats: ingestion.relayStats,
    rejections: counters.rejections,
    on: emitter.on,
    close,
    [Symbol.asyncDispose]: close,
  };
}
