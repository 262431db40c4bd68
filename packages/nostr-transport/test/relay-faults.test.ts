import { finalizeEvent, generateSecretKey, verifyEvent } from 'nostr-tools/pure';
import { describe, expect, it } from 'vitest';
import type { NostrEvent } from '../src/event/event.ts';
import { type RelayFaults, startTestRelay, type TestRelay } from '../src/testing/index.ts';
import { RelayClient, signed } from './relay-client.ts';

const plain = (event: NostrEvent): NostrEvent => JSON.parse(JSON.stringify(event));
const isGenuine = (event: NostrEvent) => verifyEvent({ ...event, tags: event.tags.map((tag) => [...tag]) });

/** A relay with one client that listens to kind 1 under `live`. */
async function withListener(
  use: (relay: TestRelay, client: RelayClient) => Promise<void>,
  options: Parameters<typeof startTestRelay>[0] = {},
): Promise<void> {
  await using relay = await startTestRelay(options);
  const client = await RelayClient.connect(relay.url);
  client.say('REQ', 'live', { kinds: [1] });
  await client.message('EOSE', 'live');
  await use(relay, client);
  client.end();
}

/** How connecting ends: 'open' or the error's words. */
function attempt(url: string): Promise<string> {
  const client = new RelayClient(url);
  return new Promise((resolve) => {
    client.socket.once('open', () => {
      client.end();
      resolve('open');
    });
    client.socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

describe('connections', () => {
  it('NET-3 refuses at the port and comes back on the same one', async () => {
    await using relay = await startTestRelay();
    const before = await RelayClient.connect(relay.url);
    await relay.faults.set({ refuse: 'port' });
    expect(await attempt(relay.url)).toBe('ECONNREFUSED');
    // Who is connected stays so.
    expect((await before.publish(signed())).accepted).toBe(true);
    await relay.faults.clear();
    expect(await attempt(relay.url)).toBe('open');
    before.end();
  });

  it('NET-3 may refuse from the start', async () => {
    await using relay = await startTestRelay({ faults: { refuse: 'port' } });
    expect(await attempt(relay.url)).toBe('ECONNREFUSED');
    await relay.faults.set({ refuse: undefined });
    expect(await attempt(relay.url)).toBe('open');
  });

  it('NET-3 resets whoever connects, or answers the handshake with an HTTP status', async () => {
    await using relay = await startTestRelay({ faults: { refuse: 'reset' } });
    expect(await attempt(relay.url)).toBe('ECONNRESET');
    await relay.faults.set({ refuse: { status: 503 } });
    expect(await attempt(relay.url)).toBe('Unexpected server response: 503');
    await relay.faults.clear();
    expect(await attempt(relay.url)).toBe('open');
  });

  it('NET-3 drops every connection now, by reset or by a close with code and reason', () =>
    withListener(async (relay, client) => {
      const gone: number[] = [];
      relay.on('disconnected', ({ connectionId }) => gone.push(connectionId));
      const second = await RelayClient.connect(relay.url);
      relay.dropAll();
      // 1006 is what a WebSocket reports that ended without a close frame.
      expect(await Promise.all([client.closed(), second.closed()])).toEqual([1006, 1006]);
      const third = await RelayClient.connect(relay.url);
      const reason = new Promise((resolve) =>
        third.socket.once('close', (_, words) => resolve(String(words))),
      );
      relay.dropAll({ how: 'close', code: 4001, reason: 'go away' });
      expect(await third.closed()).toBe(4001);
      expect(await reason).toBe('go away');
      await expect.poll(() => gone.toSorted()).toEqual([1, 2, 3]);
      expect(relay.connections).toEqual([]);
    }));

  it('NET-3 drops a connection as it opens, after so many messages, or after a while', async () => {
    await using relay = await startTestRelay();
    for (let at = 1; at <= 9; at += 1) relay.publish(signed({ created_at: at }));

    await relay.faults.set({ drop: { how: 'close', code: 1011 } });
    expect(await new RelayClient(relay.url).closed()).toBe(1011);

    // The challenge is the first message.
    await relay.faults.set({ drop: { how: 'close', code: 1012, afterMessages: 4 } });
    const client = await RelayClient.connect(relay.url);
    client.say('REQ', 'a', {});
    expect(await client.closed()).toBe(1012);
    expect(client.heard).toHaveLength(4);

    await relay.faults.set({ drop: { how: 'reset', afterMs: 300 } });
    const patient = await RelayClient.connect(relay.url);
    expect(await patient.closed()).toBe(1006);
  });

  it('NET-3 drops by chance, the same way for the same seed', async () => {
    const lengths: number[][] = [];
    for (const _ of [1, 2]) {
      await using relay = await startTestRelay({ faults: { drop: { how: 'close', probability: 0.2 } } });
      for (let at = 1; at <= 40; at += 1) relay.publish(signed({ created_at: at }));
      const heard: number[] = [];
      for (let n = 0; n < 5; n += 1) {
        const client = new RelayClient(relay.url);
        client.socket.once('open', () => client.say('REQ', 'a', {}));
        await client.closed();
        heard.push(client.heard.length);
      }
      lengths.push(heard);
    }
    expect(lengths[0]).toEqual(lengths[1]);
    expect(new Set(lengths[0]).size).toBeGreaterThan(1);
  });

  it('NET-3 stalls: the handshake, the messages, or even the pings', async () => {
    await using relay = await startTestRelay();
    await relay.faults.set({ stall: 'handshake' });
    const waiting = new RelayClient(relay.url);
    // By the time that two later requests were answered, this one has arrived.
    for (const _ of [1, 2]) await fetch(relay.url.replace('ws', 'http'));
    await relay.faults.set({ stall: undefined });
    const client = await RelayClient.connect(relay.url);
    // Whoever came during the stall is still waiting when those who came later were served.
    await client.settle();
    expect(waiting.socket.readyState).toBe(waiting.socket.CONNECTING);
    waiting.end();

    let pongs = 0;
    client.socket.on('pong', () => {
      pongs += 1;
    });
    const heardBefore = client.heard.length;
    await relay.faults.set({ stall: 'messages' });
    client.say('REQ', 'unheard', {});
    await relay.waitFor(({ message }) => Array.isArray(message) && message[1] === 'unheard');
    client.socket.ping();
    await expect.poll(() => pongs).toBe(1);
    expect(client.heard).toHaveLength(heardBefore);

    await relay.faults.set({ stall: 'everything' });
    client.socket.ping();
    client.say('REQ', 'unheard-too', {});
    await relay.waitFor(({ message }) => Array.isArray(message) && message[1] === 'unheard-too');
    await relay.faults.clear();
    await client.settle();
    expect(pongs).toBe(1);
    // What came during the stall is lost, not late.
    expect(relay.connections[0]?.subscriptions.map(({ id }) => id)).not.toContain('unheard');
  });
});

describe('messages', () => {
  it('NET-3 delays everything and keeps the order', () =>
    withListener(async (relay, client) => {
      await relay.faults.set({ delayMs: [5, 40] });
      const events = [1, 2, 3, 4, 5, 6].map((at) => signed({ created_at: at }));
      for (const event of events) relay.publish(event);
      expect(client.eventsOf('live')).toEqual([]);
      await client.settle();
      expect(client.eventsOf('live')).toEqual(events);
      // What is on the way when the fault ends still comes first.
      await relay.faults.set({ delayMs: 50 });
      const [late, prompt] = [signed({ content: 'late' }), signed({ content: 'prompt' })];
      relay.publish(late);
      await relay.faults.clear();
      relay.publish(prompt);
      await client.settle();
      expect(client.eventsOf('live').slice(-2)).toEqual([late, prompt]);
    }));

  it('NET-3 duplicates events and nothing else', () =>
    withListener(async (relay, client) => {
      await relay.faults.set({ duplicate: 2 });
      const event = signed();
      relay.publish(event);
      await client.settle();
      expect(client.eventsOf('live')).toEqual([event, event, event]);
      expect(client.heard.filter(([type]) => type === 'EOSE')).toHaveLength(2);
    }));

  it('NET-3 reorders events, the same way for the same seed, never past an EOSE', async () => {
    const orders: number[][] = [];
    for (const _ of [1, 2]) {
      await using relay = await startTestRelay({ faults: { reorder: 5 } });
      for (let at = 1; at <= 12; at += 1) relay.publish(signed({ created_at: at }));
      const client = await RelayClient.connect(relay.url);
      const { events } = await client.fetch({});
      orders.push(events.map((event) => event.created_at));
      client.end();
    }
    const [first, second] = orders;
    expect(first).toEqual(second);
    const sorted = Array.from({ length: 12 }, (_, n) => 12 - n);
    expect(first).not.toEqual(sorted);
    expect(first?.toSorted((a, b) => b - a)).toEqual(sorted);
  });

  it('NET-3 lets the last held event go by itself', () =>
    withListener(async (relay, client) => {
      await relay.faults.set({ reorder: 100 });
      const event = signed();
      relay.publish(event);
      await client.event('live', event);
    }));

  it.each(['signature', 'content', 'created_at', 'pubkey'] as const)(
    'NET-3 sends a copy with the genuine id and a forged %s before the genuine event',
    (alter) =>
      withListener(async (relay, client) => {
        await relay.faults.set({ forge: { alter } });
        const event = signed({ content: 'genuine' });
        relay.publish(event);
        await client.settle();
        const [forged, genuine, ...rest] = client.eventsOf('live');
        expect(genuine).toEqual(event);
        expect(rest).toEqual([]);
        expect(forged?.id).toBe(event.id);
        expect(forged).not.toEqual(event);
        expect(isGenuine(forged as NostrEvent)).toBe(false);
        // The store is not touched by what happens on the way.
        expect(relay.events()).toEqual([event]);
      }),
  );

  it('NET-3 withholds the genuine event, if told so', () =>
    withListener(async (relay, client) => {
      await relay.faults.set({ forge: { alter: 'content', withhold: true } });
      relay.publish(signed({ content: 'genuine' }));
      await client.settle();
      expect(client.eventsOf('live').map(({ content }) => content)).toEqual(['genuine (forged)']);
    }));

  it.each([
    ['not-json', (text: string) => expect(() => JSON.parse(text)).toThrow()],
    ['wrong-shape', (text: string) => expect(text).toMatch(/^[[{"\dn]/)],
    ['unknown-type', (text: string) => expect(text).toContain('GARBAGE')],
    ['huge', (text: string) => expect(text.length).toBeGreaterThan(1_000_000)],
    ['deep', (text: string) => expect(text).toMatch(/^\[{50000}/)],
  ] as const)('NET-3 sends garbage (%s) before its message', (kind, isSo) =>
    withListener(async (relay, client) => {
      const before = client.frames.length;
      await relay.faults.set({ garbage: { kinds: [kind], hugeBytes: 1_000_000 } });
      const event = signed();
      relay.publish(event);
      await client.event('live', event);
      const [garbage, message] = client.frames.slice(before);
      isSo(garbage?.text ?? '');
      expect(JSON.parse(message?.text ?? '')).toEqual(['EVENT', 'live', event]);
    }),
  );

  it('NET-3 sends binary garbage, by chance', () =>
    withListener(async (relay, client) => {
      await relay.faults.set({ garbage: { kinds: ['binary'], probability: 0.5 } });
      for (let at = 1; at <= 40; at += 1) relay.publish(signed({ created_at: at }));
      await client.settle();
      const garbage = client.frames.filter(({ binary }) => binary).length;
      expect(garbage).toBeGreaterThan(5);
      expect(garbage).toBeLessThan(40);
      expect(client.eventsOf('live')).toHaveLength(40);
    }));
});

describe('subscriptions', () => {
  it('NET-3 sends EOSE early, late or never', () =>
    withListener(async (relay, client) => {
      for (let at = 1; at <= 3; at += 1) relay.publish(signed({ created_at: at }));
      const order = async (id: string) => {
        client.say('REQ', id, {});
        await client.first(() => client.eventsOf(id).length >= 3);
        await relay.faults.clear();
        await client.settle();
        return client.heard.filter(([, sub]) => sub === id).map(([type]) => type);
      };
      await relay.faults.set({ eose: 'early' });
      expect(await order('early')).toEqual(['EOSE', 'EVENT', 'EVENT', 'EVENT']);
      await relay.faults.set({ eose: 'never' });
      expect(await order('never')).toEqual(['EVENT', 'EVENT', 'EVENT']);
      await relay.faults.set({ eose: { lateMs: 6_000 } });
      expect(await order('late')).toEqual(['EVENT', 'EVENT', 'EVENT']);
      // It lags behind what is published meanwhile.
      relay.publish(signed({ created_at: 4 }));
      await client.message('EOSE', 'late');
      expect(client.eventsOf('late')).toHaveLength(4);
    }));

  it('NET-3 closes subscriptions with any reason, at once or after EOSE', () =>
    withListener(async (relay, client) => {
      const event = signed();
      relay.publish(event);
      await relay.faults.set({ closed: { reason: 'error: shutting down idle subscription' } });
      client.say('REQ', 'a', {});
      expect(await client.message('CLOSED', 'a')).toEqual([
        'CLOSED',
        'a',
        'error: shutting down idle subscription',
      ]);
      expect(client.eventsOf('a')).toEqual([]);
      await relay.faults.set({ closed: { reason: 'restricted: no', after: 'eose' } });
      client.say('REQ', 'b', {});
      await client.message('CLOSED', 'b', 'restricted: no');
      expect(client.heard.filter(([, id]) => id === 'b').map(([type]) => type)).toEqual([
        'EVENT',
        'EOSE',
        'CLOSED',
      ]);
      expect(relay.connections[0]?.subscriptions.map(({ id }) => id)).toEqual(['live']);
    }));

  it('NET-3 overlooks the tags, or the whole filter, of live subscriptions', () =>
    withListener(async (relay, client) => {
      client.say('REQ', 'tagged', { kinds: [1], '#t': ['x'] });
      await client.message('EOSE', 'tagged');
      const [untagged, other] = [signed(), signed({ kind: 7 })];
      await relay.faults.set({ ignoreFilters: 'tags' });
      relay.publish(untagged);
      await relay.faults.set({ ignoreFilters: 'all' });
      relay.publish(other);
      await client.settle();
      expect(client.eventsOf('tagged')).toEqual([untagged, other]);
      expect(client.eventsOf('live')).toEqual([untagged, other]);
    }));

  it('NET-3 floods with signed events that match, at about the rate that was asked for', () =>
    withListener(async (relay, client) => {
      client.say('REQ', 'tagged', { kinds: [6001], '#e': ['1'.repeat(64)], since: 5 });
      await client.message('EOSE', 'tagged');
      const started = performance.now();
      await relay.faults.set({ flood: { perSecond: 100, events: 'valid' } });
      await client.first(
        () => client.eventsOf('tagged').length >= 10 && client.eventsOf('live').length >= 10,
      );
      const seconds = (performance.now() - started) / 1000;
      await relay.faults.clear();
      await client.settle();
      const flood = [...client.eventsOf('tagged'), ...client.eventsOf('live')];
      // The rate is a ceiling: what a busy machine cannot send is not made up for.
      expect(flood.length).toBeLessThanOrEqual(100 * (seconds + 1));
      expect(flood.every(isGenuine)).toBe(true);
      expect(new Set(flood.map(({ id }) => id)).size).toBe(flood.length);
      for (const event of client.eventsOf('tagged')) {
        expect(event).toMatchObject({ kind: 6001, tags: [['e', '1'.repeat(64)]] });
      }
      expect(relay.events()).toEqual([]);
      const before = client.heard.length;
      await client.settle();
      // It has stopped: only the answer to settle() came.
      expect(client.heard.slice(before).map(([type]) => type)).toEqual(['EOSE']);
    }));

  it('NET-3 floods with invalid, unsolicited or given events', () =>
    withListener(async (relay, client) => {
      await relay.faults.set({ flood: { perSecond: 2_000, events: 'invalid' } });
      await client.first(() => client.eventsOf('live').length >= 100);
      await relay.faults.set({ flood: { perSecond: 2_000, events: 'invalid', unsolicited: true } });
      await client.settle();
      const invalid = client.eventsOf('live');
      expect(invalid.some(isGenuine)).toBe(false);
      expect(new Set(invalid.map(({ id }) => id)).size).toBe(invalid.length);

      const own = plain(
        finalizeEvent({ kind: 7, created_at: 5, tags: [], content: 'own' }, generateSecretKey()),
      );
      await relay.faults.set({ flood: { perSecond: 500, events: [own] } });
      await client.event('live', own);
    }));
});

describe('the clock', () => {
  it('NET-3 runs ahead: the future is taken, expiration comes early', () =>
    withListener(async (relay, client) => {
      const now = Math.floor(Date.now() / 1000);
      const future = signed({ created_at: now + 3600 });
      const expiring = signed({ tags: [['expiration', String(now + 1800)]] });
      expect((await client.publish(future)).message).toMatch(/^invalid: created_at is too far in the future/);
      await relay.faults.set({ clockSkewMs: 3_600_000 });
      expect((await client.publish(future)).accepted).toBe(true);
      expect((await client.publish(expiring)).message).toBe('invalid: event has expired');
      expect((await client.authenticate(generateSecretKey())).message).toMatch(/^invalid: created_at/);
      await client.settle();
      expect(client.eventsOf('live')).toEqual([future]);
    }));

  it('NET-3 floods with genuine events from the future', () =>
    withListener(async (relay, client) => {
      const tenYearsMs = 10 * 365 * 86_400_000;
      await relay.faults.set({ flood: { perSecond: 100, events: 'valid', aheadMs: tenYearsMs } });
      await client.message('EVENT', 'live');
      const [event] = client.eventsOf('live');
      expect(isGenuine(event as NostrEvent)).toBe(true);
      expect(event?.created_at).toBeGreaterThan((Date.now() + tenYearsMs) / 1000 - 60);
    }));
});

describe('authentication', () => {
  it('NET-3 is required for reading, writing or both, and NIP-11 says so', () =>
    withListener(async (relay, client) => {
      const key = generateSecretKey();
      await relay.faults.set({ auth: { required: 'write' } });
      expect(await client.publish(signed())).toEqual({
        accepted: false,
        message: 'auth-required: authenticate before you publish',
      });
      expect((await client.fetch({})).closed).toBe(null);
      await relay.faults.set({ auth: { required: 'read' } });
      expect((await client.publish(signed({ content: 'unseen' }))).accepted).toBe(true);
      expect((await client.fetch({})).closed).toMatch(/^auth-required: /);
      // Live subscriptions from before get nothing either.
      expect(client.eventsOf('live')).toEqual([]);
      await relay.faults.set({ auth: { required: 'all' } });
      const document = await fetch(relay.url.replace('ws', 'http'), {
        headers: { accept: 'application/nostr+json' },
      });
      expect(await document.json()).toMatchObject({ limitation: { auth_required: true } });
      expect((await client.authenticate(key)).accepted).toBe(true);
      const event = signed();
      expect((await client.publish(event)).accepted).toBe(true);
      expect((await client.fetch({ ids: [event.id] })).ids).toEqual([event.id]);
      expect(client.eventsOf('live')).toEqual([event]);
    }));

  it('NET-3 is refused with any reason', () =>
    withListener(async (relay, client) => {
      await relay.faults.set({ auth: { required: 'all', refuse: 'restricted: not on the list' } });
      const { accepted, message } = await client.authenticate(generateSecretKey());
      expect({ accepted, message }).toEqual({ accepted: false, message: 'restricted: not on the list' });
      expect((await client.publish(signed())).message).toMatch(/^auth-required: /);
    }));
});

describe('publishing', () => {
  it('NET-3 answers OK false, a NOTICE or nothing, and stores only if told so', () =>
    withListener(async (relay, client) => {
      await relay.faults.set({ publish: { answer: 'refuse', reason: 'rate-limited: slow down' } });
      expect(await client.publish(signed())).toEqual({ accepted: false, message: 'rate-limited: slow down' });
      await relay.faults.set({ publish: { answer: 'notice', reason: 'error: event too large' } });
      client.say('EVENT', signed());
      await client.message('NOTICE', 'error: event too large');
      const silent = signed();
      await relay.faults.set({ publish: { answer: 'silence' } });
      client.say('EVENT', silent);
      await client.settle();
      expect(relay.events()).toEqual([]);
      await relay.faults.set({ publish: { answer: 'silence', store: true } });
      client.say('EVENT', silent);
      await client.event('live', silent);
      expect(relay.events()).toEqual([silent]);
      expect(client.heard.filter(([type]) => type === 'OK')).toHaveLength(1);
    }));

  it('NET-3 lies in its NIP-11 document', () =>
    withListener(async (relay) => {
      const read = async () =>
        (
          await fetch(relay.url.replace('ws', 'http'), { headers: { accept: 'application/nostr+json' } })
        ).text();
      await relay.faults.set({ information: { limitation: { max_subscriptions: 1 } } });
      expect(JSON.parse(await read())).toMatchObject({
        limitation: { max_subscriptions: 1 },
        supported_nips: [1, 9, 11, 40, 42, 45, 59],
      });
      await relay.faults.set({ information: '<html>' });
      expect(await read()).toBe('<html>');
    }));
});

describe('the switches', () => {
  it('NET-3 add up, show what is on and go off one by one or together', () =>
    withListener(async (relay, client) => {
      await relay.faults.set({ duplicate: 1, forge: { alter: 'signature' } });
      await relay.faults.set({ garbage: { kinds: ['not-json'] }, delayMs: 10, reorder: 2 });
      expect(Object.keys(relay.faults.current).sort()).toEqual([
        'delayMs',
        'duplicate',
        'forge',
        'garbage',
        'reorder',
      ]);
      const event = signed();
      relay.publish(event);
      await client.first(() => client.eventsOf('live').length === 3);
      expect(client.frames.filter(({ text }) => text.startsWith('["EVENT", "sub"'))).toHaveLength(1);
      expect(client.eventsOf('live').filter(isGenuine)).toEqual([event, event]);
      await relay.faults.set({ forge: undefined, garbage: undefined });
      expect(Object.keys(relay.faults.current).sort()).toEqual(['delayMs', 'duplicate', 'reorder']);
      await relay.faults.clear();
      expect(relay.faults.current).toEqual({});
    }));

  it.each([
    [{ dorp: true }, "There is no fault called 'dorp'"],
    [{ toString: true }, "There is no fault called 'toString'"],
    [{ duplicate: -1 }, "The fault 'duplicate' cannot be -1"],
    [{ delayMs: [9, 1] }, "The fault 'delayMs' cannot be [9,1]"],
    [{ forge: { alter: 'signature', probability: 2 } }, "The fault 'forge' cannot be"],
    [{ stall: true }, "The fault 'stall' cannot be true"],
  ])('NET-3 refuse what makes no sense: %j', async (faults, message) => {
    await using relay = await startTestRelay();
    await expect(relay.faults.set(faults as unknown as RelayFaults)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining(message),
    });
    await expect(startTestRelay({ faults: faults as unknown as RelayFaults })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
    });
  });
});
