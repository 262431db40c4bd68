// One scenario with one pool in a process of its own, since the old pool ends the process in these. Prints 'survived'.

import { SimplePool } from 'nostr-tools/pool';
import { finalizeEvent } from 'nostr-tools/pure';
import { WebSocket } from 'ws';
import { createKeySigner, createTransport } from '../../src/index.ts';

const [, , pool, scenario, url = ''] = process.argv;
const secret = new Uint8Array(32).fill(9);
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const old = () =>
  new SimplePool({ websocketImplementation: WebSocket, enableReconnect: true } as ConstructorParameters<
    typeof SimplePool
  >[0]);
const ours = () =>
  createTransport({
    addresses: { allowLoopback: true },
    backoff: { minMs: 30, maxMs: 100 },
    limits: { connectTimeoutMs: 200 },
    auth: { signer: createKeySigner(secret), allow: [url] },
  });
const note = () =>
  finalizeEvent({ kind: 1, created_at: Math.floor(Date.now() / 1000), tags: [], content: '' }, secret);
const filter = { kinds: [1] };

const scenarios: Record<string, () => Promise<void>> = {
  // AUTH is answered by OK false.
  't04 old': async () => {
    const simple = old();
    simple.automaticallyAuth = () => async (event) => finalizeEvent(event, secret);
    simple.subscribe([url], filter, { onevent() {} });
    await wait(300);
  },
  't04 ours': async () => {
    await using transport = ours();
    await transport.publish(note(), [url]);
    await transport.query([url], [filter], { timeoutMs: 300 });
  },
  // Left while still connecting.
  't06 old': async () => {
    const simple = old();
    simple.subscribe([url], filter, { onevent() {} });
    await wait(100);
    simple.destroy();
    await wait(200);
  },
  't06 ours': async () => {
    const transport = ours();
    transport.subscribe([url], [filter], { onEvent() {} });
    await wait(100);
    await transport.close();
    await wait(200);
  },
  // The handshake is never answered.
  't07 old': async () => {
    const simple = old();
    simple.maxWaitForConnection = 200;
    simple.subscribe([url], filter, { onevent() {} });
    await wait(600);
  },
  't07 ours': async () => {
    await using transport = ours();
    transport.subscribe([url], [filter], { onEvent() {} });
    await wait(600);
  },
  // A subscription begins while the relay is away.
  't16 old': async () => {
    const simple = old();
    const relay = await simple.ensureRelay(url);
    relay.subscribe([filter], {});
    simple.publish([url], note())[0]?.catch(() => {});
    await wait(200); // The relay cuts the line after an EVENT.
    relay.subscribe([filter], {});
    await wait(300);
  },
  't16 ours': async () => {
    await using transport = ours();
    transport.subscribe([url], [filter], { onEvent() {} });
    await transport.publish(note(), [url], { timeoutMs: 200 });
    transport.subscribe([url], [filter], { onEvent() {} });
    await wait(300);
  },
};

await scenarios[`${scenario} ${pool}`]?.();
process.stdout.write('survived');
process.exit(0);
