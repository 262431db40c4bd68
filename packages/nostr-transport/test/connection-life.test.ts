import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually, until } from '@bonafide/internal/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHeartbeat } from '../src/relay/heartbeat.ts';
import { createInbox } from '../src/relay/inbox.ts';
import type { RelaySocket } from '../src/relay/socket.ts';
import { makeEvent } from './support/events.ts';
import { makeRelay, makeTestRelay, makeTransport, sentTo } from './support/transports.ts';

const isReq = ([type]: readonly unknown[]) => type === 'REQ';
const tick = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('NET-1 the life of a connection', () => {
  it.each([
    ['ws, which pings', undefined],
    ["Node's own WebSocket, with a question that has no answer", (url: string) => new WebSocket(url)],
  ])('NET-1 finds out that a connection is dead: %s', async (_, connect) => {
    const relay = await makeTestRelay();
    const transport = makeTransport({
      ...(connect === undefined ? {} : { connect }),
      limits: { pingAfterMs: 60, pongWithinMs: 3_000 },
    });
    let eose = 0;
    transport.subscribe([relay.url], [{ kinds: [1] }], { onEvent() {}, onEose: () => eose++ });
    await until(() => eose === 1);
    // Quiet, but alive: it stays, for longer than it could without answers to its pings. A busy machine may answer one late.
    await eventually(async () => {
      const before = transport.status()[0]?.counters.reconnects;
      await tick(400);
      expect(transport.status()[0]?.counters.reconnects).toBe(before);
    });
    await relay.faults.set({ stall: 'everything' });
    await until(() => transport.status()[0]?.lastError?.startsWith('stalled') === true);
    await relay.faults.clear();
    await until(() => transport.status()[0]?.state === 'open');
    expect(transport.status()[0]?.counters.reconnects).toBeGreaterThan(0);
    const event = await makeEvent();
    expect((await transport.publish(event, [relay.url]))[0]?.status).toBe('accepted');
  });

  it('NET-1 closes a connection that nobody uses, and opens it again when somebody does', async () => {
    const relay = await makeTestRelay();
    const transport = makeTransport({ limits: { idleMs: 50 } });
    await transport.query([relay.url], [{}]);
    expect(relay.connections).toHaveLength(1);
    await until(() => relay.connections.length === 0);
    expect(transport.status()[0]?.state).toBe('closed');
    await transport.query([relay.url], [{}]);
    expect(relay.connections).toHaveLength(1);
  });

  it('NET-1 the wait before a reconnect is not shortened by asking again and again', async () => {
    const relay = await makeRelay({ onOpen: (client) => client.close(1008) });
    const transport = makeTransport({ backoff: { minMs: 10_000, maxMs: 10_000 } });
    const event = await makeEvent();
    const stop = new AbortController();
    const first = transport.publish(event, [relay.url], { signal: stop.signal });
    await until(() => transport.status()[0]?.lastError?.includes('protocol') === true);
    stop.abort();
    await first;
    for (let round = 0; round < 5; round += 1) await transport.publish(event, [relay.url], { timeoutMs: 40 });
    expect(relay.clients).toHaveLength(1);
  });

  it('NET-1 a clean close, a reset, a restart: the subscription goes on, and misses nothing', async () => {
    const relay = await makeTestRelay();
    const transport = makeTransport();
    const seen: string[] = [];
    let eose = 0;
    transport.subscribe([relay.url], [{ kinds: [1] }], {
      onEvent: ({ id }) => seen.push(id),
      onEose: () => eose++,
    });
    await until(() => eose === 1);
    const ids: string[] = [];
    for (const cut of [
      { how: 'reset' },
      { how: 'close', code: 1001 },
      { how: 'close', code: 1011 },
    ] as const) {
      await relay.restart({ cut, downMs: 20 });
      const event = await makeEvent();
      relay.publish(event);
      ids.push(event.id);
      await until(() => seen.length === ids.length);
    }
    expect(seen).toEqual(ids);
    expect(eose).toBe(1);
  });

  it('NET-1 keeps to the number of relays that it may use at once, and makes room where nobody is', async () => {
    const relays = await Promise.all([1, 2, 3].map(() => makeTestRelay()));
    const [one = '', two = '', three = ''] = relays.map(({ url }) => url);
    const transport = makeTransport({ limits: { maxConnections: 2, idleMs: 30 } });
    transport.subscribe([one], [{ kinds: [1] }], { onEvent() {} });
    const event = await makeEvent();
    const user = transport.subscribe([two], [{ kinds: [1] }], { onEvent() {} });
    await transport.publish(event, [two]);
    expect((await transport.publish(event, [three]))[0]).toMatchObject({
      status: 'unreachable',
      message: 'the limit of 2 connections is reached',
    });
    user.close();
    await until(() => transport.status().some(({ state }) => state === 'closed'));
    expect((await transport.publish(event, [three]))[0]?.status).toBe('accepted');
    expect(transport.status().map(({ relay }) => relay)).toEqual([one, three]);
  });

  it('NET-1 a factory that throws, or whose socket only reports errors, is a failed attempt like any other', async () => {
    const relay = await makeTestRelay();
    let attempts = 0;
    const connect = (url: string): RelaySocket => {
      attempts += 1;
      if (attempts === 1) throw new Error('no sockets left');
      if (attempts > 2) return new WebSocket(url);
      return {
        bufferedAmount: 0,
        send() {},
        close() {},
        addEventListener(type, listener) {
          if (type === 'error') setImmediate(() => listener({ message: 'nothing but an error' }));
        },
      };
    };
    const transport = makeTransport({ connect });
    expect((await transport.publish(await makeEvent(), [relay.url]))[0]?.status).toBe('accepted');
    expect(attempts).toBe(3);
  });

  it('NET-1 X-8 after close() no socket, timer or reconnect is left, and the process ends by itself', async () => {
    const alive = await makeTestRelay();
    const guarded = await makeTestRelay({ faults: { auth: { required: 'all' } } });
    const gone = await makeRelay();
    await gone.close();
    const lines = new Set<{ destroy(): void }>();
    const mute = createServer((line) => {
      lines.add(line);
      line.on('error', () => {});
    });
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      for (const line of lines) line.destroy();
      mute.close();
    });
    const address = mute.address();
    const mutePort = typeof address === 'object' ? address?.port : 0;

    const child = join(import.meta.dirname, 'support/handles-child.ts');
    const urls = [alive.url, gone.url, `ws://127.0.0.1:${mutePort}`, guarded.url];
    const { stdout } = await promisify(execFile)(process.execPath, [child, ...urls], { timeout: 600_000 });
    const report = JSON.parse(stdout);
    expect(report.left).toEqual([]);
    expect(report.query).toBe('CLOSED');
    expect(report.statuses.slice(0, 5)).toEqual([
      'accepted',
      'unreachable',
      'unreachable',
      'unreachable',
      'refused',
    ]);
    await until(() => alive.connections.length + guarded.connections.length === 0);
    // And nobody comes back.
    const count = alive.received.length;
    await tick(200);
    expect(alive.received).toHaveLength(count);
  });

  it('NET-1 X-8 after close() every call is a typed error, and closing twice is closing once', async () => {
    const relay = await makeTestRelay();
    const transport = makeTransport();
    const event = await makeEvent();
    await transport.publish(event, [relay.url]);
    await Promise.all([transport.close(), transport[Symbol.asyncDispose]()]);
    const closed = { code: 'CLOSED' };
    await expect(transport.publish(event, [relay.url])).rejects.toMatchObject(closed);
    await expect(transport.query([relay.url], [{}])).rejects.toMatchObject(closed);
    expect(() => transport.subscribe([relay.url], [{}], { onEvent() {} })).toThrow(
      expect.objectContaining(closed),
    );
  });

  it('NET-1 bounded frames: a message beyond the limit ends the connection and not the process', async () => {
    const relay = await makeTestRelay({
      faults: { garbage: { kinds: ['huge'], hugeBytes: 300_000, probability: 1 } },
    });
    const transport = makeTransport({ limits: { maxFrameBytes: 100_000 } });
    transport.subscribe([relay.url], [{}], { onEvent() {} });
    await until(() => transport.status()[0]?.lastError !== null);
    expect(transport.status()[0]?.lastError).toMatch(/payload|protocol/i);
    await relay.faults.clear();
    const event = await makeEvent();
    relay.publish(event);
    expect(await transport.query([relay.url], [{}], { timeoutMs: 240_000 })).toEqual([event]);
    expect(sentTo(relay, 'REQ').filter(isReq).length).toBeGreaterThan(1);
  });
});

