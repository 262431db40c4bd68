import type { Logger } from '@bonafide/internal';
import type {
  EventComparison,
  Filter,
  NostrEvent,
  RejectedEvent,
  RelayReadResult,
  RelayReadStatus,
  Transport,
} from '@bonafide/nostr-transport';
import { cardKind } from '../card/assess.ts';
import type { IntakeQueue } from '../registry/intake-queue.ts';
import type { DiscoveryStore } from '../registry/store.ts';
import { createCardComparison } from './card-comparison.ts';
import { type Page, readPages } from './paging.ts';

/** Number of relays that are read at a time. */
const relaysAtOnce = 4;

/** Number of ids in one request. */
const idsAtOnce = 500;

/** A relay that makes progress gets up to this multiple of the timeout for one page. */
const maxTimeoutFactor = 8;

/** The completeness of one relay in a sync. */
export interface RelaySync {
  readonly url: string;
  /**
   * `complete`: everything that the relay has was read. `cut`: it answered, but more events of one second exist than it sends,
   * or it has more than the page limit. `timed-out`: it was reached and did not finish in time. `refused`: it closed the
   * request, or its address is forbidden. `unreachable`: there was no connection. Of several filters, the worst.
   */
  readonly status: RelayReadStatus;
  /** Number of events that the relay sent, including rejected ones. */
  readonly received: number;
  /** Number of cards that were new or newer. */
  readonly taken: number;
  /** Number of known cards that the relay has and did not send again (NIP-77). */
  readonly known: number;
  /** Human-readable cause; '' if the status is `complete`. */
  readonly message: string;
}

/** The result of a `sync`. */
export interface SyncResult {
  /** Number of valid events that the relays sent. */
  readonly received: number;
  /** Number of platforms that were new or had a newer card. */
  readonly taken: number;
  /** One result per relay, in the order of the relays. */
  readonly relays: readonly RelaySync[];
}

/** Reads stored events of relays. */
export interface StoredEventSync {
  /** Reads the relays, a few at a time. @throws DiscoveryError `STORE_FAILED` */
  sync(options: {
    /** Time for one page, ms. A relay that makes progress gets more. */
    readonly timeoutMs: number;
    /** Time for all pages of one relay, ms. */
    readonly relayTimeoutMs: number;
    /** Requests only events since this second. */
    readonly since?: number;
    /** Skips events that were processed recently. */
    readonly onlyUnknown?: boolean;
    readonly signal?: AbortSignal;
  }): Promise<SyncResult>;
}

/** From best to worst. */
const severity: readonly RelayReadStatus[] = ['complete', 'cut', 'timed-out', 'refused', 'unreachable'];

