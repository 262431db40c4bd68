import { until } from '@bonafide/internal/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TransportOptions } from '../src/create-transport.ts';
import type { Filter, NostrEvent } from '../src/event/event.ts';
import { matchesFilter } from '../src/event/filter.ts';
import type { RelayReadResult } from '../src/transport.ts';
import { makeEvent, nowSeconds } from './support/events.ts';
import { startNip77Relay } from './support/nip77-relay.ts';
import { makeRelay, makeTestRelay, makeTransport } from './support/transports.ts';

/** A relay that serves `events` newest first and cuts every answer, without saying so, at `cut` events. */
function makeCuttingRelay(
  events: readonly NostrEvent[],
  cut: number,
  matches: (filter: Filter, event: NostrEvent) => boolean = matchesFilter,
) {
  const sorted = [...events].sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1));
  return makeRelay({
    onMessage([type, id, ...filters], client) {
      if (type !== 'REQ') return;
      for (const filter of filters as Filter[]) {
        const found = sorted.filter((event) => matches(filter, event));
        for (const event of found.slice(0, Math.min(cut, filter.limit ?? cut))) {
          client.send(['EVENT', id, event]);
        }
      }
      client.send(['EOSE', id]);
    },
  });
}

const now = nowSeconds();
/** `count` events, one per second before `newest`. */
const series = (count: number, newest: number, template: Partial<NostrEvent> = {}) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      makeEvent({ content: `${newest} ${index}`, created_at: newest - index, ...template }),
    ),
  );

/** `count` events of one second. */
const crowd = (count: number, at: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => makeEvent({ content: `${n}`, created_at: at })));

async function ask(relays: readonly string[], filter: Filter, options = {}, settings: TransportOptions = {}) {
  const results: RelayReadResult[] = [];
  const events = await makeTransport({ relayInfo: false, ...settings }).query(relays, [filter], {
    timeoutMs: 240_000,
    onRelayResult: (result) => results.push(result),
    ...options,
  });
  return { events, results };
}

