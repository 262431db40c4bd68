import { createEmitter, silentLogger } from '@bonafide/internal';
import type { AddressPolicy, RejectedEvent } from '@bonafide/nostr-transport';
import { publishCard } from './card/build.ts';
import { canonicalIdentifier } from './card/identity.ts';
import { weighRecommendations } from './card/recommendation.ts';
import { resolveConfig } from './config.ts';
import type { Discovery, DiscoveryEvents, DiscoveryOptions, Found } from './discovery.ts';
import { DiscoveryError } from './errors.ts';
import { countCards } from './metrics.ts';
import { createCapacityLimit } from './registry/capacity.ts';
import { createCardIntake } from './registry/card-intake.ts';
import { createEntryWriter } from './registry/entry-writer.ts';
import { findPlatforms } from './registry/find.ts';
import { createIntakeQueue } from './registry/intake-queue.ts';
import { createKnownPlatforms, createStatusCommands } from './registry/known-platforms.ts';
import { parsePubkey, parseRelayUrl } from './registry/platform-key.ts';
import { createProfileLookup } from './registry/profile-lookup.ts';
import { createRelayCounters, type RejectedCard, readRefused } from './registry/rejections.ts';
import { createStatementIntake } from './registry/statement-intake.ts';
import { callStore, getEntry, pageSize } from './registry/store-access.ts';
import { sweepRegistry } from './registry/sweep.ts';
import { filtersFor } from './relays/filters.ts';
import { repeat } from './relays/interval.ts';
import { createPlatformRelays } from './relays/platform-relays.ts';
import { createRelayReader } from './relays/relay-reader.ts';
import { createRelaySchedule, type RelayTotals } from './relays/relay-schedule.ts';
import { createRelayState } from './relays/relay-state.ts';
import { createStoredEventSync } from './relays/sync.ts';

/**
 * A registry over a transport and a store.
 *
 * @throws DiscoveryError `INVALID_CONFIG`
 */
