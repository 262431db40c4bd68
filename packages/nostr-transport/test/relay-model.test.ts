import { seededRandom } from '@bonafide/internal';
import fc from 'fast-check';
import { matchFilter } from 'nostr-tools/filter';
import { describe, expect, it } from 'vitest';
import type { Filter, NostrEvent } from '../src/event/event.ts';
import { EventStore } from '../src/testing/event-store.ts';
import { compileFilter } from '../src/testing/filter.ts';
import { shuffled } from '../src/testing/random.ts';
import { toRecord } from '../src/testing/record.ts';
import { openSqliteArchive } from '../src/testing/sqlite-archive.ts';
import { withFolder } from './relay-places.ts';

const hex = (n: number, length = 64) => n.toString(16).padStart(length, '0');
const authors = [hex(0xa), hex(0xb)];
const nowSeconds = 1_000;

// Few values, so that events meet each other often. No signatures: the store does not look at them.
const anyEvent: fc.Arbitrary<NostrEvent> = fc
  .record({
    id: fc.integer({ min: 1, max: 30 }).map((n) => hex(n)),
    pubkey: fc.constantFrom(...authors),
    created_at: fc.integer({ min: 1, max: 12 }),
    kind: fc.constantFrom(0, 1, 5, 5, 7, 1059, 10_002, 20_000, 30_000, 30_001),
    tags: fc.array(
      fc.oneof(
        fc.tuple(
          fc.constant('e'),
          fc.integer({ min: 1, max: 30 }).map((n) => hex(n)),
        ),
        fc.tuple(fc.constant('p'), fc.constantFrom(...authors)),
        fc.tuple(fc.constant('d'), fc.constantFrom('', 'x', 'y')),
        fc.tuple(
          fc.constant('a'),
          fc
            .tuple(
              fc.constantFrom(0, 10_002, 30_000, 30_001),
              fc.constantFrom(...authors),
              fc.constantFrom('', 'x', 'y'),
            )
            .map(([kind, pubkey, d]) => `${kind}:${pubkey}:${d}`),
        ),
        fc.tuple(fc.constant('expiration'), fc.constantFrom('999', '2000')),
        fc.tuple(fc.constant('long'), fc.constant('x')),
      ),
      { maxLength: 4 },
    ),
    content: fc.constant(''),
  })
  .map((event) => ({ ...event, sig: hex(1, 128) }));

const anyFilter: fc.Arbitrary<Filter> = fc.record(
  {
    ids: fc.array(
      fc.integer({ min: 1, max: 30 }).map((n) => hex(n)),
      { maxLength: 5 },
    ),
    authors: fc.subarray(authors),
    kinds: fc.subarray([0, 1, 5, 7, 1059, 10_002, 30_000]),
    since: fc.integer({ min: 0, max: 13 }),
    // nostr-tools takes 0 for no limit at all; the NIP does not.
    until: fc.integer({ min: 1, max: 13 }),
    limit: fc.integer({ min: 0, max: 8 }),
    '#e': fc.array(
      fc.integer({ min: 1, max: 30 }).map((n) => hex(n)),
      { maxLength: 9 },
    ),
    '#p': fc.subarray(authors),
    '#d': fc.subarray(['', 'x', 'y']),
  },
  { requiredKeys: [] },
);

const classOf = ({ kind }: NostrEvent) =>
  kind === 0 || kind === 10_002
    ? 'replaceable'
    : kind >= 30_000
      ? 'addressable'
      : kind >= 20_000
        ? 'ephemeral'
        : 'regular';
const valuesOf = (event: NostrEvent, name: string) =>
  event.tags.filter(([n]) => n === name).map(([, v = '']) => v);
const addressOf = (event: NostrEvent) =>
  `${event.kind}:${event.pubkey}:${classOf(event) === 'addressable' ? (valuesOf(event, 'd')[0] ?? '') : ''}`;
const precedes = (a: NostrEvent, b: NostrEvent) =>
  a.created_at !== b.created_at ? a.created_at > b.created_at : a.id < b.id;

/** The rules written down a second time, without any index: what is stored after all of `events` came in. */
function model(events: readonly NostrEvent[]): NostrEvent[] {
  let stored: NostrEvent[] = [];
  const deletes = (deletion: NostrEvent, event: NostrEvent) => {
    if (deletion.kind !== 5 || event.kind === 5) return false;
    const mayDelete =
      deletion.pubkey === event.pubkey ||
      (event.kind === 1059 && valuesOf(event, 'p').includes(deletion.pubkey));
    if (mayDelete && valuesOf(deletion, 'e').includes(event.id)) return true;
    return (
      deletion.pubkey === event.pubkey &&
      classOf(event) !== 'regular' &&
      valuesOf(deletion, 'a').includes(addressOf(event)) &&
      event.created_at <= deletion.created_at
    );
  };
  for (const event of events) {
    const expiration = valuesOf(event, 'expiration')[0];
    if (expiration !== undefined && Number(expiration) <= nowSeconds) continue;
    if (classOf(event) === 'ephemeral' || stored.some(({ id }) => id === event.id)) continue;
    if (stored.some((other) => deletes(other, event))) continue;
    if (classOf(event) !== 'regular') {
      const rival = stored.find(
        (other) => classOf(other) !== 'regular' && addressOf(other) === addressOf(event),
      );
      if (rival !== undefined && precedes(rival, event)) continue;
      stored = stored.filter((other) => other !== rival);
    }
    stored = [...stored.filter((other) => !deletes(event, other)), event];
  }
  return stored.sort((a, b) => (precedes(a, b) ? -1 : 1));
}