describe('NET-1 a flood', () => {
  it('NET-1 is taken in slices: others get their turn, and the order stays', async () => {
    const handled: number[] = [];
    const atTurns: number[] = [];
    let isDone = false;
    const inbox = createInbox({
      handle: (text) => {
        handled.push(Number(text));
        const until = performance.now() + 1;
        while (performance.now() < until);
      },
      pause() {},
      resume() {},
      onOverflow() {},
    });
    for (let at = 0; at < 100; at += 1) inbox.push(String(at));
    const turn = () => {
      atTurns.push(handled.length);
      if (!isDone) setImmediate(turn);
    };
    turn();
    const { promise, resolve } = Promise.withResolvers<void>();
    inbox.whenEmpty(resolve);
    await promise;
    isDone = true;
    expect(handled).toEqual(Array.from({ length: 100 }, (_, at) => at));
    expect(atTurns.filter((count) => count > 0 && count < 100)).not.toEqual([]);
  });

  it('NET-1 pauses the socket, resumes it, and gives up where it cannot be paused', async () => {
    const calls: string[] = [];
    let pauses = true;
    const make = () =>
      createInbox({
        handle() {},
        pause: () => calls.push('pause'),
        resume: () => calls.push('resume'),
        onOverflow: () => calls.push('overflow'),
        limits: { sliceMs: 10, pauseAt: 100, overflowAt: pauses ? 1_000 : 150 },
      });
    const inbox = make();
    for (let at = 0; at < 12; at += 1) inbox.push('0123456789');
    await new Promise<void>((resolve) => inbox.whenEmpty(resolve));
    await tick(0);
    expect(calls).toEqual(['pause', 'resume']);
    pauses = false;
    const other = make();
    for (let at = 0; at < 16; at += 1) other.push('0123456789');
    expect(calls).toContain('overflow');
    other.close();
  });

  it('NET-1 what was closed handles nothing more', async () => {
    let handled = 0;
    const inbox = createInbox({ handle: () => handled++, pause() {}, resume() {}, onOverflow() {} });
    inbox.push('x');
    inbox.close();
    inbox.push('y');
    await tick(5);
    expect(handled).toBe(0);
  });

  it('NET-1 forged events of a flood stop nobody: the genuine one arrives, the others are counted', async () => {
    const relay = await makeTestRelay();
    const transport = makeTransport();
    const seen: string[] = [];
    let ready = false;
    transport.subscribe([relay.url], [{ kinds: [1] }], {
      onEvent: ({ id }) => seen.push(id),
      onEose: () => {
        ready = true;
      },
    });
    await until(() => ready);
    await relay.faults.set({ flood: { perSecond: 2_000, events: 'invalid' } });
    await until(() =>
      Object.values(transport.status()[0]?.counters.rejected ?? {}).some((count) => count > 300),
    );
    const event = await makeEvent();
    relay.publish(event);
    await until(() => seen.length > 0);
    expect(seen).toEqual([event.id]);
  });
});

describe('NET-1 heartbeat', () => {
  it('NET-1 asks only after silence, and every sign of life counts', async () => {
    const calls: string[] = [];
    const heartbeat = createHeartbeat({
      afterMs: 40,
      withinMs: 40,
      probe: () => calls.push('probe'),
      onDead: () => calls.push('dead'),
    });
    const alive = setInterval(() => heartbeat.alive(), 5);
    // On a busy machine the signs of life may themselves be late.
    await eventually(async () => {
      heartbeat.start();
      calls.length = 0;
      await tick(200);
      expect(calls).toEqual([]);
    });
    clearInterval(alive);
    await until(() => calls.includes('dead'));
    expect(calls).toEqual(['probe', 'dead']);
    heartbeat.stop();
  });
});
