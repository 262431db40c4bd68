import { measured, patienceMs, until } from '@bonafide/internal/testing';
import { describe, expect, it } from 'vitest';
import type { NostrEvent } from '../src/event/event.ts';
import { createPureVerifier } from '../src/event/verifier.ts';
import type { RelaySocket, SocketEvent } from '../src/relay/socket.ts';
import { createKeySigner } from '../src/signers/key-signer.ts';
import { makeEvent, missigned } from './support/events.ts';
import { makeRelay, makeTestRelay, makeTransport, sentTo } from './support/transports.ts';

const outcome = async (publishing: Promise<readonly { status: string; message: string }[]>) => {
  const [first] = await publishing;
  return [first?.status, first?.message];
};

describe('NET-1 publishing', () => {
  it('NET-1 says what each relay did, in the order given', async () => {
    const event = await makeEvent();
    const yes = await makeTestRelay();
    const no = await makeTestRelay({ faults: { publish: { answer: 'refuse', reason: 'blocked: not you' } } });
    const outcomes = await makeTransport().publish(
      event,
      [no.url, 'ws://10.0.0.1', yes.url, no.url, 'nonsense relay'],
      { timeoutMs: 240_000 },
    );
    expect(outcomes.map(({ relay, status }) => [relay, status])).toEqual([
      [no.url, 'rejected'],
      ['ws://10.0.0.1', 'refused'],
      [yes.url, 'accepted'],
      [no.url, 'rejected'],
      ['nonsense relay', 'refused'],
    ]);
    expect(outcomes[0]?.message).toBe('blocked: not you');
    expect(outcomes.every(({ latencyMs }) => Number.isInteger(latencyMs) && latencyMs >= 0)).toBe(true);
    expect(sentTo(no, 'EVENT')).toHaveLength(1);
    expect(yes.events()).toEqual([event]);
  });

  it('NET-1 tries a relay that is down again until the time is over', async () => {
    const gone = await makeRelay();
    await gone.close();
    const outcomes = await makeTransport().publish(await makeEvent(), [gone.url], { timeoutMs: 10_000 });
    expect(outcomes).toMatchObject([{ relay: gone.url, status: 'unreachable' }]);
    expect(outcomes[0]?.message).toContain('ECONNREFUSED');
  });

  it('X-6 is measured for OpenTelemetry, both ways, without naming relays', async () => {
    const event = await makeEvent();
    const relay = await makeTestRelay();
    const found = await measured(async () => {
      const transport = makeTransport();
      await transport.publish(event, [relay.url, 'ws://10.0.0.1']);
      await transport.query([relay.url], [{}]);
    });
    expect(found).toMatchObject({
      'bonafide.transport.publishes accepted': 1,
      'bonafide.transport.publishes refused': 1,
      'bonafide.transport.events accepted': 1,
    });
    expect(JSON.stringify(found)).not.toContain(relay.url);
  });

  it('NET-1 tells a NOTICE from silence', async () => {
    const event = await makeEvent();
    const notice = await makeTestRelay({
      faults: { publish: { answer: 'notice', reason: 'invalid: too\nlarge' } },
    });
    const silent = await makeTestRelay({ faults: { publish: { answer: 'silence' } } });
    const transport = makeTransport({ limits: { noticeGraceMs: 50 } });
    // Long before the time is up: the grace after the NOTICE is enough.
    expect(await outcome(transport.publish(event, [notice.url], { timeoutMs: 240_000 }))).toEqual([
      'notice',
      'invalid: too large',
    ]);
    expect(await outcome(transport.publish(event, [silent.url], { timeoutMs: 3_000 }))).toEqual([
      'silent',
      'no answer in time',
    ]);
  });

  it('NET-1 a NOTICE about something else does not hide the OK that follows', async () => {
    const event = await makeEvent();
    const relay = await makeRelay({
      onMessage: ([type, first], client) => {
        if (type !== 'EVENT') return;
        client.send(['NOTICE', 'maintenance at noon']);
        setTimeout(() => client.send(['OK', (first as NostrEvent).id, true, '']), 30);
      },
    });
    const transport = makeTransport({ limits: { noticeGraceMs: patienceMs } });
    expect(await outcome(transport.publish(event, [relay.url]))).toEqual(['accepted', '']);
  });

  it('NET-1 sends again what a dropped line left unanswered, and hears the last words before a close', async () => {
    const event = await makeEvent();
    const relay = await makeRelay({
      onMessage: ([type, first], client) => {
        if (type !== 'EVENT') return;
        if (client.number === 1) client.drop();
        else {
          client.send(['OK', (first as NostrEvent).id, true, 'at last']);
          client.close(1001);
        }
      },
    });
    expect(await outcome(makeTransport().publish(event, [relay.url]))).toEqual(['accepted', 'at last']);
  });

  it('NET-1 hears what a relay says in the same breath in which it closes', async () => {
    const event = await makeEvent();
    const listeners = new Map<string, (event: SocketEvent) => void>();
    const socket: RelaySocket = {
      bufferedAmount: 0,
      send() {
        listeners.get('message')?.({ data: JSON.stringify(['OK', event.id, true, 'goodbye']) });
        listeners.get('close')?.({ code: 1001 });
      },
      close() {},
      addEventListener: (type, listener) => void listeners.set(type, listener),
    };
    const connect = () => {
      setImmediate(() => listeners.get('open')?.({}));
      return socket;
    };
    const transport = makeTransport({ connect, backoff: { minMs: 60_000, maxMs: 60_000 } });
    expect(await outcome(transport.publish(event, ['wss://relay.example.com']))).toEqual([
      'accepted',
      'goodbye',
    ]);
  });

  it('NET-1 reaches a relay that comes up while it waits', async () => {
    const event = await makeEvent();
    const place = await makeRelay();
    await place.close();
    const publishing = makeTransport().publish(event, [place.url], { timeoutMs: 240_000 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const relay = await makeTestRelay({ port: place.port });
    expect(await outcome(publishing)).toEqual(['accepted', expect.any(String)]);
    expect(relay.events()).toEqual([event]);
  });

  it('NET-1 X-8 aborting settles at once with what is known', async () => {
    const event = await makeEvent();
    const silent = await makeTestRelay({ faults: { publish: { answer: 'silence' } } });
    const down = await makeRelay();
    await down.close();
    const stop = new AbortController();
    const publishing = makeTransport().publish(event, [silent.url, down.url], {
      signal: stop.signal,
      timeoutMs: 240_000,
    });
    await silent.waitFor(({ message }) => Array.isArray(message) && message[0] === 'EVENT');
    stop.abort();
    expect((await publishing).map(({ status }) => status)).toEqual(['silent', 'unreachable']);
    const late = await makeTransport().publish(event, [silent.url], { signal: AbortSignal.abort() });
    expect(late[0]?.status).toBe('unreachable');
  });

  it('NET-1 X-5b throws for an event that is not genuine, before any relay sees it', async () => {
    const relay = await makeTestRelay();
    const event = await makeEvent();
    const transport = makeTransport();
    for (const wrong of [missigned(event), { ...event, content: 'forged' }, { ...event, kind: -1 }]) {
      await expect(transport.publish(wrong, [relay.url])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
    await expect(transport.publish(event, relay.url as never)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(relay.received).toEqual([]);
  });

  it('X-5b does not verify again the object that its own signer has made and verified, and every copy of it', async () => {
    const relay = await makeTestRelay();
    const pure = createPureVerifier();
    const seen: unknown[] = [];
    const verifier = {
      name: 'counting',
      verify: (event: unknown) => seen.push(event) > 0 && pure.verify(event),
    };
    const transport = makeTransport({ verifier });
    const template = { kind: 1, created_at: 1_700_000_000, tags: [['t', 'x']], content: 'hello' };
    const event = await createKeySigner('07'.repeat(32)).signEvent(template);
    expect(await outcome(transport.publish(event, [relay.url]))).toEqual(['accepted', '']);
    expect(seen).toEqual([]);

    expect((await outcome(transport.publish({ ...event }, [relay.url])))[0]).toBe('accepted');
    expect(seen).toEqual([event]);
    const forged = Object.freeze({ ...event, content: 'forged' });
    await expect(transport.publish(forged, [relay.url])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    const proxied = new Proxy(event, {
      get: (of, name) => (name === 'content' ? 'forged' : Reflect.get(of, name)),
    });
    await expect(transport.publish(proxied, [relay.url])).rejects.toThrow();

    // A library that does not verify what it signs.
    const broken = { signSchnorr: () => new Uint8Array(64) };
    const unverified = await createKeySigner('07'.repeat(32), { library: broken }).signEvent(template);
    await expect(transport.publish(unverified, [relay.url])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('NET-1 does not send what is larger than a relay announces, until it has taken as much', async () => {
    const small = await makeEvent();
    const large = await makeEvent({ content: 'x'.repeat(3_000) });
    const honest = await makeTestRelay({ limits: { maxMessageBytes: 2_000 } });
    const modest = await makeTestRelay({
      faults: { information: { limitation: { max_message_length: 2_000 } } },
    });
    const transport = makeTransport();
    // What is sent before the announcement has come is a measurement.
    expect(await outcome(transport.publish(large, [modest.url]))).toEqual(['accepted', expect.any(String)]);
    await transport.publish(small, [honest.url]);
    await until(() => transport.status().every(({ state }) => state === 'open'));
    await transport.query([honest.url, modest.url], [{}]);
    expect(await outcome(transport.publish(large, [honest.url]))).toEqual([
      'rejected',
      expect.stringContaining('limit of 2000'),
    ]);
    expect(await outcome(transport.publish(large, [modest.url]))).toEqual(['accepted', expect.any(String)]);
  });

  it('NET-1 bounds what waits', async () => {
    const down = await makeRelay();
    await down.close();
    const transport = makeTransport({ limits: { maxPendingPublishes: 2 } });
    const events = await Promise.all([makeEvent(), makeEvent(), makeEvent()]);
    const publishing = events.map((event) =>
      outcome(transport.publish(event, [down.url], { timeoutMs: 200 })),
    );
    expect(await publishing[2]).toEqual(['refused', 'the publish queue of this relay is full (2 events)']);
    await Promise.all(publishing);
  });
});
