import { TransportError } from '../errors.ts';
import type { Filter } from '../event/event.ts';
import { copyFilter, isSatisfiable, splitFilter } from '../event/filter.ts';
import type { Connection } from '../relay/relay-connection.ts';
import { maxRequestChars } from '../relay/request-table.ts';
import type { RelayReadResult } from '../transport.ts';
import { createReader, type PositionStore, type Reader, type ReaderEvents } from './filter-reader.ts';
import { newestOf } from './paging.ts';
import { defaultOverlap, type OverlapPolicy } from './watermark.ts';

/** The filters of a caller, validated and split for sending. */
export interface ReadingPlan {
  /** Copies of the caller's filters. */
  readonly filters: readonly Filter[];
  /** The satisfiable filters in groups that each fit in one REQ; empty if no event can match. */
  readonly groups: readonly (readonly Filter[])[];
}

/**
 * Copies and validates the filters, drops unsatisfiable ones and splits the rest into groups.
 *
 * @throws TransportError `INVALID_INPUT`
 */
export function planReading(filters: readonly Filter[], maxFilters: number): ReadingPlan {
  if (!Array.isArray(filters))
    throw new TransportError('INVALID_INPUT', 'Filters are a list: [{ kinds: [1] }].');
  if (filters.length === 0)
    throw new TransportError('INVALID_INPUT', 'The list of filters is empty. Pass at least one filter.');
  const copies = filters.map(copyFilter);
  const groups: Filter[][] = [];
  let chars = 0;
  for (const filter of copies.filter(isSatisfiable).flatMap((each) => splitFilter(each))) {
    const size = JSON.stringify(filter).length;
    const last = groups.at(-1);
    if (last === undefined || last.length >= maxFilters || chars + size > maxRequestChars) {
      groups.push([filter]);
      chars = size;
    } else {
      last.push(filter);
      chars += size;
    }
  }
  return { filters: copies, groups };
}

/** A {@link Reader} of all filters at one relay. */
export interface RelayReader extends Reader {
  /** Events received so far: `received` counts all, `taken` those that were new to the caller. */
  readonly received: number;
  readonly taken: number;
}

/**
 * Reads all groups from one relay. Reports EOSE after the last group, and closes all groups if the relay
 * closes one.
 */
export function readRelay(
  connection: Connection,
  options: {
    readonly groups: ReadingPlan['groups'];
    readonly live: boolean;
    readonly maxPages: number;
    readonly overlap?: OverlapPolicy;
    readonly positions: PositionStore;
    readonly clock: () => number;
  },
  events: ReaderEvents,
): RelayReader {
  const { live, maxPages, overlap = defaultOverlap, positions, clock } = options;
  let unread = options.groups.length;
  let cutReason: string | null = null;
  let received = 0;
  let taken = 0;
  const readers: Reader[] = [];
  const close = () => {
    for (const reader of readers) reader.close();
  };
  for (const filters of options.groups) {
    const reader = createReader(connection, {
      filters,
      live,
      maxPages,
      overlap,
      positions,
      clock,
      events: {
        onEvent(event) {
          received += 1;
          const isNew = events.onEvent(event);
          if (isNew) taken += 1;
          return isNew;
        },
        onRejected(reason, value) {
          received += 1;
          events.onRejected?.(reason, value);
        },
        onUnreachable: events.onUnreachable,
        onEose(cut) {
          unread -= 1;
          cutReason ??= cut;
          if (unread === 0) events.onEose(cutReason);
        },
        onClosed(reason) {
          close();
          events.onClosed(reason);
        },
      },
    });
    readers.push(reader);
  }
  return {
    close,
    get resumeUntil() {
      return newestOf(readers.map(({ resumeUntil }) => resumeUntil));
    },
    get readUntil() {
      return newestOf(readers.map(({ readUntil }) => readUntil));
    },
    get cutSeconds() {
      return [...new Set(readers.flatMap(({ cutSeconds }) => cutSeconds))];
    },
    get received() {
      return received;
    },
    get taken() {
      return taken;
    },
  };
}

/** Returns what a cut reading left unread, as far as it is known. */
export function placeOf(
  reader: RelayReader | null | undefined,
): Pick<RelayReadResult, 'resumeUntil' | 'cutSeconds'> {
  const { resumeUntil = null, cutSeconds = [] } = reader ?? {};
  return {
    ...(resumeUntil === null ? {} : { resumeUntil }),
    ...(cutSeconds.length === 0 ? {} : { cutSeconds }),
  };
}

/** Returns the second at which a `limit` ended a complete reading, if one did. */
export function limitOf(reader: RelayReader | null | undefined): Pick<RelayReadResult, 'readUntil'> {
  const readUntil = reader?.readUntil ?? null;
  return readUntil === null ? {} : { readUntil };
}
