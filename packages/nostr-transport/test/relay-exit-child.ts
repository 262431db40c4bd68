// Starts a relay with every fault that has a timer, uses it, closes it, and must then exit by itself.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { startTestRelay } from '../src/testing/index.ts';

const longMs = 3_600_000;
const relay = await startTestRelay({
  faults: {
    delayMs: longMs,
    reorder: 9,
    eose: { lateMs: longMs },
    drop: { how: 'reset', afterMs: longMs },
    flood: { perSecond: 100, events: 'invalid' },
  },
});
const client = new WebSocket(relay.url);
await once(client, 'open');
client.send('["REQ","a",{}]');
await relay.waitFor(({ text }) => text.includes('REQ'));
await relay.close();
await once(client, 'close');
process.stdout.write('closed\n');
