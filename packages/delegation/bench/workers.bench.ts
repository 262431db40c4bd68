// Measures orders a second of 1, 2 and 4 worker processes over one Postgres with pg-boss, and the memory of one worker beside orders that
// wait for silent platforms. Ports do nothing, so that the numbers are those of the engine and the store.
// `node --conditions=@bonafide/source packages/delegation/bench/workers.bench.ts [orders] [waiting]`
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { openPostgres } from '@bonafide/storage';
import { startPostgres } from '@bonafide/storage/testing';
import { sql } from 'kysely';
import { createPgBossEngine } from '../src/engines/pg-boss.ts';
import { createDelegation } from '../src/index.ts';
import {
  createKyselyDelegationStore,
  createPostgresLeadership,
  migrateDelegation,
} from '../src/stores/kysely.ts';
import { instantPorts } from './instant-ports.ts';

interface Settings {
  readonly url: string;
  readonly agentId: string;
  readonly isSilent: boolean;
}

/** Opens an agent's part in this process. */
async function open({ url, agentId, isSilent }: Settings) {
  const db = openPostgres({ url, maxConnections: 8 });
  await migrateDelegation(db);
  const store = createKyselyDelegationStore(db, { agentId });
  const engine = createPgBossEngine({ connectionString: url, agentId, config: { pollMs: 100 } });
  const leadership = createPostgresLeadership(db, { agentId });
  const delegation = createDelegation({ store, engine, leadership, ...instantPorts({ isSilent }) });
  await delegation.ready();
  return { store, delegation };
}

const order = (number: number) => ({
  id: `order-${number}`,
  taskType: 'code',
  inputs: [{ data: 'Do it.' }],
  suite: {},
  valueMsat: 1_000,
});

async function startWorkers(count: number, settings: Settings): Promise<readonly ChildProcess[]> {
  const workers = Array.from({ length: count }, () =>
    fork(import.meta.filename, [JSON.stringify(settings)], { stdio: 'inherit' }),
  );
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  return workers;
}

/** Creates the orders without working on them, and returns a function that counts those that are not as wanted. */
async function handIn(settings: Settings, orders: number) {
  const db = openPostgres({ url: settings.url });
  await migrateDelegation(db);
  const store = createKyselyDelegationStore(db, { agentId: settings.agentId });
  const engine = createPgBossEngine({ connectionString: settings.url, agentId: settings.agentId });
  const delegation = createDelegation({
    ...instantPorts(),
    store,
    engine: { ...engine, work: async () => ({ [Symbol.asyncDispose]: async () => {} }) },
  });
  for (let number = 0; number < orders; number += 1) await delegation.start(order(number));
  return { db, close: () => engine.close() };
}

if (process.argv[2]?.startsWith('{')) {
  await open(JSON.parse(process.argv[2]));
  process.send?.('ready');
  setInterval(() => process.send?.({ rss: process.memoryUsage.rss() }), 500);
} else {
  const [orders, waiting] = [Number(process.argv[2] ?? 500), Number(process.argv[3] ?? 10_000)];
  const { url } = await startPostgres();
  const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
  console.log('| workers | orders/s | share of the ideal |\n|---:|---:|---:|');
  let single = 0;
  for (const count of [1, 2, 4]) {
    const settings = { url, agentId: randomUUID(), isSilent: false };
    const { db, close } = await handIn(settings, orders);
    const workers = await startWorkers(count, settings);
    const left = async () => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from delegation_orders
        where agent_id = ${settings.agentId} and settled = 0`.execute(db);
      return rows[0]?.count ?? 0;
    };
    // Not the start of the processes and the election.
    while ((await left()) > orders * 0.9) await pause();
    const [from, startedAt] = [await left(), performance.now()];
    while ((await left()) > 0) await pause();
    const rate = from / ((performance.now() - startedAt) / 1_000);
    if (count === 1) single = rate;
    console.log(`| ${count} | ${rate.toFixed(1)} | ${Math.round((rate / single / count) * 100)} % |`);
    for (const worker of workers) worker.kill('SIGKILL');
    await close();
    await db.destroy();
  }
  const settings = { url, agentId: randomUUID(), isSilent: true };
  const { db, close } = await handIn(settings, waiting);
  const [worker] = await startWorkers(1, settings);
  let rss = 0;
  worker?.on('message', (message: { readonly rss?: number }) => {
    rss = message.rss ?? rss;
  });
  const asked = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from delegation_orders
      where agent_id = ${settings.agentId} and state like '%"stage":"requested"%'`.execute(db);
    return rows[0]?.count ?? 0;
  };
  while ((await asked()) < waiting) await pause();
  while (rss === 0) await pause();
  console.log(`\n${waiting} orders wait on one worker: ${Math.round(rss / 2 ** 20)} MB`);
  worker?.kill('SIGKILL');
  await close();
  await db.destroy();
  process.exit(0);
}