const queryAll = (store: EventStore, filter: Filter = {}) =>
  store
    .query(compileFilter(filter), filter.limit ?? Number.POSITIVE_INFINITY, nowSeconds)
    .map(({ event }) => event);

function fill(store: EventStore, events: readonly NostrEvent[]): EventStore {
  for (const event of events) store.admit(toRecord(event), nowSeconds);
  return store;
}

describe('the store of the test relay', () => {
  it('NET-3 keeps what the rules, written a second time without an index, keep', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
        expect(queryAll(fill(new EventStore(null), events))).toEqual(model(events));
      }),
      { numRuns: 500 },
    );
  });

  it('NET-3 has nothing that is as old as time', () => {
    const store = fill(new EventStore(null), fc.sample(anyEvent, { numRuns: 20, seed: 1 }));
    expect(queryAll(store).length).toBeGreaterThan(0);
    expect(queryAll(store, { until: 0 })).toEqual([]);
  });

  it('NET-3 answers every filter as nostr-tools matches it, newest first within limit', () => {
    fc.assert(
      fc.property(
        fc.array(anyEvent, { maxLength: 40 }),
        fc.array(anyFilter, { minLength: 1, maxLength: 8 }),
        (events, filters) => {
          const store = fill(new EventStore(null), events);
          const stored = queryAll(store);
          for (const filter of filters) {
            const expected = stored
              .filter((event) => matchFilter(filter as Parameters<typeof matchFilter>[0], event as never))
              .slice(0, filter.limit);
            expect(queryAll(store, filter), JSON.stringify(filter)).toEqual(expected);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('NET-3 has the same in the file as in memory, and after opening it again', () =>
    withFolder(async (folder) => {
      let run = 0;
      fc.assert(
        fc.property(
          fc.array(anyEvent, { maxLength: 40 }),
          fc.array(anyEvent, { maxLength: 10 }),
          (events, later) => {
            run += 1;
            const path = `${folder}/${run}.db`;
            const archive = openSqliteArchive(path);
            const onFile = fill(new EventStore(archive), events);
            expect(queryAll(onFile)).toEqual(model(events));
            archive.close();
            const again = openSqliteArchive(path);
            const reopened = new EventStore(again);
            expect(queryAll(reopened)).toEqual(model(events));
            expect(queryAll(fill(reopened, later))).toEqual(model([...events, ...later]));
            again.close();
          },
        ),
        { numRuns: 40 },
      );
    }));

  it('NET-3 does not depend on the order in which regular events, versions and deletions by a arrive', () => {
    // Deletion of a version by id is left out: whether an older version is still there depends on the order.
    const orderly = anyEvent.map((event) => ({
      ...event,
      id: hex(
        JSON.stringify([event.kind, event.pubkey, event.created_at, event.tags])
          .split('')
          .reduce((n, c) => (n * 31 + c.charCodeAt(0)) >>> 0, 7),
      ),
      tags: event.tags.filter(([name]) => name !== 'e'),
    }));
    fc.assert(
      fc.property(fc.array(orderly, { maxLength: 30 }), fc.integer(), (events, seed) => {
        const inOrder = queryAll(fill(new EventStore(null), events));
        const inDisorder = queryAll(fill(new EventStore(null), shuffled(events, seededRandom(seed))));
        expect(inDisorder).toEqual(inOrder);
      }),
      { numRuns: 300 },
    );
  });

  it('NET-3 stays in order through many blocks, whatever the age of what comes and goes', () => {
    const random = seededRandom(7);
    const store = new EventStore(null);
    const pubkey = authors[0] ?? '';
    const kept = new Map<string, NostrEvent>();
    for (let n = 1; n <= 12_000; n += 1) {
      const event: NostrEvent = {
        id: hex(Math.floor(random() * 2 ** 48)),
        pubkey,
        created_at: Math.floor(random() * 3_000),
        kind: [1, 2, 4][n % 3] ?? 1,
        tags: [],
        content: '',
        sig: hex(1, 128),
      };
      store.admit(toRecord(event), nowSeconds);
      kept.set(event.id, event);
      if (n % 2 === 0) continue;
      const [victim] = kept.keys();
      const deletion: NostrEvent = { ...event, id: hex(n), kind: 5, tags: [['e', victim ?? '']] };
      store.admit(toRecord(deletion), nowSeconds);
      kept.delete(victim ?? '');
    }
    const expected = [...kept.values()].sort((a, b) => (precedes(a, b) ? -1 : 1));
    expect(queryAll(store, { kinds: [1, 2, 4] })).toEqual(expected);
    expect(queryAll(store, { kinds: [2], since: 500, until: 1_500, limit: 400 })).toEqual(
      expected
        .filter(({ kind, created_at }) => kind === 2 && created_at >= 500 && created_at <= 1_500)
        .slice(0, 400),
    );
    expect(store.size).toBe(kept.size + 6_000);
  });
});
