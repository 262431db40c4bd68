// Uses a transport in every way there is, closes it, and prints what keeps the process alive then. It must end by itself.
import { createTransport } from '../../src/create-transport.ts';
import { createKeySigner } from '../../src/signers/key-signer.ts';

const [, , alive = '', dead = '', mute = '', guarded = ''] = process.argv;
const signer = createKeySigner(new Uint8Array(32).fill(9));
const never = { ...signer, signEvent: () => new Promise<never>(() => {}) };
const event = await signer.signEvent({
  kind: 1,
  created_at: Math.floor(Date.now() / 1000),
  tags: [],
  content: '',
});
const relays = [alive, dead, mute, guarded, 'ws://10.0.0.1', 'wss://nowhere.invalid.example'];

const transport = createTransport({
  addresses: { allowLoopback: true },
  auth: { signer: never, allow: [guarded] },
});
for (let kind = 1; kind <= 12; kind += 1) transport.subscribe(relays, [{ kinds: [kind] }], { onEvent() {} });
// One relay has answered before the transport is closed, however slow the machine is.
const answered = await transport.publish(event, [alive], { timeoutMs: 600_000 });
const publishing = transport.publish(event, relays.slice(1), { timeoutMs: 600_000 });
const querying = transport
  .query(relays, [{ kinds: [1] }], { timeoutMs: 600_000 })
  .catch((error) => error.code);
await new Promise((resolve) => setTimeout(resolve, 300));
await transport.close();
const outcomes = [...answered, ...(await publishing)];
const query = await querying;
// What has just ended is let go of in the next rounds of the loop.
await new Promise((resolve) => setTimeout(resolve, 50));
const left = process.getActiveResourcesInfo().filter((name) => !/^(TTY|Pipe|FSReq|File)/.test(name));
process.stdout.write(JSON.stringify({ left, statuses: outcomes.map(({ status }) => status), query }));
