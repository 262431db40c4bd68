/*
 * Many open jobs on one client (JOB-17): N jobs are asked for over a real WebSocket from a relay in another process, stay
 * open, and are then all answered. Prints a markdown table: memory of the client while all are open (all of it, heap and
 * buffers, less what it had before), what it subscribes to, and CPU per event, which must not grow with N.
 * `node --expose-gc open-jobs.bench.ts [N …]`
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createKeySigner, createTransport, type NostrEvent } from '@bonafide/nostr-transport';
import { fastestVerifier, startTestRelay } from '@bonafide/nostr-transport/testing';
import { finalizeEvent, getPublicKey } from 'nostr-tools/pure';
import { buildJobResult, createJobClient, createMemoryJobStore } from '../src/index.ts';

const providerKey = Uint8Array.from(Buffer.from('22'.repeat(32), 'hex'));
const provider = getPublicKey(providerKey);

if (process.argv[2] === 'relay') await serve();
else await measure(process.argv.slice(2).map(Number));

/** A relay that keeps requests, and answers them all when it is told to. */
async function serve(): Promise<void> {
  const relay = await startTestRelay({ historySize: 1, verifier: await fastestVerifier() });
  const requests: NostrEvent[] = [];
  relay.on('accepted', (event) => {
    if (event.kind === 5000) requests.push(event);
  });
  process.on('message', async (message) => {
    if (message === 'subscriptions') {
      process.send?.(relay.connections.flatMap(({ subscriptions }) => subscriptions));
      return;
    }
    // Ready before any is sent, so that the client is not measured while it waits.
    const answers = requests.map((request) => {
      const { tags, ...template } = buildJobResult({ request, content: 'done', createdAt: Date.now() });
      return finalizeEvent({ ...template, tags: tags.map((tag) => [...tag]) }, providerKey);
    });
    process.send?.('ready');
    await once(process, 'message');
    for (const [number, answer] of answers.entries()) {
      relay.publish(answer);
      if (number % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  });
  process.send?.(relay.url);
}

async function measure(sizes: readonly number[]): Promise<void> {
  console.log(
    '| open jobs | memory MB | subscriptions | filters | REQ bytes | ms CPU per request | ms CPU per answer |',
  );
  console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const size of sizes.length > 0 ? sizes : [1_000, 3_000, 10_000]) {
    const child = fork(import.meta.filename, ['relay'], { stdio: 'inherit', execArgv: [] });
    const [url] = (await once(child, 'message')) as [string];
    const before = memory();
    const transport = createTransport({
      addresses: { allowLoopback: true },
      verifier: await fastestVerifier(),
    });
    const client = createJobClient({
      transport,
      signer: createKeySigner('11'.repeat(32)),
      store: createMemoryJobStore(),
      relays: [url],
      // Default settings, but for the time limit: no job ends before the last one is asked for, however slow the machine is.
      config: { processingTimeoutMs: 1_000_000_000 },
    });
    await client.start();
    let delivered = 0;
    let completed = 0;
    const allDelivered = Promise.withResolvers<void>();
    const allCompleted = Promise.withResolvers<void>();
    client.on('transition', ({ transition: { to } }) => {
      if (to === 'delivered' && ++delivered === size) allDelivered.resolve();
      if (to === 'completed' && ++completed === size) allCompleted.resolve();
    });

    const asking = process.cpuUsage();
    for (let number = 0; number < size; number += 1) {
      await client.requestJob({ kind: 5000, provider, inputs: [{ data: `work ${number}` }] });
      // A connection takes only so much at once.
      while (number - delivered > 200) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await allDelivered.promise;
    const asked = process.cpuUsage(asking);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const used = (memory() - before) / 1e6;

    child.send('subscriptions');
    const [subscriptions] = (await once(child, 'message')) as [{ filters: unknown[] }[]];
    child.send('prepare');
    await once(child, 'message');
    const listening = process.cpuUsage();
    child.send('go');
    await allCompleted.promise;
    const answered = process.cpuUsage(listening);

    const perJob = ({ user, system }: NodeJS.CpuUsage) => ((user + system) / 1000 / size).toFixed(2);
    const filters = subscriptions.flatMap((one) => one.filters);
    console.log(
      `| ${size} | ${used.toFixed(1)} | ${subscriptions.length} | ${filters.length} | ` +
        `${JSON.stringify(filters).length} | ${perJob(asked)} | ${perJob(answered)} |`,
    );
    await client.close();
    await transport.close();
    child.kill();
    await once(child, 'exit');
  }
}

/** Bytes in use, heap and buffers, after what can be freed is freed. */
function memory(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
