import type { Filter } from '../event/event.ts';

/** The largest tolerated difference between the date of an event and our clock, in seconds. */
export const maxFutureSeconds = 15 * 60;
/**
 * The default overlap in seconds: events up to this much older than the watermark are read again after a gap,
 * because clocks differ and events can share a second.
 */
export const overlapSeconds = 60;
/**
 * The overlap for filters that can match gift wraps, in seconds: NIP-59 dates them back by up to two days.
 */
export const giftWrapOverlapSeconds = 2 * 24 * 60 * 60 + overlapSeconds;

const giftWrap = 1059;

/** Returns the overlap for `filter`, in seconds. */
export function overlapFor(filter: Pick<Filter, 'kinds'>): number {
  const mayBeWrapped = filter.kinds === undefined || filter.kinds.includes(giftWrap);
  return mayBeWrapped ? giftWrapOverlapSeconds : overlapSeconds;
}

/**
 * Returns the watermark after one **verified** event. All times in seconds. It never decreases, never exceeds
 * `now`, and ignores events dated more than {@link maxFutureSeconds} ahead: such an event would hide
 * everything until its date.
 */
export function advanceWatermark(mark: number | null, createdAt: number, now: number): number | null {
  if (createdAt > now + maxFutureSeconds) return mark;
  const reached = Math.min(createdAt, now);
  return mark === null || reached > mark ? reached : mark;
}

/** The reading position of one filter at one relay. Times in seconds. */
export interface ReadPosition {
  /** Events up to this time were read and verified; null if none were. */
  readonly watermark: number | null;
  /**
   * The time when the stored events were first read to the end; null before that. Used as start for a filter
   * with a `limit`.
   */
  readonly readAt: number | null;
}

/**
 * Returns the filter to send: the caller's filter the first time, later only what is new since `position`,
 * with the overlap and **without** the caller's `limit`, which applies to the first read only (`limit: 0`
 * would lose everything that happened during a gap). `pageSize` is the most a relay returns at once.
 */
export function filterToSend(
  filter: Filter,
  position: ReadPosition,
  pageSize: number,
): Filter & { readonly limit: number } {
  const from = resumeSince(filter, position);
  if (from === undefined) return { ...filter, limit: Math.min(filter.limit ?? pageSize, pageSize) };
  return { ...filter, since: from, limit: pageSize };
}

/** Returns the time from which to read, in seconds; undefined for the first read. */
export function resumeSince(filter: Filter, position: ReadPosition): number | undefined {
  // Without a limit, a filter that never gave anything is simply read again from the start.
  const from = position.watermark ?? (filter.limit === undefined ? null : position.readAt);
  if (from === null) return undefined;
  return Math.max(filter.since ?? 0, from - overlapFor(filter));
}
