import fc from 'fast-check';
import { matchFilter } from 'nostr-tools/filter';
import { expect, it } from 'vitest';
import type { Filter, NostrEvent } from '../src/event/event.ts';
import {
  copyFilter,
  filterKey,
  isSatisfiable,
  matchesFilter,
  newestFirst,
  splitFilter,
} from '../src/event/filter.ts';

const hex = fc.constantFrom('a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64));
const word = fc.constantFrom('x', 'y', 'z');
const anyFilter = fc.record(
  {
    ids: fc.uniqueArray(hex),
    authors: fc.uniqueArray(hex),
    kinds: fc.uniqueArray(fc.integer({ min: 0, max: 3 })),
    // From 1 on: the one we compare with takes 0 for 'not given'.
    since: fc.integer({ min: 1, max: 20 }),
    until: fc.integer({ min: 1, max: 20 }),
    '#e': fc.uniqueArray(word),
    '#p': fc.uniqueArray(word),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Filter>;
const anyEvent: fc.Arbitrary<NostrEvent> = fc.record({
  id: hex,
  pubkey: hex,
  kind: fc.integer({ min: 0, max: 3 }),
  created_at: fc.integer({ min: 0, max: 20 }),
  tags: fc.array(fc.tuple(fc.constantFrom('e', 'p', 'q'), word)),
  content: fc.constant(''),
  sig: fc.constant('0'.repeat(128)),
});

it('NET-1 matches as nostr-tools does', () => {
  fc.assert(
    fc.property(anyFilter, anyEvent, (filter, event) => {
      expect(matchesFilter(filter, event)).toBe(matchFilter(filter as never, event as never));
    }),
    { numRuns: 2_000 },
  );
});

it('NET-1 a tag without a value matches no wanted value', () => {
  const event = { id: '', pubkey: '', kind: 1, created_at: 1, tags: [['e']] };
  expect(matchesFilter({ '#e': ['undefined', ''] }, event)).toBe(false);
});

it('NET-1 the parts of a split filter match what the whole matches', () => {
  fc.assert(
    fc.property(anyFilter, anyEvent, fc.integer({ min: 1, max: 3 }), (filter, event, most) => {
      const parts = splitFilter(filter, most);
      expect(parts.some((part) => matchesFilter(part, event))).toBe(matchesFilter(filter, event));
      for (const list of parts.flatMap((part) => Object.values(part))) {
        if (Array.isArray(list)) expect(list.length).toBeLessThanOrEqual(most);
      }
    }),
  );
});

it('NET-1 a filter that is called unsatisfiable matches nothing', () => {
  fc.assert(
    fc.property(anyFilter, anyEvent, (filter, event) => {
      if (!isSatisfiable(filter)) expect(matchesFilter(filter, event)).toBe(false);
    }),
  );
});

it('NET-1 copies deeply, freezes, and shares nothing with the caller', () => {
  const kinds = [1, 1, 2];
  const given = { kinds, '#e': ['x'], limit: undefined } as unknown as Filter;
  const copy = copyFilter(given);
  kinds.push(3);
  expect(copy).toEqual({ kinds: [1, 2], '#e': ['x'] });
  expect(Object.isFrozen(copy) && Object.isFrozen(copy.kinds)).toBe(true);
});

it.each([
  { ids: ['abc'] },
  { authors: ['A'.repeat(64)] },
  { kinds: ['1'] },
  { kinds: [1.5] },
  { kinds: 1 },
  { since: -1 },
  { since: '5' },
  { limit: Number.NaN },
  { '#request': ['x'] },
  { '#e': [1] },
  { search: 'words' },
  null,
])('NET-1 refuses the filter %j with a typed error', (filter) => {
  expect(() => copyFilter(filter as never)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
});

it('NET-1 one key for one question, whatever the order and whatever since and limit are', () => {
  const key = filterKey({ kinds: [1, 2], '#e': ['x', 'y'] });
  expect(filterKey({ '#e': ['y', 'x'], kinds: [2, 1], since: 5, limit: 7 })).toBe(key);
  expect(filterKey({ kinds: [1, 2], '#e': ['x'] })).not.toBe(key);
  expect(filterKey({ kinds: [1, 2], '#p': ['x', 'y'] })).not.toBe(key);
  expect(filterKey({ kinds: [12], '#e': ['x', 'y'] })).not.toBe(key);
  expect(filterKey({ kinds: [1, 2], '#e': ['x', 'y'], until: 9 })).not.toBe(key);
});

it('NET-1 sorts newest first, lowest id first in one second, and keeps to each limit', () => {
  const event = (id: string, kind: number, created_at: number): NostrEvent => ({
    id,
    kind,
    created_at,
    pubkey: '',
    tags: [],
    content: '',
    sig: '',
  });
  const events = [event('b', 1, 5), event('a', 1, 5), event('c', 1, 9), event('d', 2, 1), event('e', 2, 2)];
  const ids = (filters: readonly Filter[]) => newestFirst(events, filters).map(({ id }) => id);
  expect(ids([{}])).toEqual(['c', 'a', 'b', 'e', 'd']);
  expect(ids([{ kinds: [1], limit: 2 }])).toEqual(['c', 'a']);
  expect(ids([{ kinds: [1], limit: 1 }, { kinds: [2] }])).toEqual(['c', 'e', 'd']);
});
