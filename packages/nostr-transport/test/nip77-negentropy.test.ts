import { describe, expect, it, onTestFinished } from 'vitest';
import type { NostrEvent } from '../src/event/event.ts';
import type { RelayReadResult } from '../src/transport.ts';
import { makeEvent, nowSeconds } from './support/events.ts';
import { startNip77Relay } from './support/nip77-relay.ts';
import { makeRelay, makeTestRelay, makeTransport } from './support/transports.ts';

async function makeNip77Relay(...args: Parameters<typeof startNip77Relay>) {
  const relay = await startNip77Relay(...args);
  onTestFinished(() => relay.close());
  return relay;
}

const now = nowSeconds();
const series = (count: number, kind = 31_990) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      makeEvent({ kind, created_at: now - 3 * index, tags: [['d', `${index}`]] }),
    ),
  );

/** Does not give up on a relay while the machine is busy. */
const patient = { limits: { reconcileAnswerMs: 60_000 } };

async function ask(
  url: string,
  known: readonly NostrEvent[],
  options = {},
  transport = makeTransport(patient),
) {
  const results: RelayReadResult[] = [];
  const events = await transport.query([url], [{ kinds: [31_990] }], {
    timeoutMs: 240_000,
    known,
    onRelayResult: (result) => results.push(result),
    ...options,
  });
  return { events, result: results[0] };
}

describe('NET-8 reconciliation', () => {
  it('NET-8 a second query transfers only what is new', async () => {
    const events = await series(300);
    const relay = await makeNip77Relay(events);
    const first = await ask(relay.url, []);
    expect(first.events).toHaveLength(300);
    const whole = relay.traffic.bytes;

    const [fresh] = await series(1);
    relay.events.push(fresh as NostrEvent);
    relay.traffic.bytes = 0;
    relay.traffic.events = 0;
    const second = await ask(relay.url, first.events);
    expect(second.events).toEqual([fresh]);
    expect(second.result).toEqual({
      relay: relay.url,
      status: 'complete',
      received: 1,
      taken: 1,
      known: 300,
      message: '',
    });
    expect(relay.traffic.events).toBe(1);
    expect(relay.traffic.bytes).toBeLessThan(whole / 20);

    relay.traffic.types.length = 0;
    const third = await ask(relay.url, [...first.events, fresh as NostrEvent]);
    expect(third.result).toMatchObject({ status: 'complete', received: 0, known: 301 });
    expect(relay.traffic.types).not.toContain('REQ');
  });

  it('NET-8 finds hundreds of differences, and what only we have costs nothing', async () => {
    const events = await series(700);
    const relay = await makeNip77Relay(events.filter((_, index) => index % 3 !== 0));
    const known = events.filter((_, index) => index % 2 === 0);
    const { events: found, result } = await ask(relay.url, known);
    const expected = events.filter((_, index) => index % 3 !== 0 && index % 2 === 1);
    expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    const shared = events.filter((_, index) => index % 3 !== 0 && index % 2 === 0).length;
    expect(result).toMatchObject({ status: 'complete', taken: expected.length, known: shared });
  });

  it.each(['error', 'malformed'] as const)(
    'NET-8 reads everything from a relay that answers with %s',
    async (negOpen) => {
      const events = await series(20);
      const relay = await makeNip77Relay(events, { negOpen });
      const { events: found, result } = await ask(relay.url, events.slice(0, 15));
      expect(found).toHaveLength(20);
      expect(result).toMatchObject({ status: 'complete', received: 20 });
      expect(result?.known).toBeUndefined();
    },
  );

  it('NET-8 reads everything from a relay that announces it and does not answer', async () => {
    const events = await series(6);
    const relay = await makeNip77Relay(events, { negOpen: 'silence' });
    const transport = makeTransport({ limits: { reconcileAnswerMs: 20 } });
    const { result } = await ask(relay.url, events, {}, transport);
    expect(result).toMatchObject({ status: 'complete', received: 6 });
  });

  it('NET-8 asks nothing of relays that do not announce it, nor for filters with a limit', async () => {
    const events = await series(6);
    const plain = await makeNip77Relay(events, { supportedNips: [1] });
    expect((await ask(plain.url, events)).events).toHaveLength(6);
    const relay = await makeNip77Relay(events);
    await makeTransport().query([relay.url], [{ kinds: [31_990], limit: 3 }], { known: events });
    expect([...plain.traffic.types, ...relay.traffic.types]).not.toContain('NEG-OPEN');
    const strict = await makeTestRelay();
    expect((await ask(strict.url, events)).result).toMatchObject({ status: 'complete', received: 0 });
  });

  it('NET-8 a relay that lists more events than the limit is read page by page', async () => {
    const events = await series(40);
    const relay = await makeNip77Relay(events);
    const transport = makeTransport({ limits: { reconcileAnswerMs: 60_000, maxReconciled: 30 } });
    const compare = (known: readonly NostrEvent[]) =>
      transport.reconcile(relay.url, { kinds: [31_990] }, known, { timeoutMs: 240_000 });
    expect(await compare([])).toBeNull();
    const { events: found, result } = await ask(relay.url, [], {}, transport);
    expect(found).toHaveLength(40);
    expect(result).not.toHaveProperty('known');
    expect((await compare(events.slice(0, 10)))?.missing).toHaveLength(30);
  });

  it('NET-8 a relay that lists more than it sends is cut, and an unreachable one is not complete', async () => {
    const events = await series(9);
    const relay = await makeNip77Relay(events, { withheld: new Set([events[4]?.id ?? '']) });
    const { events: found, result } = await ask(relay.url, events.slice(0, 2));
    expect(found).toHaveLength(6);
    expect(result).toMatchObject({ status: 'cut', known: 2, message: '1 listed events were not sent' });
    const down = await makeRelay();
    await down.close();
    const relayInfo = async () => ({ supported_nips: [77] });
    const results: RelayReadResult[] = [];
    await makeTransport({ relayInfo }).query([down.url], [{ kinds: [1] }], {
      known: events,
      timeoutMs: 1_000,
      onRelayResult: (answer) => results.push(answer),
    });
    expect(results[0]).toMatchObject({ status: 'unreachable', received: 0 });
  });

  it('NET-8 X-8 an aborted query leaves nothing behind', async () => {
    const relay = await makeNip77Relay(await series(6), { negOpen: 'silence' });
    const transport = makeTransport();
    const stop = new AbortController();
    const asking = transport.query([relay.url], [{ kinds: [31_990] }], {
      known: [],
      signal: stop.signal,
      timeoutMs: 240_000,
    });
    while (!relay.traffic.types.includes('NEG-OPEN')) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort(new Error('enough'));
    await expect(asking).rejects.toThrow('enough');
    while (!relay.traffic.types.includes('NEG-CLOSE')) await new Promise((resolve) => setTimeout(resolve, 5));
  });
});

