import { until } from '@bonafide/internal/testing';
import { describe, expect, it } from 'vitest';
import type { Filter, NostrEvent } from '../src/event/event.ts';
import { filterKey } from '../src/event/filter.ts';
import type { RejectedEvent, RelayReadResult, Watermarks } from '../src/transport.ts';
import { makeEvent, missigned, nowSeconds, signerOf, tampered } from './support/events.ts';
import { filtersOf, serving } from './support/stores.ts';
import { makeLogger, makeRelay, makeTestRelay, makeTransport, sentTo } from './support/transports.ts';

const isReq = ([type]: readonly unknown[]) => type === 'REQ';

/** Where a caller keeps marks, with all that was written. */
function makeMarks(initial: Readonly<Record<string, number>> = {}) {
  const values = new Map(Object.entries(initial));
  const written: number[] = [];
  const watermarks: Watermarks = {
    get: (relay, key) => values.get(`${relay} ${key}`),
    async set(relay, key, seconds) {
      written.push(seconds);
      values.set(`${relay} ${key}`, seconds);
    },
  };
  return { watermarks, written, values };
}

describe('NET-1 subscriptions', () => {
  it('NET-1 gives each event once, frozen, although two relays sent it, and one EOSE per relay', async () => {
    const event = await makeEvent({ tags: [['t', 'x']] });
    const [one, two] = [await makeTestRelay(), await makeTestRelay()];
    for (const relay of [one, two]) relay.publish(event);
    const transport = makeTransport();
    const events: NostrEvent[] = [];
    const eose: string[] = [];
    transport.subscribe([one.url, two.url, `${one.url}/`], [{ kinds: [1] }], {
      onEvent: (received) => events.push(received),
      onEose: (relay) => eose.push(relay),
    });
    expect(events).toEqual([]); // Nothing before it returns.
    await until(() => eose.length === 2);
    expect(events).toEqual([event]);
    expect(Object.isFrozen(events[0]) && Object.isFrozen(events[0]?.tags[0])).toBe(true);
    expect(eose.toSorted()).toEqual([one.url, two.url].toSorted());
    const counters = transport.status().map((status) => status.counters);
    expect(counters.map(({ events: count }) => count)).toEqual([1, 1]);
    expect(counters.map(({ duplicates }) => duplicates).toSorted()).toEqual([0, 1]);
  });

  it('NET-1 verifies once what several relays sent, and remembers a forgery as one', async () => {
    const event = await makeEvent();
    const forged = missigned(await makeEvent());
    const relays = await Promise.all([1, 2, 3].map(() => makeRelay(serving([event, forged]))));
    let checks = 0;
    const verifier = {
      name: 'counting',
      verify(value: unknown) {
        checks += 1;
        return (value as NostrEvent).sig === event.sig;
      },
    };
    const transport = makeTransport({ verifier });
    expect(
      await transport.query(
        relays.map(({ url }) => url),
        [{}],
      ),
    ).toEqual([event]);
    expect(checks).toBe(2);
  });

  it('NET-1 DIS-3 tells who asked what was turned away, as it came, and why; a handler that throws does no harm', async () => {
    const event = await makeEvent();
    const forged = missigned(await makeEvent());
    const relay = await makeRelay(serving([forged, tampered(event), event]));
    const logger = makeLogger();
    const transport = makeTransport({ logger });
    const events: NostrEvent[] = [];
    const rejected: RejectedEvent[] = [];
    transport.subscribe([relay.url], [{ kinds: [1] }], {
      onEvent: (received) => events.push(received),
      onRejected(one) {
        rejected.push(one);
        throw new Error('not our problem');
      },
    });
    await until(() => events.length === 1);
    expect(events).toEqual([event]);
    const expected = [
      { relay: relay.url, reason: 'bad-id', event: tampered(event) },
      { relay: relay.url, reason: 'bad-signature', event: forged },
    ];
    const inOrder = (list: readonly RejectedEvent[]) =>
      list.toSorted((a, b) => a.reason.localeCompare(b.reason));
    await until(() => rejected.length === 2);
    expect(inOrder(rejected)).toEqual(expected);
    const inQuery: RejectedEvent[] = [];
    const found = await transport.query([relay.url], [{ kinds: [1] }], {
      onRejected(one) {
        inQuery.push(one);
        throw new Error('not our problem');
      },
    });
    expect([found, inOrder(inQuery)]).toEqual([[event], expected]);
  });

  it('NET-1 a tampered copy of an event that was verified before is found out by its id', async () => {
    const event = await makeEvent();
    const relay = await makeRelay();
    const events: NostrEvent[] = [];
    const transport = makeTransport();
    transport.subscribe([relay.url], [{}], { onEvent: (received) => events.push(received) });
    const [, id] = await relay.next(isReq);
    for (const sent of [event, tampered(event), { ...event, created_at: 5 }])
      relay.clients[0]?.send(['EVENT', id, sent]);
    relay.clients[0]?.send(['EOSE', id]);
    await until(() => transport.status()[0]?.counters.rejected['bad-id'] === 2);
    expect(events).toEqual([event]);
  });

  it('NET-1 passes on only what was asked for, whatever a relay sends', async () => {
    const relay = await makeTestRelay({ faults: { ignoreFilters: 'all' } });
    const author = await signerOf(20).getPublicKey();
    const events: NostrEvent[] = [];
    const transport = makeTransport();
    let ready = false;
    transport.subscribe([relay.url], [{ kinds: [1], authors: [author], '#t': ['wanted'] }], {
      onEvent: (event) => events.push(event),
      onEose: () => {
        ready = true;
      },
    });
    await until(() => ready);
    const wanted = await makeEvent({ tags: [['t', 'wanted']] }, 20);
    const others = [
      await makeEvent({ tags: [['t', 'wanted']] }, 21),
      await makeEvent({ tags: [['t', 'other']] }, 20),
      await makeEvent({ kind: 2, tags: [['t', 'wanted']] }, 20),
    ];
    for (const event of [...others, wanted]) relay.publish(event);
    await until(() => events.length > 0);
    expect(events).toEqual([wanted]);
    expect(transport.status()[0]?.counters.rejected).toEqual({ unmatched: 3 });
  });

  it('NET-1 what still comes for a subscription that is over is not even looked at', async () => {
    const relay = await makeRelay();
    const transport = makeTransport();
    transport.subscribe([relay.url], [{ kinds: [2] }], { onEvent() {} });
    const subscription = transport.subscribe([relay.url], [{ kinds: [1] }], { onEvent() {} });
    const [, id] = await relay.next(isReq, 1);
    subscription.close();
    await relay.next(([type]) => type === 'CLOSE');
    relay.clients[0]?.send(['EVENT', id, await makeEvent()]);
    await until(() => transport.status()[0]?.counters.rejected.unsubscribed === 1);
  });

  it('NET-1 does not pass on what has expired', async () => {
    const expired = await makeEvent({ tags: [['expiration', String(nowSeconds() - 1)]] });
    const valid = await makeEvent({ tags: [['expiration', String(nowSeconds() + 100)]] });
    const relay = await makeRelay(serving([expired, valid]));
    expect(await makeTransport().query([relay.url], [{}])).toEqual([valid]);
  });

  it('NET-1 a handler that throws, now or later, harms nobody', async () => {
    const relay = await makeTestRelay();
    relay.publish(await makeEvent());
    relay.publish(await makeEvent());
    const logger = makeLogger();
    const transport = makeTransport({ logger });
    let calls = 0;
    transport.subscribe([relay.url], [{}], {
      onEvent: () => {
        calls += 1;
        if (calls === 1) throw new Error('now');
        return Promise.reject(new Error('later')) as never;
      },
      onEose: () => {
        throw new Error('eose');
      },
    });
    await until(() => logger.lines.filter(({ level }) => level === 'error').length === 3);
    expect(calls).toBe(2);
  });

  it('NET-1 X-8 ends at once when aborted: CLOSE is sent and nothing more is told', async () => {
    const relay = await makeTestRelay();
    const stop = new AbortController();
    let told = 0;
    let ready = false;
    const transport = makeTransport();
    transport.subscribe([relay.url], [{}], {
      onEvent: () => {
        told += 1;
      },
      onEose: () => {
        ready = true;
      },
      signal: stop.signal,
    });
    await until(() => ready);
    stop.abort();
    relay.publish(await makeEvent());
    await relay.waitFor(({ message }) => Array.isArray(message) && message[0] === 'CLOSE');
    expect(told).toBe(0);

    const before = relay.received.length;
    transport.subscribe([relay.url], [{}], { onEvent() {}, signal: AbortSignal.abort() });
    await transport.query([relay.url], [{ kinds: [2] }]);
    expect(sentTo(relay, 'REQ').filter((message) => !('kinds' in (message[2] as Filter)))).toHaveLength(1);
    expect(relay.received.length).toBeGreaterThan(before);
  });

  it('NET-1 tells of an address that is refused, and answers a filter that nothing matches itself', async () => {
    const relay = await makeTestRelay();
    const transport = makeTransport();
    const told: string[] = [];
    const handlers = {
      onEvent() {},
      onEose: (url: string) => told.push(`eose ${url}`),
      onClosed: (url: string, reason: string) => told.push(`${url} ${reason}`),
    };
    transport.subscribe(['wss://10.0.0.1'], [{}], handlers);
    transport.subscribe([relay.url], [{ authors: [] }, { since: 9, until: 8 }], handlers);
    expect(told).toEqual([]); // Nothing before it returns.
    await until(() => told.length === 2);
    expect(told[0]).toBe('wss://10.0.0.1 refused: 10.0.0.1 is private, not a public address.');
    expect(told[1]).toBe(`eose ${relay.url}`);
    expect(relay.received).toEqual([]);
    expect(transport.status().find(({ relay: url }) => url === 'wss://10.0.0.1')?.state).toBe('refused');
    expect(() => transport.subscribe([relay.url], [], handlers)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
  });

  it('NET-1 splits what is too much for one REQ and still says EOSE once', async () => {
    const relay = await makeTestRelay();
    const event = await makeEvent({}, 33);
    relay.publish(event);
    const authors = Array.from({ length: 1_199 }, (_, at) => at.toString(16).padStart(64, '0'));
    const eose: string[] = [];
    const events: NostrEvent[] = [];
    makeTransport().subscribe([relay.url], [{ authors: [...authors, event.pubkey] }], {
      onEvent: (received) => events.push(received),
      onEose: (url) => eose.push(url),
    });
    await until(() => eose.length > 0);
    expect(events).toEqual([event]);
    expect(sentTo(relay, 'REQ').length).toBeGreaterThan(1);
    for (const { text } of relay.received) expect(text.length).toBeLessThan(65_536);
    expect(eose).toHaveLength(1);
  });

  it('NET-1 a CLOSED that says why for good ends it; any other is asked again', async () => {
    const answers = ['rate-limited: slow down', 'error: try later', 'blocked: not you'];
    const relay = await makeRelay({
      onMessage: ([type, id], client) => {
        if (type === 'REQ') client.send(['CLOSED', id, answers.shift() ?? '']);
      },
    });
    const closed: string[] = [];
    makeTransport().subscribe([relay.url], [{}], {
      onEvent() {},
      onClosed: (_, reason) => closed.push(reason),
    });
    await until(() => closed.length > 0);
    expect(closed).toEqual(['blocked: not you']);
    expect(relay.received.filter(({ message }) => isReq(message))).toHaveLength(3);
  });
});

describe('NET-1 watermarks', () => {
  const filter: Filter = { kinds: [1] };

  it('NET-1 the next run goes on where this one ended, a minute back', async () => {
    const relay = await makeTestRelay();
    const { watermarks, values } = makeMarks();
    const old = await makeEvent({ created_at: nowSeconds() - 500 });
    const recent = await makeEvent({ created_at: nowSeconds() - 100 });
    for (const event of [old, recent]) relay.publish(event);

    const first = makeTransport();
    let ready = false;
    first.subscribe([relay.url], [{ ...filter, since: nowSeconds() - 1_000 }], {
      onEvent() {},
      onEose: () => {
        ready = true;
      },
      watermarks,
    });
    await until(() => ready);
    await first.close();
    expect([...values]).toEqual([[`${relay.url} ${filterKey(filter)}`, recent.created_at]]);

    const events: NostrEvent[] = [];
    const missed = await makeEvent();
    relay.publish(missed);
    ready = false;
    makeTransport().subscribe([relay.url], [filter], {
      onEvent: (event) => events.push(event),
      onEose: () => {
        ready = true;
      },
      watermarks,
    });
    await until(() => ready);
    expect(events).toEqual([missed, recent]);
    expect(filtersOf(sentTo(relay, 'REQ').at(-1) as never)[0]?.since).toBe(recent.created_at - 60);
  });

  it('NET-1 nothing moves before EOSE: after a drop all of it is read again', async () => {
    const event = await makeEvent();
    const relay = await makeRelay({
      onMessage: ([type, id], client) => {
        if (type !== 'REQ') return;
        client.send(['EVENT', id, event]);
        if (client.number === 1) setTimeout(() => client.drop(), 30);
        else client.send(['EOSE', id]);
      },
    });
    const { watermarks, written } = makeMarks();
    let ready = false;
    makeTransport().subscribe([relay.url], [filter], {
      onEvent() {},
      onEose: () => {
        ready = true;
      },
      watermarks,
    });
    const second = await relay.next((message, client) => isReq(message) && client === 2);
    expect(written).toEqual([]);
    expect(filtersOf(second)[0]?.since).toBeUndefined();
    await until(() => ready);
    await until(() => written.length > 0);
    expect(written).toEqual([event.created_at]);
  });

  it('NET-1 moves with what comes live, but never for the future and never beyond now', async () => {
    const relay = await makeTestRelay();
    const { watermarks, written } = makeMarks();
    const clock = { now: 1_800_000_000_000 };
    const seconds = clock.now / 1000;
    const events: NostrEvent[] = [];
    let ready = false;
    makeTransport({ clock: () => clock.now }).subscribe([relay.url], [filter], {
      onEvent: (event) => events.push(event),
      onEose: () => {
        ready = true;
      },
      watermarks,
    });
    await until(() => ready);
    for (const created_at of [seconds - 50, seconds + 3_600, seconds + 600, seconds - 10]) {
      relay.publish(await makeEvent({ created_at }));
    }
    await until(() => events.length === 4);
    await until(() => written.at(-1) === seconds);
    expect(written[0]).toBe(seconds - 50);
    expect(written).not.toContain(seconds + 600);
  });

  it('NET-1 a store that fails is logged and costs nothing but reading again', async () => {
    const relay = await makeTestRelay();
    relay.publish(await makeEvent());
    const logger = makeLogger();
    const events: NostrEvent[] = [];
    makeTransport({ logger }).subscribe([relay.url], [filter], {
      onEvent: (event) => events.push(event),
      watermarks: {
        get: () => Promise.reject(new Error('disk')),
        set: () => Promise.reject(new Error('disk')),
      },
    });
    await until(() => logger.lines.filter(({ level }) => level === 'error').length === 2);
    expect(events).toHaveLength(1);
  });

  it('NET-1 a second subscription to the same thing reads all of it, since it did not ask to resume', async () => {
    const relay = await makeTestRelay();
    const event = await makeEvent({ created_at: nowSeconds() - 10_000 });
    relay.publish(event);
    relay.publish(await makeEvent());
    const transport = makeTransport();
    for (let round = 0; round < 2; round += 1) {
      const ids: string[] = [];
      transport.subscribe([relay.url], [filter], { onEvent: ({ id }) => ids.push(id) });
      await until(() => ids.length === 2);
      expect(ids).toContain(event.id);
    }
  });
});

describe('NET-1 pages', () => {
  const stored = async (count: number) => {
    const start = nowSeconds() - 10_000;
    return Promise.all(Array.from({ length: count }, (_, at) => makeEvent({ created_at: start + at })));
  };

  it.each([
    ['announces its limit', {}],
    ['says nothing of its limit', { information: '{}' }],
    ['lies about its limit', { information: { limitation: { max_limit: 5_000 } } }],
  ])('NET-1 reads everything from a relay that cuts at 25 and %s', async (_, faults) => {
    const relay = await makeTestRelay({ limits: { maxLimit: 25, defaultLimit: 25 }, faults });
    const events = await stored(90);
    for (const event of events) relay.publish(event);
    const transport = makeTransport();
    expect((await transport.query([relay.url], [{ kinds: [1] }])).map(({ id }) => id)).toEqual(
      events.map(({ id }) => id).toReversed(),
    );
    // A live subscription too, and its mark moves only when the last page is in.
    const { watermarks, written } = makeMarks();
    const seen = new Set<string>();
    let markedBefore = -1;
    transport.subscribe([relay.url], [{ kinds: [1] }], {
      onEvent: ({ id }) => seen.add(id),
      onEose: () => {
        markedBefore = written.length;
      },
      watermarks,
    });
    await until(() => markedBefore >= 0);
    expect(seen.size).toBe(90);
    expect(markedBefore).toBeLessThanOrEqual(1);
  });

  it("NET-1 keeps to the caller's limit over several pages, the newest first", async () => {
    const relay = await makeTestRelay({ limits: { maxLimit: 25, defaultLimit: 25 } });
    const events = await stored(90);
    for (const event of events) relay.publish(event);
    const found = await makeTransport().query([relay.url], [{ kinds: [1], limit: 40 }]);
    expect(found.map(({ id }) => id)).toEqual(
      events
        .map(({ id }) => id)
        .toReversed()
        .slice(0, 40),
    );
  });

  it('NET-5 asks a relay with few events once, and a relay with more once more than it has pages', async () => {
    const relay = await makeTestRelay();
    const events = await stored(15);
    for (const event of events.slice(0, 4)) relay.publish(event);
    const transport = makeTransport();
    expect(await transport.query([relay.url], [{ kinds: [1] }])).toHaveLength(4);
    expect(sentTo(relay, 'REQ')).toHaveLength(1);
    for (const event of events) relay.publish(event);
    expect(await transport.query([relay.url], [{ kinds: [1] }])).toHaveLength(15);
    expect(sentTo(relay, 'REQ')).toHaveLength(3);
  });

  it('NET-1 does not follow a relay that has pages without end', async () => {
    // Every page is full of genuine events, each older than what was asked for.
    let at = nowSeconds();
    const relay = await makeRelay({
      async onMessage([type, id], client) {
        if (type !== 'REQ') return;
        for (let count = 0; count < 2; count += 1) {
          at -= 1;
          client.send(['EVENT', id, await makeEvent({ created_at: at })]);
        }
        client.send(['EOSE', id]);
      },
    });
    const logger = makeLogger();
    const transport = makeTransport({ logger, limits: { pageSize: 2, maxQueryEvents: 30 } });
    expect(await transport.query([relay.url], [{}])).toHaveLength(30);
    expect(logger.lines.some(({ message }) => message?.includes('cut'))).toBe(true);

    // A subscription goes on with what comes, and says that it left something unread.
    let seen = 0;
    let ended: RelayReadResult | null = null;
    makeTransport({ logger, limits: { pageSize: 2, maxPages: 3 } }).subscribe([relay.url], [{}], {
      onEvent: () => {
        seen += 1;
      },
      onEose: (_, result) => {
        ended = result;
      },
    });
    await until(() => ended !== null);
    expect(seen).toBe(6);
    expect(ended).toMatchObject({ status: 'cut', received: 6, taken: 6, message: 'more than 3 pages' });
  });
});

describe('NET-1 many subscriptions on one connection', () => {
  it('NET-1 never more than eight REQs at once, and none of twenty-five goes hungry', async () => {
    const relay = await makeTestRelay();
    let most = 0;
    relay.on('message', () => {
      most = Math.max(most, ...relay.connections.map(({ subscriptions }) => subscriptions.length));
    });
    const transport = makeTransport();
    const got = new Map<number, string[]>();
    let ready = 0;
    for (let kind = 1_000; kind < 1_025; kind += 1) {
      got.set(kind, []);
      transport.subscribe([relay.url], [{ kinds: [kind] }], {
        onEvent: ({ id }) => got.get(kind)?.push(id),
        onEose: () => {
          ready += 1;
        },
      });
    }
    await until(() => ready === 25);
    const events = await Promise.all([...got.keys()].map((kind) => makeEvent({ kind })));
    for (const event of events) relay.publish(event);
    await until(() => [...got.values()].every((ids) => ids.length === 1));
    // A query still finds a place.
    expect(await transport.query([relay.url], [{ kinds: [1_007] }])).toEqual([events[7]]);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(8);
    expect(relay.connections).toHaveLength(1);
  });

  it.each([
    ['announces that it takes three', {}],
    ['takes three without saying so', { information: '{}' }],
    ['takes three and claims a hundred', { information: { limitation: { max_subscriptions: 100 } } }],
  ])('NET-1 gets along with a relay that %s', async (_, faults) => {
    const relay = await makeTestRelay({ limits: { maxSubscriptions: 3 }, faults });
    const transport = makeTransport();
    let ready = 0;
    for (let kind = 1; kind <= 7; kind += 1) {
      transport.subscribe([relay.url], [{ kinds: [kind] }], {
        onEvent() {},
        onEose: () => {
          ready += 1;
        },
      });
    }
    await until(() => ready === 7);
    expect(await transport.query([relay.url], [{ kinds: [1] }])).toEqual([]);
  });

  it('NET-1 sends no more REQs than a relay permits before its document is read', async () => {
    const limitation = { max_subscriptions: 2 };
    const relay = await makeTestRelay({ limits: { maxSubscriptions: 2 } });
    const refusals: unknown[] = [];
    relay.on('sent', ({ message }) => {
      if (Array.isArray(message) && message[0] === 'CLOSED') refusals.push(message);
    });
    const document = Promise.withResolvers<unknown>();
    const transport = makeTransport({ relayInfo: () => document.promise });
    let ready = 0;
    const subscribe = (kind: number) =>
      transport.subscribe([relay.url], [{ kinds: [kind] }], {
        onEvent() {},
        onEose: () => {
          ready += 1;
        },
      });
    for (let kind = 1; kind <= 5; kind += 1) subscribe(kind);
    await until(() => ready === 5);
    expect(await transport.query([relay.url], [{ kinds: [9] }])).toEqual([]);
    document.resolve({ limitation });
    subscribe(6);
    await until(() => ready === 6);
    expect(refusals).toEqual([]);
  });

  it('NET-1 gets along with a relay that refuses a REQ by a NOTICE alone', async () => {
    const open = new Set<unknown>();
    const relay = await makeRelay({
      onMessage: ([type, id], client) => {
        if (type === 'CLOSE') open.delete(id);
        if (type !== 'REQ') return;
        if (open.size >= 3 && !open.has(id)) client.send(['NOTICE', 'too many concurrent REQs']);
        else {
          open.add(id);
          client.send(['EOSE', id]);
        }
      },
    });
    const transport = makeTransport();
    let ready = 0;
    for (let kind = 1; kind <= 6; kind += 1) {
      transport.subscribe([relay.url], [{ kinds: [kind] }], {
        onEvent() {},
        onEose: () => {
          ready += 1;
        },
      });
    }
    await until(() => ready === 6);
  });
});
