import type { RejectionReason } from '../event/admission.ts';
import type { Filter, NostrEvent } from '../event/event.ts';
import { filterKey, matchesFilter } from '../event/filter.ts';
import type { Connection, ConnectionRequest } from '../relay/relay-connection.ts';
import {
  type CutDetector,
  createCutDetector,
  mayBelongTo,
  mostMatches,
  nextPage,
  partsOfRejected,
  type ReceivedPage,
} from './paging.ts';
import { advanceWatermark, filterToSend, type ReadPosition } from './watermark.ts';

/** What a reader tells. */
export interface ReaderEvents {
  /** A verified event; false when it was told before. */
  onEvent(event: NostrEvent): boolean;
  /** Something was sent as an event and did not pass. */
  onRejected?(reason: RejectionReason, value: unknown): void;
  /** Called once, after the last page of stored events. `cut` says why events may be missing; null when none are. */
  onEose(cut: string | null): void;
  /** An attempt to reach the relay failed; it goes on trying. */
  onUnreachable(): void;
  /** For good. */
  onClosed(reason: string): void;
}

/** Where positions are kept between connections and runs; `null` means never read. */
export interface PositionStore {
  get(key: string): number | null;
  /** Called when a watermark moved. */
  set(key: string, seconds: number): void;
}

/** Reads a few filters from one relay: what is stored, page by page, then what comes. */
export interface Reader {
  close(): void;
}

/** Where one filter stands in this reading. */
interface Reading {
  readonly filter: Filter;
  readonly key: string;
  position: ReadPosition;
  /** As high as the verified events of this reading go; becomes the watermark once all of it is read. */
  reached: number | null;
  /** Whether everything stored has been read on this connection. */
  isComplete: boolean;
  page: PageProgress;
  /** Full pages that were read; a small one counts as a tenth. */
  pages: number;
  cuts: CutDetector;
  /** Why older events were left unread; null when none were. */
  cutReason: string | null;
  /** What asks for the pages after the first. */
  request: ConnectionRequest | null;
}

type Verdict = 'taken' | 'rejected';

interface PageProgress {
  readonly filter: Filter & { readonly limit: number };
  /** How many the caller wants of this page and all that follow; infinite without a limit. */
  readonly wanted: number;
  /** The events of the page before: the second where two pages meet is in both. */
  readonly before: ReadonlyMap<string, Verdict>;
  readonly ids: Map<string, Verdict>;
  received: number;
  /** Whether there was anything that the page before did not have. */
  hasNew: boolean;
  /** Verified events that the page before did not have. */
  fresh: number;
  oldest: number | null;
}

/** How much of a page a small one counts for, so that a relay with small pages can be read to the end. */
const smallPage = 0.1;

function startPage(
  filter: Filter & { readonly limit: number },
  wanted: number,
  before: ReadonlyMap<string, Verdict> = new Map(),
): PageProgress {
  return { filter, wanted, before, ids: new Map(), received: 0, hasNew: false, fresh: 0, oldest: null };
}

/**
 * @param options.filters at most as many as fit in one REQ; frozen copies that nobody else changes
 * @param options.live goes on after the stored events
 */
export function createReader(
  connection: Connection,
  options: {
    readonly filters: readonly Filter[];
    readonly live: boolean;
    /** A relay that returns pages without end is not followed for ever. */
    readonly maxPages: number;
    readonly positions: PositionStore;
    readonly clock: () => number;
    readonly events: ReaderEvents;
  },
): Reader {
  const { live, positions, events } = options;
  const nowSeconds = () => Math.floor(options.clock() / 1000);
  let isEnded = false;
  let toldEose = false;

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
      cutReason: null,
      request: null,
    };
    return reading;
  });

  /** Starts the reading of one filter from its position, and gives what to ask for. */
  function begin(reading: Reading): Filter {
    endPages(reading);
    reading.isComplete = false;
    reading.reached = null;
    reading.pages = 0;
    reading.cuts = createCutDetector();
    reading.cutReason = null;
    const isFirst = reading.position.watermark === null && reading.position.readAt === null;
    const wanted = isFirst ? mostMatches(reading.filter) : Number.POSITIVE_INFINITY;
    const filter = filterToSend(reading.filter, reading.position, connection.pageSize());
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
   * A rejected event counts too: it occupies a place in the relay's answer. Returns false for one that the page before had.
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
    // A forged copy says nothing about a genuine event of the same id.
    if (id !== null && page.ids.get(id) !== 'taken') page.ids.set(id, verdict);
    page.oldest = page.oldest === null ? createdAt : Math.min(page.oldest, createdAt);
  }

  function commit(reading: Reading): void {
    const { watermark } = reading.position;
    if (reading.reached === null || (watermark !== null && reading.reached <= watermark)) return;
    reading.position = { ...reading.position, watermark: reading.reached };
    positions.set(reading.key, reading.reached);
  }

  /** Asks for the next page, or ends the reading of one filter. `total` counts all that came before EOSE. */
  function endPage(reading: Reading, total: number): void {
    const { page } = reading;
    const wanted = page.wanted - page.fresh;
    const received: ReceivedPage = {
      requested: page.filter.limit,
      received: page.received,
      total,
      oldest: page.oldest,
      since: page.filter.since,
      until: page.filter.until,
      wanted,
      provenSize: connection.provenPageSize(),
    };
    const next = nextPage(received);
    reading.cuts.add(received, next, page.hasNew);
    connection.measurePage(page.received);
    reading.pages += Math.max(smallPage, page.received / Math.max(1, page.filter.limit));
    if (next.type === 'page' && reading.pages < options.maxPages) {
      askForPage(reading, next.until, wanted);
      return;
    }
    if (next.type === 'page') reading.cutReason = `more than ${options.maxPages} pages`;
    else if (reading.cuts.isCut(connection.announcedPageSize()))
      reading.cutReason = 'one second holds more than a page';
    reading.isComplete = true;
    reading.position = { ...reading.position, readAt: nowSeconds() };
    commit(reading);
    finish();
  }

  function askForPage(reading: Reading, until: number | undefined, wanted: number): void {
    const before = reading.page.ids;
    const limit = Math.min(connection.pageSize(), wanted);
    const filter = { ...reading.page.filter, ...(until === undefined ? {} : { until }), limit };
    const request: ConnectionRequest = {
      live: false,
      size: 1,
      filters() {
        reading.page = startPage(filter, wanted, before);
        return [filter];
      },
      wants: (event) => matchesFilter(filter, event),
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
    if (toldEose) return;
    toldEose = true;
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
    filters: () => readings.map(begin),
    wants: (event) => readings.some((reading) => matchesFilter(reading.filter, event)),
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
  };
}
