import type { Filter } from '../event/event.ts';

/** How far ahead of our clock an event may be dated and still count as now, in seconds. */
export const maxFutureSeconds = 15 * 60;
/** How much is read again after a gap, in seconds: clocks of strangers differ, and two events may share a second. */
export const overlapSeconds = 60;
/** Gift wraps are dated back by up to two days (NIP-59), so that much more is read again where they may occur. */
export const giftWrapOverlapSeconds = 2 * 24 * 60 * 60 + overlapSeconds;

const giftWrap = 1059;

/** How much to read again when `filter` resumes, in seconds. */
export function overlapFor(filter: Pick<Filter, 'kinds'>): number {
  const mayBeWrapped = filter.kinds === undefined || filter.kinds.includes(giftWrap);
  return mayBeWrapped ? giftWrapOverlapSeconds : overlapSeconds;
}

/**
 * Moves a watermark for one **verified** event. All times in seconds. Never backwards, never beyond
 * `now`, and not at all for an event dated more than {@link maxFutureSeconds} ahead: one such event would
 * otherwise blind the subscription until its date.
 */
export function advanceWatermark(mark: number | null, createdAt: number, now: number): number | null {
  if (createdAt > now + maxFutureSeconds) return mark;
  const reached = Math.min(createdAt, now);
  return mark === null || reached > mark ? reached : mark;
}

/** Where one filter stands at one relay. Times in seconds. */
export interface ReadPosition {
  /** Everything up to here was read and verified; null when nothing was. */
  readonly watermark: number | null;
  /** When the stored events had all been read once; null before that. Bounds what a filter with a `limit` asks for later. */
  readonly readAt: number | null;
}

/**
 * What to send a relay for `filter`: the caller's filter the first time, and after that only what is new
 * since `position`, with the overlap and **without** the caller's `limit`, which was for the first look (`limit: 0`
 * would otherwise lose everything that happened during a gap). `pageSize` is the most a relay
 * returns at once.
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

/** From when on to read, in seconds; undefined when the filter has yet to be read for the first time. */
export function resumeSince(filter: Filter, position: ReadPosition): number | undefined {
  // Without a limit, a filter that never gave anything is simply read again from the start.
  const from = position.watermark ?? (filter.limit === undefined ? null : position.readAt);
  if (from === null) return undefined;
  return Math.max(filter.since ?? 0, from - overlapFor(filter));
}