describe('reconcile', () => {
  it('returns the difference by id and transfers no event (NET-8)', async () => {
    const events = await series(60);
    const relay = await makeNip77Relay(events.slice(0, 40));
    const compared = await makeTransport(patient).reconcile(
      relay.url,
      { kinds: [31_990] },
      events.slice(20),
      {
        timeoutMs: 240_000,
      },
    );
    const idsOf = (some: readonly NostrEvent[]) => some.map(({ id }) => id).sort();
    expect([...(compared?.missing ?? [])].sort()).toEqual(idsOf(events.slice(0, 20)));
    expect([...(compared?.shared ?? [])].sort()).toEqual(idsOf(events.slice(20, 40)));
    expect(relay.traffic.events).toBe(0);
  });

  it('resolves to null without NIP-77, an answer or a connection, and rejects on abort and after close (NET-8, X-8)', async () => {
    const [event] = await series(1);
    const filter = { kinds: [31_990] };
    const known = [event as NostrEvent];
    const transport = makeTransport();
    const plain = await makeNip77Relay(known, { supportedNips: [1] });
    const silent = await makeNip77Relay(known, { negOpen: 'silence' });
    expect(await transport.reconcile(plain.url, filter, known)).toBeNull();
    expect(await transport.reconcile(silent.url, filter, known, { timeoutMs: 50 })).toBeNull();
    expect(await transport.reconcile('ws://127.0.0.1:1', filter, known, { timeoutMs: 50 })).toBeNull();
    const ending = new AbortController();
    const waiting = transport.reconcile(silent.url, filter, known, { signal: ending.signal });
    ending.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(transport.reconcile(silent.url, { kinds: ['x'] } as never, known)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    await transport.close();
    await expect(transport.reconcile(silent.url, filter, known)).rejects.toMatchObject({ code: 'CLOSED' });
  });
});
