// A process of the agent that reads one relay into the registry. Arguments: database, relay, time in ms, step at which it kills
// itself. Writes the result of the sync to stdout.
import { flushCompileCache } from 'node:module';
import { createTransport } from '@bonafide/nostr-transport';
import { openPostgres, openSqlite } from '@bonafide/storage';
import { createDiscovery, type DiscoveryStore } from '../../src/index.ts';
import { createKyselyDiscoveryStore, migrateDiscovery } from '../../src/stores/kysely.ts';

// Who is killed writes nothing at its end.
flushCompileCache();

const [url = '', relay = '', now = '', killAt = ''] = process.argv.slice(2);
const db = url.startsWith('postgres') ? openPostgres<unknown>({ url }) : openSqlite<unknown>({ path: url });
let steps = 0;
/** Dies at the chosen step, as by a power failure. */
const step = () => {
  steps += 1;
  if (String(steps) === killAt) process.kill(process.pid, 'SIGKILL');
};

await migrateDiscovery(db);
const stored = createKyselyDiscoveryStore(db);
const store: DiscoveryStore = {
  ...stored,
  async put(changes) {
    step();
    const written = await stored.put(changes);
    step();
    return written;
  },
};
const transport = createTransport({ addresses: { allowLoopback: true } });
const clock = () => Number(now);
const config = { allowLoopback: true, queryTimeoutMs: 240_000 };
const discovery = createDiscovery({ transport, store, relays: [relay], clock, config });
const { taken, relays } = await discovery.sync();
await discovery.close();
await transport.close();
await db.destroy();
process.stdout.write(JSON.stringify({ taken, status: relays[0]?.status, steps }));