export function createDiscovery(options: DiscoveryOptions): Discovery {
  const { transport, store, clock = Date.now, logger = silentLogger, verifier = null } = options;
  const { random = Math.random } = options;
  const config = resolveConfig(options.config);
  const filters = filtersFor(config.k);
  const relays = options.relays.map(parseRelayUrl);
  const { synonyms, allowLoopback, allowHosts, queryTimeoutMs: timeoutMs } = config;
  const addresses: AddressPolicy = { allowLoopback, allowHosts };
  let running: { readonly started: Promise<void>; readonly stopping: AbortController } | null = null;
  let working: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  const assertOpen = () => {
    if (isClosed) throw new DiscoveryError('CLOSED', 'This registry was closed');
  };
  const turnAway = (rejected: RejectedCard) => {
    counters.reject(rejected);
    logger.debug(rejected, 'Card rejected');
    emitter.emit('rejected', rejected);
  };

  /** What the transport did not let through (DIS-3). */
  const onRefused = (rejected: RejectedEvent) => {
    counters.of(rejected.relay).refusedByTransport += 1;
    turnAway(readRefused(rejected, clock()));
  };

  const emitter = createEmitter<DiscoveryEvents>({ logger });
  countCards(emitter);
  const counters = createRelayCounters(config.rememberedRejections);
  const register = createEntryWriter(store, emitter);
  const profiles = createProfileLookup({ transport, relays, register, verifier, timeoutMs, clock });
  const room = createCapacityLimit({ store, register, most: config.maxPlatforms, logger });
  const intake = createIntakeQueue({
    register,
    cards: createCardIntake({ store, register, config, addresses, verifier, clock }),
    opinions: createStatementIntake({ store, register, emitter, addresses, verifier, clock }),
    counters,
    config,
    onTaken(entry) {
      profiles.want(entry);
      if (entry.revision === 1) room.taken();
    },
    onRejected: turnAway,
    clock,
    logger,
  });
  const reader = createRelayReader({
    transport,
    store,
    intake,
    filters,
    config,
    onRefused,
    clock,
    logger,
  });
  const schedule = createRelaySchedule({
    relays,
    policy: config.tiers,
    pollMs: config.pollMs,
    sampleMs: config.sampleMs,
    readingMs: timeoutMs,
    lingerMs: config.lingerMs,
    open: reader.read,
    totals: totalsOf,
    onTier: (change) => emitter.emit('tier', change),
    clock,
    random,
    logger,
  });
  const memory = createRelayState({ store, relays, schedule, counters });
  const mayBeThere = (relay: string) => totalsOf(relay).isConnected !== false;
  const syncing = createStoredEventSync({
    transport,
    relays,
    filters,
    intake,
    mayBeThere,
    onRefused,
    logger,
  });
  const known = createKnownPlatforms(register, assertOpen);

  function totalsOf(relay: string): RelayTotals {
    const { received, taken, dropped, refusedByTransport, rejected } = counters.of(relay);
    const { superseded = 0, ...bad } = rejected;
    const refused = Object.values(bad).reduce((sum, count) => sum + count, 0);
    const status = transport.status?.().find((each) => each.relay === relay);
    return {
      fresh: taken,
      delivered: Math.max(0, received - (refused - refusedByTransport)),
      wasted: refused + dropped + (status?.counters.rejected.garbage ?? 0),
      interruptions: status?.counters.reconnects ?? 0,
      isConnected: status === undefined ? null : status.state === 'open',
    };
  }

  /** Asks once more for everything of late: a relay may have kept something back and said that it was done. */
  const reconcile = (signal: AbortSignal) =>
    syncing.sync({
      timeoutMs,
      since: Math.max(0, Math.floor((clock() - config.lookbackMs) / 1_000)),
      onlyUnknown: true,
      signal,
    });

  async function begin(signal: AbortSignal): Promise<void> {
    await memory.recall();
    await room.make();
    await sweepRegistry(store, register, clock(), signal);
    await schedule.tick();
    /** What is under way is waited for when reading stops. */
    const now = (ms: number, whenItFails: string, work: () => Promise<unknown>) =>
      repeat(ms, logger, whenItFails, async () => {
        const doing = work();
        working = Promise.allSettled([working, doing]);
        await doing;
      });
    const timers = [
      now(config.tickMs, 'Relays could not be read', () => schedule.tick()),
      now(config.tickMs, 'Profiles could not be looked up', () => profiles.fill(signal)),
      now(config.sweepMs, 'Stale cards could not be looked for', async () => {
        await sweepRegistry(store, register, clock(), signal);
        await memory.keep();
      }),
      now(config.reconcileMs, 'Relays could not be asked once more', () => reconcile(signal)),
    ];
    const clear = () => {
      for (const timer of timers) clearInterval(timer);
    };
    if (signal.aborted) clear();
    signal.addEventListener('abort', clear);
  }

  async function stop(): Promise<void> {
    const begun = running;
    running = null;
    // What failed to start has told whoever started it.
    await begun?.started.catch(() => {});
    begun?.stopping.abort();
    await schedule.stop();
    await working;
    await intake.after(async () => {});
    await register.idle();
    if (begun === null) return;
    await memory
      .keep()
      .catch((error) => logger.error({ err: error }, 'What relays gave could not be written down'));
  }

  async function close(): Promise<void> {
    isClosed = true;
    await stop();
    emitter.clear();
  }

  async function* found(query: Parameters<Discovery['find']>[0]): AsyncGenerator<Found> {
    assertOpen();
    yield* findPlatforms(query, { store, synonyms, now: clock() });
  }

  const most = (limit: number) => Math.min(Math.max(1, limit), pageSize);

  return {
    config,

    async start() {
      assertOpen();
      if (running === null) {
        const stopping = new AbortController();
        running = { started: begin(stopping.signal), stopping };
      }
      await running.started;
    },

    stop,

    async sync({ signal, timeoutMs: patienceMs = timeoutMs } = {}) {
      assertOpen();
      const abort = signal === undefined ? {} : { signal };
      const result = await syncing.sync({ timeoutMs: patienceMs, ...abort });
      while (profiles.isWanting) await profiles.fill(signal);
      return result;
    },

    find: (query) => ({
      [Symbol.asyncIterator]: () => found(query),
      async toArray() {
        const list: Found[] = [];
        for await (const one of found(query)) list.push(one);
        return list;
      },
    }),

    async get(pubkey, d) {
      assertOpen();
      const key = parsePubkey(pubkey);
      return getEntry(store, key, canonicalIdentifier(d));
    },

    async entries({ limit = 50, ...query } = {}) {
      assertOpen();
      const { pubkey, ...rest } = query;
      const whose = pubkey === undefined ? {} : { pubkey: parsePubkey(pubkey) };
      return callStore(() => store.list({ ...rest, ...whose, limit: most(limit) }));
    },

    async history(pubkey, d, { limit = 50, cursor } = {}) {
      assertOpen();
      const key = parsePubkey(pubkey);
      const page = { limit: most(limit), ...(cursor === undefined ? {} : { cursor }) };
      return callStore(() => store.history(key, canonicalIdentifier(d), page));
    },

    ...createStatusCommands(known, clock),
    ...createPlatformRelays({ transport, store, known, relays, addresses, timeoutMs }),

    async recommendations(pubkey, d, { standing } = {}) {
      assertOpen();
      const key = parsePubkey(pubkey);
      const recommendations = await callStore(() =>
        store.recommendationsOf(key, canonicalIdentifier(d), pageSize),
      );
      return { ...weighRecommendations(recommendations, key, standing), recommendations };
    },

    publishCard(spec, signer, { signal } = {}) {
      return publishCard(spec, signer, { transport, relays, ...(signal === undefined ? {} : { signal }) });
    },

    relayStats: () => counters.relays(schedule.standing),
    rejections: counters.rejections,
    on: emitter.on,
    close,
    [Symbol.asyncDispose]: close,
  };
}