describe('NET-5 paging', () => {
  it.each([20, 10, 5])('NET-5 reads 300 events from a relay that cuts silently at %i', async (cut) => {
    const relay = await makeCuttingRelay(await series(300, now), cut);
    const { events, results } = await ask([relay.url], { kinds: [1] });
    expect(events).toHaveLength(300);
    expect(results).toEqual([
      { relay: relay.url, status: 'complete', received: 300, taken: 300, message: '' },
    ]);
  });

  it.each<[string, (event: NostrEvent) => NostrEvent]>([
    ['have a forged signature', (event) => ({ ...event, sig: '0'.repeat(128) })],
    ['have a wrong id', (event) => ({ ...event, content: 'changed' })],
    ['are malformed', (event) => ({ ...event, tags: 'none' }) as never],
    ['are too large', (event) => ({ ...event, content: 'x'.repeat(5_000) })],
  ])('NET-5 finds 12 events behind 130 that %s, in a query and in a subscription', async (_, spoil) => {
    const good = await series(12, now - 10_000);
    const bad = (await series(130, now)).map(spoil);
    const relay = await makeCuttingRelay([...bad, ...good], 50);
    const limits = { maxEventChars: 4_000 };
    const transport = makeTransport({ relayInfo: false, limits });
    expect(await transport.query([relay.url], [{ kinds: [1] }], { timeoutMs: 240_000 })).toHaveLength(12);
    let ended: RelayReadResult | null = null;
    const seen: string[] = [];
    transport.subscribe([relay.url], [{ kinds: [1] }], {
      onEvent: ({ id }) => seen.push(id),
      onEose(__, result) {
        ended = result;
      },
    });
    await until(() => ended !== null);
    expect(seen).toHaveLength(12);
    expect(ended).toMatchObject({ status: 'complete', received: 142, taken: 12 });
  });

  it('NET-5 finds what is behind expired events, and behind events that the filter did not ask for', async () => {
    const good = await series(40, now - 10_000, { tags: [['t', 'wanted']] });
    const expired = await series(120, now, {
      tags: [
        ['t', 'wanted'],
        ['expiration', `${now - 5}`],
      ],
    });
    const unasked = await series(120, now - 1_000, { tags: [['t', 'other']] });
    // This relay ignores tag filters.
    const kindsOnly = (filter: Filter, event: NostrEvent) =>
      matchesFilter({ ...filter, '#t': undefined }, event);
    const relay = await makeCuttingRelay([...expired, ...unasked, ...good], 50, kindsOnly);
    const { events, results } = await ask([relay.url], { kinds: [1], '#t': ['wanted'] });
    expect(events).toHaveLength(40);
    expect(results[0]).toMatchObject({ status: 'complete', taken: 40 });
  });

  it('NET-5 DIS-21 an event of 1.2 MB does not hide what is older', async () => {
    const huge = await makeEvent({ created_at: now - 20, content: 'x'.repeat(1_200_000) });
    const relay = await makeCuttingRelay(
      [...(await series(6, now)), huge, ...(await series(6, now - 50))],
      500,
    );
    const { events, results } = await ask([relay.url], { kinds: [1] });
    expect(events).toHaveLength(12);
    expect(results[0]).toMatchObject({ status: 'complete', received: 13, taken: 12 });
  });

  it('NET-5 rejected events of one filter do not make another filter of the same REQ skip events', async () => {
    const recent = await series(70, now, { kind: 1 });
    const old = (await series(10, now - 500_000, { kind: 2 })).map((event) => ({
      ...event,
      content: 'changed',
    }));
    const oldAndGood = await series(7, now - 900_000, { kind: 2 });
    const relay = await makeCuttingRelay([...recent, ...old, ...oldAndGood], 10);
    const transport = makeTransport({ relayInfo: false });
    const found = await transport.query([relay.url], [{ kinds: [1] }, { kinds: [2] }], {
      timeoutMs: 240_000,
    });
    expect(found).toHaveLength(77);
  });
});

describe.each([
  ['in the middle of it', 20],
  ['at its end', 50],
])('NET-5 an event of 1970 that arrives while a page is sent, %s', (_when, place) => {
  /** A relay that sends a new event with an old date among the stored ones of every page, as a stranger may publish it. */
  async function makeInterruptedRelay(stored: readonly NostrEvent[]) {
    const strays = await series(5, 20);
    const sorted = [...stored].sort((a, b) => b.created_at - a.created_at);
    return makeRelay({
      onMessage([type, id, filter], client) {
        if (type !== 'REQ') return;
        const { limit } = filter as Filter;
        const page = sorted.filter((event) => matchesFilter(filter as Filter, event)).slice(0, limit);
        const [stray] = strays.splice(0, 1);
        if (stray !== undefined) page.splice(Math.min(place, page.length), 0, stray);
        for (const event of page) client.send(['EVENT', id, event]);
        client.send(['EOSE', id]);
      },
    });
  }

  const smallPages = { limits: { pageSize: 50 } };

  it('NET-5 hides nothing that is between', async () => {
    const stored = await series(130, now);
    const relay = await makeInterruptedRelay(stored);
    const { events, results } = await ask([relay.url], { kinds: [1] }, {}, smallPages);
    const got = new Set(events.map(({ id }) => id));
    expect(stored.filter(({ id }) => !got.has(id))).toEqual([]);
    expect(results).toMatchObject([{ status: 'complete' }]);
  });

  it('NET-5 tells a caller with a limit where to read on', async () => {
    const relay = await makeInterruptedRelay(await series(130, now));
    const { events, results } = await ask([relay.url], { kinds: [1], limit: 60 }, {}, smallPages);
    expect(events).toHaveLength(60);
    const [{ status, readUntil = 0 } = {}] = results;
    expect(status).toBe('complete');
    // Two pages of 50 and 10 were read, with one stray each.
    expect(now - readUntil).toBeGreaterThanOrEqual(57);
    expect(now - readUntil).toBeLessThan(60);
  });
});

