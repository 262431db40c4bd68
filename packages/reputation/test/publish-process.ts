// A process of the agent that publishes what is due. Arguments: database, relay, time in ms, point at which it kills itself.
import { flushCompileCache } from 'node:module';
import { createTransport } from '@bonafide/nostr-transport';
import { openPostgres, openSqlite } from '@bonafide/storage';
import { createReputation, type ReviewStore } from '../src/index.ts';
import { createKyselyReviewStore } from '../src/stores/kysely.ts';
import { signer } from './support.ts';

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

const kept = createKyselyReviewStore(db);
const store: ReviewStore = {
  ...kept,
  async update(review) {
    step();
    const written = await kept.update(review);
    step();
    return written;
  },
};
const transport = createTransport({ addresses: { allowLoopback: true } });
const reputation = createReputation({
  transport: {
    ...transport,
    async publish(...sent) {
      step();
      const outcomes = await transport.publish(...sent);
      step();
      return outcomes;
    },
  },
  signer: signer(1),
  store,
  relays: [relay],
  config: { consent: 'all', attemptMs: 1_000, retryMs: 1_000 },
  clock: () => Number(now),
});
const published = await reputation.publishDue();
await reputation.close();
await transport.close();
await db.destroy();
process.stdout.write(JSON.stringify({ published, steps }));
