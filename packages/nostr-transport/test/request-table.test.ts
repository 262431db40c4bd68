import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRequestTable, type RequestTable, type TableRequest } from '../src/relay/request-table.ts';

interface Request extends TableRequest {
  readonly name: string;
}

function tableOf(slots: number, filters = 10): RequestTable<Request> {
  let id = 0;
  return createRequestTable<Request>({ slots, filters }, () => {
    id += 1;
    return `s${id}`;
  });
}

const live = (name: string, size = 1): Request => ({ name, size, chars: size, live: true });
const once = (name: string, size = 1): Request => ({ name, size, chars: size, live: false });

describe('NET-1 at most so many REQs on one connection', () => {
  it('NET-1 the ninth waits until one has ended', () => {
    const table = tableOf(8);
    const queries = Array.from({ length: 9 }, (_, at) => once(`q${at}`));
    for (const query of queries) table.add(query);
    expect(table.plan()).toHaveLength(8);
    expect([table.open, table.waiting]).toEqual([8, 1]);
    const [first] = queries;
    if (first !== undefined) table.remove(first);
    expect(table.plan()).toEqual([
      { type: 'CLOSE', id: 's1' },
      { type: 'REQ', id: 's9', members: [queries[8]] },
    ]);
  });

  it('NET-1 live subscriptions leave a place for queries, and share one when there are too many', () => {
    const table = tableOf(3);
    const subscriptions = [live('a'), live('b'), live('c')];
    for (const subscription of subscriptions) table.add(subscription);
    expect(table.plan()).toHaveLength(2); // Not the third place.
    expect(table.settle('s1')).toEqual([subscriptions[0]]);
    expect(table.plan()).toEqual([{ type: 'REQ', id: 's1', members: [subscriptions[0], subscriptions[2]] }]);
    const query = once('q');
    table.add(query);
    expect(table.plan()).toEqual([{ type: 'REQ', id: 's3', members: [query] }]);
  });

  it('NET-1 merges live subscriptions when the relay turns out to take fewer', () => {
    const table = tableOf(4);
    for (const name of ['a', 'b', 'c']) table.add(live(name));
    table.plan();
    for (const id of ['s1', 's2', 's3']) table.settle(id);
    table.limit({ slots: 2 });
    const commands = table.plan();
    expect(commands.map(({ type, id }) => `${type} ${id}`)).toEqual(['REQ s1', 'CLOSE s2']);
    expect(table.open).toBe(2);
  });

  it('NET-1 does not merge subscriptions into a REQ that is too long for a relay', () => {
    const table = tableOf(4);
    const long = { ...live('long'), chars: 20_000 };
    for (const each of [long, { ...live('too long beside it'), chars: 20_000 }, live('c')]) table.add(each);
    table.plan();
    for (const id of ['s1', 's2', 's3']) table.settle(id);
    table.limit({ slots: 2 });
    expect(table.plan().map(({ type, id }) => `${type} ${id}`)).toEqual(['REQ s3', 'CLOSE s1']);
    expect(table.members('s3')).toHaveLength(2);
    for (const id of ['s2', 's3']) table.settle(id);
    table.limit({ slots: 2 });
    table.add(live('d'));
    expect(table.plan().map(({ type, id }) => `${type} ${id}`)).toEqual(['REQ s2']);
  });

  it('NET-1 nothing is lost over a reset: what ran is asked for first', () => {
    const table = tableOf(2);
    const [a, b, c] = [once('a'), once('b'), once('c')];
    for (const request of [a, b, c]) table.add(request);
    table.plan();
    table.reset();
    expect(table.all()).toEqual([a, b, c]);
    expect(table.plan().flatMap((command) => (command.type === 'REQ' ? command.members : []))).toEqual([
      a,
      b,
    ]);
  });

  it('NET-1 whatever happens, a relay never has more open than allowed, and everything asked is answered in the end', () => {
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant('add' as const),
          live: fc.boolean(),
          size: fc.integer({ min: 1, max: 3 }),
        }),
      },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('eose' as const), pick: fc.nat() }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), pick: fc.nat() }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('reset' as const) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), fc.integer({ min: 2, max: 8 }), (steps, slots) => {
        const table = tableOf(slots);
        const present = new Set<Request>();
        const answered = new Set<Request>();
        /** The relay's side: what it has open, by id. */
        const relay = new Map<string, readonly Request[]>();
        const send = () => {
          for (const command of table.plan()) {
            if (command.type === 'CLOSE') relay.delete(command.id);
            else relay.set(command.id, command.members);
            // Between a REQ that takes another in and the CLOSE of the other there is never one more.
            expect(relay.size).toBeLessThanOrEqual(slots);
            for (const members of relay.values()) {
              expect(members.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(10);
            }
          }
        };
        const eose = (id: string) => {
          for (const request of table.settle(id)) {
            answered.add(request);
            if (!request.live) {
              table.remove(request);
              present.delete(request);
            }
          }
          send();
        };
        let count = 0;
        for (const each of steps) {
          if (each.do === 'add') {
            count += 1;
            const request: Request = { name: String(count), ...each, chars: each.size };
            present.add(request);
            table.add(request);
          }
          if (each.do === 'eose' && relay.size > 0) eose([...relay.keys()][each.pick % relay.size] ?? '');
          if (each.do === 'remove' && present.size > 0) {
            const request = [...present][each.pick % present.size];
            if (request !== undefined) {
              present.delete(request);
              table.remove(request);
            }
          }
          if (each.do === 'reset') {
            table.reset();
            relay.clear();
          }
          send();
          expect(table.open).toBe(relay.size);
          expect(new Set(table.all())).toEqual(present);
        }
        // A relay that answers everything: nobody starves, as long as the live ones fit at all.
        const liveFilters = [...present]
          .filter((request) => request.live)
          .reduce((sum, { size }) => sum + size, 0);
        fc.pre(liveFilters <= (slots - 1) * 8);
        for (
          let round = 0;
          round < 200 && table.waiting + [...present].filter((r) => !answered.has(r)).length > 0;
          round += 1
        ) {
          for (const id of [...relay.keys()]) eose(id);
        }
        expect(table.waiting).toBe(0);
        expect([...present].every((request) => answered.has(request))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });
});