it('NET-5 a limit over several pages gets all events of the second where pages meet', async () => {
  const same = await Promise.all(
    Array.from({ length: 4 }, (_, index) => makeEvent({ content: `${index}`, created_at: now - 50 })),
  );
  const relay = await makeCuttingRelay(
    [...(await series(4, now)), ...same, ...(await series(9, now - 60))],
    6,
  );
  const { events, results } = await ask([relay.url], { kinds: [1], limit: 9 });
  expect(events.map(({ created_at }) => now - created_at)).toEqual([0, 1, 2, 3, 50, 50, 50, 50, 60]);
  expect(results[0]).toMatchObject({ status: 'complete' });
});

describe('NET-6 overlap', () => {
  it('NET-6 finds what was published during a gap with an old date, within the overlap of its kind', async () => {
    const relay = await makeTestRelay();
    const transport = makeTransport({ overlap: { kinds: { 5000: 600_000 } } });
    const seen: string[] = [];
    let eose = 0;
    for (const kind of [1, 5_000]) {
      transport.subscribe([relay.url], [{ kinds: [kind] }], {
        onEvent: ({ content }) => seen.push(content),
        onEose: () => {
          eose += 1;
        },
      });
      relay.publish(await makeEvent({ kind, content: `${kind} first` }));
    }
    await until(() => eose === 2 && seen.length === 2);
    relay.dropAll();
    for (const kind of [1, 5_000]) {
      for (const age of [30, 300]) {
        relay.publish(await makeEvent({ kind, content: `${kind} ${age}`, created_at: nowSeconds() - age }));
      }
    }
    await until(() => seen.length === 5);
    expect(seen.slice(2).toSorted()).toEqual(['1 30', '5000 30', '5000 300']);
  });

  it('NET-6 refuses an overlap that is not a duration', () => {
    expect(() => makeTransport({ overlap: { defaultMs: -1 } })).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG' }),
    );
  });
});

