import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger } from '@bonafide/internal';
import { eventually } from '@bonafide/internal/testing';
import { type Filter, filterKey } from '@bonafide/nostr-transport';
import type { RelayFaults } from '@bonafide/nostr-transport/testing';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createMemoryDiscoveryStore, type Discovery } from '../src/index.ts';
import { readWatermark } from '../src/registry/reader-state.ts';
import { main, setUp } from './set-up.ts';
import { cardOf, start } from './support.ts';

const count = 24;
type Card = Awaited<ReturnType<typeof cardOf>>;
let cards: readonly Card[];

beforeAll(async () => {
  // Spread over half a day, so that what is read again anyway (a minute) hides no gap.
  cards = await Promise.all(
    Array.from({ length: count }, (_, n) => cardOf(n + 1, { createdAt: start - (count - n) * 1_800_000 })),
  );
});

async function known(discovery: Discovery): Promise<string[]> {
  return (await discovery.entries({ limit: 200 })).items.map(({ card }) => card.eventId).sort();
}
const all = () => cards.map(({ id }) => id).sort();

/** Faults with which everything gets through in the end. */
const bearable: Readonly<Record<string, RelayFaults>> = {
  'drops connections at random': { drop: { how: 'close', probability: 0.02 } },
  'sends every event four times': { duplicate: 3 },
  'changes the order': { reorder: 9 },
  'answers late': { delayMs: [5, 25] },
  'says that it is done before it is': { eose: 'early' },
  'never says that it is done': { eose: 'never' },
  'sends garbage of every kind': {
    garbage: { kinds: ['not-json', 'wrong-shape', 'unknown-type', 'binary', 'deep'] },
  },
  'sends forgeries before what is genuine': { forge: { alter: 'signature' } },
  'sends forgeries from ten years ahead': { forge: { alter: 'created_at' } },
  'sends what nobody asked for': { ignoreFilters: 'all' },
  'lives in the future': { clockSkewMs: 3 * 86_400_000 },
  'floods with 10,000 invalid events a second': { flood: { perSecond: 10_000, events: 'invalid' } },
  'does most of that at once': {
    duplicate: 1,
    reorder: 5,
    delayMs: [0, 5],
    eose: 'early',
    garbage: { probability: 0.3, kinds: ['not-json', 'wrong-shape', 'unknown-type'] },
    forge: { alter: 'content', probability: 0.5 },
    drop: { how: 'reset', probability: 0.005 },
  },
};

/** Faults that only the reconciliation sees: a relay says that it is done, gives its newest card and hangs up. */
const hidesItsGaps: ReadonlySet<string> = new Set(['does most of that at once']);

