// Processes of an agent on real stores, killed, frozen and started again.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testDatabases } from '@bonafide/storage/testing';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { startRealWorld, startWorker } from './support/real-world.ts';
import { effects, openDatabase } from './support/worker.ts';

const isFull = process.env.BONAFIDE_PROOF === 'full';
const hangLimit = { timeout: 500_000, interval: 100 };
const hasPostgres = testDatabases().some(({ name }) => name === 'Postgres');

type World = NonNullable<Awaited<ReturnType<typeof startRealWorld>>>;
type Worker = ReturnType<typeof startWorker>;

async function open(...args: Parameters<typeof startRealWorld>): Promise<World> {
  const world = await startRealWorld(...args);
  if (world === null) throw new Error(`${args[0]} is missing`);
  onTestFinished(() => world[Symbol.asyncDispose]());
  return world;
}

/** Starts workers that end with the test; what they said is shown when it fails. */
function staff(world: World) {
  const workers: Worker[] = [];
  onTestFinished(async ({ task }) => {
    for (const { child } of workers) child.kill('SIGCONT');
    await Promise.all(workers.map((worker) => worker.kill()));
    if (task.result?.state === 'fail')
      for (const { seen } of workers) process.stderr.write(`${seen.text.slice(-3_000)}\n`);
  });
  return (settings: object = {}): Worker => {
    const worker = startWorker({ ...world.settings, ...settings });
    workers.push(worker);
    return worker;
  };
}

/** Stops a worker, if it can be done while it holds locks in an open transaction, which all others need. */
async function freeze(world: World, { child }: Worker, named: string): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    child.kill('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { rows } = await sql`
      select pid from pg_stat_activity
      where application_name = ${named} and state = 'idle in transaction' and query ~* '^(insert|update)'`.execute(
      world.db,
    );
    if (rows.length > 0) return;
    child.kill('SIGCONT');
    await new Promise((resolve) => setTimeout(resolve, tries % 7));
  }
  child.kill('SIGSTOP');
}

const said = (worker: Worker, text: string) => expect.poll(() => worker.seen.text, hangLimit).toContain(text);

it('loses nothing and does nothing twice, killed at any time and started again (AGT-4, DLG-8, DLG-10)', async () => {
  const world = await open('node:sqlite');
  const start = staff(world);
  const orders = isFull ? 200 : 12;
  let worker = start({ orders });
  for (let kills = 0; kills < (isFull ? 40 : 5); kills += 1) {
    await said(worker, 'ready');
    await new Promise((resolve) => setTimeout(resolve, 100 + ((kills * 367) % 1_500)));
    await worker.kill();
    worker = start({ orders });
  }
  await said(worker, 'handed in');
  await expect.poll(world.unsettled, hangLimit).toBe(0);
  await worker.kill();
  expect(await world.inspect(orders)).toEqual([]);
});

it.skipIf(!hasPostgres)(
  'goes on with the workers that are left, and a frozen one does no harm (DLG-8, DLG-9, DLG-10)',
  async () => {
    const world = await open('Postgres');
    const start = staff(world);
    const orders = isFull ? 500 : 20;
    const first = start({ orders });
    const database = `${world.settings.database}&application_name=frozen`;
    const [second, third] = [start(), start({ database }), start()] as const;
    for (const worker of [second, third]) await said(worker, 'ready');
    await freeze(world, third, 'frozen');
    await said(first, 'handed in');
    // The first one was started first, so that it is the one that requests and pays.
    await first.kill();
    await expect.poll(world.unsettled, hangLimit).toBeLessThan(orders * 0.7);
    await second.kill();
    third.child.kill('SIGCONT');
    await expect.poll(world.unsettled, hangLimit).toBe(0);
    expect(await world.inspect(orders)).toEqual([]);
  },
);

it.each([
  { engine: 'embedded', database: 'node:sqlite' },
  { engine: 'pg-boss', database: 'Postgres' },
] as const)('survives SIGKILL after every effect, over $engine (DLG-8, DLG-10)', async ({ database }) => {
  if (database === 'Postgres' && !hasPostgres) return;
  const world = await open(database);
  const start = staff(world);
  for (const [index, killAfter] of effects.entries()) {
    const worker = start({ orders: 1, firstOrder: index, killAfter });
    await expect.poll(() => worker.child.signalCode, { ...hangLimit, message: killAfter }).toBe('SIGKILL');
  }
  const last = start({ orders: 1, firstOrder: effects.length });
  await said(last, 'handed in');
  await expect.poll(world.unsettled, hangLimit).toBe(0);
  // A worker that was killed by the order of an earlier one did not hand in its own.
  const { items } = await world.store.list({ limit: 500 });
  expect(items.length).toBeGreaterThan(effects.length / 2);
  expect(await world.inspect(items.length)).toEqual([]);
});

it.skipIf(!hasPostgres)('goes on after the database was restarted in mid-run (DLG-8, DLG-10)', async () => {
  // A server of its own: the others share one.
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-restarted-'));
  rmSync(folder, { recursive: true });
  const { mkdirSync } = await import('node:fs');
  mkdirSync(folder, { mode: 0o755 });
  const guard = fileURLToPath(new URL('../../storage/src/testing/postgres-guard.ts', import.meta.url));
  const server = spawn(process.execPath, [guard, folder, String(process.pid)], { stdio: 'ignore' });
  onTestFinished(async () => {
    const gone = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    await gone;
  });
  const ready = () => {
    try {
      return readFileSync(join(folder, 'ready'), 'utf8');
    } catch {
      return '';
    }
  };
  await expect.poll(ready, hangLimit).not.toBe('');
  const db = await openDatabase(ready());
  // The test server does not wait for its disk; what it confirmed has to survive this test.
  await sql`alter database postgres set synchronous_commit = on`.execute(db);
  await db.destroy();
  const world = await open('Postgres', { url: ready() });
  const start = staff(world);
  const orders = 12;
  const workers = [start({ orders }), start()];
  for (const worker of workers) await said(worker, 'ready');
  await expect.poll(world.unsettled, hangLimit).toBeGreaterThan(3);
  // A backend that is killed makes Postgres end all sessions and recover, as after a power cut.
  const victim = await openDatabase(ready());
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(victim);
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
  await victim.destroy().catch(() => {});
  await said(workers[0] as Worker, 'handed in');
  await expect.poll(() => world.unsettled().catch(() => -1), hangLimit).toBe(0);
  expect(await world.inspect(orders)).toEqual([]);
});
