// One scenario with one pool in a process of its own, since the old pool ends the process in these. Prints 'survived'.

import { patienceMs, until } from '@bonafide/internal/testing';
import { SimplePool } from 'nostr-tools/pool';
import { finalizeEvent } from 'nostr-tools/pure';
import { WebSocket } from 'ws';
import { createKeySigner, createTransport } from '../../src/index.ts';

const [, , pool, scenario, url = ''] = process.argv;
const secret = new Uint8Array(32).fill(9);
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** The old pool ends the process long before. */
const crash = () => wait(50_000);

const old = () =>
  new SimplePool({ websocketImplementation: WebSocket, enableReconnect: true } as ConstructorParameters<
    typeof SimplePool
  >[0]);
const ours = () =>
  createTransport({
    addresses: { allowLoopback: true },
    backoff: { minMs: 30, maxMs: 100 },
    // Only where the handshake is never answered.
    limits: { connectTimeoutMs: scenario === 't07' ? 200 : patienceMs },
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
    await crash();
  },
  't04 ours': async () => {
    await using transport = ours();
    await transport.publish(note(), [url], { timeoutMs: 240_000 });
    await transport.query([url], [filter], { timeoutMs: 240_000 });
  },
  // Left while still connecting.
  't06 old': async () => {
    const simple = old();
    simple.subscribe([url], filter, { onevent() {} });
    await wait(100);
    simple.destroy();
    await crash();
  },
  't06 ours': async () => {
    const transport = ours();
    transport.subscribe([url], [filter], { onEvent() {} });
    await until(() => transport.status()[0]?.state === 'connecting');
    await transport.close();
    await wait(200);
  },
  // The handshake is never answered.
  't07 old': async () => {
    const simple = old();
    simple.maxWaitForConnection = 200;
    simple.subscribe([url], filter, { onevent() {} });
    await crash();
  },
  't07 ours': async () => {
    await using transport = ours();
    transport.subscribe([url], [filter], { onEvent() {} });
    await until(() => transport.status()[0]?.lastError?.startsWith('timeout') === true);
  },
  // A subscription begins while the relay is away.
  't16 old': async () => {
    const simple = old();
    const relay = await simple.ensureRelay(url);
    relay.subscribe([filter], {});
    simple.publish([url], note())[0]?.catch(() => {});
    await until(() => !relay.connected); // The relay cuts the line after an EVENT.
    relay.subscribe([filter], {});
    await crash();
  },
  't16 ours': async () => {
    await using transport = ours();
    transport.subscribe([url], [filter], { onEvent() {} });
    const stop = new AbortController();
    const publishing = transport.publish(note(), [url], { timeoutMs: 240_000, signal: stop.signal });
    await until(() => transport.status()[0]?.lastError !== null);
    stop.abort();
    await publishing;
    transport.subscribe([url], [filter], { onEvent() {} });
    await until(() => transport.status()[0]?.state === 'open');
  },
};

await scenarios[`${scenario} ${pool}`]?.();
process.stdout.write('survived');
process.exit(0);
