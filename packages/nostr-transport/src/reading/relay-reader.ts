import { TransportError } from '../errors.ts';
import type { Filter } from '../event/event.ts';
import { copyFilter, isSatisfiable, splitFilter } from '../event/filter.ts';
import type { Connection } from '../relay/relay-connection.ts';
import { createReader, type PositionStore, type Reader, type ReaderEvents } from './filter-reader.ts';

/** What a caller asked for, made ready to be sent. */
export interface ReadingPlan {
  /** The caller's filters, copied. */
  readonly filters: readonly Filter[];
  /** The same in pieces that each fit in one REQ; empty when nothing can match. */
  readonly groups: readonly (readonly Filter[])[];
}

/** A REQ with many filters stays below what the strictest relays take in one message, in characters. */
const maxRequestChars = 32_768;

/**
 * Copies and checks the filters, leaves out those that nothing can match, and cuts the rest into pieces.
 *
 * @throws TransportError `FILTER_INVALID`
 */
export function planReading(filters: readonly Filter[], maxFilters: number): ReadingPlan {
  if (filters.length === 0) throw new TransportError('FILTER_INVALID', 'At least one filter is needed.');
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
  /** Events that came so far: all of them, and those that were new to the caller. */
  readonly received: number;
  readonly taken: number;
}

/** Reads all pieces from one relay and answers for them as one: EOSE when all have been read, closed when one is. */
export function readRelay(
  connection: Connection,
  options: {
    readonly groups: ReadingPlan['groups'];
    readonly live: boolean;
    readonly maxPages: number;
    readonly positions: PositionStore;
    readonly clock: () => number;
  },
  events: ReaderEvents,
): RelayReader {
  const { live, maxPages, positions, clock } = options;
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
    get received() {
      return received;
    },
    get taken() {
      return taken;
    },
  };
}
