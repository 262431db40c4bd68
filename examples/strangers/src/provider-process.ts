// One provider of the demo's world, a process of its own: announces itself with a signed card and answers jobs.
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { buildCapabilityCard } from '@bonafide/nip89-discovery';
import { createProvider } from '@bonafide/nip90-jobs';
import { createKyselyProviderStore, migrateJobs } from '@bonafide/nip90-jobs/kysely';
import { createTransport } from '@bonafide/nostr-transport';
import { openSqlite } from '@bonafide/storage';
import { verifyReceipt } from '@bonafide/trust-score';
import { behaviours } from './behaviours.ts';
import { signerFromFile } from './keys.ts';
import { codeGeneration, jobKind, providerArguments } from './provider-arguments.ts';
import { loadTasks } from './tasks.ts';

const { name, relay, keyFile, database, seed } = providerArguments.parse(JSON.parse(process.argv[2] ?? ''));
const behaviour = behaviours[name];
if (behaviour === undefined) throw new Error(`No behaviour is called '${name}'`);

// When the agent dies, however it dies, the channel closes and this process goes too.
process.on('disconnect', () => process.exit(0));

const chanceOf = (taskId: string) =>
  createHash('sha256').update(`${seed} ${name} ${taskId}`).digest().readUInt32BE() / 2 ** 32;

const tasks = new Map(loadTasks().map((task) => [task.prompt, task]));
const db = openSqlite({ path: database });
await migrateJobs(db);
let answered = 0;

const provider = createProvider({
  kinds: [jobKind],
  transport: createTransport({ addresses: { allowLoopback: true } }),
  signer: await signerFromFile(keyFile),
  relays: [relay],
  store: createKyselyProviderStore(db),
  concurrency: 2,
  verifyReceipt,
  card: buildCapabilityCard({
    d: 'code',
    name,
    about: 'Writes Python functions from their description.',
    kinds: [jobKind],
    capabilities: [codeGeneration],
    relays: [relay],
    pricing: { amountMsat: 1_000 },
    createdAt: Date.now(),
  }),
  async handler(request, { signal }) {
    const task = tasks.get(request.inputs[0]?.data ?? '');
    if (task === undefined) throw new Error('I do not know this task.');
    const chance = chanceOf(task.task_id);
    await delay(40 + 160 * chance, undefined, { signal });
    return behaviour({ task, bidMsat: request.bidMsat ?? 0, answered: answered++, chance });
  },
});
await provider.start();
process.send?.('ready');
