// Measures orders a second of 1, 2 and 4 worker processes over one Postgres with pg-boss, the CPU time that they and the server take per
// order, and the memory of one worker beside orders that wait for silent platforms. Ports do nothing, so that the numbers are those of the
// engine and the store. The orders of a measurement become due at one moment, when every worker has worked on others before.
// `node --conditions=@bonafide/source packages/delegation/bench/workers.bench.ts [orders] [waiting]`
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { openPostgres } from '@bonafide/storage';
import { startPostgres } from '@bonafide/storage/testing';
import { type Kysely, sql } from 'kysely';
import { createPgBossEngine } from '../src/engines/pg-boss.ts';
import { createDelegation } from '../src/index.ts';
import {
  createKyselyDelegationStore,
  createPostgresLeadership,
  migrateDelegation,
} from '../src/stores/kysely.ts';
import { type Answers, instantPorts } from './instant-ports.ts';

interface Settings {
  readonly url: string;
  readonly agentId: string;
  readonly answers: Answers;
}

/** What a worker says about itself when it is asked: memory in bytes, CPU time in ms. */
interface Usage {
  readonly rss: number;
  readonly cpuMs: number;
}

/** Opens an agent's part in this process. */
async function open({ url, agentId, answers }: Settings): Promise<void> {
  const db = openPostgres({ url, maxConnections: 8 });
  await migrateDelegation(db);
  const store = createKyselyDelegationStore(db, { agentId });
  const engine = createPgBossEngine({ connectionString: url, agentId, config: { pollMs: 100 } });
  const leadership = createPostgresLeadership(db, { agentId });
  // A judge that takes no time is no load: with the default of two at once the round trips of two answers would be measured.
  const config = { judging: 50 };
  const delegation = createDelegation({ store, engine, leadership, ...instantPorts(answers), config });
  await delegation.ready();
}

const order = (id: string) => ({
  id,
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

async function usageOf(worker: ChildProcess): Promise<Usage> {
  const answer = once(worker, 'message');
  worker.send('usage');
  const [usage] = await answer;
  return usage;
}

/** Hands orders in without working on them. */
async function openClient({ url, agentId }: Settings) {
  const db = openPostgres({ url });
  await migrateDelegation(db);
  const store = createKyselyDelegationStore(db, { agentId });
  const engine = createPgBossEngine({ connectionString: url, agentId });
  const woken: { readonly queue: string; readonly id: string }[] = [];
  const delegation = createDelegation({
    ...instantPorts(),
    store,
    engine: {
      ...engine,
      wake: async (queue, id) => void woken.push({ queue, id }),
      work: async () => ({ [Symbol.asyncDispose]: async () => {} }),
    },
  });
  const left = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from delegation_orders
      where agent_id = ${agentId} and settled = 0`.execute(db);
    return rows[0]?.count ?? 0;
  };
  return {
    db,
    left,
    /** Returns the time at which the orders become due, ms since epoch. */
    async handIn(name: string, count: number): Promise<number> {
      for (let number = 0; number < count; number += 1) await delegation.start(order(`${name}-${number}`));
      const at = Date.now() + 1_000;
      await Promise.all(woken.splice(0).map(({ queue, id }) => engine.wake(queue, id, { at: new Date(at) })));
      return at;
    },
    async close() {
      await engine.close();
      await db.destroy();
    },
  };
}

/** Returns the CPU time of the server and its backends so far, ms; of Linux only. */
async function cpuOfServer(db: Kysely<unknown>): Promise<number> {
  const { rows } = await sql<{ pid: string }>`
    select split_part(pg_read_file('postmaster.pid'), E'\n', 1) as pid`.execute(db);
  const server = Number(rows[0]?.pid);
  let ticks = 0;
  for (const pid of readdirSync('/proc').map(Number)) {
    if (!Number.isInteger(pid)) continue;
    let text = '';
    try {
      text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    } catch {
      // It has ended; the server counts it.
    }
    // After the name, which may contain spaces: state, ppid, …, utime, stime, cutime, cstime.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [own, ended] = [(fields[11] ?? 0) + (fields[12] ?? 0), (fields[13] ?? 0) + (fields[14] ?? 0)];
    if (pid === server) ticks += own + ended;
    else if (fields[1] === server) ticks += own;
  }
  return ticks * 10;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

/** Runs orders on some workers and prints a row. Returns orders a second. */
async function measure(url: string, count: number, orders: number, single: number | null): Promise<number> {
  const settings = { url, agentId: randomUUID(), answers: 'later' as const };
  const workers = await startWorkers(count, settings);
  const client = await openClient(settings);
  await client.handIn('warm-up', 200);
  while ((await client.left()) > 0) await pause();
  const startAt = await client.handIn('order', orders);
  const cpuMs = async () => {
    const usages = await Promise.all(workers.map(usageOf));
    return {
      workers: usages.reduce((sum, usage) => sum + usage.cpuMs, 0),
      server: await cpuOfServer(client.db),
    };
  };
  const before = await cpuMs();
  while ((await client.left()) > 0) await pause();
  const rate = orders / ((Date.now() - startAt) / 1_000);
  const after = await cpuMs();
  const perOrder = (['workers', 'server'] as const).map((name) =>
    ((after[name] - before[name]) / orders).toFixed(1),
  );
  const share = `${Math.round((rate / (single ?? rate) / count) * 100)} %`;
  console.log(`| ${[count, rate.toFixed(1), share, ...perOrder].join(' | ')} |`);
  for (const worker of workers) worker.kill('SIGKILL');
  await client.close();
  return rate;
}

if (process.argv[2]?.startsWith('{')) {
  await open(JSON.parse(process.argv[2]));
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    const usage: Usage = { rss: process.memoryUsage.rss(), cpuMs: (user + system) / 1_000 };
    process.send?.(usage);
  });
  process.send?.('ready');
} else {
  const [orders, waiting] = [Number(process.argv[2] ?? 1_000), Number(process.argv[3] ?? 10_000)];
  const { url } = await startPostgres();
  console.log('| workers | orders/s | share of the ideal | ms of CPU an order: workers | server |');
  console.log('|---:|---:|---:|---:|---:|');
  const single = await measure(url, 1, orders, null);
  for (const count of [2, 4]) await measure(url, count, orders, single);
  if (waiting > 0) {
    const settings = { url, agentId: randomUUID(), answers: 'never' as const };
    const [worker] = await startWorkers(1, settings);
    const client = await openClient(settings);
    await client.handIn('order', waiting);
    const asked = async () => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from delegation_orders
        where agent_id = ${settings.agentId} and state like '%"stage":"requested"%'`.execute(client.db);
      return rows[0]?.count ?? 0;
    };
    while ((await asked()) < waiting) await pause();
    if (worker !== undefined) {
      const { rss } = await usageOf(worker);
      console.log(`\n${waiting} orders wait on one worker: ${Math.round(rss / 2 ** 20)} MB`);
      worker.kill('SIGKILL');
    }
    await client.close();
  }
  process.exit(0);
}
