import type { RejectionReason } from '../event/admission.ts';
import type { Filter, NostrEvent } from '../event/event.ts';
import { filterKey, matchesFilter } from '../event/filter.ts';
import type { Connection, ConnectionRequest } from '../relay/relay-connection.ts';
import { advanceWatermark, filterToSend, nextPage, type ReadPosition } from './watermark.ts';

/** What a reader tells. */
export interface ReaderEvents {
  /** A verified event; false when it was told before. */
  onEvent(event: NostrEvent): boolean;
  /** Something was sent as an event and did not pass. */
  onRejected?(reason: RejectionReason, value: unknown): void;
  /** Everything stored has been read, all pages of it. Once. */
  onEose(): void;
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
  pages: number;
  /** What asks for the pages after the first. */
  request: ConnectionRequest | null;
}

interface PageProgress {
  readonly filter: Filter & { readonly limit: number };
  /** How many the caller wants of this page and all that follow; infinite without a limit. */
  readonly wanted: number;
  /** The events of the page before: the second where two pages meet is in both. */
  readonly before: ReadonlySet<string>;
  readonly ids: Set<string>;
  received: number;
  fresh: number;
  oldest: number | null;
}

function startPage(
  filter: Filter & { readonly limit: number },
  wanted: number,
  before: ReadonlySet<string> = new Set(),
): PageProgress {
  return { filter, wanted, before, ids: new Set(), received: 0, fresh: 0, oldest: null };
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
    readonly onPagesCut: (filter: Filter) => void;
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
    const isFirst = reading.position.watermark === null && reading.position.readAt === null;
    const wanted = isFirst ? (reading.filter.limit ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
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
    page.ids.add(event.id);
    if (!page.before.has(event.id)) page.fresh += 1;
    page.oldest = page.oldest === null ? event.created_at : Math.min(page.oldest, event.created_at);
  }

  function commit(reading: Reading): void {
    const { watermark } = reading.position;
    if (reading.reached === null || (watermark !== null && reading.reached <= watermark)) return;
    reading.position = { ...reading.position, watermark: reading.reached };
    positions.set(reading.key, reading.reached);
  }

  /** One page has ended: the next one, or done. */
  function turn(reading: Reading): void {
    const { page } = reading;
    const wanted = page.wanted - page.fresh;
    const next = nextPage({
      requested: page.filter.limit,
      received: page.received,
      oldest: page.oldest,
      until: page.filter.until,
      wanted,
      provenSize: connection.provenPageSize(),
    });
    connection.measurePage(page.received);
    reading.pages += 1;
    if (next !== null && reading.pages < options.maxPages) {
      askForPage(reading, next.until, wanted);
      return;
    }
    if (next !== null) options.onPagesCut(reading.filter);
    reading.isComplete = true;
    reading.position = { ...reading.position, readAt: nowSeconds() };
    commit(reading);
    finish();
  }

  function askForPage(reading: Reading, until: number, wanted: number): void {
    const before = reading.page.ids;
    const filter = { ...reading.page.filter, until, limit: Math.min(connection.pageSize(), wanted) };
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
        return !isEnded && events.onEvent(event);
      },
      onRejected(reason, value) {
        reading.page.received += 1;
        if (!isEnded) events.onRejected?.(reason, value);
      },
      onEose() {
        endPages(reading);
        if (!isEnded) turn(reading);
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
    events.onEose();
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
        if (!reading.isComplete && reading.request === null) reading.page.received += 1;
      }
      if (!isEnded) events.onRejected?.(reason, value);
    },
    onEose() {
      for (const reading of readings)
        if (!isEnded && !reading.isComplete && reading.request === null) turn(reading);
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
