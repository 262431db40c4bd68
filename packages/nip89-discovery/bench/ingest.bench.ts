/*
 * What taking in a card costs over the bare check of its signature (DIS-16): the same cards verified in a loop by the fastest
 * verifier that is installed, and received over a real WebSocket from a relay in another process, matched, verified,
 * deduplicated, read, and put into the registry. Then the same cards from a second relay, whose signatures are not checked
 * again. And what a database costs at least: the same rows, written by prepared statements, as many cards a transaction, with nothing
 * around them. In CPU time of this process, best of five, so that a busy machine slows all alike. With a thread that verifies, it is the
 * CPU time of the busier thread, which is the time that passes where a second core is free. Prints a markdown table.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import {
  createKeySigner,
  createThreadedVerifier,
  createTransport,
  type NostrEvent,
  serveVerifier,
  type Verifier,
} from '@bonafide/nostr-transport';
import { fastestVerifier, startTestRelay } from '@bonafide/nostr-transport/testing';
import { openSqlite } from '@bonafide/storage';
import {
  buildCapabilityCard,
  createDiscovery,
  createMemoryDiscoveryStore,
  type DiscoveryStore,
  maxBatch,
} from '../src/index.ts';
import { createKyselyDiscoveryStore, migrateDiscovery } from '../src/stores/kysely.ts';

const count = 5_000;
const rounds = 5;
const start = Date.UTC(2026, 0, 1);

if (!isMainThread && parentPort !== null) serveVerifier(parentPort, await fastestVerifier());
else if (process.argv[2] === 'serve') await serve();
else await measure();

/** A relay with the cards that it is sent. */
async function serve(): Promise<void> {
  const [events] = (await once(process, 'message')) as [readonly NostrEvent[]];
  const relay = await startTestRelay({ clock: () => start });
  for (const event of events) relay.publish(event);
  process.send?.(relay.url);
}

async function startRelay(events: readonly NostrEvent[]) {
  const child = fork(new URL(import.meta.url), ['serve']);
  child.send(events);
  const [url] = (await once(child, 'message')) as [string];
  return { url, child };
}

/** CPU milliseconds that `work` took here. */
async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** CPU milliseconds of the busier of this thread and all others, during `work`. */
async function busierMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  let hereMs = 0;
  const allMs = await cpuMs(async () => {
    await work();
    const { user, system } = process.threadCpuUsage(before);
    hereMs = (user + system) / 1_000;
  });
  return Math.max(hereMs, allMs - hereMs);
}

