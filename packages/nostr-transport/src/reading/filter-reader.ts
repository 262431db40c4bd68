import type { RejectionReason } from '../event/admission.ts';
import type { Filter, NostrEvent } from '../event/event.ts';
import { filterKey, matchesFilter } from '../event/filter.ts';
import type { Connection, ConnectionRequest } from '../relay/relay-connection.ts';
import type { CrowdedSecond } from './crowded-seconds.ts';
import {
  type CutDetector,
  createCutDetector,
  endOfPage,
  mayBelongTo,
  mostMatches,
  newestOf,
  nextPage,
  partsOfRejected,
  type ReceivedPage,
} from './paging.ts';
import { advanceWatermark, filterToSend, type OverlapPolicy, type ReadPosition } from './watermark.ts';

/** Callbacks of a {@link Reader}. */
export interface ReaderEvents {
  /** Called for a verified event; returns false for a duplicate. */
  onEvent(event: NostrEvent): boolean;
  /** Called for a rejected event. */
  onRejected?(reason: RejectionReason, value: unknown): void;
  /**
   * Called after the last page of stored events, also after a lost connection. `cut` says why events may be missing beside those
   * of crowded seconds; null when none are.
   */
  onEose(cut: string | null): void;
  /** Called when a connection attempt failed; the next one follows. */
  onUnreachable(): void;
  /** Called when the relay closed the request and a retry is useless. */
  onClosed(reason: string): void;
}

/** Storage of watermarks between connections and runs; `null` means never read. */
export interface PositionStore {
  get(key: string): number | null;
  /** Called when a watermark moved. */
  set(key: string, seconds: number): void;
}

/** Reads a few filters from one relay: stored events page by page, then new ones. */
export interface Reader {
  close(): void;
  /** The second at which the reading stopped before its end; null if it did not, or if nothing is left. */
  readonly resumeUntil: number | null;
  /** The second at which the `limit` of a filter ended the reading; null if none did. */
  readonly readUntil: number | null;
  /** Seconds that hold more events than a page, at most 16 of each filter. Their filters keep their watermark until {@link Reader.settle}. */
  readonly crowded: readonly CrowdedSecond[];
  /** Says that the crowded seconds were read as far as possible. */
  settle(): void;
}

/** The reading state of one filter. */
interface Reading {
  readonly filter: Filter;
  readonly key: string;
  position: ReadPosition;
  /** The newest `created_at` of verified events; becomes the watermark after the last page. */
  reached: number | null;
  /** True after the last page of this connection. */
  isComplete: boolean;
  page: PageProgress;
  /** Full pages read so far; a small page counts as a tenth. */
  pages: number;
  cuts: CutDetector;
  /** Ids of the events that were read of a second that fills a page. */
  readonly idsOfSecond: Map<number, readonly string[]>;
  /** True while the watermark waits for crowded seconds. */
  isHeld: boolean;
  /** The reason why older events were left unread; null if none were. */
  cutReason: string | null;
  /** The second at which a limit of pages ended the reading; null if none did. */
  endedAt: number | null;
  /** The second of the oldest event at which the filter's `limit` ended the reading; null if it did not. */
  readUntil: number | null;
  /** The request for the current page after the first. */
  request: ConnectionRequest | null;
}

type Verdict = 'taken' | 'rejected';

interface PageProgress {
  readonly filter: Filter & { readonly limit: number };
  /** Events the caller still wants, this page included; infinite without a limit. */
  readonly wanted: number;
  /** Events of the previous page: two pages share the second where they meet. */
  readonly before: ReadonlyMap<string, Verdict>;
  readonly ids: Map<string, Verdict>;
  received: number;
  /** True if an event was not on the previous page. */
  hasNew: boolean;
  /** Verified events that were not on the previous page. */
  fresh: number;
  /** The dates of the events, in seconds, each event once. */
  readonly dates: number[];
}

/** Why a reading is cut if a second holds more events than a relay sends at once. */
export const crowdedReason = 'one second holds more than a page';
/**
 * The smallest share of a page that a page counts for, so that a relay with small pages can be read to the
 * end.
 */
const smallPage = 0.1;

function startPage(
  filter: Filter & { readonly limit: number },
  wanted: number,
  before: ReadonlyMap<string, Verdict> = new Map(),
): PageProgress {
  return {
    filter,
    wanted,
    before,
    ids: new Map(),
    received: 0,
    hasNew: false,
    fresh: 0,
    dates: [],
  };
}

/**
 * Creates a reader.
 *
 * @param options.filters - Frozen filters that fit in one REQ.
 * @param options.live - Continues with new events after the stored ones.
 */