describe('NET-6 completeness', () => {
  it('NET-6 goes on behind a second that holds more than a page, and reports the relay as cut', async () => {
    const events = [
      ...(await series(3, now)),
      ...(await crowd(30, now - 5)),
      ...(await series(40, now - 100)),
    ];
    const relay = await makeCuttingRelay(events, 10);
    const { events: found, results } = await ask([relay.url], { kinds: [1] });
    expect(found).toHaveLength(3 + 10 + 40);
    expect(results[0]).toMatchObject({ status: 'cut', message: 'one second holds more than a page' });
    let ended: RelayReadResult | null = null;
    makeTransport({ relayInfo: false }).subscribe([relay.url], [{ kinds: [1] }], {
      onEvent() {},
      onEose(_, result) {
        ended = result;
      },
    });
    await until(() => ended !== null);
    expect(ended).toMatchObject({ status: 'cut', taken: 53 });
  });

  it('NET-6 says of each relay how it answered', async () => {
    const event = await makeEvent();
    const good = await makeTestRelay();
    good.publish(event);
    const silent = await makeTestRelay({ faults: { stall: 'messages' } });
    const closing = await makeRelay({
      onMessage: ([type, id], client) =>
        type === 'REQ' && client.send(['CLOSED', id, 'restricted: members only']),
    });
    const down = await makeRelay();
    await down.close();
    const relays = [good.url, silent.url, closing.url, down.url, 'wss://10.0.0.1'];
    const { results } = await ask(relays, { kinds: [1] }, { timeoutMs: 10_000 });
    const byRelay = new Map(results.map(({ relay, ...result }) => [relay, result]));
    expect(results).toHaveLength(5);
    expect(byRelay.get(good.url)).toEqual({ status: 'complete', received: 1, taken: 1, message: '' });
    expect(byRelay.get(silent.url)).toMatchObject({ status: 'timed-out', received: 0 });
    expect(byRelay.get(closing.url)).toMatchObject({
      status: 'refused',
      message: 'restricted: members only',
    });
    expect(byRelay.get(down.url)).toMatchObject({ status: 'unreachable' });
    expect(byRelay.get('wss://10.0.0.1')).toMatchObject({ status: 'refused' });
  });

  it('NET-6 a relay that is too slow is not complete, and the count says how much came', async () => {
    const events = await series(9, now);
    const relay = await makeRelay({
      onMessage([type, id], client) {
        if (type === 'REQ') for (const event of events) client.send(['EVENT', id, event]);
      },
    });
    const { events: found, results } = await ask([relay.url], { kinds: [1] }, { timeoutMs: 10_000 });
    expect(found).toHaveLength(9);
    expect(results[0]).toMatchObject({ status: 'timed-out', received: 9, taken: 9 });
  });

  it('NET-5 a reading that a limit of pages ended says where it can be resumed, and is complete from there', async () => {
    const expired = await series(120, now, { tags: [['expiration', String(now - 60)]] });
    const relay = await makeCuttingRelay([...expired, ...(await series(5, now - 500))], 10);
    const results: RelayReadResult[] = [];
    const transport = makeTransport({ relayInfo: false, limits: { maxPages: 1 } });
    const found: NostrEvent[] = [];
    let until: number | undefined;
    for (let round = 0; round < 20; round += 1) {
      const filter = { kinds: [1], limit: 1_000, ...(until === undefined ? {} : { until }) };
      const onRelayResult = (result: RelayReadResult) => results.push(result);
      found.push(...(await transport.query([relay.url], [filter], { timeoutMs: 240_000, onRelayResult })));
      until = results.at(-1)?.resumeUntil;
      if (until === undefined) break;
    }
    expect(results.length).toBeGreaterThan(1);
    expect(results[0]).toMatchObject({ status: 'cut', taken: 0 });
    expect(results.at(-1)).toMatchObject({ status: 'complete', taken: 5 });
    expect(found).toHaveLength(5);
  });

  it('NET-6 names the seconds that hold more than a page', async () => {
    const events = [
      ...(await crowd(25, now - 5)),
      ...(await crowd(25, now - 9)),
      ...(await series(5, now - 20)),
    ];
    const relay = await makeCuttingRelay(events, 10);
    const { results } = await ask([relay.url], { kinds: [1] });
    expect(results[0]).toMatchObject({ status: 'cut', cutSeconds: [now - 5, now - 9] });
    expect(results[0]).not.toHaveProperty('resumeUntil');
  });

  it.each([
    [3, 'complete', 36],
    [18, 'cut', 16 * 12 + 2 * 10],
  ])(
    'NET-6 %i crowded seconds are read by NIP-77, at most 16, and the reading is %s',
    async (seconds, status, found) => {
      const relay = await startNip77Relay(
        (await Promise.all(Array.from({ length: seconds }, (_, n) => crowd(12, now - n)))).flat(),
        { maxLimit: 10 },
      );
      onTestFinished(() => relay.close());
      const { events, results } = await ask(
        [relay.url],
        { kinds: [1] },
        {},
        { relayInfo: async () => ({ supported_nips: [1, 77] }) },
      );
      expect(events).toHaveLength(found);
      expect(results).toMatchObject([{ status }]);
    },
  );

  it('NET-6 a query that stops at its own limit calls the relay cut', async () => {
    const relay = await makeCuttingRelay(await series(30, now), 500);
    const results: RelayReadResult[] = [];
    await makeTransport({ relayInfo: false, limits: { maxQueryEvents: 20 } }).query([relay.url], [{}], {
      onRelayResult: (result) => results.push(result),
    });
    expect(results[0]).toMatchObject({ status: 'cut', taken: 20 });
  });
});
