import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { NostrEvent } from '../src/event/event.ts';
import { createThreadedVerifier, serveVerifier } from '../src/event/threaded-verifier.ts';
import { createPureVerifier, type Verifier } from '../src/event/verifier.ts';
import { createInbox } from '../src/relay/inbox.ts';
import type { SocketEvent, SocketFactory } from '../src/relay/socket.ts';
import { makeEvent, missigned, nowSeconds, tampered } from './support/events.ts';
import { makeTransport } from './support/transports.ts';

function startThread(fault: '' | 'dies' | 'is silent' = ''): Worker {
  const thread = new Worker(new URL('support/verify-thread.ts', import.meta.url), {
    workerData: fault,
    execArgv: ['--conditions=@bonafide/source', '--no-warnings'],
  });
  onTestFinished(async () => void (await thread.terminate()));
  return thread;
}

/** A verifier that counts what it verifies in this thread. */
function countingVerifier() {
  const pure = createPureVerifier();
  const verifier: Verifier & { count: number } = {
    name: 'counting',
    count: 0,
    verify(event) {
      verifier.count += 1;
      return pure.verify(event);
    },
  };
  return verifier;
}

/** A socket of a relay that answers the first REQ with these events, all at the same moment. */
const socketWith =
  (events: readonly unknown[]): SocketFactory =>
  () => {
    const listeners = new Map<string, ((event: SocketEvent) => void)[]>();
    const emit = (type: string, event: SocketEvent) => {
      for (const listener of listeners.get(type) ?? []) listener(event);
    };
    let left = events;
    setImmediate(() => emit('open', {}));
    return {
      bufferedAmount: 0,
      send(text) {
        const [type, id] = JSON.parse(text);
        if (type !== 'REQ') return;
        for (const event of left) emit('message', { data: JSON.stringify(['EVENT', id, event]) });
        left = [];
        emit('message', { data: JSON.stringify(['EOSE', id]) });
      },
      close: () => emit('close', { code: 1_000, reason: '' }),
      addEventListener: (type, listener) =>
        void listeners.set(type, [...(listeners.get(type) ?? []), listener]),
    };
  };

const newest = nowSeconds();
const genuine = await Promise.all(
  Array.from({ length: 150 }, (_, n) => makeEvent({ created_at: newest - n })),
);

describe('a verifier with a thread', () => {
  async function read(verifier: Verifier, events: readonly unknown[]) {
    const rejected: string[] = [];
    const got: string[] = [];
    await new Promise<void>((resolve) => {
      makeTransport({ verifier, connect: socketWith(events), limits: { pageSize: 1_000 } }).subscribe(
        ['ws://127.0.0.1:7777'],
        [{ kinds: [1], limit: events.length }],
        {
          onEvent: ({ id }) => got.push(id),
          onRejected: ({ reason }) => rejected.push(reason),
          onEose: () => resolve(),
        },
      );
    });
    return { got, rejected };
  }

  it('NET-1b admits what the same verifier admits alone, in the same order, and checks a flood in the thread only', async () => {
    const hostile = genuine.flatMap((event, n): unknown[] =>
      n % 10 === 0 ? [missigned(event), tampered(event), event, { ...event, sig: 5 }, null] : [event],
    );
    const verifier = countingVerifier();
    const threaded = createThreadedVerifier({ verifier, thread: startThread() });
    const { got, rejected } = await read(threaded, hostile);
    expect(got).toEqual(genuine.map(({ id }) => id));
    expect(rejected.filter((reason) => reason === 'bad-signature')).toHaveLength(15);
    expect(rejected.filter((reason) => reason === 'bad-id')).toHaveLength(15);
    expect(rejected.filter((reason) => reason === 'malformed')).toHaveLength(30);
    // The last few are too few for the thread.
    expect(verifier.count).toBeLessThan(32);
  });

  it.each(['dies', 'is silent'] as const)(
    'NET-1b X-8 loses nothing when its thread %s: this thread verifies',
    async (fault) => {
      const verifier = countingVerifier();
      const threaded = createThreadedVerifier({ verifier, thread: startThread(fault), answerWithinMs: 200 });
      const { got } = await read(threaded, genuine);
      expect(got).toEqual(genuine.map(({ id }) => id));
      expect(verifier.count).toBe(genuine.length);
    },
  );

  it('NET-1b a verdict is for the very fields: other words under the same id and signature are rejected', async () => {
    const threaded = createThreadedVerifier({ verifier: countingVerifier(), thread: startThread() });
    const [event] = genuine as [NostrEvent];
    const messageOf = (one: unknown) => JSON.stringify(['EVENT', 'a', one]);
    const wrong = { ...missigned(event) };
    const verdicts = await threaded.verifyAhead?.([
      // Under a genuine id and signature: a verdict about it would be one about the genuine event.
      messageOf({ ...event, pubkey: 'a'.repeat(64) }),
      messageOf(event),
      messageOf(tampered(event)),
      messageOf(wrong),
      'garbage',
      '["EOSE","a"]',
    ]);
    expect(verdicts).toEqual(
      new Map([
        [event.id + event.sig, true],
        [wrong.id + wrong.sig, false],
      ]),
    );
    expect(threaded.verify(event)).toBe(true);
    expect(threaded.verify(tampered(event))).toBe(false);
  });

  it('NET-1b a thread does not serve with a verifier that accepts everything', () => {
    const port = { postMessage() {}, on() {} };
    expect(() => serveVerifier(null, { name: 'any', verify: () => true })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
    expect(() => serveVerifier(port, { name: 'careless', verify: () => true })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
  });
});

describe('an inbox that prepares', () => {
  it('NET-1 keeps the order, prepares at most two batches at a time, and handles nothing before', async () => {
    const handled: number[] = [];
    const prepared = new Set<string>();
    const unprepared: string[] = [];
    const release: (() => void)[] = [];
    const inbox = createInbox({
      handle(text) {
        if (!prepared.has(text)) unprepared.push(text);
        handled.push(Number(text));
      },
      prepare: (texts) =>
        new Promise((resolve) => {
          release.push(() => {
            for (const text of texts) prepared.add(text);
            resolve();
          });
        }),
      pause() {},
      resume() {},
      onOverflow() {},
    });
    for (let at = 0; at < 320; at += 1) inbox.push(String(at));
    const { promise: empty, resolve: onEmpty } = Promise.withResolvers<void>();
    inbox.whenEmpty(onEmpty);
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    await turn();
    expect(release).toHaveLength(2);
    expect(handled).toEqual([]);
    // The second is done first.
    release[1]?.();
    for (let at = 0; at < 5; at += 1) await turn();
    expect(handled).toEqual([]);
    release[0]?.();
    for (let at = 2; handled.length < 320; at += 1) {
      await turn();
      release[at]?.();
      if (release[at] === undefined) at -= 1;
    }
    await empty;
    expect(handled).toEqual(Array.from({ length: 320 }, (_, at) => at));
    expect(unprepared).toEqual([]);
  });

  it('NET-1 handles a few messages at once', async () => {
    const handled: string[] = [];
    const inbox = createInbox({
      handle: (text) => handled.push(text),
      prepare: () => new Promise(() => {}),
      pause() {},
      resume() {},
      onOverflow() {},
    });
    inbox.push('one');
    await new Promise<void>((resolve) => inbox.whenEmpty(resolve));
    expect(handled).toEqual(['one']);
  });
});
