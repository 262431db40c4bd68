import { type Logger, unrefTimer } from '@bonafide/internal';
import {
  type Filter,
  filterKey,
  type NostrEvent,
  type RejectedEvent,
  type Transport,
  type Watermarks,
} from '@bonafide/nostr-transport';
import { cardKind } from '../card/assess.ts';
import type { DiscoveryConfig } from '../config.ts';
import type { IntakeQueue } from '../registry/intake-queue.ts';
import { readWatermark, writeWatermark } from '../registry/reader-state.ts';
import type { DiscoveryStore } from '../registry/store.ts';
import { type PageCursor, readPage, readPages, warnOf } from './paging.ts';
import type { ReadingEvents, RelayReading } from './relay-schedule.ts';

/** Reads relays from their watermarks. A watermark moves only after everything before it is stored. */
export interface RelayReader {
  /** Starts a live reading until it is closed. @throws DiscoveryError `STORE_FAILED` */
  read(relay: string, events: ReadingEvents): Promise<RelayReading>;
}

/** Time after EOSE in which an old card proves that EOSE came too early, ms. */
const earlyEoseMs = 30_000;
/** Overlap that the transport reads again, s. */
const overlapSeconds = 60;

/** The position in a backlog that is larger than the intake queue. */
interface Backlog extends PageCursor {
  /** Time of the newest event when the backlog was begun, s. Everything up to it is read at the end. */
  newest: number | null;
}

