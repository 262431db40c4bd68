import type { Filter } from '../event/event.ts';

/** The largest tolerated difference between the date of an event and our clock, in seconds. */
export const maxFutureSeconds = 15 * 60;
const giftWrap = 1059;

/**
 * How much is read again after a gap: events that a relay accepted during the gap with a date before the watermark are found
 * only within the overlap. In ms.
 */
export interface OverlapPolicy {
  /** For kinds that are not listed. Default 60,000: clocks differ, and events can share a second. */
  readonly defaultMs: number;
  /** By kind. Default two days and a minute for gift wraps (1059), which NIP-59 dates back by up to two days. */
  readonly kinds: Readonly<Record<number, number>>;
}

export const defaultOverlap: OverlapPolicy = {
  defaultMs: 60_000,
  kinds: { [giftWrap]: 2 * 24 * 60 * 60 * 1000 + 60_000 },
};

/** Returns the overlap for `filter` in seconds: the largest of its kinds, or of all kinds if it names none. */
export function overlapFor(filter: Pick<Filter, 'kinds'>, policy: OverlapPolicy = defaultOverlap): number {
  const { defaultMs, kinds } = policy;
  const candidates =
    filter.kinds === undefined
      ? [defaultMs, ...Object.values(kinds)]
      : filter.kinds.map((kind) => kinds[kind] ?? defaultMs);
  return Math.ceil(Math.max(0, ...candidates) / 1000);
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
  overlap: OverlapPolicy = defaultOverlap,
): Filter & { readonly limit: number } {
  const from = resumeSince(filter, position, overlap);
  if (from === undefined) return { ...filter, limit: Math.min(filter.limit ?? pageSize, pageSize) };
  return { ...filter, since: from, limit: pageSize };
}

/** Returns the time from which to read, in seconds; undefined for the first read. */
export function resumeSince(
  filter: Filter,
  position: ReadPosition,
  overlap: OverlapPolicy = defaultOverlap,
): number | undefined {
  // Without a limit, a filter that never gave anything is simply read again from the start.
  const from = position.watermark ?? (filter.limit === undefined ? null : position.readAt);
  if (from === null) return undefined;
  return Math.max(filter.since ?? 0, from - overlapFor(filter, overlap));
}