/** Creates the reading of stored events. */
export function createStoredEventSync(options: {
  readonly transport: Pick<Transport, 'query'> & Partial<Pick<Transport, 'reconcile'>>;
  readonly store: Pick<DiscoveryStore, 'list'>;
  readonly relays: readonly string[];
  readonly filters: readonly Filter[];
  readonly intake: IntakeQueue;
  readonly onRefused: (rejected: RejectedEvent) => void;
  readonly clock: () => number;
  readonly logger: Logger;
}): StoredEventSync {
  const { transport, store, relays, filters, intake, onRefused, clock, logger } = options;

  /** Requests one page, and again with more time while the relay makes progress. */
  async function requestPage(
    relay: RelayProgress,
    filter: Filter,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<Page & { readonly sentIds: ReadonlySet<string> }> {
    for (let factor = 1, before = 0; ; factor *= 2) {
      let result: RelayReadResult | null = null;
      const sentIds = new Set<string>();
      const leftMs = relay.deadline - clock();
      if (leftMs <= 0) {
        relay.worsen('timed-out', 'the time for this relay is over');
        return { events: [], isLast: true, sentIds };
      }
      const events = await transport.query([relay.url], [filter], {
        timeoutMs: Math.min(timeoutMs * factor, leftMs),
        onRejected(rejected) {
          const id = (rejected.event as { readonly id?: unknown } | null)?.id;
          if (typeof id === 'string') sentIds.add(id);
          onRefused(rejected);
        },
        onRelayResult(each) {
          result = each;
        },
        ...(signal === undefined ? {} : { signal }),
      });
      const { status, message, received, isLast } = outcomeOf(result, events, filter);
      for (const { id } of events) sentIds.add(id);
      const { resumeUntil, readUntil, cutSeconds } = (result as RelayReadResult | null) ?? {};
      if (status === 'timed-out' && received > before && factor < maxTimeoutFactor) {
        before = received;
        continue;
      }
      relay.received += received - events.length;
      const isResumed = status === 'cut' && resumeUntil !== undefined;
      // What is left of crowded seconds is not read by reading on.
      if (!isResumed || cutSeconds !== undefined) relay.worsen(status, message);
      return {
        events,
        isLast,
        sentIds,
        ...(isResumed ? { resumeUntil } : {}),
        ...(readUntil === undefined ? {} : { readUntil }),
      };
    }
  }

  return {
    async sync({ timeoutMs, relayTimeoutMs, since, onlyUnknown = false, signal }) {
      const progress = relays.map(createProgress);

      const comparison = createCardComparison({ transport, store, intake });

      async function take(relay: RelayProgress, events: readonly NostrEvent[]): Promise<void> {
        relay.received += events.length;
        relay.valid += events.length;
        relay.taken += await intake.takeAll(events, relay.url);
      }

      /** Reads the events that a comparison listed. */
      async function readListed(
        relay: RelayProgress,
        filter: Filter,
        { missing, shared }: EventComparison,
      ): Promise<void> {
        await readIds(relay, filter, missing);
        relay.known += shared.length;
        await comparison.recordSightings(relay.url, shared);
      }

      /** Reads events by id, and reports those that the relay listed and did not send. */
      async function readIds(relay: RelayProgress, filter: Filter, ids: readonly string[]): Promise<void> {
        const unsent = new Set(ids);
        let before = Number.POSITIVE_INFINITY;
        // A relay may send fewer events at once than it is asked for, so the rest is requested again.
        while (unsent.size > 0 && unsent.size < before && relay.isAnswering) {
          const wanted = [...unsent];
          before = wanted.length;
          for (let at = 0; at < wanted.length && relay.isAnswering; at += idsAtOnce) {
            const listed = { ...filter, ids: wanted.slice(at, at + idsAtOnce) };
            const page = await requestPage(relay, listed, { timeoutMs, signal });
            // Other events than the listed ones do not make up for them.
            for (const id of page.sentIds) unsent.delete(id);
            await take(relay, page.events);
          }
        }
        if (unsent.size > 0) relay.worsen('cut', `${unsent.size} listed events were not sent`);
      }

      async function readOne(relay: RelayProgress, filter: Filter): Promise<void> {
        if (since === undefined && filter.kinds?.includes(cardKind)) {
          const request = { timeoutMs, ...(signal === undefined ? {} : { signal }) };
          const compared = await comparison.compare(relay.url, filter, request);
          if (compared !== null) return readListed(relay, filter, compared);
        }
        const dated = since === undefined ? filter : { ...filter, since };
        const request = (page: Filter) => requestPage(relay, page, { timeoutMs, signal });
        const onCut = (why: string) => {
          relay.worsen('cut', why);
          logger.warn({ relay: relay.url }, why);
        };
        for await (const page of readPages(request, dated, { until: undefined }, onCut)) {
          const wanted = onlyUnknown ? page.filter((event) => !intake.isSettled(event, relay.url)) : page;
          await take(relay, wanted);
        }
      }

      // Deletions of all relays come first, so that deleted platforms are not announced.
      for (const [index, filter] of [...filters].reverse().entries()) {
        const waiting = progress.filter((relay) => relay.isWorthAsking);
        const shareMs = (relay: RelayProgress) => (relayTimeoutMs - relay.usedMs) / (filters.length - index);
        // Relays are read separately, so that every sighting is recorded.
        const readSome = async () => {
          for (let relay = waiting.shift(); relay !== undefined; relay = waiting.shift()) {
            const begunAt = clock();
            relay.deadline = begunAt + shareMs(relay);
            await readOne(relay, filter);
            relay.usedMs += clock() - begunAt;
          }
        };
        await Promise.all(Array.from({ length: relaysAtOnce }, readSome));
      }
      return {
        received: progress.reduce((sum, { valid }) => sum + valid, 0),
        taken: progress.reduce((sum, { taken }) => sum + taken, 0),
        relays: progress.map(({ url, status, received, taken, known, message }) => ({
          url,
          status,
          received,
          taken,
          known,
          message,
        })),
      };
    },
  };
}

/** The counters and the worst status of one relay during a sync. */
interface RelayProgress {
  readonly url: string;
  received: number;
  valid: number;
  taken: number;
  known: number;
  /** Time that its pages took, ms. */
  usedMs: number;
  /** Time at which its current reading ends, ms since epoch. */
  deadline: number;
  readonly status: RelayReadStatus;
  readonly message: string;
  /** False for a relay that is unreachable or silent: other filters would only wait for it again. */
  readonly isWorthAsking: boolean;
  /** True until a request failed. */
  readonly isAnswering: boolean;
  worsen(status: RelayReadStatus, message: string): void;
}

function createProgress(url: string): RelayProgress {
  let status: RelayReadStatus = 'complete';
  let message = '';
  return {
    url,
    received: 0,
    valid: 0,
    taken: 0,
    known: 0,
    usedMs: 0,
    deadline: 0,
    get status() {
      return status;
    },
    get message() {
      return message;
    },
    get isWorthAsking() {
      return status !== 'unreachable' && !(status === 'timed-out' && this.received === 0);
    },
    get isAnswering() {
      return status === 'complete' || status === 'cut';
    },
    worsen(next, why) {
      if (severity.indexOf(next) <= severity.indexOf(status)) return;
      status = next;
      message = why;
    },
  };
}

/** A transport that reports no results is taken to answer completely, as far as a page tells. */
function outcomeOf(result: RelayReadResult | null, events: readonly NostrEvent[], { limit = 0 }: Filter) {
  if (result === null) {
    return { status: 'complete' as const, message: '', received: events.length, isLast: events.length === 0 };
  }
  const { status, message, received } = result;
  const isShort = events.length < limit;
  // An incomplete page is the last one too, unless only one second was cut.
  const isLast = status === 'cut' ? events.length === 0 : status !== 'complete' || isShort;
  return { status, message, received: Math.max(received, events.length), isLast };
}
