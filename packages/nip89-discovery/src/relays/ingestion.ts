import type { DiscoveryContext } from '../context.ts';
import type { Registry } from '../registry/create-registry.ts';
import type { RelayStats } from '../registry/rejections.ts';
import { createAuthorReading } from './author-reading.ts';
import { filtersFor } from './filters.ts';
import type { RelayListLookup } from './relay-lists.ts';
import { createRelayReader } from './relay-reader.ts';
import { createRelaySchedule, type RelayTotals } from './relay-schedule.ts';
import { createRelayState } from './relay-state.ts';
import { createStoredEventSync, type SyncResult } from './sync.ts';

/** Number of platforms whose authors are read at each reconciliation. */
const authorsPerReconcile = 1_000;

/** Reads relays into a registry: by schedule, and all stored events on request. */
export interface Ingestion {
  /** Restores relay tiers and counters of an earlier run. @throws DiscoveryError `STORE_FAILED` */
  restore(): Promise<void>;
  /** Stores relay tiers and counters. @throws DiscoveryError `STORE_FAILED` */
  persist(): Promise<void>;
  /** Opens and closes readings that are due. @throws DiscoveryError `STORE_FAILED` */
  tick(): Promise<void>;
  /** Reads all events that the relays have stored. @throws DiscoveryError `STORE_FAILED` */
  sync(options: { readonly timeoutMs: number; readonly signal?: AbortSignal }): Promise<SyncResult>;
  /** Reads the events of the last `lookbackMs` again, for relays that reported EOSE too early. */
  reconcile(signal: AbortSignal): Promise<SyncResult>;
  /** Ends all readings. */
  stop(): Promise<void>;
  relayStats(): RelayStats[];
}

/** Creates the reading side of a registry. */
export function createIngestion(
  context: DiscoveryContext,
  registry: Registry,
  relayLists: RelayListLookup,
): Ingestion {
  const { transport, store, relays, config, clock, random, logger } = context;
  const { counters, intake, onRefused } = registry;
  const filters = filtersFor(config.k);
  const timeoutMs = config.queryTimeoutMs;

  function totalsOf(relay: string): RelayTotals {
    const { received, taken, dropped, refused, rejected } = counters.of(relay);
    const { superseded = 0, ...bad } = rejected;
    const badCount = Object.values(bad).reduce((sum, count) => sum + count, 0);
    const status = transport.status?.().find((each) => each.relay === relay);
    return {
      fresh: taken,
      delivered: Math.max(0, received - (badCount - refused)),
      wasted: badCount + dropped + (status?.counters.rejected.garbage ?? 0),
      interruptions: status?.counters.reconnects ?? 0,
      isConnected: status === undefined ? null : status.state === 'open',
    };
  }

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
    onTier: (change) => registry.emitter.emit('tier', change),
    clock,
    random,
    logger,
  });
  const state = createRelayState({ store, relays, schedule, counters });
  const stored = createStoredEventSync({
    transport,
    store,
    relays,
    filters,
    intake,
    onRefused,
    clock,
    logger,
  });

  const authors = createAuthorReading({
    transport,
    store,
    writer: registry.writer,
    intake,
    statements: registry.statements,
    relayLists,
    relays,
    timeoutMs,
    maxWriteRelays: config.maxWriteRelays,
    onRefused,
    clock,
  });
  const answering = ({ relays: read }: SyncResult) => ({
    relays: read.filter(({ status }) => status === 'complete' || status === 'cut').map(({ url }) => url),
    cutRelays: read.filter(({ status }) => status === 'cut').map(({ url }) => url),
  });

  return {
    restore: state.restore,
    persist: state.persist,
    tick: schedule.tick,
    async sync(options) {
      const result = await stored.sync({ relayTimeoutMs: config.relayTimeoutMs, ...options });
      const abort = options.signal === undefined ? {} : { signal: options.signal };
      await authors.read({ max: Number.POSITIVE_INFINITY, ...answering(result), ...abort });
      return result;
    },
    async reconcile(signal) {
      const result = await stored.sync({
        timeoutMs,
        relayTimeoutMs: config.relayTimeoutMs,
        since: Math.max(0, Math.floor((clock() - config.lookbackMs) / 1_000)),
        onlyUnknown: true,
        signal,
      });
      await authors.read({ max: authorsPerReconcile, ...answering(result), signal });
      return result;
    },
    stop: schedule.stop,
    relayStats: () => counters.relays(schedule.standing),
  };
}
