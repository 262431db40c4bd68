import { eventually, patienceMs } from '@bonafide/internal/testing';
import type { Filter, NostrEvent, RelayReadResult } from '@bonafide/nostr-transport';
import { startTestRelay } from '@bonafide/nostr-transport/testing';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startNip77Relay } from '../../nostr-transport/test/support/nip77-relay.ts';
import { createDiscovery, createMemoryDiscoveryStore, type DiscoveryOptions } from '../src/index.ts';
import { chooseAuthors, chooseWriteRelays, type WriteRelay } from '../src/relays/write-relay-choice.ts';
import { main, pubkeyOf, relayAt, transportAt, whenKnown } from './set-up.ts';
import { cardOf, dayMs, manualClock, signer, start } from './support.ts';

function discoveryAt(relays: readonly string[], options: Partial<DiscoveryOptions> = {}) {
  const clock = manualClock();
  const discovery = createDiscovery({
    transport: transportAt(clock),
    store: createMemoryDiscoveryStore(),
    relays,
    clock,
    ...options,
    config: { allowLoopback: true, lingerMs: 5, queryTimeoutMs: patienceMs, ...options.config },
  });
  onTestFinished(() => discovery.close());
  return { discovery, clock };
}

/** Does not give up on a relay while the machine is busy. */
const patient = { timeoutMs: 240_000 };

describe('a flood of expired cards', () => {
  /** A relay whose clock is a day late: it still sends what expired an hour ago. */
  async function floodedRelay(expired: number) {
    const relay = await startTestRelay({ clock: () => start - dayMs, limits: { maxLimit: 10 } });
    onTestFinished(() => relay.close());
    for (let n = 0; n < expired; n += 1) {
      relay.publish(
        await signer(1_000).signEvent({
          kind: 31_990,
          created_at: (start - dayMs) / 1_000 - n,
          tags: [
            ['d', `bait-${n}`],
            ['k', '5000'],
            ['expiration', String(start / 1_000 - 3_600)],
          ],
          content: '',
        }),
      );
    }
    for (let n = 1; n <= 5; n += 1)
      relay.publish(await cardOf(n, { createdAt: start - dayMs - 3_600_000 - n * 1_000 }));
    return relay;
  }

  it('that is longer than every page limit ends no sync (NET-5)', async () => {
    const relay = await floodedRelay(300);
    const clock = manualClock();
    const transport = transportAt(clock, { limits: { maxPages: 1 } });
    const { discovery } = discoveryAt([relay.url], { transport, clock });
    expect(await discovery.sync(patient)).toMatchObject({
      taken: 5,
      relays: [{ status: 'complete', taken: 5, message: '' }],
    });
  });

  it('nor a live reading (NET-5, DIS-15)', async () => {
    const relay = await floodedRelay(300);
    const clock = manualClock();
    const transport = transportAt(clock, { limits: { maxPages: 1 } });
    const { discovery } = discoveryAt([relay.url], {
      transport,
      clock,
      config: { lookbackMs: 2 * dayMs, pollMs: 50, tickMs: 5, queryTimeoutMs: 240_000 },
    });
    await discovery.start();
    await eventually(async () => {
      // The relay is rated and read again after each interval.
      clock.advance(50);
      expect((await discovery.entries()).items).toHaveLength(5);
    });
  });
});

describe('a relay that compares (NIP-77)', () => {
  const cards = (count: number, first = 1, at = start) =>
    Promise.all(Array.from({ length: count }, (_, n) => cardOf(first + n, { createdAt: at - 60_000 * n })));
  async function relayWith(...args: Parameters<typeof startNip77Relay>) {
    const relay = await startNip77Relay(...args);
    onTestFinished(() => relay.close());
    return relay;
  }

  it('is cut when it sends other events than it listed, however many (NET-6, NET-8)', async () => {
    const late = await cardOf(300, { createdAt: start - 1_000 });
    const instead = await cardOf(301, { createdAt: start - 2_000 });
    const relay = await relayWith(await cards(10), { withheld: new Set([late.id]), instead });
    const { discovery } = discoveryAt([relay.url]);
    await discovery.sync(patient);
    relay.events.push(late);
    expect((await discovery.sync(patient)).relays).toMatchObject([
      { status: 'cut', known: 10, message: '1 listed events were not sent' },
    ]);
  });

  it('is read completely where one second holds more cards than a page (NET-5, NET-8)', async () => {
    const crowd = await Promise.all(Array.from({ length: 60 }, (_, n) => cardOf(n + 1)));
    const relay = await relayWith([...crowd, ...(await cards(5, 500, start - dayMs))], { maxLimit: 20 });
    const { discovery } = discoveryAt([relay.url]);
    expect(await discovery.sync(patient)).toMatchObject({
      taken: 65,
      relays: [{ status: 'complete', taken: 65 }],
    });
  });
});

