import { eventually, patienceMs } from '@bonafide/internal/testing';
import { startTestRelay, type TestRelay } from '@bonafide/nostr-transport/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createDiscovery,
  createMemoryDiscoveryStore,
  type DiscoveryOptions,
  type RegistryEntry,
} from '../src/index.ts';
import { deletionOf, main, pubkeyOf, transportAt } from './set-up.ts';
import { cardOf, manualClock, signer, start } from './support.ts';

async function relayAt(clock: () => number): Promise<TestRelay> {
  const relay = await startTestRelay({ clock });
  onTestFinished(() => relay.close());
  return relay;
}

async function setUp(options: Partial<DiscoveryOptions> = {}) {
  const clock = manualClock();
  const [own, elsewhere, other] = await Promise.all([relayAt(clock), relayAt(clock), relayAt(clock)]);
  const discovery = createDiscovery({
    transport: transportAt(clock),
    store: createMemoryDiscoveryStore(),
    relays: [own.url],
    clock,
    ...options,
    config: { allowLoopback: true, queryTimeoutMs: patienceMs, ...options.config },
  });
  onTestFinished(() => discovery.close());
  return { clock, own, elsewhere, other, discovery };
}

const relayList = (n: number, urls: readonly string[], at = start, marker: readonly string[] = []) =>
  signer(n).signEvent({
    kind: 10_002,
    created_at: at / 1_000,
    tags: urls.map((url) => ['r', url, ...marker]),
    content: '',
  });
const nameOf = (entry: RegistryEntry | null) => entry?.card.name;

describe('write relays', () => {
  it('DIS-19 gives the newer card of a known author, and the card of a recommended one', async () => {
    const { discovery, own, elsewhere, other } = await setUp();
    own.publish(await cardOf(1, { name: 'old' }));
    own.publish(await relayList(1, [elsewhere.url], start, ['write']));
    elsewhere.publish(await cardOf(1, { name: 'new', createdAt: start + 60_000 }));
    // Only recommended: its card is nowhere but at its write relay.
    own.publish(await relayList(2, [other.url]));
    other.publish(await cardOf(2, { name: 'recommended' }));
    own.publish(
      await signer(9).signEvent({
        kind: 31_989,
        created_at: start / 1_000,
        tags: [
          ['d', '5000'],
          ['a', `31990:${await pubkeyOf(2)}:${main}`],
        ],
        content: '',
      }),
    );
    // Not what a stranger says about somebody else's relays.
    elsewhere.publish(await cardOf(3, { name: 'stranger' }));
    await discovery.sync();
    expect(nameOf(await discovery.get(await pubkeyOf(1), main))).toBe('new');
    expect(nameOf(await discovery.get(await pubkeyOf(2), main))).toBe('recommended');
    expect(await discovery.get(await pubkeyOf(3), main)).toBeNull();
  });

  it('DIS-19 are followed when the list changes, after six hours, and an older list never wins', async () => {
    const { discovery, clock, own, elsewhere, other } = await setUp();
    own.publish(await cardOf(1));
    own.publish(await relayList(1, [elsewhere.url]));
    await discovery.sync();
    own.publish(await relayList(1, [other.url], start + 60_000));
    other.publish(await cardOf(1, { name: 'moved', createdAt: start + 60_000 }));
    await discovery.sync();
    expect(nameOf(await discovery.get(await pubkeyOf(1), main))).toBe('P1');
    clock.advance(6 * 3_600_000);
    await discovery.sync();
    expect(nameOf(await discovery.get(await pubkeyOf(1), main))).toBe('moved');
    expect((await discovery.get(await pubkeyOf(1), main))?.authorRelays?.urls).toEqual([other.url]);
  });

  it('DIS-19 a failed look-up is retried and never stored as "none"', async () => {
    const { discovery, clock, own, elsewhere } = await setUp({ config: { queryTimeoutMs: 1_000 } });
    const card = await cardOf(1);
    own.publish(card);
    await discovery.sync({ timeoutMs: patienceMs });
    own.publish(await relayList(1, [elsewhere.url]));
    clock.advance(6 * 3_600_000);
    await own.faults.set({ stall: 'messages' });
    const sources = async () =>
      (await discovery.relaysFor(card.pubkey, main)).filter(({ source }) => source === 'author');
    expect(await sources()).toEqual([]);
    expect((await discovery.get(card.pubkey, main))?.authorRelays).toBeNull();
    await own.faults.clear();
    own.dropAll();
    // Not at once: the next attempt waits.
    expect(await sources()).toEqual([]);
    clock.advance(60_000);
    await eventually(async () => {
      clock.advance(600_000);
      expect(await sources()).toMatchObject([{ relay: elsewhere.url }]);
    });
  });
});

