import { eventually, measured, patienceMs } from '@bonafide/internal/testing';
import {
  createPureVerifier,
  type Filter,
  filterKey,
  type NostrEvent,
  type Verifier,
} from '@bonafide/nostr-transport';
import { nip19 } from 'nostr-tools';
import { describe, expect, it } from 'vitest';
import {
  createDiscovery,
  createMemoryDiscoveryStore,
  type Discovery,
  type DiscoveryOptions,
  type DiscoveryStore,
} from '../src/index.ts';
import { readWatermark } from '../src/registry/reader-state.ts';
import { deletionOf, main, pubkeyOf, received, setUp, transportAt, whenKnown } from './set-up.ts';
import { cardOf, dayMs, manualClock, signer, start } from './support.ts';

describe('finding platforms', () => {
  it('DIS-14 finds what was published before and after it started, over a real relay', async () => {
    const { relay, discovery, events } = await setUp();
    relay.publish(await cardOf(1));
    await discovery.start();
    await discovery.start();
    await whenKnown(discovery, 1);
    const { event, outcomes } = await discovery.publishCard(
      {
        d: main,
        name: 'P2',
        kinds: [5_100],
        pricing: { amountMsat: 7 },
        relays: [relay.url],
      },
      signer(2),
    );
    expect(event.created_at).toBe(start / 1_000);
    expect(outcomes).toMatchObject([{ status: 'accepted' }]);
    await whenKnown(discovery, 2);
    expect(await discovery.get(event.pubkey, ' MAIN')).toMatchObject({
      pubkey: event.pubkey,
      d: main,
      status: 'discovered',
      discoveredAt: start,
      lastSeenAt: start,
      supportedKinds: [5_100],
      relayHints: [relay.url],
      trustScore: null,
      card: { name: 'P2', pricing: { amountMsat: 7 } },
      event,
      sightings: [{ relay: relay.url, firstSeenAt: start, lastSeenAt: start }],
      revision: 1,
    });
    expect(events).toEqual(['discovered P1 discovered', 'discovered P2 discovered']);
  });

  it('X-6 counts cards and rejections for OpenTelemetry, without naming platforms', async () => {
    const card = await cardOf(1);
    const found = await measured(async () => {
      const { relay, discovery } = await setUp();
      relay.publish(card);
      relay.publish(await cardOf(2, { createdAt: start + 2 * dayMs }));
      await discovery.sync();
    });
    expect(found).toMatchObject({
      'bonafide.discovery.cards discovered': 1,
      'bonafide.discovery.rejections from-future': 1,
    });
    expect(JSON.stringify(found)).not.toContain(card.pubkey);
  });

  it('DIS-2 asks relays for every card, or for those of some kinds alone, and remembers the two apart', async () => {
    const { relay, open, discovery } = await setUp({ config: { k: ['5100'] } });
    relay.publish(await cardOf(1, { kinds: [5_000] }));
    relay.publish(await cardOf(2, { kinds: [5_100] }));
    await discovery.start();
    await whenKnown(discovery, 1);
    expect((await discovery.entries()).items.map(({ card }) => card.name)).toEqual(['P2']);
    await discovery.close();
    const { discovery: broad } = open({ config: { k: [] } });
    await broad.start();
    await whenKnown(broad, 2);
  });

  it('DIS-10 DIS-14 finds by capability, kind or both, surest first, from a confidence on', async () => {
    const { discovery, relay } = await setUp();
    const cards = [
      { capabilities: ['perf-test'] },
      { capabilities: ['benchmark-task'] },
      { capabilities: [], performance: { typicalLatencyMs: 5 } },
      { capabilities: [] },
      { capabilities: ['prose'], kinds: [5_100] },
    ];
    for (const [index, spec] of cards.entries()) relay.publish(await cardOf(index + 1, spec));
    await discovery.start();
    await whenKnown(discovery, 5);
    const find = async (query: Parameters<Discovery['find']>[0]) =>
      (await discovery.find(query).toArray()).map(({ entry, match }) => [entry.card.name, match.confidence]);
    expect(await find({ capability: 'benchmark-task' })).toEqual([
      ['P2', 1],
      ['P1', 0.8],
      ['P3', 0.6],
    ]);
    // The generic kind alone says little.
    expect(await find({ capability: 'benchmark-task', minConfidence: 0.5 })).toHaveLength(4);
    expect(await find({ capability: 'benchmark-task', minConfidence: 0.8 })).toHaveLength(2);
    expect(await find({ kind: 5_100 })).toEqual([['P5', 1]]);
    expect(await find({ kind: 5_100, capability: 'prose' })).toEqual([['P5', 1]]);
    expect(await find({ kind: 5_000, capability: 'prose' })).toEqual([]);
    const iterated: string[] = [];
    for await (const { entry, match } of discovery.find({ capability: 'benchmark-task', minConfidence: 1 })) {
      iterated.push(`${entry.card.name}: ${match.reason}`);
    }
    expect(iterated).toEqual(["P2: 'benchmark-task'"]);
    for (const nothing of [{}, undefined as never])
      await expect(discovery.find(nothing).toArray()).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('DIS-11 makes a candidate of who offers what is wanted, and thinks again when the card changes', async () => {
    const { discovery, relay, events } = await setUp({ config: { wanted: ['benchmark-task'] } });
    await discovery.start();
    relay.publish(await cardOf(1, { capabilities: ['benchmarking'] }));
    await whenKnown(discovery, 1);
    relay.publish(await cardOf(1, { capabilities: ['prose'], createdAt: start + 1_000 }));
    await eventually(() => expect(events).toHaveLength(3));
    expect(events).toEqual(['discovered P1 candidate', 'updated P1 discovered', 'status P1 discovered']);
  });

  it('DIS-12 keeps what changed between versions, from which event', async () => {
    const { discovery, relay } = await setUp();
    const first = await cardOf(1, { pricing: { amountMsat: 1 } });
    const second = await cardOf(1, {
      d: 'Main',
      pricing: { amountMsat: 2 },
      kinds: [5_000, 5_100],
      createdAt: start + 1_000,
    });
    relay.publish(first);
    await discovery.start();
    await whenKnown(discovery, 1);
    relay.publish(second);
    const pubkey = await pubkeyOf(1);
    await eventually(async () => expect((await discovery.get(pubkey, main))?.event).toEqual(second));
    const { items } = await discovery.history(nip19.npubEncode(pubkey), main);
    expect(items).toEqual([
      expect.objectContaining({
        what: 'updated',
        eventId: second.id,
        diff: {
          kinds: { added: [5_100], removed: [] },
          fields: {
            d: { before: 'main', after: 'Main' },
            pricing: { before: { model: null, amountMsat: 1 }, after: { model: null, amountMsat: 2 } },
          },
        },
      }),
      expect.objectContaining({ what: 'discovered', eventId: first.id, at: start, diff: null }),
    ]);
  });

  it('DIS-3 keeps the newer card whatever comes later, and counts why others were not taken', async () => {
    const { discovery, relay, events } = await setUp();
    const newer = await cardOf(1, { name: 'newer', createdAt: start });
    const python = await signer(2).signEvent({
      kind: 31_990,
      created_at: start / 1_000,
      tags: [
        ['d', main],
        ['k', '5000'],
      ],
      content: "{'name': 'x'}",
    });
    const ahead = await cardOf(4, { createdAt: start + 2 * 3_600_000 });
    const bare = await signer(3).signEvent({
      kind: 31_990,
      created_at: start / 1_000,
      tags: [['d', main]],
      content: '',
    });
    relay.publish(newer);
    await discovery.start();
    await whenKnown(discovery, 1);
    // An identifier in another spelling is another address for the relay and the same platform for us.
    relay.publish(await cardOf(1, { d: 'MAIN', name: 'older', createdAt: start - 1_000 }));
    for (const event of [python, ahead, bare]) relay.publish(event);
    await received(discovery, 5);
    expect((await discovery.get(await pubkeyOf(1), main))?.card.name).toBe('newer');
    expect(events.slice(1)).toEqual([
      'rejected superseded',
      'discovered null discovered',
      'rejected from-future',
      'rejected no-capability',
    ]);
    const { counts, recent } = discovery.rejections();
    expect(counts).toEqual({ superseded: 1, 'from-future': 1, 'no-capability': 1 });
    expect(recent.map(({ reason, eventId }) => [reason, eventId])).toEqual([
      ['from-future', ahead.id],
      ['no-capability', bare.id],
    ]);
    expect(discovery.relayStats()).toMatchObject([{ relay: relay.url, received: 5, taken: 2, dropped: 0 }]);
  });

  it('DIS-3 verifies again when told to, so that a transport which does not gets nothing in', async () => {
    const genuine = await cardOf(1);
    const forged = { ...genuine, content: '{"name":"forged"}' };
    const early = await cardOf(2, { createdAt: start + 3_602_000 });
    const deletion = await deletionOf(1, [['a', `31990:${genuine.pubkey}:${main}`]]);
    // Taken at its word, it would keep the platform out until then.
    const futureWithdrawal = await deletionOf(
      1,
      [['a', `31990:${genuine.pubkey}:${main}`]],
      start + 3_602_000,
    );
    const forgedWithdrawal = { ...deletion, content: 'forged' };
    const careless: DiscoveryOptions['transport'] = {
      subscribe: (_relays, _filters, { onEvent }) => {
        for (const event of [forged, genuine, early, forgedWithdrawal, futureWithdrawal])
          onEvent(event as NostrEvent, 'wss://careless.example.com');
        return { close: () => {} };
      },
      query: async () => [],
      publish: async () => [],
    };
    const { discovery, events } = await setUp({
      transport: careless,
      relays: ['wss://careless.example.com'],
      verifier: createPureVerifier(),
    });
    await discovery.start();
    await received(discovery, 5);
    await discovery.stop();
    expect(events).toEqual(['rejected wrong-id', 'discovered P1 discovered', 'rejected from-future']);
  });
});

/** Until how far was read would have been kept, if it were true. */
const marksHaveRested = () => new Promise((resolve) => setTimeout(resolve, 50));

describe('going on', () => {
  it('DIS-2 DIS-15 resumes after a restart: nothing is missed, nothing is done twice', async () => {
    const { discovery, relay, clock, store, open } = await setUp();
    relay.publish(await cardOf(1));
    await discovery.start();
    await whenKnown(discovery, 1);
    const key = filterKey({ kinds: [31_990] });
    await eventually(async () => expect(await readWatermark(store, relay.url, key)).toBe(start / 1_000));
    await discovery.close();
    // Longer away than a first look goes back.
    clock.advance(3 * dayMs);
    relay.publish(await cardOf(2, { createdAt: start + 3_600_000 }));
    const before = relay.received.length;
    const { discovery: again, events } = open();
    await again.start();
    await whenKnown(again, 2);
    await again.stop();
    expect(events).toEqual(['discovered P2 discovered']);
    // It asked for what is new since the card that it knew, and a minute more.
    const asked = relay.received
      .slice(before)
      .flatMap(({ message }) => (message as readonly unknown[]).slice(2) as readonly Filter[])
      .find(({ kinds }) => kinds?.includes(31_990));
    expect(asked?.since).toBe(start / 1_000 - 60);
    expect((await again.history(await pubkeyOf(1), main)).items).toHaveLength(1);
  });

  it('DIS-15 goes on from where its first look began, also when that was cut short', async () => {
    const { discovery, relay, clock, open } = await setUp();
    await relay.faults.set({ stall: 'messages' });
    await discovery.start();
    await discovery.close();
    await relay.faults.clear();
    clock.advance(3 * dayMs);
    relay.publish(await cardOf(1, { createdAt: start + 3_600_000 }));
    const { discovery: again } = open();
    await again.start();
    await whenKnown(again, 1);
  });

  it('DIS-2 looks back 24 hours at first, and at everything in a sync', async () => {
    const { discovery, relay } = await setUp();
    relay.publish(await cardOf(1, { createdAt: start - 2 * dayMs }));
    relay.publish(await cardOf(2, { createdAt: start - dayMs + 60_000 }));
    await discovery.start();
    await whenKnown(discovery, 1);
    expect(await discovery.sync()).toMatchObject({ received: 2, taken: 1 });
    expect(await discovery.sync()).toMatchObject({ received: 2, taken: 0 });
    await whenKnown(discovery, 2);
    // What was seen before at the same relay changes nothing at all.
    expect((await discovery.entries()).items.map(({ revision }) => revision)).toEqual([1, 1]);
  });

  it('DIS-15 knows one card from several relays as one, and where it was seen', async () => {
    const { discovery, relays, events } = await setUp({ relayCount: 3 });
    const card = await cardOf(1);
    for (const relay of relays) relay.publish(card);
    await discovery.start();
    await received(discovery, 3);
    await eventually(async () => {
      const entry = await discovery.get(card.pubkey, main);
      expect(entry?.sightings.map(({ relay }) => relay).sort()).toEqual(relays.map(({ url }) => url).sort());
    });
    expect(events).toEqual(['discovered P1 discovered']);
    expect((await discovery.history(card.pubkey, main)).items).toHaveLength(1);
  });

  it('DIS-15 does not move on behind what it could not keep: a failing store is read again', async () => {
    const { put, ...inner } = createMemoryDiscoveryStore();
    let broken = true;
    const store: DiscoveryStore = {
      ...inner,
      put: (changes) =>
        broken && changes.some(({ entry }) => entry.card.name === 'P1')
          ? Promise.reject(new Error('disk full'))
          : put(changes),
    };
    const { discovery, relay, open } = await setUp({ store });
    // The lost one is older than the one that was kept, by more than what is read twice anyway.
    relay.publish(await cardOf(1, { createdAt: start - 3_600_000 }));
    relay.publish(await cardOf(2));
    await discovery.start();
    await received(discovery, 2);
    await whenKnown(discovery, 1);
    await marksHaveRested();
    await discovery.close();
    broken = false;
    const { discovery: again } = open();
    await again.start();
    await whenKnown(again, 2);
  });

  it('DIS-15 drops what comes too fast, counts it, and reads it again after a restart', async () => {
    const { discovery, relay, open } = await setUp({ config: { maxPending: 2 } });
    for (let n = 1; n <= 12; n += 1) relay.publish(await cardOf(n));
    await discovery.start();
    await eventually(() => {
      const [stats] = discovery.relayStats();
      expect((stats?.received ?? 0) + (stats?.dropped ?? 0)).toBe(12);
      expect(stats?.dropped).toBeGreaterThan(0);
    });
    await marksHaveRested();
    await discovery.close();
    const { discovery: again } = open({ config: { maxPending: 100 } });
    await again.start();
    await whenKnown(again, 12);
  });

  it('DIS-15 survives a relay that sends garbage, forgeries and every event twice', async () => {
    const { discovery, relay, events } = await setUp();
    await relay.faults.set({ garbage: {}, forge: { alter: 'content' }, duplicate: 2 });
    for (let n = 1; n <= 5; n += 1) relay.publish(await cardOf(n));
    await discovery.start();
    await whenKnown(discovery, 5);
    expect(events.filter((event) => !event.startsWith('rejected'))).toHaveLength(5);
    const { counts, recent } = discovery.rejections();
    expect(Object.keys(counts)).toEqual(['wrong-id']);
    expect(recent.every(({ raw }) => raw?.startsWith('{"id":"'))).toBe(true);
  });

  it('X-8 leaves nothing behind when it is closed, and says so when it is used afterwards', async () => {
    const { discovery, relay } = await setUp();
    await discovery.start();
    await eventually(() => expect(relay.connections[0]?.subscriptions.length).toBeGreaterThan(0));
    await discovery.close();
    await eventually(() =>
      expect(relay.connections.flatMap(({ subscriptions }) => subscriptions)).toEqual([]),
    );
    for (const call of [discovery.start(), discovery.get('a'.repeat(64), main), discovery.sync()]) {
      await expect(call).rejects.toMatchObject({ code: 'CLOSED' });
    }
    await expect(discovery.find({ kind: 1 }).toArray()).rejects.toMatchObject({ code: 'CLOSED' });
  });
});

describe('life of a platform', () => {
  it('DIS-11 DIS-12 is moved from outside, with evidence, and every step is in its history', async () => {
    const { discovery, relay, clock, events } = await setUp();
    const card = await cardOf(1);
    relay.publish(card);
    await discovery.start();
    await whenKnown(discovery, 1);
    const npub = nip19.npubEncode(card.pubkey);
    clock.advance(5);
    await discovery.transition(npub, main, 'evaluating', { attempt: 'a1' });
    await discovery.transition(npub, main, 'partner', { score: 0.9 });
    await discovery.transition(npub, main, 'partner');
    expect(await discovery.setTrust(card.pubkey, main, 0.6)).toMatchObject({
      status: 'partner',
      trustScore: 0.6,
    });
    const { items } = await discovery.history(npub, main);
    expect(
      items.map(({ what, status, trust, evidence, at }) => [
        what,
        status?.after ?? trust?.after,
        evidence,
        at - start,
      ]),
    ).toEqual([
      ['trust', 0.6, null, 5],
      ['status', 'partner', { score: 0.9 }, 5],
      ['status', 'evaluating', { attempt: 'a1' }, 5],
      ['discovered', 'discovered', null, 0],
    ]);
    expect(events.slice(1)).toEqual(['status P1 evaluating', 'status P1 partner']);
  });

  it('DIS-11 says what is wrong with a step or a name', async () => {
    const { discovery, relay } = await setUp();
    const { pubkey } = await cardOf(1);
    relay.publish(await cardOf(1));
    await discovery.sync();
    const wrong: readonly [Promise<unknown>, string][] = [
      [discovery.transition(pubkey, main, 'partner'), 'TRANSITION_REFUSED'],
      [discovery.transition(pubkey, 'other', 'rejected'), 'UNKNOWN_PLATFORM'],
      [discovery.setTrust(pubkey, main, 1.5), 'INVALID_INPUT'],
      [discovery.transition(pubkey, main, 'rejected', (() => {}) as never), 'INVALID_INPUT'],
      [discovery.get('nsec1secret', main), 'INVALID_INPUT'],
    ];
    for (const [call, code] of wrong) await expect(call).rejects.toMatchObject({ code });
    await expect(discovery.get('nsec1secret', main)).rejects.not.toThrow(/secret/);
    expect(await discovery.get(pubkey, main)).toMatchObject({ status: 'discovered', revision: 1 });
    expect(() =>
      createDiscovery({ transport: {} as never, store: {} as never, relays: ['no relay'] }),
    ).toThrowError(expect.objectContaining({ code: 'INVALID_CONFIG' }));
  });

  it('DIS-11 leaves a platform alone for a day when it did not answer, or until it shows a fresh card', async () => {
    const { discovery, relay, clock, open } = await setUp();
    relay.publish(await cardOf(1));
    relay.publish(await cardOf(2));
    await discovery.sync();
    const found = async (from: Discovery) =>
      (await from.find({ kind: 5_000 }).toArray()).map(({ entry }) => entry.card.name);
    for (const n of [1, 2]) await discovery.transition(await pubkeyOf(n), main, 'unresponsive');
    expect(await found(discovery)).toEqual([]);
    relay.publish(await cardOf(2, { createdAt: start + 1_000 }));
    await discovery.sync();
    expect(await found(discovery)).toEqual(['P2']);
    clock.advance(dayMs);
    const { discovery: later } = open();
    await later.start();
    expect((await found(later)).sort()).toEqual(['P1', 'P2']);
  });

  it('DIS-18 marks a card as stale after 30 days and still finds it, until it is renewed', async () => {
    const { discovery, relay, clock, events, open } = await setUp();
    relay.publish(await cardOf(1));
    relay.publish(await cardOf(2, { createdAt: start - 31 * dayMs }));
    await discovery.sync();
    expect(events.sort()).toEqual([
      'discovered P1 discovered',
      'discovered P2 discovered',
      'stale P2 discovered',
    ]);
    const found = async (registry: typeof discovery) =>
      (await registry.find({ kind: 5_000 }).toArray()).map(({ entry, stale }) => [entry.card.name, stale]);
    expect(await found(discovery)).toEqual([
      ['P1', false],
      ['P2', true],
    ]);
    clock.advance(30 * dayMs + 1);
    // Marked before the sweep, too.
    expect(await found(discovery)).toEqual([
      ['P1', true],
      ['P2', true],
    ]);
    expect(await discovery.find({ kind: 5_000, includeStale: false }).toArray()).toEqual([]);
    const { discovery: later, events: laterEvents } = open();
    await later.start();
    expect(laterEvents).toEqual(['stale P1 discovered']);
    relay.publish(await cardOf(1, { createdAt: clock() }));
    await eventually(async () => expect((await found(later))[0]).toEqual(['P1', false]));
  });

  it('DIS-11 archives a card that its own key deletes, keeps its history, and welcomes a newer one', async () => {
    const { discovery, relay, clock, events } = await setUp();
    const card = await cardOf(1);
    const { pubkey } = card;
    relay.publish(card);
    await discovery.start();
    await whenKnown(discovery, 1);
    relay.publish(
      await deletionOf(2, [
        ['a', `31990:${pubkey}:${main}`],
        ['e', card.id],
      ]),
    );
    relay.publish(await deletionOf(1, [['a', `31990:${pubkey}:Main `]], start + 1_000));
    await eventually(() => expect(events).toContain('archived P1 archived'));
    expect(await discovery.find({ kind: 5_000 }).toArray()).toEqual([]);
    expect((await discovery.history(pubkey, main)).items.map(({ what }) => what)).toEqual([
      'status',
      'discovered',
    ]);
    await expect(discovery.transition(pubkey, main, 'evaluating')).rejects.toMatchObject({
      code: 'TRANSITION_REFUSED',
    });
    clock.advance(10_000);
    relay.publish(await cardOf(1, { createdAt: start + 5_000 }));
    await eventually(async () =>
      expect(await discovery.get(pubkey, main)).toMatchObject({ status: 'discovered' }),
    );
  });

  it('DIS-11 does not take a deleted card from a relay that did not hear of it', async () => {
    const { discovery, relays, events } = await setUp({ relayCount: 2 });
    const [informed, ignorant] = relays;
    const card = await cardOf(1);
    const later = await cardOf(1, { name: 'P1b', createdAt: start + 2_000 });
    informed?.publish(await deletionOf(1, [['a', `31990:${card.pubkey}:${main}`]], start + 1_000));
    ignorant?.publish(card);
    await discovery.sync();
    expect(events).toEqual(['rejected deleted']);
    ignorant?.publish(later);
    await discovery.sync();
    expect(events.slice(1)).toEqual(['discovered P1b discovered']);
    // A single event can be deleted too, which leaves its successor alone.
    informed?.publish(await deletionOf(1, [['e', later.id]], start + 4_000));
    await discovery.sync();
    expect(await discovery.get(card.pubkey, main)).toMatchObject({ status: 'archived' });
    ignorant?.publish(await cardOf(1, { name: 'P1c', createdAt: start + 3_000 }));
    await discovery.sync();
    expect(await discovery.get(card.pubkey, main)).toMatchObject({
      status: 'discovered',
      card: { name: 'P1c' },
    });
    const single = await cardOf(2);
    informed?.publish(await deletionOf(2, [['e', single.id]], start + 1_000));
    ignorant?.publish(single);
    await discovery.sync();
    expect(await discovery.get(single.pubkey, main)).toBeNull();
  });
});

describe('reaching a platform', () => {
  it('DIS-4b DIS-9 knows the relays of its card, where it was seen, of its author\u2019s list, and the own pool', async () => {
    const { discovery, relays } = await setUp({ relayCount: 2, config: { queryTimeoutMs: 10_000 } });
    const [one, two] = relays;
    const card = await cardOf(1, { relays: ['wss://hint.example.com'] });
    one?.publish(card);
    two?.publish(
      await signer(1).signEvent({
        kind: 10_002,
        created_at: start / 1_000,
        tags: [
          ['r', 'wss://inbox.example.com/', 'read'],
          ['r', 'wss://outbox.example.com', 'write'],
          ['r', 'wss://10.0.0.1'],
          ['r', 'wss://both.example.com'],
        ],
        content: '',
      }),
    );
    await discovery.sync({ timeoutMs: patienceMs });
    const ranked = async () =>
      (await discovery.relaysFor(card.pubkey, main)).map(({ relay, source }) => `${source} ${relay}`);
    expect(await ranked()).toEqual([
      'card wss://hint.example.com',
      `seen ${one?.url}`,
      'author wss://inbox.example.com',
      'author wss://both.example.com',
      `pool ${two?.url}`,
    ]);
    await discovery.recordRelayResult(card.pubkey, main, 'wss://both.example.com/', {
      ok: true,
      latencyMs: 50,
    });
    expect((await ranked())[0]).toBe('author wss://both.example.com');
    // The list was looked up once.
    expect(two?.received.filter(({ text }) => text.includes('10002'))).toHaveLength(1);
  });
});

describe('speed', () => {
  it('DIS-16 checks a signature once, however many relays send the card and however often', async () => {
    const pure = createPureVerifier();
    let checks = 0;
    const verifier: Verifier = {
      ...pure,
      verify(event) {
        checks += 1;
        return pure.verify(event);
      },
    };
    const clock = manualClock();
    const { discovery, relays } = await setUp({
      relayCount: 4,
      transport: transportAt(clock, { verifier }),
      clock,
    });
    const cards = await Promise.all([1, 2, 3, 4, 5].map((n) => cardOf(n)));
    for (const relay of relays) {
      await relay.faults.set({ duplicate: 2 });
      for (const card of cards) relay.publish(card);
    }
    await discovery.start();
    await received(discovery, 20);
    await discovery.sync();
    expect(checks).toBe(5);
    for (const card of cards) expect((await discovery.get(card.pubkey, main))?.sightings).toHaveLength(4);
  });
});
