/*
 * CPU per job, customer and provider together, in one run: this package with memory stores, bare nostr-tools and NDK, each over the
 * same relay in another process, with the same number of jobs at the same time. The others neither store nor retry, and send no
 * `processing`. Prints a markdown table. `node cpu-per-job.bench.ts [jobs]`
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  createKeySigner,
  createPureVerifier,
  createTransport,
  type Signer,
  type Verifier,
} from '@bonafide/nostr-transport';
import { fastestKeySigner, fastestVerifier, startTestRelay } from '@bonafide/nostr-transport/testing';
import NDK, {
  NDKDVMJobResult,
  NDKDVMRequest,
  type NDKEvent,
  type NDKKind,
  NDKPrivateKeySigner,
  NDKSubscriptionCacheUsage,
} from '@nostr-dev-kit/ndk';
import { finalizeEvent, getPublicKey } from 'nostr-tools/pure';
import { Relay } from 'nostr-tools/relay';
import { createJobClient, createMemoryJobStore, createProvider } from '../src/index.ts';

const hex = { customer: '11'.repeat(32), provider: '22'.repeat(32) };
const secret = {
  customer: Uint8Array.from(Buffer.from(hex.customer, 'hex')),
  provider: Uint8Array.from(Buffer.from(hex.provider, 'hex')),
};
const key = { customer: getPublicKey(secret.customer), provider: getPublicKey(secret.provider) };
const concurrency = 10;

/** Asks for one job, and resolves when its result has arrived. */
interface Contender {
  ask(number: number): Promise<void>;
  close(): Promise<void> | void;
}

/** The others verify and sign in pure JavaScript, their default; so does the second row. */
const contenders: Readonly<Record<string, (url: string) => Promise<Contender>>> = {
  'nip90-jobs with tiny-secp256k1': (url) => ours(url, fastestVerifier(), fastestKeySigner),
  'nip90-jobs': (url) => ours(url, createPureVerifier(), createKeySigner),
  'nostr-tools': bare,
  NDK: ndk,
};

if (process.argv[2] === 'relay') {
  const relay = await startTestRelay({ verifier: await fastestVerifier() });
  process.send?.(relay.url);
} else await compare(Number(process.argv[2] ?? 300));

async function compare(count: number): Promise<void> {
  console.log('| implementation | ms CPU per job |\n| --- | ---: |');
  for (const [name, open] of Object.entries(contenders)) {
    const child = fork(import.meta.filename, ['relay'], { stdio: 'inherit', execArgv: [] });
    const [url] = (await once(child, 'message')) as [string];
    const contender = await open(url);
    // Compiled and connected before the measurement.
    await askAll(contender, 0, 50);
    const before = process.cpuUsage();
    await askAll(contender, 50, count);
    const { user, system } = process.cpuUsage(before);
    console.log(`| ${name} | ${((user + system) / 1_000 / count).toFixed(2)} |`);
    await contender.close();
    child.kill();
    await once(child, 'exit');
  }
  process.exit(0);
}

async function askAll({ ask }: Contender, from: number, count: number): Promise<void> {
  let next = from;
  const work = async () => {
    while (next < from + count) await ask(next++);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

async function ours(
  url: string,
  verifier: Verifier | Promise<Verifier>,
  signerOf: (secret: string) => Signer | Promise<Signer>,
): Promise<Contender> {
  const options = { addresses: { allowLoopback: true }, verifier: await verifier };
  const [asking, working] = [createTransport(options), createTransport(options)];
  const client = createJobClient({
    transport: asking,
    signer: await signerOf(hex.customer),
    store: createMemoryJobStore(),
    relays: [url],
  });
  const provider = createProvider({
    kinds: [5000],
    handler: () => 'done',
    transport: working,
    signer: await signerOf(hex.provider),
    relays: [url],
    concurrency,
    config: { rateLimit: 1_000_000 },
  });
  await provider.start();
  await client.start();
  return {
    async ask(number) {
      const inputs = [{ data: `work ${number}` }];
      await (await client.requestJob({ kind: 5000, provider: key.provider, inputs })).result;
    },
    async close() {
      await client.close();
      await provider.close();
      await Promise.all([asking.close(), working.close()]);
    },
  };
}

async function bare(url: string): Promise<Contender> {
  const [asking, working] = await Promise.all([Relay.connect(url), Relay.connect(url)]);
  const now = () => Math.floor(Date.now() / 1_000);
  working.subscribe([{ kinds: [5000], '#p': [key.provider] }], {
    onevent(request) {
      const tags = [
        ['request', JSON.stringify(request)],
        ['e', request.id],
        ['p', request.pubkey],
      ];
      const result = { kind: 6000, created_at: now(), tags, content: 'done' };
      void working.publish(finalizeEvent(result, secret.provider));
    },
  });
  const waiting = new Map<string, () => void>();
  asking.subscribe([{ kinds: [6000], '#p': [key.customer] }], {
    onevent: ({ tags }) => waiting.get(tags.find(([name]) => name === 'e')?.[1] ?? '')?.(),
  });
  return {
    async ask(number) {
      const tags = [
        ['p', key.provider],
        ['i', `work ${number}`, 'text'],
      ];
      const request = finalizeEvent({ kind: 5000, created_at: now(), tags, content: '' }, secret.customer);
      const answered = new Promise<void>((resolve) => waiting.set(request.id, resolve));
      await asking.publish(request);
      await answered;
      waiting.delete(request.id);
    },
    close() {
      asking.close();
      working.close();
    },
  };
}

async function ndk(url: string): Promise<Contender> {
  const connect = async (from: string) => {
    const created = new NDK({
      explicitRelayUrls: [url],
      signer: new NDKPrivateKeySigner(from),
      enableOutboxModel: false,
    });
    await created.connect(2_000);
    return created;
  };
  const [asking, working] = [await connect(hex.customer), await connect(hex.provider)];
  // A customer may have its result before the relay has acknowledged it to the provider.
  const publishing = new Set<Promise<unknown>>();
  const options = { closeOnEose: false, cacheUsage: NDKSubscriptionCacheUsage.ONLY_RELAY };
  working.subscribe(
    { kinds: [5000 as NDKKind], '#p': [key.provider] },
    {
      ...options,
      onEvent(event) {
        const result = new NDKDVMJobResult(working);
        result.kind = 6000 as NDKKind;
        result.jobRequest = NDKDVMRequest.from(event);
        result.content = 'done';
        const published = result.publish();
        publishing.add(published);
        void published.finally(() => publishing.delete(published));
      },
    },
  );
  const waiting = new Map<string, () => void>();
  asking.subscribe(
    { kinds: [6000 as NDKKind], '#p': [key.customer] },
    { ...options, onEvent: (event: NDKEvent) => waiting.get(event.tagValue('e') ?? '')?.() },
  );
  return {
    async ask(number) {
      const request = new NDKDVMRequest(asking);
      request.kind = 5000 as NDKKind;
      request.addInput(`work ${number}`, 'text');
      request.dvm = asking.getUser({ pubkey: key.provider });
      await request.sign();
      const answered = new Promise<void>((resolve) => waiting.set(request.id, resolve));
      await request.publish();
      await answered;
      waiting.delete(request.id);
    },
    async close() {
      await Promise.all(publishing);
      for (const created of [asking, working])
        for (const relay of created.pool.relays.values()) relay.disconnect();
    },
  };
}