describe('a second that holds more cards than a page', () => {
  it('hides no card of an author who is known or recommended (NET-5, DIS-19)', async () => {
    const relay = await startTestRelay({ clock: () => start, limits: { maxLimit: 10 } });
    onTestFinished(() => relay.close());
    const crowd = await Promise.all(Array.from({ length: 40 }, (_, n) => cardOf(n + 1)));
    const byId = [...crowd].sort((a, b) => (a.id < b.id ? 1 : -1));
    // The relay sends the lowest ids first, so the last ones are hidden.
    const [known, recommended] = byId;
    for (const card of crowd) relay.publish(card);
    relay.publish(
      await signer(900).signEvent({
        kind: 31_989,
        created_at: start / 1_000,
        tags: [
          ['d', '5000'],
          ['a', `31990:${recommended?.pubkey}:${main}`],
        ],
        content: '',
      }),
    );
    const store = createMemoryDiscoveryStore();
    // An older card is known from elsewhere.
    const n = crowd.indexOf(known as NostrEvent) + 1;
    const elsewhere = await relayAt(() => start);
    elsewhere.publish(await cardOf(n, { name: 'old', createdAt: start - dayMs }));
    await discoveryAt([elsewhere.url], { store }).discovery.sync(patient);
    const { discovery } = discoveryAt([relay.url], { store });
    const result = await discovery.sync(patient);
    expect(result.relays).toMatchObject([{ status: 'cut' }]);
    expect((await discovery.get(known?.pubkey ?? '', main))?.card.name).toBe(`P${n}`);
    expect(await discovery.get(recommended?.pubkey ?? '', main)).not.toBeNull();
  });
});

describe('a relay that never ends', () => {
  it('takes no more than its time, of each kind of event a share (NET-6)', async () => {
    const clock = manualClock();
    let asked = 0;
    const kinds = new Set<number>();
    const [card] = await Promise.all([cardOf(1)]);
    const query = async (
      relays: readonly string[],
      [filter = {}]: readonly Filter[],
      { onRelayResult }: { readonly onRelayResult?: (result: RelayReadResult) => void } = {},
    ) => {
      asked += 1;
      for (const kind of filter.kinds ?? []) kinds.add(kind);
      clock.advance(10_000);
      const relay = relays[0] ?? '';
      const isSlow = relay.includes('slow');
      // Always one more page, of events that it says are older.
      onRelayResult?.({
        relay,
        status: isSlow ? 'cut' : 'complete',
        received: 0,
        taken: 0,
        message: '',
        ...(isSlow ? { resumeUntil: (filter.until ?? start / 1_000) - 1 } : {}),
      });
      return isSlow || !filter.kinds?.includes(31_990) ? [] : card === undefined ? [] : [card];
    };
    const transport = { subscribe: () => ({ close() {} }), publish: async () => [], query };
    const { discovery } = discoveryAt(['wss://slow.example.com', 'wss://good.example.com'], {
      transport,
      clock,
      config: { relayTimeoutMs: 600_000 },
    });
    expect((await discovery.sync()).relays).toMatchObject([
      { status: 'timed-out', message: expect.stringContaining('time') },
      { status: 'complete', taken: 1 },
    ]);
    expect(asked).toBeLessThan(100);
    expect(kinds.has(31_990)).toBe(true);
  });
});

