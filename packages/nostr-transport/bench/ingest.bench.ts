/*
 * What the transport costs over the bare check of signatures: the same events verified in a loop, and received over a
 * real WebSocket from a relay in another process, parsed, matched, checked, deduplicated and handed to a subscriber. In
 * CPU time of this process, interleaved, so that a busy machine slows all alike; the ratios are what counts. The last
 * column is a second relay sending the same events again. Prints a markdown table.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { finalizeEvent } from 'nostr-tools/pure';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  createNostrWasmVerifier,
  createPureVerifier,
  createTinySecpVerifier,
  createTransport,
  type NostrEvent,
  type Verifier,
} from '../src/index.ts';

const count = 2_000;
const rounds = 3;

if (process.argv[2] === 'serve') await serve();
else await measure();

/** A relay that answers every REQ with everything. */
async function serve(): Promise<void> {
  const [events] = (await once(process, 'message')) as [readonly NostrEvent[]];
  const texts = events.map((event) => JSON.stringify(event));
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket: WebSocket) => {
    socket.on('message', (data) => {
      const [type, id, filter] = JSON.parse(String(data)) as [string, string, { readonly until?: number }];
      if (type !== 'REQ') return;
      // Everything is on the first page.
      if (filter.until === undefined) for (const text of texts) socket.send(`["EVENT","${id}",${text}]`);
      socket.send(`["EOSE","${id}"]`);
    });
  });
  await once(server, 'listening');
  process.send?.(server.address());
}

/** CPU milliseconds that `work` took here. */
async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function startRelay(events: readonly NostrEvent[]) {
  const child = fork(new URL(import.meta.url), ['serve']);
  child.send(events);
  const [address] = (await once(child, 'message')) as [{ port: number }];
  return { url: `ws://127.0.0.1:${address.port}`, child };
}

async function measure(): Promise<void> {
  const secret = new Uint8Array(32).fill(7);
  const events: readonly NostrEvent[] = Array.from({ length: count }, (_, at) =>
    JSON.parse(
      JSON.stringify(
        finalizeEvent(
          {
            kind: 5_000,
            created_at: 1_700_000_000 + at,
            tags: [['t', 'bench']],
            content: `job ${at} `.repeat(30),
          },
          secret,
        ),
      ),
    ),
  );
  const [one, two] = [await startRelay(events), await startRelay(events)];
  const verifiers = await Promise.all([
    createPureVerifier(),
    createNostrWasmVerifier(await import('nostr-wasm')),
    createTinySecpVerifier(await import('tiny-secp256k1')),
  ]);
  const best = new Map(verifiers.map((verifier) => [verifier, [Infinity, Infinity, Infinity]]));

  const bare = (verifier: Verifier) => {
    for (const event of events) if (!verifier.verify(event)) throw new Error('rejected');
  };
  for (const verifier of verifiers) bare(verifier); // Warm-up.
  for (let round = 0; round < rounds; round += 1) {
    for (const verifier of verifiers) {
      const transport = createTransport({
        verifier,
        addresses: { allowLoopback: true },
        limits: { pageSize: count + 1 },
      });
      let received = 0;
      const read = async (relay: string) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        const subscription = transport.subscribe([relay], [{ kinds: [5_000] }], {
          onEvent: () => {
            received += 1;
          },
          onEose: () => resolve(),
        });
        await promise;
        subscription.close();
      };
      const times = [
        await cpuMs(() => bare(verifier)),
        await cpuMs(() => read(one.url)),
        await cpuMs(() => read(two.url)),
      ];
      await transport.close();
      if (received !== 2 * count) throw new Error(`${received} events arrived instead of ${2 * count}`);
      best.set(
        verifier,
        (best.get(verifier) ?? []).map((least, at) => Math.min(least, times[at] ?? Infinity)),
      );
    }
  }
  one.child.kill();
  two.child.kill();

  const perSecond = (ms = 0) => Math.round((count / ms) * 1_000).toLocaleString('en-US');
  console.log(`${count} events of about 600 bytes, best of ${rounds}; events per CPU second\n`);
  console.log('| verifier | bare | through the transport | ratio | again from a second relay |');
  console.log('| --- | ---: | ---: | ---: | ---: |');
  for (const [{ name }, [loop = 0, first = 0, second = 0]] of best) {
    const ratio = (loop / first).toFixed(2);
    console.log(`| ${name} | ${perSecond(loop)} | ${perSecond(first)} | ${ratio} | ${perSecond(second)} |`);
  }
}
