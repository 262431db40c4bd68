import { eventually, patienceMs, patient, patientLimits } from '@bonafide/internal/testing';
import { createTransport, type Transport, type TransportOptions } from '@bonafide/nostr-transport';
import { startTestRelay, type TestRelay } from '@bonafide/nostr-transport/testing';
import { expect, onTestFinished } from 'vitest';
import {
  createDiscovery,
  createMemoryDiscoveryStore,
  type Discovery,
  type DiscoveryOptions,
} from '../src/index.ts';
import { manualClock, signer, start } from './support.ts';

export const main = 'main';
export const pubkeyOf = (n: number) => signer(n).getPublicKey();

export async function relayAt(clock: () => number): Promise<TestRelay> {
  const relay = await startTestRelay({ clock });
  onTestFinished(() => relay.close());
  return relay;
}

export function transportAt(clock: () => number, options: TransportOptions = {}): Transport {
  const transport = createTransport({
    clock,
    addresses: { allowLoopback: true },
    backoff: { minMs: 5, maxMs: 20 },
    ...options,
    limits: { ...patientLimits, ...options.limits },
  });
  onTestFinished(() => transport.close());
  return patient(transport);
}

/** A registry over a real relay, with everything that happened to it. */
export async function setUp({
  relayCount = 1,
  ...options
}: Partial<DiscoveryOptions> & { readonly relayCount?: number } = {}) {
  const clock = manualClock();
  const relays = await Promise.all(Array.from({ length: relayCount }, () => relayAt(clock)));
  const [relay] = relays;
  if (relay === undefined) throw new Error('a test needs a relay');
  const store = options.store ?? createMemoryDiscoveryStore();
  const open = (over: Partial<DiscoveryOptions> = {}) => {
    const discovery = createDiscovery({
      transport: transportAt(clock),
      store,
      relays: relays.map(({ url }) => url),
      clock,
      ...options,
      ...over,
      config: {
        ...{ allowLoopback: true, lingerMs: 5, queryTimeoutMs: patienceMs },
        ...options.config,
        ...over.config,
      },
    });
    onTestFinished(() => discovery.close());
    const events: string[] = [];
    for (const name of ['discovered', 'updated', 'status', 'stale', 'archived'] as const) {
      discovery.on(name, ({ entry }) => events.push(`${name} ${entry.card.name} ${entry.status}`));
    }
    discovery.on('rejected', ({ reason }) => events.push(`rejected ${reason}`));
    return { discovery, events };
  };
  return { clock, relay, relays, store, open, ...open() };
}

export const whenKnown = (discovery: Discovery, count: number) =>
  eventually(async () => expect((await discovery.entries()).items).toHaveLength(count));
export const received = (discovery: Discovery, count: number) =>
  eventually(() =>
    expect(discovery.relayStats().reduce((sum, relay) => sum + relay.received, 0)).toBe(count),
  );

export const deletionOf = async (n: number, tags: string[][], at = start) =>
  signer(n).signEvent({ kind: 5, created_at: at / 1_000, tags: [...tags, ['k', '31990']], content: '' });