async function measure(): Promise<void> {
  const events: readonly NostrEvent[] = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      createKeySigner((n + 1).toString(16).padStart(64, '0')).signEvent(
        buildCapabilityCard({
          d: 'main',
          name: `Platform ${n}`,
          about: 'What it does, in a few sentences. '.repeat(6),
          kinds: [5_000 + (n % 10)],
          capabilities: [`label-${n % 100}`],
          relays: ['wss://relay.example.com'],
          pricing: { amountMsat: 1_000 },
          createdAt: start - n * 1_000,
        }),
      ),
    ),
  );
  const relays = [await startRelay(events), await startRelay(events)];
  const fastest = await fastestVerifier();
  let checks = 0;
  const counting: Verifier = {
    name: 'counting',
    verify(event) {
      checks += 1;
      return fastest.verify(event);
    },
  };

  /** From the first REQ until the registry has everything. */
  async function ingest(store: DiscoveryStore, verifier = fastest, time = cpuMs): Promise<readonly number[]> {
    const transport = createTransport({ verifier, clock: () => start, addresses: { allowLoopback: true } });
    const times: number[] = [];
    for (const { url } of relays) {
      const discovery = createDiscovery({ transport, store, relays: [url], clock: () => start });
      times.push(
        await time(async () => {
          await discovery.start();
          while ((discovery.relayStats()[0]?.received ?? 0) < count)
            await new Promise((done) => setTimeout(done, 5));
          await discovery.close();
        }),
      );
    }
    await transport.close();
    return times;
  }

  const folder = mkdtempSync(join(tmpdir(), 'bonafide-bench-'));
  let files = 0;
  let lastFile = '';
  async function ingestIntoSqlite(verifier = fastest, time = cpuMs): Promise<readonly number[]> {
    files += 1;
    const db = openSqlite({ path: join(folder, `${files}.db`) });
    await migrateDiscovery(db);
    const times = await ingest(createKyselyDiscoveryStore(db), verifier, time);
    await db.destroy();
    lastFile = join(folder, `${files}.db`);
    return times;
  }
  /** Runs `work` with a new thread, which remembers no verdict. */
  async function withThread<Result>(work: (verifier: Verifier) => Promise<Result>): Promise<Result> {
    const execArgv = ['--conditions=@bonafide/source', '--no-warnings'];
    const thread = new Worker(new URL(import.meta.url), { execArgv });
    const threaded = createThreadedVerifier({ verifier: fastest, thread });
    // Answers when it has started.
    await threaded.verifyAhead?.([]);
    const result = await work(threaded);
    await thread.terminate();
    return result;
  }
  const ways: readonly (readonly [string, () => Promise<readonly number[]>])[] = [
    ['registry in memory', () => ingest(createMemoryDiscoveryStore())],
    ['registry in SQLite', () => ingestIntoSqlite()],
    [
      'registry in memory, verified in a thread',
      () => withThread((verifier) => ingest(createMemoryDiscoveryStore(), verifier, busierMs)),
    ],
    [
      'registry in SQLite, verified in a thread',
      () => withThread((verifier) => ingestIntoSqlite(verifier, busierMs)),
    ],
  ];
  const bare = () => {
    for (const event of events) if (!fastest.verify(event)) throw new Error('rejected');
  };
  bare();
  await ingest(createMemoryDiscoveryStore(), counting);
  if (checks !== count) throw new Error(`${checks} signatures were checked for ${count} cards`);
  let bareMs = Number.POSITIVE_INFINITY;
  let rowsMs = Number.POSITIVE_INFINITY;
  const best = new Map<string, readonly number[]>();
  for (let round = 0; round < rounds; round += 1) {
    bareMs = Math.min(bareMs, await cpuMs(bare));
    for (const [name, way] of ways) {
      const times = await way();
      const before = best.get(name) ?? [];
      best.set(
        name,
        times.map((ms, at) => Math.min(ms, before[at] ?? Number.POSITIVE_INFINITY)),
      );
    }
    rowsMs = Math.min(rowsMs, await writeRows(lastFile, join(folder, `rows-${round}.db`)));
  }
  for (const { child } of relays) child.kill();
  rmSync(folder, { recursive: true, force: true });

  const perSecond = (ms = 0) => Math.round((count / ms) * 1_000).toLocaleString('en-US');
  console.log(`${count} cards, ${fastest.name}, best of ${rounds}; cards per CPU second\n`);
  console.log('| | per second | to the bare check | again from a second relay |\n|---|---:|---:|---:|');
  console.log(`| bare check of signatures | ${perSecond(bareMs)} | 1.00 | |`);
  const leastMs = bareMs + rowsMs;
  const least = (bareMs / leastMs).toFixed(2);
  console.log(`| the same, and the bare rows into SQLite | ${perSecond(leastMs)} | ${least} | |`);
  for (const [name, [first = 0, second = 0]] of best) {
    console.log(`| ${name} | ${perSecond(first)} | ${(bareMs / first).toFixed(2)} | ${perSecond(second)} |`);
  }
}

/** CPU milliseconds that the rows of a registry take to be written again, and nothing else. */
async function writeRows(from: string, to: string): Promise<number> {
  const source = new DatabaseSync(from);
  const ours = ['discovery_platforms', 'discovery_terms', 'discovery_audit'];
  const tables = ours.map((name) => ({ name, rows: source.prepare(`SELECT * FROM ${name}`).all() }));
  source.close();
  const db = openSqlite({ path: to });
  await migrateDiscovery(db);
  await db.destroy();
  const target = new DatabaseSync(to);
  target.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  const inserts = tables.map(({ name, rows }) => {
    const marks = Object.keys(rows[0] ?? {}).map(() => '?');
    const statement = target.prepare(`INSERT INTO ${name} VALUES (${marks.join(', ')})`);
    return { statement, byKey: Map.groupBy(rows, ({ pubkey }) => pubkey) };
  });
  const keys = [...(inserts[0]?.byKey.keys() ?? [])];
  const batch = maxBatch;
  const ms = await cpuMs(() => {
    for (let at = 0; at < keys.length; at += batch) {
      target.exec('BEGIN IMMEDIATE');
      for (const key of keys.slice(at, at + batch)) {
        for (const { statement, byKey } of inserts) {
          for (const row of byKey.get(key) ?? []) statement.run(...Object.values(row));
        }
      }
      target.exec('COMMIT');
    }
  });
  target.close();
  return ms;
}
