import { TransportError } from '../errors.ts';
import type { RejectionReason } from '../event/admission.ts';
import type { Filter, NostrEvent } from '../event/event.ts';
import { copyFilter, isSatisfiable, splitFilter } from '../event/filter.ts';
import type { Connection } from '../relay/relay-connection.ts';
import { maxRequestChars } from '../relay/request-table.ts';
import type { RelayReadResult } from '../transport.ts';
import { readCrowdedSeconds, type SmallReading } from './crowded-seconds.ts';
import {
  createReader,
  crowdedReason,
  type PositionStore,
  type Reader,
  type ReaderEvents,
} from './filter-reader.ts';
import { maxSeconds, newestOf } from './paging.ts';
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
export interface RelayReader extends Pick<Reader, 'close' | 'resumeUntil' | 'readUntil'> {
  /** Seconds of which events may be missing, since they hold more than a page; at most 16. */
  readonly cutSeconds: readonly number[];
  /** Events received so far: `received` counts all, `taken` those that were new to the caller. */
  readonly received: number;
  readonly taken: number;
}

/** The longest reading of crowded seconds, ms. */
const crowdedTimeoutMs = 60_000;

/**
 * Reads all groups from one relay, and crowded seconds by {@link readCrowdedSeconds}. Reports EOSE after the last group, and closes all groups if the relay
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
  events: ReaderEvents & {
    /** Called after each reading of a group that left something out, also after a lost connection. */
    readonly onCut?: (reason: string) => void;
  },
): RelayReader {
  const { live, maxPages, overlap = defaultOverlap, positions, clock } = options;
  let unread = options.groups.length;
  let cutReason: string | null = null;
  let received = 0;
  let taken = 0;
  const readers: Reader[] = [];
  const closing = new AbortController();
  const cutSeconds = new Map<Reader, readonly number[]>();
  const close = () => {
    closing.abort();
    for (const reader of readers) reader.close();
  };
  const count = {
    onEvent(event: NostrEvent) {
      received += 1;
      const isNew = events.onEvent(event);
      if (isNew) taken += 1;
      return isNew;
    },
    onRejected(reason: RejectionReason, value: unknown) {
      received += 1;
      events.onRejected?.(reason, value);
    },
  };

  /** Requests one page of a filter. */
  function readPage(filter: Filter, signal: AbortSignal): Promise<SmallReading | null> {
    return new Promise((resolve) => {
      const ids = new Set<string>();
      const end = (result: SmallReading | null) => {
        signal.removeEventListener('abort', abort);
        small.close();
        resolve(result);
      };
      const abort = () => end(null);
      const small = createReader(connection, {
        ...{ filters: [Object.freeze(filter)], live: false, maxPages, overlap, clock },
        positions: { get: () => null, set() {} },
        events: {
          onEvent(event) {
            ids.add(event.id);
            return count.onEvent(event);
          },
          onRejected(reason, value) {
            // A rejected event was sent, too.
            ids.add(String((value as Partial<NostrEvent> | null)?.id));
            count.onRejected(reason, value);
          },
          onUnreachable() {},
          onEose: (cut) => end({ ids, isCrowded: cut !== null || small.crowded.length > 0 }),
          onClosed: () => end(null),
        },
      });
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
    });
  }
  for (const filters of options.groups) {
    let isTold = false;
    let round = new AbortController();
    const tell = (cut: string | null) => {
      if (cut !== null) events.onCut?.(cut);
      if (isTold) return;
      isTold = true;
      unread -= 1;
      cutReason ??= cut;
      if (unread === 0) events.onEose(cutReason);
    };
    const readCrowded = async (cut: string | null) => {
      // After a lost connection all is read again, so that an earlier round is over.
      round.abort();
      round = new AbortController();
      const over = AbortSignal.any([closing.signal, round.signal]);
      const signal = AbortSignal.any([over, AbortSignal.timeout(crowdedTimeoutMs)]);
      const { crowded } = reader;
      const read = (filter: Filter) => readPage(filter, signal);
      const left = await readCrowdedSeconds(connection, crowded, read, signal);
      if (over.aborted) return;
      cutSeconds.set(reader, left);
      reader.settle();
      tell(cut ?? (left.length === 0 ? null : crowdedReason));
    };
    const reader: Reader = createReader(connection, {
      filters,
      live,
      maxPages,
      overlap,
      positions,
      clock,
      events: {
        ...count,
        onUnreachable: events.onUnreachable,
        onEose(cut) {
          cutSeconds.delete(reader);
          if (reader.crowded.length === 0) tell(cut);
          else void readCrowded(cut);
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
      return [...new Set([...cutSeconds.values()].flat())].slice(0, maxSeconds);
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