export function createReader(
  connection: Connection,
  options: {
    readonly filters: readonly Filter[];
    readonly live: boolean;
    /** Limit of pages per filter. */
    readonly maxPages: number;
    readonly overlap: OverlapPolicy;
    readonly positions: PositionStore;
    readonly clock: () => number;
    readonly events: ReaderEvents;
  },
): Reader {
  const { live, positions, events } = options;
  const nowSeconds = () => Math.floor(options.clock() / 1000);
  let isEnded = false;

  const readings = options.filters.map((filter): Reading => {
    const key = filterKey(filter);
    const reading: Reading = {
      filter,
      key,
      position: { watermark: positions.get(key), readAt: null },
      reached: null,
      isComplete: false,
      page: startPage({ ...filter, limit: 0 }, 0),
      pages: 0,
      cuts: createCutDetector(),
      idsOfSecond: new Map(),
      isHeld: false,
      cutReason: null,
      endedAt: null,
      readUntil: null,
      request: null,
    };
    return reading;
  });

  /** Starts reading one filter from its position and returns the filter to send. */
  function begin(reading: Reading): Filter {
    endPages(reading);
    reading.isComplete = false;
    reading.reached = null;
    reading.pages = 0;
    reading.cuts = createCutDetector();
    reading.idsOfSecond.clear();
    reading.isHeld = false;
    reading.cutReason = null;
    reading.endedAt = null;
    reading.readUntil = null;
    const isFirst = reading.position.watermark === null && reading.position.readAt === null;
    const wanted = isFirst ? mostMatches(reading.filter) : Number.POSITIVE_INFINITY;
    const filter = filterToSend(reading.filter, reading.position, connection.pageSize(), options.overlap);
    reading.page = startPage(filter, wanted);
    return filter;
  }

  function endPages(reading: Reading): void {
    const { request } = reading;
    reading.request = null;
    if (request !== null) connection.remove(request);
  }

  function take(reading: Reading, event: NostrEvent): void {
    reading.reached = advanceWatermark(reading.reached, event.created_at, nowSeconds());
    if (reading.isComplete) commit(reading);
  }

  function countInPage(page: PageProgress, event: NostrEvent): void {
    page.received += 1;
    if (page.before.get(event.id) !== 'taken') page.fresh += 1;
    countPlace(page, event.id, event.created_at, 'taken');
  }

  /**
   * Counts a rejected event, which occupies a place in the relay's answer. Returns false for one of the
   * previous page.
   */
  function countRejected(page: PageProgress, value: unknown): boolean {
    page.received += 1;
    const parts = partsOfRejected(value, page.filter);
    if (parts === null) return true;
    countPlace(page, parts.id, parts.createdAt, 'rejected');
    return parts.id === null || page.before.get(parts.id) !== 'rejected';
  }

  function countPlace(page: PageProgress, id: string | null, createdAt: number, verdict: Verdict): void {
    if (id === null || !page.before.has(id)) page.hasNew = true;
    if (id === null || !page.ids.has(id)) page.dates.push(createdAt);
    // A forged copy says nothing about a genuine event of the same id.
    if (id !== null && page.ids.get(id) !== 'taken') page.ids.set(id, verdict);
  }

  function commit(reading: Reading): void {
    const { watermark } = reading.position;
    if (reading.isHeld) return;
    if (reading.reached === null || (watermark !== null && reading.reached <= watermark)) return;
    reading.position = { ...reading.position, watermark: reading.reached };
    positions.set(reading.key, reading.reached);
  }

  /**
   * Requests the next page, or ends the reading of one filter. `total` is the number of events before EOSE,
   * for all filters.
   */
  function endPage(reading: Reading, total: number): void {
    const { page } = reading;
    const wanted = page.wanted - page.fresh;
    const { oldest, atOldest } = endOfPage(page.dates, page.filter.limit);
    const received: ReceivedPage = {
      requested: page.filter.limit,
      received: page.received,
      total,
      oldest,
      since: page.filter.since,
      until: page.filter.until,
      wanted,
      provenSize: connection.provenPageSize(),
    };
    const next = nextPage(received);
    reading.cuts.add(received, next, page.hasNew);
    const second = page.filter.until;
    if (second !== undefined && reading.cuts.seconds.includes(second)) {
      const taken = [...page.ids].flatMap(([id, verdict]) => (verdict === 'taken' ? [id] : []));
      reading.idsOfSecond.set(second, taken);
    }
    connection.measurePage(page.received);
    reading.pages += Math.max(smallPage, page.received / Math.max(1, page.filter.limit));
    if (next.type === 'page' && reading.pages < options.maxPages) {
      askForPage(reading, next.until, wanted, next.until === oldest ? atOldest : 0);
      return;
    }
    if (wanted <= 0 && reading.filter.limit !== undefined) reading.readUntil = oldest;
    if (next.type === 'page') {
      reading.cutReason = `more than ${options.maxPages} pages`;
      reading.endedAt = next.until ?? null;
    } else if (reading.cuts.isCut(connection.announcedPageSize())) {
      const { seconds, isMoreCut } = reading.cuts;
      if (seconds.length === 0 || isMoreCut) reading.cutReason = crowdedReason;
      reading.isHeld = seconds.length > 0;
    }
    reading.isComplete = true;
    reading.position = { ...reading.position, readAt: nowSeconds() };
    commit(reading);
    finish();
  }

  /** @param repeated - Number of events of this page that the next one has again. */
  function askForPage(reading: Reading, until: number | undefined, wanted: number, repeated: number): void {
    const before = reading.page.ids;
    const limit = Math.min(connection.pageSize(), wanted + repeated);
    const filter = { ...reading.page.filter, ...(until === undefined ? {} : { until }), limit };
    const request: ConnectionRequest = {
      live: false,
      size: 1,
      chars: JSON.stringify(filter).length,
      filters() {
        reading.page = startPage(filter, wanted, before);
        return [filter];
      },
      matches: (event) => matchesFilter(filter, event),
      onEvent(event) {
        countInPage(reading.page, event);
        take(reading, event);
        const isRepeated = before.get(event.id) === 'taken';
        return !isEnded && !isRepeated && events.onEvent(event);
      },
      onRejected(reason, value) {
        const isNew = countRejected(reading.page, value);
        if (!isEnded && isNew) events.onRejected?.(reason, value);
      },
      onEose(total) {
        endPages(reading);
        if (!isEnded) endPage(reading, total);
      },
      // The main request is sent again too, and starts the reading over.
      onLost: () => endPages(reading),
      onClosed(reason) {
        reading.request = null;
        closed(reason);
      },
    };
    reading.request = request;
    connection.add(request);
  }

  function finish(): void {
    if (isEnded || !readings.every((reading) => reading.isComplete)) return;
    if (!live) end();
    events.onEose(readings.find(({ cutReason }) => cutReason !== null)?.cutReason ?? null);
  }

  function end(): void {
    isEnded = true;
    for (const reading of readings) endPages(reading);
    connection.remove(main);
  }

  function closed(reason: string): void {
    if (isEnded) return;
    end();
    events.onClosed(reason);
  }

  const main: ConnectionRequest = {
    live,
    size: options.filters.length,
    chars: JSON.stringify(options.filters).length,
    filters: () => readings.map(begin),
    matches: (event) => readings.some((reading) => matchesFilter(reading.filter, event)),
    onEvent(event) {
      if (isEnded) return false;
      for (const reading of readings) {
        if (!matchesFilter(reading.filter, event)) continue;
        if (!reading.isComplete && reading.request === null) countInPage(reading.page, event);
        take(reading, event);
      }
      return events.onEvent(event);
    },
    onRejected(reason, value) {
      for (const reading of readings) {
        const isReadingFirstPage = !reading.isComplete && reading.request === null;
        if (isReadingFirstPage && mayBelongTo(value, reading.filter)) countRejected(reading.page, value);
      }
      if (!isEnded) events.onRejected?.(reason, value);
    },
    onEose(total) {
      for (const reading of readings)
        if (!isEnded && !reading.isComplete && reading.request === null) endPage(reading, total);
    },
    onLost() {},
    onUnreachable: () => events.onUnreachable(),
    onClosed: closed,
  };

  connection.add(main);
  return {
    close() {
      if (!isEnded) end();
    },
    get resumeUntil() {
      const places = readings.flatMap(({ endedAt, isComplete, page }) =>
        isComplete ? (endedAt ?? []) : (page.filter.until ?? Number.POSITIVE_INFINITY),
      );
      // Of several filters, the newest place: from there on, all of them are read.
      const place = Math.max(...places, Number.NEGATIVE_INFINITY);
      return Number.isFinite(place) ? place : null;
    },
    get readUntil() {
      return newestOf(readings.map(({ readUntil }) => readUntil));
    },
    get crowded() {
      const announced = connection.announcedPageSize();
      return readings.flatMap(({ filter, cuts, idsOfSecond }) =>
        (cuts.isCut(announced) ? cuts.seconds : []).map((second) => ({
          ...{ filter, second },
          read: idsOfSecond.get(second) ?? [],
        })),
      );
    },
    settle() {
      for (const reading of readings) {
        if (!reading.isHeld) continue;
        reading.isHeld = false;
        commit(reading);
      }
    },
  };
}
