// A provider as a process of its own, to be killed: prints when a handler begins, works for a while and answers.
import { flushCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKeySigner, createTransport } from '@bonafide/nostr-transport';
import { openPostgres, openSqlite } from '@bonafide/storage';
import { createProvider } from '../../src/index.ts';
import { createKyselyProviderStore, migrateJobs } from '../../src/stores/kysely.ts';

// Who is killed writes nothing at its end.
flushCompileCache();
const [relay = '', path = '', secret = '', workMs = '0', leaseMs = '10000'] = process.argv.slice(2);
const db = path.startsWith('postgres') ? openPostgres({ url: path }) : openSqlite({ path });
await migrateJobs(db);
const transport = createTransport({
  addresses: { allowLoopback: true },
  limits: { connectTimeoutMs: 240_000 },
});
const provider = createProvider({
  kinds: [5000],
  transport,
  signer: createKeySigner(secret),
  store: createKyselyProviderStore(db),
  relays: [relay],
  concurrency: 4,
  config: { leaseMs: Number(leaseMs), publishTimeoutMs: 240_000 },
  handler: async (request, { signal }) => {
    process.stdout.write(`begin ${request.id}\n`);
    await sleep(Number(workMs), undefined, { signal });
    return `done by ${process.pid}`;
  },
});
provider.on('answered', ({ requestId }) => process.stdout.write(`answered ${requestId}\n`));
provider.on('published', ({ requestId }) => process.stdout.write(`published ${requestId}\n`));
await provider.start();
process.stdout.write('started\n');
