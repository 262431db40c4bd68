// Processes of an agent on real stores, killed, frozen and started again. The tests wait most of the time, for silent strangers and for
// heartbeats that stop, so that they run beside each other.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testDatabases } from '@bonafide/storage/testing';
import { sql } from 'kysely';
import { describe, type ExpectStatic, it, type TestContext } from 'vitest';
import { startRealWorld, startWorker } from './support/real-world.ts';
import { effects, openDatabase } from './support/worker.ts';

const isFull = process.env.BONAFIDE_PROOF === 'full';
const hangLimit = { timeout: 1_000_000, interval: 100 };
const hasPostgres = testDatabases().some(({ name }) => name === 'Postgres');

type World = NonNullable<Awaited<ReturnType<typeof startRealWorld>>>;
type Worker = ReturnType<typeof startWorker>;

/** Opens a world that ends with the test, with a function that starts workers; what they said is shown when the test fails. */
async function open(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  ...args: Parameters<typeof startRealWorld>
): Promise<{ readonly world: World; readonly start: (settings?: object) => Worker }> {
  const world = await startRealWorld(...args);
  if (world === null) throw new Error(`${args[0]} is missing`);
  const workers: Worker[] = [];
  onTestFinished(async ({ task }) => {
    for (const { child } of workers) child.kill('SIGCONT');
    await Promise.all(workers.map((worker) => worker.kill()));
    if (task.result?.state === 'fail')
      for (const { seen } of workers) process.stderr.write(`${seen.text.slice(-3_000)}\n`);
    await world[Symbol.asyncDispose]();
  });
  const start = (settings: object = {}): Worker => {
    const worker = startWorker({ ...world.settings, ...settings });
    workers.push(worker);
    return worker;
  };
  return { world, start };
}

/**
 * Stops a worker, if it can be done while it holds locks in an open transaction, which all others need, and before `few` orders
 * are settled.
 */
