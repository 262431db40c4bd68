import type { Filter } from '../event/event.ts';
import { isHex64 } from '../event/event-check.ts';

/** One page of stored events as a relay sent it. Times in seconds. */
export interface ReceivedPage {
  /** The `limit` that was sent. */
  readonly requested: number;
  /**
   * Events before EOSE that belong to this filter, rejected ones included: they occupy places in the relay's
   * answer.
   */
  readonly received: number;
  /** All events before EOSE, including those of other filters of the same REQ. */
  readonly total: number;
  /** The oldest `created_at` of the received events, rejected ones included; null if none is readable. */
  readonly oldest: number | null;
  readonly since: number | undefined;
  /** The `until` that was sent; undefined for the first page. */
  readonly until: number | undefined;
  /** The number of events the caller still wants; infinite without a `limit`. */
  readonly wanted: number;
  /** The largest number of events that this relay has sent for one filter before an EOSE. */
  readonly provenSize: number;
}

/** The page to request after another. */
export type NextPage =
  /** No older events are left. */
  | { readonly type: 'end' }
  /** Older events may be left, and cannot be requested. */
  | { readonly type: 'lost' }
  | {
      readonly type: 'page';
      readonly until: number | undefined;
      /**
       * True if all events of the page lie in the second `until`, which may hold more of them than a page.
       */
      readonly skipsSecond: boolean;
    };

/**
 * Decides which page to request next. Relays cut answers silently and at any number, so a page is the last
 * one only if it is empty or smaller than a page which this relay has sent before. `until` is inclusive, so
 * that events of the same second are not lost between two pages. If all events of a page lie within one
 * second, the next page starts at the second before.
 */
export function nextPage(page: ReceivedPage): NextPage {
  const { requested, received, total, oldest, since, until, wanted, provenSize } = page;
  if (wanted <= 0 || total === 0) return { type: 'end' };
  const isFull = received >= Math.min(requested, provenSize);
  // With other filters in the same REQ, the relay may have cut this one because of them: it is asked for alone.
  const isCrowdedOut = total > received && total >= provenSize;
  if (!isFull && !isCrowdedOut) return { type: 'end' };
  if (received === 0) return { type: 'page', until, skipsSecond: false };
  if (oldest === null) return isCrowdedOut ? { type: 'page', until, skipsSecond: false } : { type: 'lost' };
  const skipsSecond = until !== undefined && oldest >= until;
  const next = skipsSecond ? oldest - 1 : oldest;
  if (next < (since ?? 0)) return skipsSecond && received >= requested ? { type: 'lost' } : { type: 'end' };
  return { type: 'page', until: next, skipsSecond };
}

/**
 * Returns the second of the oldest stored event of a page, and the number of events in it; null for a page without dates.
 *
 * A relay may send new events among the stored ones, and new events may have any date. One from long ago must not make the next page
 * skip everything between. Of a page with a few events more than were asked for, at least one of the oldest few and one more is a
 * stored event, so that a page which continues from there leaves out nothing. A relay that sends many more ignores the limit.
 *
 * @param dates - Seconds, one of each event of the page.
 */
export function endOfPage(
  dates: readonly number[],
  limit: number,
): { readonly oldest: number | null; readonly atOldest: number } {
  const sorted = [...dates].sort((a, b) => a - b);
  const tooMany = Math.max(0, dates.length - limit);
  const oldest = sorted[tooMany <= limit / 2 ? tooMany : 0] ?? null;
  return { oldest, atOldest: dates.filter((date) => date === oldest).length };
}

/** Returns the newest of some seconds; null if there is none. */
export function newestOf(seconds: readonly (number | null)[]): number | null {
  return seconds.reduce(
    (newest, each) => (newest === null || (each !== null && each > newest) ? each : newest),
    null,
  );
}

/**
 * The number of events in one second from which on a cut is suspected if the page size of the relay is
 * unknown.
 */
const suspiciousSize = 5;

/** Collects evidence on whether a relay left out events of a second that fills a page. */
export interface CutDetector {
  /**
   * Adds one page and the decision made after it.
   *
   * @param hasNew - True if the page had events that the previous page did not have.
   */
  add(page: ReceivedPage, next: NextPage, hasNew: boolean): void;
  /**
   * Returns true if events may be missing.
   *
   * @param announced - The relay's own `max_limit` (NIP-11); null when unknown.
   */
  isCut(announced: number | null): boolean;
  /** The seconds that fill a page, newest first, at most 16. */
  readonly seconds: readonly number[];
  /** True if events may be missing beside those of `seconds`: of more seconds, or behind a page without a date. */
  readonly isMoreCut: boolean;
}

