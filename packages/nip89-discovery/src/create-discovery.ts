import { createEmitter, silentLogger } from '@bonafide/internal';
import type { AddressPolicy, RejectedEvent } from '@bonafide/nostr-transport';
import { publishCard } from './card/build.ts';
import { canonicalIdentifier } from './card/identity.ts';
import { weighRecommendations } from './card/recommendation.ts';
import { resolveConfig } from './config.ts';
import type { Discovery, DiscoveryEvents, DiscoveryOptions, Found } from './discovery.ts';
import { DiscoveryError } from './errors.ts';
import { countCards } from './metrics.ts';
import { askStore } from './registry/ask-store.ts';
import { findPlatforms } from './registry/find.ts';
import { createIntake } from './registry/intake.ts';
import { createKnownPlatforms, createVerdicts } from './registry/known-platforms.ts';
import { asPubkey, asRelay } from './registry/platform-key.ts';
import { createProfiles } from './registry/profiles.ts';
import { createRegister } from './registry/register.ts';
import { pageSize } from './registry/registry-pages.ts';
import { createRoom } from './registry/room.ts';
import { sweepRegistry } from './registry/sweep.ts';
import { createCardTaker } from './registry/take-cards.ts';
import { createOpinionTaker } from './registry/take-opinions.ts';
import { every } from './relays/every.ts';
import { filtersFor } from './relays/filters.ts';
import { createPlatformRelays } from './relays/platform-relays.ts';
import { createRelayReader } from './relays/read-relay.ts';
import { createTally, type RejectedCard, readTurnedAway } from './relays/rejections.ts';
import { createRelayMemory } from './relays/relay-memory.ts';
import { createRelaySchedule, type RelayTotals } from './relays/relay-schedule.ts';
import { createSyncing } from './relays/sync.ts';

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
  const relays = options.relays.map(asRelay);
  const { synonyms, allowLoopback, allowHosts, queryTimeoutMs: timeoutMs } = config;
  const addresses: AddressPolicy = { allowLoopback, allowHosts };
  let running: { readonly started: Promise<void>; readonly stopping: AbortController } | null = null;
  let working: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  const assertOpen = () => {
    if (isClosed) throw new DiscoveryError('CLOSED', 'This registry was closed');
  };
  const turnAway = (rejected: RejectedCard) => {
    tally.reject(rejected);
    logger.debug(rejected, 'Card rejected');
    emitter.emit('rejected', rejected);
  };

  /** What the transport did not let through (DIS-3). */
  const onTurnedAway = (rejected: RejectedEvent) => {
    tally.of(rejected.relay).turnedAway += 1;
    turnAway(readTurnedAway(rejected, clock()));
  };

  const emitter = createEmitter<DiscoveryEvents>({ logger });
  countCards(emitter);
  const tally = createTally(config.rememberedRejections);
  const register = createRegister(store, emitter);
  const profiles = createProfiles({ transport, relays, register, verifier, timeoutMs, clock });
  const room = createRoom({ store, register, most: config.maxPlatforms, logger });
  const intake = createIntake({
    register,
    cards: createCardTaker({ store, register, config, addresses, verifier, clock }),
    opinions: createOpinionTaker({ store, register, emitter, addresses, verifier, clock }),
    tally,
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
    onTurnedAway,
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
  const memory = createRelayMemory({ store, relays, schedule, tally });
  const mayBeThere = (relay: string) => totalsOf(relay).isConnected !== false;
  const syncing = createSyncing({
    transport,
    relays,
    filters,
    intake,
    mayBeThere,
    onTurnedAway,
    logger,
  });
  const known = createKnownPlatforms(register, assertOpen);

  function totalsOf(relay: string): RelayTotals {
    const { received, taken, dropped, turnedAway, rejected } = tally.of(relay);
    const { superseded = 0, ...bad } = rejected;
    const refused = Object.values(bad).reduce((sum, count) => sum + count, 0);
    const status = transport.status?.().find((each) => each.relay === relay);
    return {
      fresh: taken,
      delivered: Math.max(0, received - (refused - turnedAway)),
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
      every(ms, logger, whenItFails, async () => {
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
      const key = asPubkey(pubkey);
      return askStore(() => store.get(key, canonicalIdentifier(d)));
    },

    async entries({ limit = 50, ...query } = {}) {
      assertOpen();
      const { pubkey, ...rest } = query;
      const whose = pubkey === undefined ? {} : { pubkey: asPubkey(pubkey) };
      return askStore(() => store.list({ ...rest, ...whose, limit: most(limit) }));
    },

    async history(pubkey, d, { limit = 50, cursor } = {}) {
      assertOpen();
      const key = asPubkey(pubkey);
      const page = { limit: most(limit), ...(cursor === undefined ? {} : { cursor }) };
      return askStore(() => store.history(key, canonicalIdentifier(d), page));
    },

    ...createVerdicts(known, clock),
    ...createPlatformRelays({ transport, store, known, relays, addresses, timeoutMs }),

    async recommendations(pubkey, d, { standing } = {}) {
      assertOpen();
      const key = asPubkey(pubkey);
      const recommendations = await askStore(() =>
        store.recommendationsOf(key, canonicalIdentifier(d), pageSize),
      );
      return { ...weighRecommendations(recommendations, key, standing), recommendations };
    },

    publishCard(spec, signer, { signal } = {}) {
      return publishCard(spec, signer, { transport, relays, ...(signal === undefined ? {} : { signal }) });
    },

    relayStats: () => tally.relays(schedule.standing),
    rejections: tally.rejections,
    on: emitter.on,
    close,
    [Symbol.asyncDispose]: close,
  };
}
