import { patienceMs } from '@bonafide/internal/testing';
import { startTestRelay, type TestRelayOptions } from '@bonafide/nostr-transport/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDiscovery, createMemoryDiscoveryStore, type DiscoveryOptions } from '../src/index.ts';
import { transportAt } from './set-up.ts';
import { cardOf, dayMs, manualClock, signer, start } from './support.ts';

async function relayWith(options: TestRelayOptions = {}) {
  const relay = await startTestRelay({ clock: () => start, ...options });
  onTestFinished(() => relay.close());
  return relay;
}

function discoveryAt(relays: readonly string[], config: DiscoveryOptions['config'] = {}) {
  const clock = manualClock();
  const discovery = createDiscovery({
    transport: transportAt(clock),
    store: createMemoryDiscoveryStore(),
    relays,
    clock,
    config: { allowLoopback: true, queryTimeoutMs: patienceMs, ...config },
  });
  onTestFinished(() => discovery.close());
  return discovery;
}

const cards = (count: number, from = 1, age = 0) =>
  Promise.all(
    Array.from({ length: count }, (_, n) => cardOf(from + n, { createdAt: start - age - n * 1_000 })),
  );

describe('completeness of a sync', () => {
  it('NET-5 DIS-2 finds 40 cards behind 520 expired ones of one stranger', async () => {
    // The clock of this relay is a day late, so it still sends what expired an hour ago.
    const relay = await relayWith({ clock: () => start - dayMs, limits: { maxLimit: 100 } });
    for (let n = 0; n < 520; n += 1) {
      relay.publish(
        await signer(1_000).signEvent({
          kind: 31_990,
          created_at: start / 1_000 - dayMs / 1_000 - n,
          tags: [
            ['d', `bait-${n}`],
            ['k', '5000'],
            ['expiration', String(start / 1_000 - 3_600)],
          ],
          content: '',
        }),
      );
    }
    for (const card of await cards(40, 1, 2 * dayMs)) relay.publish(card);
    const discovery = discoveryAt([relay.url]);
    expect(await discovery.sync()).toMatchObject({
      taken: 40,
      relays: [{ url: relay.url, status: 'complete', taken: 40, received: 560 }],
    });
    expect(await discovery.find({ kind: 5_000 }).toArray()).toHaveLength(40);
  });

  it('NET-6 says of each relay how it answered', async () => {
    const good = await relayWith();
    const [card] = await cards(1);
    if (card !== undefined) good.publish(card);
    const silent = await relayWith({ faults: { stall: 'messages' } });
    const closing = await relayWith({ faults: { closed: { reason: 'restricted: members only' } } });
    const down = await relayWith();
    const downUrl = down.url;
    await down.close();
    const relays = [good.url, silent.url, closing.url, downUrl];
    const result = await discoveryAt(relays, { queryTimeoutMs: 10_000 }).sync();
    expect(result.relays.map(({ url, status }) => [url, status])).toEqual([
      [good.url, 'complete'],
      [silent.url, 'timed-out'],
      [closing.url, 'refused'],
      [downUrl, 'unreachable'],
    ]);
    expect(result.relays[0]).toMatchObject({ received: 1, taken: 1, message: '' });
    expect(result.relays[2]?.message).toContain('members only');
  });

  it('NET-6 waits longer for a relay that makes progress, and gets everything', async () => {
    const relay = await relayWith({ faults: { delayMs: 250 } });
    for (const card of await cards(20)) relay.publish(card);
    const result = await discoveryAt([relay.url], { queryTimeoutMs: 4_000 }).sync();
    expect(result.relays).toMatchObject([{ status: 'complete', taken: 20 }]);
  });

  it('NET-6 reports a relay as cut that has more cards in one second than it sends', async () => {
    const relay = await relayWith({ limits: { maxLimit: 10 } });
    for (let n = 1; n <= 30; n += 1) relay.publish(await cardOf(n));
    for (const card of await cards(15, 100, dayMs)) relay.publish(card);
    const result = await discoveryAt([relay.url]).sync();
    expect(result.relays).toMatchObject([{ status: 'cut', taken: 25 }]);
  });
});
