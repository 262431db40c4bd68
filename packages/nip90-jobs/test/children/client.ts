// A client as a process of its own, to be killed: asks for one job under a fixed key and prints each state it reaches.
import { flushCompileCache } from 'node:module';
import { createKeySigner, createTransport } from '@bonafide/nostr-transport';
import { openPostgres, openSqlite } from '@bonafide/storage';
import { createJobClient } from '../../src/index.ts';
import { createKyselyJobStore, migrateJobs } from '../../src/stores/kysely.ts';

// Who is killed writes nothing at its end.
flushCompileCache();
const [relay = '', path = '', secret = '', provider = ''] = process.argv.slice(2);
const db = path.startsWith('postgres') ? openPostgres({ url: path }) : openSqlite({ path });
await migrateJobs(db);
await using transport = createTransport({
  addresses: { allowLoopback: true },
  limits: { connectTimeoutMs: 240_000 },
});
await using client = createJobClient({
  transport,
  signer: createKeySigner(secret),
  store: createKyselyJobStore(db),
  relays: [relay],
  config: { deliveryStagesMs: [60_000, 60_000, 60_000], queryTimeoutMs: 240_000 },
});
client.on('transition', ({ transition }) => process.stdout.write(`${transition.to}\n`));
await client.start();
const job = await client.requestJob(
  { kind: 5000, provider, inputs: [{ data: 'one' }] },
  { idempotencyKey: 'the one' },
);
const { content, recovered } = await job.result;
process.stdout.write(`result ${JSON.stringify({ jobId: job.jobId, content, recovered })}\n`);
