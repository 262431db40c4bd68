/*
 * What a second synchronization costs with NIP-77 and without it: bytes in both directions and time, over a real WebSocket, with
 * the relay's side by another implementation in this process. Some events are new since the first one. Prints a markdown table.
 */
import { createTinySecpVerifier, createTransport, type NostrEvent } from '../src/index.ts';
import { makeEvent, nowSeconds } from '../test/support/events.ts';
import { startNip77Relay } from '../test/support/nip77-relay.ts';

const stored = 3_000;
const now = nowSeconds();
const verifier = createTinySecpVerifier(await import('tiny-secp256k1'));

const makeEvents = (count: number, newest: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      makeEvent({
        kind: 31_990,
        created_at: newest - 60 * index,
        tags: [
          ['d', `${newest} ${index}`],
          ['k', '5050'],
        ],
        content: JSON.stringify({ name: `Platform ${index}`, about: 'x'.repeat(400) }),
      }),
    ),
  );

async function synchronize(all: readonly NostrEvent[], known: readonly NostrEvent[] | undefined) {
  const relay = await startNip77Relay(all);
  const transport = createTransport({ addresses: { allowLoopback: true }, verifier });
  const started = performance.now();
  let received = 0;
  const events = await transport.query([relay.url], [{ kinds: [31_990] }], {
    timeoutMs: 300_000,
    ...(known === undefined ? {} : { known }),
    onRelayResult(result) {
      received = result.received;
      if (result.status !== 'complete') throw new Error(`${result.status}: ${result.message}`);
    },
  });
  const ms = performance.now() - started;
  await transport.close();
  await relay.close();
  return { kB: relay.traffic.bytes / 1_000, ms, received, events };
}

const old = await makeEvents(stored, now - 1_000);
console.log('| new events | without NIP-77: kB | ms | events | with NIP-77: kB | ms | events |');
console.log('|---:|---:|---:|---:|---:|---:|---:|');
for (const count of [0, 30, 300]) {
  const all = [...(await makeEvents(count, now)), ...old];
  const without = await synchronize(all, undefined);
  const reconciled = await synchronize(all, old);
  const cells = [
    count,
    ...[without, reconciled].flatMap(({ kB, ms, received }) => [kB.toFixed(1), ms.toFixed(0), received]),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