export function createRelayReader(options: {
  readonly transport: Pick<Transport, 'subscribe'>;
  readonly store: DiscoveryStore;
  readonly intake: IntakeQueue;
  readonly filters: readonly Filter[];
  readonly config: Pick<DiscoveryConfig, 'lookbackMs' | 'lingerMs' | 'queryTimeoutMs'>;
  readonly onRefused: (rejected: RejectedEvent) => void;
  readonly clock: () => number;
  readonly logger: Logger;
}): RelayReader {
  const { transport, store, intake, filters, config, clock, logger } = options;
  /**
   * Positions of relays whose backlog is read page by page before they are read live, by relay and filter.
   */
  const backlogs = new Map<string, Map<string, Backlog>>();

  /**
   * Returns the start of a first reading, and stores it so that an interrupted reading resumes. Returns
   * `null` if the relay was read before.
   */
  async function firstLookSince(relay: string, key: string): Promise<number | null> {
    if ((await readWatermark(store, relay, key)) !== null) return null;
    const since = Math.max(0, Math.floor((clock() - config.lookbackMs) / 1_000));
    await writeWatermark(store, relay, key, since);
    return since;
  }

  /** Reads stored events since the watermarks, page by page, and resumes an interrupted backlog. */
  async function readBacklog(
    relay: string,
    places: Map<string, Backlog>,
    signal: AbortSignal,
  ): Promise<void> {
    const { queryTimeoutMs: timeoutMs } = config;
    for (const filter of filters) {
      const key = filterKey(filter);
      const mark = (await readWatermark(store, relay, key)) ?? 0;
      const since = Math.max(0, mark - overlapSeconds);
      const place = places.get(key) ?? { until: undefined, newest: null };
      places.set(key, place);
      const ask = (page: Filter) =>
        readPage(transport, relay, page, { timeoutMs, signal, onRejected: options.onRefused });
      for await (const events of readPages(ask, { ...filter, since }, place, warnOf(logger, relay))) {
        const now = Math.floor(clock() / 1_000);
        place.newest ??= events.reduce(
          (most, { created_at }) => Math.max(most, Math.min(created_at, now)),
          0,
        );
        await intake.takeAll(events, relay);
      }
      const reached = Math.max(mark, place.newest ?? 0);
      await writeWatermark(store, relay, key, reached);
      places.delete(key);
    }
    backlogs.delete(relay);
  }

  async function readLive(relay: string, { onAnswered, onClosed }: ReadingEvents): Promise<RelayReading> {
    const progress = { isBroken: false };
    const firstLooks = new Set<string>();
    const bounded: Filter[] = [];
    for (const filter of filters) {
      const key = filterKey(filter);
      const since = await firstLookSince(relay, key);
      if (since !== null) firstLooks.add(key);
      // After the first reading, everything since the watermark is read, however long ago that was.
      bounded.push(since === null ? filter : { ...filter, since });
    }
    /** Stores a watermark after all events that were received before it. */
    const storeMark = (key: string, seconds: number) =>
      intake.after(async () => {
        // After a loss, the watermark must not move.
        if (!progress.isBroken) await writeWatermark(store, relay, key, seconds);
      });
    // Some relays send EOSE too early, so watermarks are held back for a moment.
    const heldBack = new Map<string, number>();
    let answeredAt: number | null = null;
    let isSettled = false;
    let timer: NodeJS.Timeout | undefined;
    const hasSettled = () => isSettled || (answeredAt !== null && clock() - answeredAt >= config.lingerMs);
    function settle(): void {
      isSettled = true;
      for (const [key, seconds] of heldBack) {
        storeMark(key, seconds).catch((error) =>
          logger.error({ err: error, relay }, 'Storing a watermark failed'),
        );
      }
      heldBack.clear();
    }
    const watermarks: Watermarks = {
      async get(from, key) {
        return firstLooks.has(key) ? undefined : ((await readWatermark(store, from, key)) ?? undefined);
      },
      async set(_relay, key, seconds) {
        if (hasSettled()) await storeMark(key, seconds);
        else heldBack.set(key, seconds);
      },
    };
    let newest = 0;
    let count = 0;
    /**
     * Marks the reading as broken if a relay sends an old card after EOSE, since it may send anything else
     * later too.
     */
    function detectEarlyEose({ created_at: createdAt, kind }: NostrEvent): void {
      const isEarly = answeredAt !== null && clock() - answeredAt < earlyEoseMs;
      if (kind !== cardKind || !isEarly || progress.isBroken || createdAt >= newest - overlapSeconds) return;
      logger.warn({ relay }, 'Relay sent an old card after EOSE; it is read again');
      progress.isBroken = true;
    }
    const subscription = transport.subscribe([relay], bounded, {
      onEvent(event, from) {
        detectEarlyEose(event);
        count += 1;
        if (event.kind === cardKind) newest = Math.max(newest, event.created_at);
        intake.receive(event, from, {
          onOverflow() {
            if (!progress.isBroken)
              logger.warn({ relay }, 'Intake queue is full; the relay is read again page by page');
            progress.isBroken = true;
            // A live reading would overflow at the same place again.
            if (!backlogs.has(relay)) backlogs.set(relay, new Map());
          },
          onFailure() {
            progress.isBroken = true;
          },
        });
      },
      onRejected: options.onRefused,
      onEose(_, result) {
        answeredAt = clock();
        // A flood filled all pages of this reading: the rest is read page by page.
        if (result?.resumeUntil !== undefined) {
          progress.isBroken = true;
          if (!backlogs.has(relay)) backlogs.set(relay, new Map());
        }
        timer = setTimeout(settle, config.lingerMs);
        unrefTimer(timer);
        onAnswered();
      },
      onClosed(from, reason) {
        logger.warn({ relay: from, reason }, 'Relay closed the subscription');
        onClosed();
      },
      watermarks,
    });
    return {
      close() {
        clearTimeout(timer);
        if (hasSettled()) settle();
        // The next live reading would be cut at the same place.
        if (answeredAt === null && count >= backlogThreshold && !backlogs.has(relay))
          backlogs.set(relay, new Map());
        subscription.close();
      },
      get isBroken() {
        return progress.isBroken;
      },
    };
  }

  return {
    async read(relay, events) {
      // Events in the queue are stored first, so that they are not read again.
      await intake.after(async () => {});
      const places = backlogs.get(relay);
      if (places === undefined) return readLive(relay, events);
      const ending = new AbortController();
      let live: RelayReading | null = null;
      let isBroken = false;
      const reading = readBacklog(relay, places, ending.signal).then(async () => {
        if (ending.signal.aborted) return;
        live = await readLive(relay, events);
        if (ending.signal.aborted) live.close();
      });
      reading.catch((error: unknown) => {
        isBroken = true;
        if (!ending.signal.aborted)
          logger.warn({ err: error, relay }, 'Reading a backlog failed; it resumes later');
      });
      return {
        close() {
          ending.abort();
          live?.close();
        },
        get isBroken() {
          return isBroken || (live?.isBroken ?? false);
        },
      };
    },
  };
}

/** Number of events from which an interrupted reading counts as a backlog. */
const backlogThreshold = 1_000;