async function freeze(world: World, { child }: Worker, named: string, few: number): Promise<void> {
  for (let tries = 0; tries < 400 && (await world.settled()) < few; tries += 1) {
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

const said = (expect: ExpectStatic, worker: Worker, text: string) =>
  expect.poll(() => worker.seen.text, hangLimit).toContain(text);

describe.concurrent('processes that are killed', () => {
  it('lose nothing and do nothing twice, killed at any time and started again (AGT-4, DLG-8, DLG-10)', async (context) => {
    const { expect } = context;
    const { world, start } = await open(context, 'node:sqlite');
    const orders = isFull ? 200 : 12;
    let worker = start({ orders });
    for (let kills = 0; kills < (isFull ? 40 : 5); kills += 1) {
      await said(expect, worker, 'ready');
      await new Promise((resolve) => setTimeout(resolve, 100 + ((kills * 367) % 1_500)));
      await worker.kill();
      worker = start({ orders });
    }
    await said(expect, worker, 'handed in');
    await expect.poll(world.unsettled, hangLimit).toBe(0);
    await worker.kill();
    expect(await world.inspect(orders)).toEqual([]);
  });

  it.skipIf(!hasPostgres)(
    'leave their orders to the workers that are left, and a frozen one does no harm (DLG-8, DLG-9, DLG-10)',
    async (context) => {
      const { expect } = context;
      const { world, start } = await open(context, 'Postgres');
      const orders = isFull ? 500 : 20;
      const first = start({ orders });
      const database = `${world.settings.database}&application_name=frozen`;
      const [second, third] = [start(), start({ database }), start()] as const;
      for (const worker of [second, third]) await said(expect, worker, 'ready');
      await freeze(world, third, 'frozen', orders * 0.2);
      await said(expect, first, 'handed in');
      // The first one was started first, so that it is the one that requests and pays.
      await first.kill();
      const killedAt = performance.now();
      const left = await world.unsettled();
      // Beyond what was only to be recorded.
      await expect.poll(world.unsettled, hangLimit).toBeLessThanOrEqual(left * 0.9);
      const takenOverAt = performance.now();
      await expect.poll(world.unsettled, hangLimit).toBeLessThan(orders * 0.7);
      await second.kill();
      third.child.kill('SIGCONT');
      await expect.poll(world.unsettled, hangLimit).toBe(0);
      const seconds = (from: number, to: number) => ((to - from) / 1_000).toFixed(1);
      if (isFull)
        process.stderr.write(
          `${left} orders left when the elected worker was killed: a tenth settled ${seconds(killedAt, takenOverAt)} s later, ` +
            `all ${seconds(killedAt, performance.now())} s later.\n`,
        );
      expect(await world.inspect(orders)).toEqual([]);
    },
  );

  it.skipIf(!hasPostgres)(
    'do no harm when the elected one was frozen, and is back beside its successor (DLG-9, DLG-10)',
    async (context) => {
      const { expect } = context;
      const { world, start } = await open(context, 'Postgres');
      const orders = isFull ? 200 : 12;
      const named = (name: string) => ({ database: `${world.settings.database}&application_name=${name}` });
      /** Names of the processes whose connections hold the lock of the election. */
      const elected = async () => {
        const { rows } = await sql<{ name: string }>`
          select application_name as name from pg_locks join pg_stat_activity using (pid)
          where locktype = 'advisory' and granted and state = 'idle' and application_name in ('first', 'second')`.execute(
          world.db,
        );
        return rows.map(({ name }) => name);
      };
      const first = start({ orders, ...named('first') });
      await expect.poll(elected, hangLimit).toEqual(['first']);
      const second = start(named('second'));
      for (const worker of [first, second]) await said(expect, worker, 'ready');
      await said(expect, first, 'handed in');
      first.child.kill('SIGSTOP');
      // It does not know that it is not the elected one any more, and goes on where it was.
      await expect.poll(elected, hangLimit).toEqual(['second']);
      first.child.kill('SIGCONT');
      await expect.poll(world.unsettled, hangLimit).toBe(0);
      expect(await world.inspect(orders)).toEqual([]);
    },
  );

  for (const { engine, database } of [
    { engine: 'embedded', database: 'node:sqlite' },
    { engine: 'pg-boss', database: 'Postgres' },
  ] as const)
    it.skipIf(database === 'Postgres' && !hasPostgres)(
      `survive SIGKILL after every effect, over ${engine} (DLG-8, DLG-10)`,
      async (context) => {
        const { expect } = context;
        const { world, start } = await open(context, database);
        for (const [index, killAfter] of effects.entries()) {
          const { child, seen } = start({ orders: 1, firstOrder: index * 1_000, killAfter });
          await expect.poll(() => child.signalCode ?? child.exitCode, hangLimit).not.toBe(null);
          expect(child.signalCode, `${killAfter}: ${seen.text}`).toBe('SIGKILL');
        }
        const last = start({ orders: 1, firstOrder: effects.length * 1_000 });
        await said(expect, last, 'handed in');
        await expect.poll(world.unsettled, hangLimit).toBe(0);
        // A worker that was killed by the order of an earlier one did not hand in its own.
        const { items } = await world.store.list({ limit: 500 });
        expect(items.length).toBeGreaterThan(effects.length / 2);
        expect(await world.inspect(items.length)).toEqual([]);
      },
    );

  it.skipIf(!hasPostgres)(
    'go on after the database was restarted in mid-run (DLG-8, DLG-10)',
    async (context) => {
      const { expect, onTestFinished } = context;
      // A server of its own: the others share one.
      const folder = mkdtempSync(join(tmpdir(), 'bonafide-restarted-'));
      rmSync(folder, { recursive: true });
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
      const { world, start } = await open(context, 'Postgres', { url: ready() });
      const orders = 12;
      const workers = [start({ orders }), start()] as const;
      for (const worker of workers) await said(expect, worker, 'ready');
      await expect.poll(world.unsettled, hangLimit).toBeGreaterThan(3);
      // A backend that is killed makes Postgres end all sessions and recover, as after a power cut.
      const victim = await openDatabase(ready());
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(victim);
      process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
      await victim.destroy().catch(() => {});
      await said(expect, workers[0], 'handed in');
      await expect.poll(() => world.unsettled().catch(() => -1), hangLimit).toBe(0);
      expect(await world.inspect(orders)).toEqual([]);
    },
  );
});