/** Number of seconds of a reading that are told, and read by other ways than pages. */
export const maxSeconds = 16;

/**
 * Creates a detector for one filter at one relay. A second that fills a page counts as cut if the page had all events that
 * were asked for, or if the relay was seen to cut pages of that size: it sent fewer events than requested and had older ones.
 * Without such evidence the relay's NIP-11 document decides, and without a document the answer is yes.
 */
export function createCutDetector(): CutDetector {
  let isLost = false;
  let isMoreCut = false;
  /** The largest page within one second that may have been cut. */
  let suspect: { readonly received: number; readonly requested: number } | null = null;
  /** The smallest page that turned out to be cut. */
  let cutSize = Number.POSITIVE_INFINITY;
  let shortPage: number | null = null;
  const seconds: number[] = [];

  return {
    seconds,
    get isMoreCut() {
      return isMoreCut;
    },
    add(page, next, hasNew) {
      const { received, requested, until, oldest, wanted, provenSize } = page;
      if (shortPage !== null && hasNew) cutSize = Math.min(cutSize, shortPage);
      shortPage = received > 0 && received < requested ? received : null;
      const isWithinSecond = until !== undefined && oldest !== null && oldest >= until;
      if (next.type === 'lost') {
        isLost = true;
        isMoreCut ||= !isWithinSecond;
      }
      if (!isWithinSecond || wanted <= 0 || received < Math.min(requested, provenSize)) return;
      if (!seconds.includes(until)) {
        if (seconds.length < maxSeconds) seconds.push(until);
        else isMoreCut = true;
      }
      if (received >= requested) isLost = true;
      else if (suspect === null || received > suspect.received) suspect = { received, requested };
    },
    isCut(announced) {
      if (isLost) return true;
      if (suspect === null) return false;
      if (suspect.received >= cutSize) return true;
      return suspect.received >= suspiciousSize && (announced === null || announced < suspect.requested);
    },
  };
}

/** Returns an upper bound of the number of events that can match `filter`. */
export function mostMatches(filter: Filter): number {
  const { ids, authors, kinds, limit = Number.POSITIVE_INFINITY } = filter;
  if (ids !== undefined) return Math.min(limit, ids.length);
  const [kind] = kinds ?? [];
  const isOneReplaceable =
    authors?.length === 1 && kinds?.length === 1 && kind !== undefined && isReplaceable(kind);
  return isOneReplaceable ? Math.min(limit, 1) : limit;
}

/** Returns true for replaceable kinds: a relay keeps one event per author (NIP-01). */
function isReplaceable(kind: number): boolean {
  return kind === 0 || kind === 3 || (kind >= 10_000 && kind < 20_000);
}

/** The fields of a rejected event that paging uses. */
export interface RejectedParts {
  /** Seconds since epoch. */
  readonly createdAt: number;
  /** Null when the id is malformed. */
  readonly id: string | null;
}

/**
 * Reads the date and id of a rejected event; null if the date is missing or outside the window of `filter`.
 * Used for paging only: a rejected event occupies a place in the relay's answer.
 */
export function partsOfRejected(value: unknown, filter: Filter): RejectedParts | null {
  if (typeof value !== 'object' || value === null) return null;
  const { created_at: createdAt, id } = value as Readonly<Record<string, unknown>>;
  if (!Number.isSafeInteger(createdAt) || (createdAt as number) < 0) return null;
  const seconds = createdAt as number;
  if (seconds < (filter.since ?? 0) || seconds > (filter.until ?? Number.POSITIVE_INFINITY)) return null;
  return { createdAt: seconds, id: isHex64(id) ? id : null };
}

/**
 * Returns true if the fields of a rejected event match `filter`. Assigns an event to one of several filters
 * of a REQ.
 */
export function mayBelongTo(value: unknown, filter: Filter): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, pubkey, id, tags } = value as Readonly<Record<string, unknown>>;
  if (filter.kinds !== undefined && !filter.kinds.includes(kind as number)) return false;
  if (filter.authors !== undefined && !filter.authors.includes(pubkey as string)) return false;
  if (filter.ids !== undefined && !filter.ids.includes(id as string)) return false;
  return Object.entries(filter).every(
    ([key, wanted]) =>
      !key.startsWith('#') ||
      (Array.isArray(tags) &&
        tags.some(
          (tag) => Array.isArray(tag) && tag[0] === key.slice(1) && (wanted as unknown[]).includes(tag[1]),
        )),
  );
}
