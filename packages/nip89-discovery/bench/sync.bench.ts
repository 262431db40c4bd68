/*
 * What a second sync of the registry transfers from a relay that compares events (NIP-77), and from the same relay without it (NET-8):
 * bytes in both directions, cards sent, CPU time of this process and elapsed time, with some new cards since the first sync. The
 * relay is in this process, by another implementation; the deletion requests that every sync makes are counted too.
 * Prints a markdown table.
 */
import { createTransport, type NostrEvent } from '@bonafide/nostr-transport';
import { fastestVerifier } from '@bonafide/nostr-transport/testing';
import { startNip77Relay } from '../../nostr-transport/test/support/nip77-relay.ts';
import { createDiscovery, createMemoryDiscoveryStore } from '../src/index.ts';
import { cardOf, start } from '../test/support.ts';

const known = 2_000;
const verifier = await fastestVerifier();

const cards = (count: number, first: number, newest: number) =>
  Promise.all(
    Array.from({ length: count }, (_, n) =>
      cardOf(first + n, {
        about: 'What it does, in a few sentences. '.repeat(6),
        createdAt: newest - 60_000 * n,
      }),
    ),
  );

async function secondSync(
  old: readonly NostrEvent[],
  fresh: readonly NostrEvent[],
  supportedNips: readonly number[],
) {
  const relay = await startNip77Relay(old, { supportedNips });
  const addresses = { allowLoopback: true };
  const transport = createTransport({ addresses, verifier, clock: () => start });
  const config = { allowLoopback: true, queryTimeoutMs: 120_000 };
  const store = createMemoryDiscoveryStore();
  const discovery = createDiscovery({ transport, store, relays: [relay.url], clock: () => start, config });
  await discovery.sync();
  relay.events.push(...fresh);
  Object.assign(relay.traffic, { bytes: 0, events: 0 });
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  const { taken, relays } = await discovery.sync();
  const { user, system } = process.cpuUsage(before);
  const ms = performance.now() - startedAt;
  if (taken !== fresh.length || relays[0]?.status !== 'complete') throw new Error(JSON.stringify(relays));
  await discovery.close();
  await transport.close();
  await relay.close();
  return [
    (relay.traffic.bytes / 1_000).toFixed(0),
    relay.traffic.events,
    ((user + system) / 1_000).toFixed(0),
    ms.toFixed(0),
  ];
}

const old = await cards(known, 1, start - 86_400_000);
console.log(`Second sync with a relay that has ${known} known cards\n`);
console.log(
  '| new cards | without NIP-77: kB | cards sent | ms CPU | ms | with NIP-77: kB | cards sent | ms CPU | ms |',
);
console.log('|---:|---:|---:|---:|---:|---:|---:|---:|---:|');
for (const count of [0, 20, 200]) {
  const fresh = await cards(count, 10_000, start);
  const without = await secondSync(old, fresh, [1]);
  const compared = await secondSync(old, fresh, [1, 77]);
  console.log(`| ${[count, ...without, ...compared].join(' | ')} |`);
}