describe('a hostile relay', () => {
  it('DIS-3 DIS-15 that forges leaves a record of what it sent, bounded in number and size', async () => {
    const { discovery, relay, events } = await setUp({ config: { rememberedRejections: 5 } });
    await relay.faults.set({ forge: { alter: 'signature', withhold: true } });
    const long = await cardOf(50, { more: { filler: 'x'.repeat(40_000) }, createdAt: start - 80_000_000 });
    for (const card of [...cards.slice(0, 9), long]) relay.publish(card);
    await discovery.start();
    await eventually(() => expect(discovery.rejections().counts).toEqual({ 'wrong-signature': 10 }));
    expect(events).toEqual(Array.from({ length: 10 }, () => 'rejected wrong-signature'));
    const { recent } = discovery.rejections();
    expect(recent).toHaveLength(5);
    for (const { raw, relay: from, pubkey, eventId } of recent) {
      expect(from).toBe(relay.url);
      expect(raw?.length).toBeLessThanOrEqual(4_096);
      expect(raw).toContain(`{"id":"${eventId}","pubkey":"${pubkey}","sig":"`);
    }
    expect(recent.some(({ raw }) => raw?.length === 4_096)).toBe(true);
    // It counts against the relay, and is no card that came.
    expect(discovery.relayStats()[0]).toMatchObject({ received: 0, rejected: { 'wrong-signature': 10 } });
    expect(await discovery.sync()).toMatchObject({ received: 0, taken: 0, relays: [{ received: 10 }] });
    expect(discovery.rejections().counts).toEqual({ 'wrong-signature': 20 });
  });

  for (const [what, faults] of Object.entries(bearable)) {
    it(`DIS-15 that ${what} loses no card over a restart, and none is taken in twice`, async () => {
      const { discovery, relay, store, open, clock } = await setUp({ config: { tickMs: 5 } });
      await relay.faults.set(faults);
      const late = cards.slice(-8);
      for (const card of cards.slice(0, -8)) relay.publish(card);
      await discovery.start();
      // In the middle of it.
      await eventually(async () => expect((await known(discovery)).length).toBeGreaterThan(3));
      await discovery.close();
      for (const card of late) relay.publish(card);
      // A question that is answered after its end is waited for as long as a busy machine takes to answer it.
      const { discovery: again } = open(
        hidesItsGaps.has(what) ? { config: { reconcileMs: 1_000, lingerMs: 2_000 } } : {},
      );
      await again.start();
      // Polls of half a day would take the first cards out of the reach of the reconciliation.
      let pollsLeft = 100;
      const whole = async () => {
        // A relay that lies about the end is read again with the next poll.
        if ((await known(again)).length < count && pollsLeft-- > 0) clock.advance(300_000);
        expect(await known(again)).toEqual(all());
      };
      // Time enough for one poll before the next.
      await vi.waitFor(whole, { timeout: 500_000, interval: 300 });
      for (const card of cards) {
        const history = await again.history(card.pubkey, main);
        expect(history.items.map(({ what: row }) => row)).toEqual(['discovered']);
      }
      const mark = await readWatermark(store, relay.url, filterKey({ kinds: [31_990] }));
      expect(mark ?? 0).toBeLessThanOrEqual(start / 1_000);
    });
  }

  it('DIS-15 that drops every connection after a few messages is read to the end as soon as it stops that', async () => {
    const { discovery, relay } = await setUp();
    await relay.faults.set({ drop: { how: 'reset', afterMessages: 9 } });
    for (const card of cards) relay.publish(card);
    await discovery.start();
    await eventually(() => expect(relay.received.length).toBeGreaterThan(10));
    expect((await known(discovery)).length).toBeLessThan(count);
    await relay.faults.clear();
    await eventually(async () => expect(await known(discovery)).toEqual(all()));
  });

  for (const sent of [3, 9]) {
    it(`DIS-15 that is killed after ${sent} messages, and had said that it was done, leaves no gap`, async () => {
      const { discovery, relay, store, open } = await setUp({ config: { lingerMs: 60_000 } });
      await relay.faults.set({ eose: 'early', drop: { how: 'reset', afterMessages: sent } });
      for (const card of cards) relay.publish(card);
      await discovery.start();
      await eventually(async () => expect((await known(discovery)).length).toBeGreaterThan(0));
      await discovery.close();
      // The newest came first: a mark would lie above all that did not come.
      const mark = await readWatermark(store, relay.url, filterKey({ kinds: [31_990] }));
      expect(mark).toBe(start / 1_000 - 86_400);
      await relay.faults.clear();
      const { discovery: again } = open();
      await again.start();
      await eventually(async () => expect(await known(again)).toEqual(all()));
    });
  }

  it('DIS-15 that gave its newest card, said that it was done and hung up is asked once more for the rest, without a sync', async () => {
    const { discovery, relay, store } = await setUp({ config: { tickMs: 5, reconcileMs: 400 } });
    // A challenge, the end, and then one card; nothing that would give the lie away.
    await relay.faults.set({ eose: 'early', drop: { how: 'reset', afterMessages: 3 } });
    for (const card of cards) relay.publish(card);
    await discovery.start();
    const newest = cards.reduce((most, { created_at: at }) => Math.max(most, at), 0);
    const mark = () => readWatermark(store, relay.url, filterKey({ kinds: [31_990] }));
    // It rested, and was believed: from here on it is asked for what is newer.
    await eventually(async () => expect(await mark()).toBe(newest));
    expect((await known(discovery)).length).toBeLessThan(count);
    await relay.faults.clear();
    await eventually(async () => expect(await known(discovery)).toEqual(all()));
    expect(await mark()).toBe(newest);
    const asked = relay.received.length;
    // Asked again now and then, it gives nothing new, and nothing is taken in twice.
    await eventually(() => expect(relay.received.length).toBeGreaterThan(asked + 2));
    expect(discovery.relayStats()[0]?.taken).toBe(count);
  });

  it('DIS-15 that has more than can be taken in as it comes is read page by page the next time, to its end', async () => {
    const inner = createMemoryDiscoveryStore();
    const store = {
      ...inner,
      put: async (...args: Parameters<typeof inner.put>) => {
        await sleep(2);
        return inner.put(...args);
      },
    };
    const { discovery, relay, clock, open } = await setUp({ store, config: { maxPending: 3, tickMs: 5 } });
    for (const card of cards) relay.publish(card);
    await discovery.start();
    const dropped = () => discovery.relayStats()[0]?.dropped ?? 0;
    await eventually(() => expect(dropped() + (discovery.relayStats()[0]?.received ?? 0)).toBe(count));
    const droppedAtFirst = dropped();
    expect(droppedAtFirst).toBeGreaterThan(0);
    clock.advance(300_000);
    await eventually(async () => expect(await known(discovery)).toEqual(all()));
    expect(dropped()).toBe(droppedAtFirst);
    // It is live again behind that, and goes on from there after a restart.
    relay.publish(await cardOf(99));
    await eventually(async () => expect(await known(discovery)).toHaveLength(count + 1));
    await eventually(async () => {
      const mark = await readWatermark(store, relay.url, filterKey({ kinds: [31_990] }));
      expect(mark).toBe(start / 1_000);
    });
    await discovery.close();
    const { discovery: again } = open();
    const before = relay.received.length;
    await again.start();
    const { message } = await relay.waitFor(
      (received) => relay.received.indexOf(received) >= before && received.text.includes('31990'),
    );
    expect((message as readonly Filter[])[2]?.since).toBe(start / 1_000 - 60);
  });

  it('DIS-15 that hangs up in the middle of a backlog is read on from there, not from the beginning', async () => {
    const inner = createMemoryDiscoveryStore();
    const warnings: string[] = [];
    const warn = (_details: object, message = '') => void warnings.push(message);
    const { discovery, relay, clock } = await setUp({
      logger: { ...silentLogger, warn },
      store: {
        ...inner,
        put: async (...args) => {
          await sleep(2);
          return inner.put(...args);
        },
      },
      config: { maxPending: 3, tickMs: 5, queryTimeoutMs: 200 },
    });
    for (const card of cards) relay.publish(card);
    await discovery.start();
    await eventually(() => expect(discovery.relayStats()[0]?.dropped).toBeGreaterThan(0));
    await relay.faults.set({ stall: 'messages' });
    clock.advance(300_000);
    await eventually(() => expect(warnings).toContain('Reading a backlog failed; it resumes later'));
    await relay.faults.clear();
    relay.dropAll();
    const whole = async () => {
      if ((await known(discovery)).length < count) clock.advance(300_000);
      expect(await known(discovery)).toEqual(all());
    };
    await vi.waitFor(whole, { timeout: 500_000, interval: 300 });
  });

  it('DIS-15 that falls silent, or is not there, is read when it is back, and others meanwhile', async () => {
    for (const faults of [
      { stall: 'messages' },
      { refuse: 'reset' },
      { refuse: { status: 503 } },
    ] as const satisfies readonly RelayFaults[]) {
      const { discovery, relays } = await setUp({ relayCount: 2, config: { tickMs: 5 } });
      const [bad, fine] = relays;
      await bad?.faults.set(faults);
      for (const card of cards.slice(0, 4)) bad?.publish(card);
      for (const card of cards.slice(4)) fine?.publish(card);
      await discovery.start();
      await eventually(async () => expect(await known(discovery)).toHaveLength(count - 4));
      await bad?.faults.clear();
      bad?.dropAll();
      await eventually(async () => expect(await known(discovery)).toEqual(all()));
    }
  });

  it('DIS-1 DIS-15 that sends more than can be taken in is begun again from where it was safe, without a restart', async () => {
    const inner = createMemoryDiscoveryStore();
    let isSlow = true;
    const store = {
      ...inner,
      put: async (...args: Parameters<typeof inner.put>) => {
        if (isSlow) await sleep(20);
        return inner.put(...args);
      },
    };
    const { discovery, relay, clock } = await setUp({ store, config: { maxPending: 4, tickMs: 5 } });
    for (const card of cards) relay.publish(card);
    await discovery.start();
    await eventually(() => expect(discovery.relayStats()[0]?.dropped).toBeGreaterThan(0));
    isSlow = false;
    const taken = (await known(discovery)).length;
    expect(taken).toBeLessThan(count);
    await vi.waitFor(
      async () => {
        // Each time it is looked after, a few more get in.
        clock.advance(300_000);
        expect(await known(discovery)).toEqual(all());
      },
      { timeout: 500_000, interval: 30 },
    );
    const asked = relay.received.filter(({ text }) => text.startsWith('["REQ"')).length;
    expect(asked).toBeGreaterThan(1);
  });

  it('DIS-3 DIS-15 drops by bytes, too: few events may be large', async () => {
    const { discovery, relay } = await setUp({ config: { maxPendingBytes: 100_000 } });
    const large = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) => cardOf(n, { more: { filler: 'x'.repeat(50_000) } })),
    );
    for (const card of large) relay.publish(card);
    await discovery.start();
    await eventually(() => {
      const [stats] = discovery.relayStats();
      expect((stats?.received ?? 0) + (stats?.dropped ?? 0)).toBe(6);
      expect(stats?.dropped).toBeGreaterThan(0);
    });
  });

  it('DIS-2 asks for all kinds of cards, without #k, in every question', async () => {
    const { discovery, relay } = await setUp();
    await discovery.start();
    const { message } = await relay.waitFor(({ text }) => text.includes('31990'));
    const filters = (message as readonly unknown[]).slice(2) as readonly Filter[];
    expect(filters.map(({ kinds }) => kinds)).toEqual([[31_990], [31_989], [5]]);
    expect(filters[0]).not.toHaveProperty('#k');
    for (const { limit, since } of filters) {
      expect(limit).toBeLessThanOrEqual(1_000);
      expect(since).toBe(start / 1_000 - 86_400);
    }
  });
});
