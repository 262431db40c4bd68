// A client as a process of its own, to be killed: asks for some jobs that are paid for over Nostr Wallet Connect, each under a
// key of its own, prints each step, their results, and when no payment is in flight any more.
import { flushCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKeySigner, createTransport } from '@bonafide/nostr-transport';
import { openPostgres, openSqlite } from '@bonafide/storage';
import { createJobClient } from '../../src/index.ts';
import { createNwcWallet } from '../../src/nwc/index.ts';
import { createKyselyJobStore, createKyselyPaymentStore, migrateJobs } from '../../src/stores/kysely.ts';

// Who is killed writes nothing at its end.
flushCompileCache();
const [relay = '', path = '', secret = '', provider = '', walletUrl = '', count = '1', leaseMs = '10000'] =
  process.argv.slice(2);
const print = (line: string) => process.stdout.write(`${line}\n`);
const db = path.startsWith('postgres') ? openPostgres({ url: path }) : openSqlite({ path });
await migrateJobs(db);
await using transport = createTransport({
  addresses: { allowLoopback: true },
  limits: { connectTimeoutMs: 240_000 },
});
const payments = createKyselyPaymentStore(db);
using wallet = createNwcWallet({ url: walletUrl, timeoutMs: 240_000 });
await using client = createJobClient({
  transport,
  signer: createKeySigner(secret),
  store: createKyselyJobStore(db),
  payments: { wallet, store: payments },
  relays: [relay],
  config: {
    deliveryStagesMs: [60_000, 60_000, 60_000],
    queryTimeoutMs: 240_000,
    leaseMs: Number(leaseMs),
  },
});
client.on('transition', ({ transition }) => print(transition.to));
client.on('paid', () => print('paid'));
await client.start();
print('started');
const numbers = Array.from({ length: Number(count) }, (_, number) => number);
const jobs = await Promise.all(
  numbers.map((number) =>
    client.requestJob(
      { kind: 5000, provider, inputs: [{ data: `${number}` }], bidMsat: 4_000 },
      { idempotencyKey: `job ${number}` },
    ),
  ),
);
const contents = await Promise.all(jobs.map(async (job) => (await job.result).content));
print(`results ${JSON.stringify(contents)}`);
while ((await payments.listOpen()).length > 0) await sleep(20);
print('settled');