describe('write relays', () => {
  it('of known authors are read, however many relays strangers name (DIS-19)', async () => {
    const clock = manualClock();
    const [own, honest, ...hostile] = await Promise.all(Array.from({ length: 6 }, () => relayAt(clock)));
    const listOf = (n: number, url: string) =>
      signer(n).signEvent({ kind: 10_002, created_at: start / 1_000, tags: [['r', url]], content: '' });
    own?.publish(await cardOf(1, { name: 'old' }));
    own?.publish(await listOf(1, honest?.url ?? ''));
    honest?.publish(await cardOf(1, { name: 'new', createdAt: start + 60_000 }));
    for (let n = 10; n < 50; n += 1) {
      own?.publish(await cardOf(n));
      own?.publish(await listOf(n, hostile[n % hostile.length]?.url ?? ''));
    }
    const sees = async (
      name: string,
      sync: () => Promise<unknown>,
      most: number,
      discovery: ReturnType<typeof discoveryAt>['discovery'],
    ) => {
      for (let round = 1; round <= most; round += 1) {
        await sync();
        if ((await discovery.get(await pubkeyOf(1), main))?.card.name === name) return round;
      }
      return Number.POSITIVE_INFINITY;
    };
    const config = { maxWriteRelays: 2 };
    const { discovery } = discoveryAt([own?.url ?? ''], { clock, transport: transportAt(clock), config });
    // A stranger's relay gets its turn.
    expect(await sees('new', () => discovery.sync(patient), 3, discovery)).toBeLessThanOrEqual(3);
    // That of a known author comes first.
    const { discovery: other } = discoveryAt([own?.url ?? ''], {
      clock,
      transport: transportAt(clock),
      config,
      standing: () => 0.9,
    });
    own?.publish(
      await signer(900).signEvent({
        kind: 31_989,
        created_at: start / 1_000,
        tags: [
          ['d', '5000'],
          ['a', `31990:${await pubkeyOf(1)}:${main}`],
        ],
        content: '',
      }),
    );
    expect(await sees('new', () => other.sync(patient), 1, other)).toBe(1);
  });

  it('are chosen in turn, and those of known authors take at most three quarters (DIS-19)', () => {
    const relay = fc.record({
      url: fc.webUrl(),
      authors: fc.array(fc.tuple(fc.string(), fc.boolean()), { maxLength: 5 }).map((all) => new Map(all)),
      lastRound: fc.nat(5),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(relay, { selector: ({ url }) => url, maxLength: 40 }),
        fc.nat(12),
        (relays, most) => {
          const chosen = chooseWriteRelays(relays, most);
          expect(chosen).toHaveLength(Math.min(most, relays.length));
          expect(new Set(chosen).size).toBe(chosen.length);
          const isKnown = ({ authors }: Pick<WriteRelay, 'authors'>) => [...authors.values()].includes(true);
          const known = relays.filter(isKnown).length;
          expect(chosen.filter(isKnown).length).toBeGreaterThanOrEqual(
            Math.min(known, Math.floor(most * 0.75)),
          );
          const others = relays.length - known;
          expect(chosen.filter((each) => !isKnown(each)).length).toBeGreaterThanOrEqual(
            Math.min(others, Math.floor(most * 0.25)),
          );
        },
      ),
    );
    const authors = new Map<string, boolean>([
      ['a', true],
      ...Array.from({ length: 20 }, (_, n) => [`s${n}`, false] as const),
    ]);
    const seen = new Set(
      Array.from({ length: 10 }, (_, round) => chooseAuthors({ authors }, 5, round)).flat(),
    );
    expect(seen.size).toBe(21);
    for (let round = 0; round < 10; round += 1) expect(chooseAuthors({ authors }, 5, round)[0]).toBe('a');
  });
});

describe('one relay without a relay list', () => {
  it('does not prove that an author has none (DIS-19)', async () => {
    const clock = manualClock();
    const [one, other, elsewhere] = await Promise.all([relayAt(clock), relayAt(clock), relayAt(clock)]);
    one.publish(await cardOf(1, { name: 'old' }));
    other.publish(
      await signer(1).signEvent({
        kind: 10_002,
        created_at: start / 1_000,
        tags: [['r', elsewhere.url]],
        content: '',
      }),
    );
    elsewhere.publish(await cardOf(1, { name: 'new', createdAt: start + 60_000 }));
    await other.faults.set({ closed: { reason: 'restricted: members only' } });
    const { discovery } = discoveryAt([one.url, other.url], { clock, transport: transportAt(clock) });
    await discovery.sync(patient);
    await whenKnown(discovery, 1);
    const sources = async () =>
      (await discovery.relaysFor(await pubkeyOf(1), main)).filter(({ source }) => source === 'author');
    expect(await sources()).toEqual([]);
    await other.faults.clear();
    clock.advance(60_000);
    // Without the retry, six hours would pass.
    await eventually(async () => {
      clock.advance(60_000);
      expect(await sources()).toMatchObject([{ relay: elsewhere.url }]);
    });
    expect(clock()).toBeLessThan(start + 6 * 3_600_000);
  });
});