describe('deletions', () => {
  it('DIS-20 are asked for by address, by event id and by author: they need no k tag', async () => {
    const { discovery, own } = await setUp();
    const cards = await Promise.all([1, 2, 3].map((n) => cardOf(n)));
    for (const card of cards) own.publish(card);
    await discovery.sync();
    const bare = async (n: number, tags: string[][]) => {
      const event = await deletionOf(n, tags, start + 1_000);
      return signer(n).signEvent({ ...event, tags });
    };
    own.publish(await bare(1, [['a', `31990:${await pubkeyOf(1)}:${main}`]]));
    own.publish(await bare(2, [['e', cards[1]?.id ?? '']]));
    // Somebody else's request deletes nothing.
    own.publish(await bare(4, [['e', cards[2]?.id ?? '']]));
    await discovery.sync();
    const statuses = await Promise.all(
      [1, 2, 3].map(async (n) => (await discovery.get(await pubkeyOf(n), main))?.status),
    );
    expect(statuses).toEqual(['archived', 'archived', 'discovered']);
  });
});

describe('expiration', () => {
  const heartbeat = async (n: number, at: number, lifetimeMs: number) =>
    signer(n).signEvent({
      kind: 31_990,
      created_at: at / 1_000,
      tags: [
        ['d', main],
        ['k', '5002'],
        ['expiration', String((at + lifetimeMs) / 1_000)],
      ],
      content: '',
    });

  it('DIS-17 takes a platform out of find when it passes, archives it at the sweep, and the next card brings it back', async () => {
    const { discovery, clock, own } = await setUp({ config: { tickMs: 5, sweepMs: 20 } });
    own.publish(await heartbeat(1, start, 600_000));
    await discovery.start();
    const found = async () => (await discovery.find({ kind: 5_002 }).toArray()).length;
    const status = async () => (await discovery.get(await pubkeyOf(1), main))?.status;
    await eventually(async () => expect(await found()).toBe(1));
    clock.advance(599_000);
    expect(await found()).toBe(1);
    clock.advance(1_000);
    expect(await found()).toBe(0);
    await eventually(async () => expect(await status()).toBe('archived'));
    own.publish(await heartbeat(1, clock(), 600_000));
    await eventually(async () => expect(await found()).toBe(1));
    expect(await status()).toBe('discovered');
  });
});

describe('tolerance', () => {
  it('DIS-21 lists handlers without k by topic or web address, and reads what is older than an over-large event', async () => {
    const { discovery, own } = await setUp();
    const handler = async (n: number, tags: string[][], content: string, at = start) =>
      signer(n).signEvent({ kind: 31_990, created_at: at / 1_000, tags: [['d', main], ...tags], content });
    own.publish(await handler(1, [['t', 'calendar']], '{"name":"Dates"}', start - 10_000));
    own.publish(
      await handler(2, [['web', 'https://example.com/<bech32>']], "{'name': 'Python'}", start - 20_000),
    );
    own.publish(await handler(3, [['k', '5002']], JSON.stringify({ about: 'x'.repeat(70_000) }), start));
    own.publish(await handler(4, [['k', '5002']], 'Plain words', start - 30_000));
    await discovery.sync();
    const entries = (await discovery.entries()).items;
    expect(entries.map(({ card }) => [card.name, card.isListingOnly]).sort()).toEqual([
      [null, false],
      [null, true],
      ['Dates', true],
    ]);
    expect(await discovery.find({ capability: 'calendar' }).toArray()).toHaveLength(1);
    expect(await discovery.find({ capability: 'translate' }).toArray()).toHaveLength(1);
    expect(discovery.rejections().counts).toEqual({ 'too-large': 1 });
  });
});
