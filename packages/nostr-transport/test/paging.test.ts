import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  createCutDetector,
  mayBelongTo,
  mostMatches,
  nextPage,
  partsOfRejected,
  type ReceivedPage,
} from '../src/reading/paging.ts';

const page: ReceivedPage = {
  requested: 500,
  received: 500,
  total: 500,
  oldest: 1_000,
  since: undefined,
  until: undefined,
  wanted: Number.POSITIVE_INFINITY,
  provenSize: 5,
};
const until = (seconds: number | undefined, skipsSecond = false) => ({
  type: 'page',
  until: seconds,
  skipsSecond,
});
const end = { type: 'end' };

it('NET-5 asks for the next page unless the relay has shown that it sends larger pages', () => {
  expect(nextPage(page)).toEqual(until(1_000));
  expect(nextPage({ ...page, received: 5, total: 5 })).toEqual(until(1_000));
  expect(nextPage({ ...page, received: 5, total: 5, provenSize: 5 })).toEqual(until(1_000));
  expect(nextPage({ ...page, received: 5, total: 5, provenSize: 6 })).toEqual(end);
  expect(nextPage({ ...page, received: 0, total: 0, oldest: null })).toEqual(end);
  expect(nextPage({ ...page, wanted: 0 })).toEqual(end);
});

it('NET-5 goes on at the second before when a page lies within one second', () => {
  expect(nextPage({ ...page, until: 1_000 })).toEqual(until(999, true));
  expect(nextPage({ ...page, oldest: 0, until: 0 })).toEqual({ type: 'lost' });
  expect(nextPage({ ...page, received: 3, total: 3, oldest: 7, until: 7, since: 7 })).toEqual(end);
});

it('NET-5 asks for a filter alone when others of the same REQ may have crowded it out', () => {
  expect(nextPage({ ...page, received: 0, total: 5, oldest: null })).toEqual(until(undefined));
  expect(nextPage({ ...page, received: 2, total: 5, provenSize: 4 })).toEqual(until(1_000));
  expect(nextPage({ ...page, received: 2, total: 3, provenSize: 4 })).toEqual(end);
});

it('NET-5 cannot go on behind a page without a single date, and says so', () => {
  expect(nextPage({ ...page, oldest: null })).toEqual({ type: 'lost' });
});

it('NET-5 NET-6 reads every event at any silent cut, unless one second holds more than a page: then it says so', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ at: fc.integer({ min: 0, max: 400 }), isRejected: fc.boolean() }), {
        maxLength: 200,
      }),
      fc.integer({ min: 5, max: 60 }),
      (events, cut) => {
        const stored = events.map((event, index) => ({ ...event, index })).sort((a, b) => b.at - a.at);
        const perSecond = Map.groupBy(stored, ({ at }) => at);
        const isCrowded = [...perSecond.values()].some((same) => same.length > cut);
        const mustBeComplete = [...perSecond.values()].every((same) => same.length < Math.min(cut, 5));
        const found = new Set<number>();
        const cuts = createCutDetector();
        let before = new Set<number>();
        let until: number | undefined;
        let provenSize = 5;
        for (let pages = 0; ; pages += 1) {
          expect(pages).toBeLessThan(600);
          const got = stored.filter(({ at }) => until === undefined || at <= until).slice(0, cut);
          for (const { index } of got) found.add(index);
          const oldest = got.at(-1)?.at ?? null;
          const received = { ...page, received: got.length, total: got.length, oldest, until, provenSize };
          const next = nextPage(received);
          cuts.add(
            received,
            next,
            got.some(({ index }) => !before.has(index)),
          );
          before = new Set(got.map(({ index }) => index));
          provenSize = Math.max(provenSize, got.length);
          if (next.type !== 'page') break;
          until = next.until;
        }
        if (!isCrowded) expect(found.size).toBe(stored.length);
        if (found.size < stored.length) expect(cuts.isCut(null)).toBe(true);
        if (mustBeComplete) expect(cuts.isCut(null)).toBe(false);
      },
    ),
    { numRuns: 500 },
  );
});

it('NET-6 suspects a crowded second by evidence, then by what the relay announces', () => {
  const within = { ...page, received: 8, total: 8, until: 1_000, provenSize: 8 };
  const suspicious = () => {
    const cuts = createCutDetector();
    cuts.add(within, nextPage(within), false);
    return cuts;
  };
  expect(suspicious().isCut(null)).toBe(true);
  expect(suspicious().isCut(500)).toBe(false);
  expect(suspicious().isCut(400)).toBe(true);
  // The relay had older events although it sent less than was asked for: what it announces is untrue.
  const proven = suspicious();
  const older = { ...page, received: 1, total: 1, oldest: 900, until: 999 };
  proven.add(older, nextPage(older), true);
  expect(proven.isCut(500)).toBe(true);
  const full = createCutDetector();
  full.add({ ...page, until: 1_000 }, { type: 'page', until: 999, skipsSecond: true }, false);
  expect(full.isCut(500)).toBe(true);
});

it('NET-5 knows how many events a filter can match at most', () => {
  const id = '0'.repeat(64);
  expect(mostMatches({ kinds: [1] })).toBe(Number.POSITIVE_INFINITY);
  expect(mostMatches({ kinds: [1], limit: 7 })).toBe(7);
  expect(mostMatches({ ids: [id, '1'.repeat(64)], limit: 7 })).toBe(2);
  expect(mostMatches({ kinds: [10_002], authors: [id] })).toBe(1);
  expect(mostMatches({ kinds: [10_002], authors: [id, id] })).toBe(Number.POSITIVE_INFINITY);
  expect(mostMatches({ kinds: [31_990], authors: [id] })).toBe(Number.POSITIVE_INFINITY);
});

it('NET-5 reads the date of what was rejected, only where the filter can have asked for it', () => {
  const filter = { kinds: [1], since: 10, until: 20, '#t': ['x'] };
  expect(partsOfRejected({ created_at: 15, id: 'nonsense' }, filter)).toEqual({ createdAt: 15, id: null });
  for (const value of [null, 'text', {}, { created_at: 9 }, { created_at: 21 }, { created_at: 15.5 }]) {
    expect(partsOfRejected(value, filter)).toBeNull();
  }
  expect(mayBelongTo({ kind: 1, tags: [['t', 'x']] }, filter)).toBe(true);
  expect(mayBelongTo({ kind: 1, tags: [['t', 'y']] }, filter)).toBe(false);
  expect(mayBelongTo({ kind: 1, tags: 'nonsense' }, filter)).toBe(false);
  expect(mayBelongTo({ kind: 2, tags: [['t', 'x']] }, filter)).toBe(false);
});
