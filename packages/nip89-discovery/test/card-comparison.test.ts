import type { NostrEvent } from '@bonafide/nostr-transport';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startNip77Relay } from '../../nostr-transport/test/support/nip77-relay.ts';
import { setUp } from './set-up.ts';
import { cardOf, start } from './support.ts';

async function relayWith(events: readonly NostrEvent[], options: Parameters<typeof startNip77Relay>[1] = {}) {
  const relay = await startNip77Relay(events, options);
  onTestFinished(() => relay.close());
  return relay;
}

/** Does not give up on a relay while the machine is busy. */
const patient = { timeoutMs: 240_000 };

const cards = (count: number, first = 1) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      cardOf(first + index, { createdAt: start - 60_000 * (index + 1) }),
    ),
  );

/** Counts the traffic of one call. */
async function trafficOf<Result>(
  relay: Awaited<ReturnType<typeof relayWith>>,
  call: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly bytes: number; readonly events: number }> {
  relay.traffic.bytes = 0;
  relay.traffic.events = 0;
  const result = await call();
  return { result, bytes: relay.traffic.bytes, events: relay.traffic.events };
}

describe('a sync with a relay that offers NIP-77', () => {
  it('transfers only new and newer cards the second time (NET-8)', async () => {
    const relay = await relayWith(await cards(120));
    const { discovery } = await setUp({ relays: [relay.url] });
    const first = await trafficOf(relay, () => discovery.sync(patient));
    expect(first.result).toMatchObject({
      taken: 120,
      relays: [{ status: 'complete', taken: 120, known: 0 }],
    });

    relay.events.push(await cardOf(500, { createdAt: start - 1_000 }));
    relay.events.splice(0, 1, await cardOf(1, { createdAt: start - 2_000 }));
    const second = await trafficOf(relay, () => discovery.sync(patient));
    expect(second.result).toMatchObject({
      received: 2,
      taken: 2,
      relays: [{ status: 'complete', received: 2, taken: 2, known: 119 }],
    });
    expect(second.events).toBe(2);
    // What is left are the requests for deletions, which name every card.
    expect(second.bytes).toBeLessThan(first.bytes / 3);
  });

  it('records that a second relay has the known cards too (NET-8)', async () => {
    const events = await cards(40);
    const [one, two] = [await relayWith(events), await relayWith(events.slice(0, 30))];
    const { discovery } = await setUp({ relays: [one.url, two.url] });
    await discovery.sync(patient);
    await discovery.sync(patient);
    const entries = (await discovery.entries({ limit: 100 })).items;
    const seenAt = (url: string) =>
      entries.filter(({ sightings }) => sightings.some(({ relay }) => relay === url)).length;
    expect([seenAt(one.url), seenAt(two.url)]).toEqual([40, 30]);
  });

  it('reads a relay page by page whose cards are mostly new (NET-8)', async () => {
    const [few, many] = [await cards(3), await cards(40, 100)];
    const [one, two] = [await relayWith(few), await relayWith([...few, ...many])];
    const { open, store } = await setUp({ relays: [one.url] });
    await open({ store }).discovery.sync(patient);
    const { result } = await trafficOf(two, () => open({ store, relays: [two.url] }).discovery.sync(patient));
    expect(result.relays).toMatchObject([{ status: 'complete', received: 43, known: 0 }]);
  });

  it('reports a relay as cut that lists cards and does not send them (NET-6)', async () => {
    const events = await cards(30);
    const late = await cardOf(300, { createdAt: start - 1_000 });
    const relay = await relayWith(events, { withheld: new Set([late.id]) });
    const { discovery } = await setUp({ relays: [relay.url] });
    await discovery.sync(patient);
    relay.events.push(late);
    expect((await discovery.sync(patient)).relays).toMatchObject([
      { status: 'cut', received: 0, known: 30, message: '1 listed events were not sent' },
    ]);
  });

  it.each(['error', 'malformed'] as const)(
    'reads everything from a relay whose NEG-OPEN ends in %s (NET-8)',
    async (negOpen) => {
      const relay = await relayWith(await cards(20), { negOpen });
      const { discovery } = await setUp({ relays: [relay.url] });
      await discovery.sync(patient);
      expect((await discovery.sync(patient)).relays).toMatchObject([
        { status: 'complete', received: 20, taken: 0, known: 0 },
      ]);
    },
  );
});
