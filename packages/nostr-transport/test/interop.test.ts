import { patienceMs, until } from '@bonafide/internal/testing';
import { describe, expect, it } from 'vitest';
import type { NostrEvent } from '../src/event/event.ts';
import { receivePrivate, sendPrivate } from '../src/index.ts';
import type { RelayReadResult } from '../src/transport.ts';
import { makeEvent, missigned, nowSeconds, signerOf } from './support/events.ts';
import { startForeignRelay } from './support/foreign-relay.ts';
import { makeTestRelay, makeTransport } from './support/transports.ts';

describe('NET-1 with a relay that somebody else wrote', () => {
  it('NET-1 publishes, queries and hears what is new', async () => {
    const relay = await startForeignRelay();
    const transport = makeTransport();
    const stored = await makeEvent({ created_at: nowSeconds() - 10 });
    expect((await transport.publish(stored, [relay.url]))[0]?.status).toBe('accepted');
    const seen: NostrEvent[] = [];
    let ready = false;
    transport.subscribe([relay.url], [{ kinds: [1] }], {
      onEvent: (event) => seen.push(event),
      onEose: () => {
        ready = true;
      },
    });
    await until(() => ready);
    const live = await makeEvent();
    await transport.publish(live, [relay.url]);
    await until(() => seen.length === 2);
    expect(seen).toEqual([stored, live]);
    expect(await transport.query([relay.url], [{ kinds: [1], limit: 1 }])).toEqual([live]);
  });

  it('NET-1 sorts out what it sends to live subscriptions without minding their tags', async () => {
    const relay = await startForeignRelay();
    const transport = makeTransport();
    const seen: string[] = [];
    let ready = false;
    transport.subscribe([relay.url], [{ kinds: [1], '#t': ['wanted'] }], {
      onEvent: ({ id }) => seen.push(id),
      onEose: () => {
        ready = true;
      },
    });
    await until(() => ready);
    const other = await makeEvent({ tags: [['t', 'other']] });
    const wanted = await makeEvent({ tags: [['t', 'wanted']] });
    const sender = makeTransport();
    for (const event of [other, wanted]) await sender.publish(event, [relay.url]);
    await until(() => seen.length > 0);
    expect(seen).toEqual([wanted.id]);
    expect(transport.status()[0]?.counters.rejected).toEqual({ unmatched: 1 });
  });

  it('NET-1 goes on after a drop, with what came meanwhile', async () => {
    const relay = await startForeignRelay();
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
    relay.drop();
    const missed = await makeEvent();
    relay.stored.push(structuredClone(missed) as never);
    await until(() => seen.length > 0);
    expect(seen).toEqual([missed.id]);
  });

  // It says 'restricted:' where the NIP has 'auth-required:'.
  it('NET-1 authenticates to it, where it is on the list', async () => {
    const relay = await startForeignRelay();
    const [alice, bob] = [signerOf(1), signerOf(2)];
    const [a, b] = await Promise.all([alice.getPublicKey(), bob.getPublicKey()]);
    const letter = await alice.signEvent({
      kind: 4,
      created_at: nowSeconds(),
      tags: [['p', b]],
      content: await alice.nip44Encrypt(b, 'hello'),
    });
    const filters = [{ kinds: [4], authors: [a], '#p': [b] }];
    await makeTransport().publish(letter, [relay.url]);
    const known = makeTransport({ auth: { signer: bob, allow: [relay.url] } });
    expect(await known.query([relay.url], filters)).toEqual([letter]);
    const stranger = makeTransport();
    expect(await stranger.query([relay.url], filters, { timeoutMs: 500 })).toEqual([]);
  });

  it('NET-1 twenty-five subscriptions and a hundred events through it and through ours give the same', async () => {
    const relays = [(await startForeignRelay()).url, (await makeTestRelay()).url];
    const transport = makeTransport();
    const seen = relays.map(() => new Map<number, number>());
    let ready = 0;
    for (const [index, relay] of relays.entries()) {
      for (let kind = 1_000; kind < 1_025; kind += 1) {
        transport.subscribe([relay], [{ kinds: [kind] }], {
          onEvent: (event) => {
            const counts = seen[index];
            counts?.set(event.kind, (counts.get(event.kind) ?? 0) + 1);
          },
          onEose: () => {
            ready += 1;
          },
        });
      }
    }
    await until(() => ready === 50);
    const events = await Promise.all(
      Array.from({ length: 100 }, (_, at) => makeEvent({ kind: 1_000 + (at % 25) })),
    );
    const outcomes = await Promise.all(
      events.map((event) => transport.publish(event, relays, { timeoutMs: 240_000 })),
    );
    expect(outcomes.flat().every(({ status }) => status === 'accepted')).toBe(true);
    await until(() => seen.every((counts) => [...counts.values()].reduce((a, b) => a + b, 0) === 100));
    expect(seen[0]).toEqual(seen[1]);
    expect([...(seen[0]?.values() ?? [])].every((count) => count === 4)).toBe(true);
  });

  it('NET-1 says what it says of a forgery: nothing leaves here', async () => {
    const relay = await startForeignRelay();
    const forged = missigned(await makeEvent());
    await expect(makeTransport().publish(forged, [relay.url])).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(relay.stored).toEqual([]);
  });

  it('NET-5 NET-6 reads all that it has stored, past what has expired, and calls it complete', async () => {
    const relay = await startForeignRelay();
    const past = nowSeconds() - 10_000;
    const expired = await Promise.all(
      Array.from({ length: 510 }, (_, index) =>
        makeEvent({ created_at: past - index, tags: [['expiration', `${past}`]] }),
      ),
    );
    const good = await Promise.all(
      Array.from({ length: 40 }, (_, index) => makeEvent({ created_at: past - 1_000 - index })),
    );
    for (const event of [...expired, ...good]) relay.stored.push(structuredClone(event) as never);
    const results: RelayReadResult[] = [];
    const found = await makeTransport().query([relay.url], [{ kinds: [1] }], {
      timeoutMs: 240_000,
      onRelayResult: (result) => results.push(result),
    });
    expect(found.map(({ id }) => id)).toEqual(good.map(({ id }) => id));
    expect(results).toEqual([
      { relay: relay.url, status: 'complete', received: 550, taken: 40, message: '' },
    ]);
  });

  it('NET-4 carries private messages', async () => {
    const relay = await startForeignRelay();
    const [alice, bob] = [signerOf(1), signerOf(2)];
    const received: string[] = [];
    const subscription = await receivePrivate({
      transport: makeTransport({ auth: { signer: bob, allow: [relay.url] } }),
      signer: bob,
      relays: [relay.url],
      onMessage: ({ content }) => void received.push(content),
    });
    const { delivered } = await sendPrivate({
      timeoutMs: patienceMs,
      transport: makeTransport(),
      signer: alice,
      recipient: await bob.getPublicKey(),
      content: 'x'.repeat(50_000),
      inboxRelays: [relay.url],
    });
    expect(delivered).toBe(true);
    await until(() => received.length > 0);
    expect(received).toEqual(['x'.repeat(50_000)]);
    subscription.close();
  });
});
