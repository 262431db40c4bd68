import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Filter } from '../src/event/event.ts';
import { matchesFilter } from '../src/event/filter.ts';
import {
  advanceWatermark,
  filterToSend,
  maxFutureSeconds,
  overlapFor,
  resumeSince,
} from '../src/reading/watermark.ts';

const now = 1_800_000_000;
const time = fc.integer({ min: now - 10_000_000, max: now + 10_000_000 });

it('NET-1 a watermark never moves back, never beyond now, and not at all for an event from the future', () => {
  fc.assert(
    fc.property(fc.option(time.filter((at) => at <= now)), time, (mark, createdAt) => {
      const next = advanceWatermark(mark, createdAt, now);
      if (mark !== null) expect(next).toBeGreaterThanOrEqual(mark);
      if (next !== null) expect(next).toBeLessThanOrEqual(now);
      if (createdAt > now + maxFutureSeconds) expect(next).toBe(mark);
      else expect(next).toBeGreaterThanOrEqual(Math.min(createdAt, now));
    }),
  );
  expect(maxFutureSeconds).toBe(900);
});

it('NET-1 reads a minute again, and two days where gift wraps may be', () => {
  expect(overlapFor({ kinds: [1, 5000] })).toBe(60);
  expect(overlapFor({ kinds: [1, 1059] })).toBeGreaterThanOrEqual(2 * 24 * 3_600);
  expect(overlapFor({})).toBe(2 * 24 * 3_600 + 60);
  const policy = { defaultMs: 1_500, kinds: { 7: 300_000 } };
  expect(overlapFor({ kinds: [1] }, policy)).toBe(2);
  expect(overlapFor({ kinds: [1, 7] }, policy)).toBe(300);
  expect(overlapFor({}, policy)).toBe(300);
});

it('NET-1 loses nothing over a gap: what was stored after the watermark, dated back as far as is allowed, is asked for', () => {
  const kind = fc.constantFrom(1, 1059);
  fc.assert(
    fc.property(
      kind,
      fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1 }),
      fc.integer({ min: 0, max: 1_000_000 }),
      fc.nat(),
      (eventKind, ages, gap, shift) => {
        const filter: Filter = { kinds: [eventKind] };
        // Read until `now`; later something arrives, dated back by up to a minute, or two days for a wrap.
        const mark = ages.reduce<number | null>((at, age) => advanceWatermark(at, now - age, now), null);
        const back = shift % (eventKind === 1059 ? 2 * 24 * 3_600 + 1 : 61);
        const missed = { id: '', pubkey: '', tags: [], kind: eventKind, created_at: now + gap - back };
        const sent = filterToSend(filter, { watermark: mark, readAt: now }, 500);
        expect(matchesFilter(sent, missed)).toBe(true);
      },
    ),
  );
});

it("NET-1 keeps the caller's since and until, and drops a limit that was for the first look", () => {
  const filter: Filter = { kinds: [1], since: now - 1_000, until: now + 5, limit: 3 };
  expect(filterToSend(filter, { watermark: null, readAt: null }, 500)).toEqual({ ...filter, limit: 3 });
  expect(filterToSend(filter, { watermark: now - 10, readAt: now }, 500)).toEqual({
    ...filter,
    since: now - 70,
    limit: 500,
  });
  // The caller's since is later than the mark less the overlap.
  expect(filterToSend(filter, { watermark: now - 990, readAt: now }, 500).since).toBe(now - 1_000);
});

it('NET-1 a live-only subscription (limit 0) asks for what it missed, counted from when it began', () => {
  const live: Filter = { kinds: [1], limit: 0 };
  expect(filterToSend(live, { watermark: null, readAt: null }, 500).limit).toBe(0);
  expect(filterToSend(live, { watermark: null, readAt: now }, 500)).toEqual({
    kinds: [1],
    since: now - 60,
    limit: 500,
  });
  // Without a limit, nothing found means that everything is asked for again.
  expect(resumeSince({ kinds: [1] }, { watermark: null, readAt: now })).toBeUndefined();
});
