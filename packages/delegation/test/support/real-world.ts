import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildFeedback, buildJobResult, parseJobRequest } from '@bonafide/nip90-jobs/codec';
import { createKeySigner, createTransport, type NostrEvent } from '@bonafide/nostr-transport';
import { startTestRelay } from '@bonafide/nostr-transport/testing';
import { createRoutingMatrix, decodeRecord } from '@bonafide/routing-matrix';
import { createKyselyRoutingStore } from '@bonafide/routing-matrix/kysely';
import { testDatabases } from '@bonafide/storage/testing';
import { sql } from 'kysely';
import { build } from 'tsup';
import { createKyselyDelegationStore } from '../../src/stores/kysely.ts';
import { openDatabase, type WorkerSettings } from './worker.ts';

/** Folder of the bundled worker. */
const cache = fileURLToPath(new URL('../../node_modules/.cache/workers', import.meta.url));
let bundled: Promise<void> | null = null;

/** Bundles the worker into one file, once: loading its nine hundred modules takes most of the time that a process takes to start. */
async function bundleWorker(): Promise<void> {
  await build({
    config: false,
    silent: true,
    entry: { worker: fileURLToPath(new URL('./worker.ts', import.meta.url)) },
    outDir: cache,
    format: 'esm',
    target: 'node22',
    platform: 'node',
    splitting: false,
    removeNodeProtocol: false,
    noExternal: [/.*/],
    external: ['pg-native'],
    // CommonJS packages call it.
    banner: {
      js: `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);`,
    },
    esbuildOptions(options) {
      options.conditions = ['@bonafide/source'];
    },
  });
}

/** A worker process; its output and errors are kept for a failure. */
export function startWorker(settings: WorkerSettings) {
  const child: ChildProcess = spawn(process.execPath, [join(cache, 'worker.js'), JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const seen = { text: '' };
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      seen.text += chunk;
    });
  return {
    child,
    seen,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** A relay with strangers that answer rightly, wrongly, late, never, with an error, or only for money. */
export async function startRealWorld(
  databaseName: 'node:sqlite' | 'Postgres',
  options: { readonly url?: string } = {},
) {
  const stack = new AsyncDisposableStack();
  bundled ??= bundleWorker();
  await bundled;
  const database = testDatabases().find(({ name }) => name === databaseName);
  if (database === undefined) return null;
  let url = options.url ?? '';
  if (options.url === undefined) {
    const opened = await database.open();
    stack.defer(() => opened.close());
    url = opened.url ?? '';
  }
  const db = await openDatabase(url);
  stack.defer(() => db.destroy());
  const relay = stack.use(await startTestRelay());
  const transport = stack.use(createTransport({ addresses: { allowLoopback: true } }));
  const keys = Array.from({ length: 8 }, (_, index) => (index + 1).toString(16).padStart(64, '0'));
  const signers = keys.map((key) => createKeySigner(key));
  const strangers = await Promise.all(
    signers.map(async (signer, index) => ({
      pubkey: await signer.getPublicKey(),
      priceMsat: index % 2 === 0 ? 500 : null,
    })),
  );
  const customer = createKeySigner('9'.repeat(64));
  const requests = new Map<string, NostrEvent>();
  const matrix = createRoutingMatrix({ store: createKyselyRoutingStore(db) });
  for (const { pubkey } of strangers)
    for (const attempt of [1, 2, 3])
      await matrix.recordBenchmark({
        platform: { pubkey, d: 'x' },
        taskType: 'code',
        attemptId: `${pubkey}${attempt}`,
        verdict: { outcome: 'SUCCESS', passRate: 1 },
      });

  // The wallet is a table. One look at it serves every stranger that waits for money.
  const awaited = new Map<string, () => void>();
  const paymentOf = (hash: string) => new Promise<void>((resolve) => awaited.set(hash, resolve));
  const lookForPayments = async () => {
    if (awaited.size === 0) return;
    const { rows } = await sql<{ hash: string }>`select hash from paid`.execute(db);
    for (const { hash } of rows) {
      awaited.get(hash)?.();
      awaited.delete(hash);
    }
  };
  const looking = setInterval(() => void lookForPayments().catch(() => {}), 100);
  stack.defer(() => clearInterval(looking));

  const answer = async (event: NostrEvent) => {
    const parsed = parseJobRequest(event);
    if (!parsed.ok || requests.has(event.id)) return;
    requests.set(event.id, event);
    const index = strangers.findIndex(({ pubkey }) => pubkey === parsed.request.providers[0]);
    const signer = signers[index];
    if (signer === undefined) return;
    const publish = async (template: Parameters<typeof signer.signEvent>[0]) => {
      await transport.publish(await signer.signEvent(template), [relay.url]);
    };
    const draw = Number.parseInt(event.id.slice(0, 4), 16) % 10;
    if (strangers[index]?.priceMsat === 500) {
      const demand = {
        request: event,
        status: 'payment-required',
        amountMsat: 500,
        bolt11: event.id,
      } as const;
      await publish(buildFeedback({ ...demand, createdAt: Date.now() }));
      await paymentOf(event.id);
    }
    if (draw === 0) return;
    if (draw === 1) return publish(buildFeedback({ request: event, status: 'error', createdAt: Date.now() }));
    if (draw === 2) await new Promise((resolve) => setTimeout(resolve, 4_000));
    const content = draw < 5 ? 'wrong' : 'right';
    await publish(buildJobResult({ request: event, content, createdAt: Date.now() }));
  };
  const subscription = transport.subscribe([relay.url], [{ kinds: [5000] }], {
    onEvent: (event) => void answer(event).catch(() => {}),
  });
  stack.defer(() => subscription.close());
  const store = createKyselyDelegationStore(db);
  const settings: WorkerSettings = {
    engine: databaseName === 'Postgres' ? 'pg-boss' : 'embedded',
    database: url,
    schema: `boss_${randomUUID().replaceAll('-', '')}`,
    relay: relay.url,
    secretKey: '9'.repeat(64),
    strangers,
    orders: 0,
  };
  const count = async (settled: 0 | 1) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from delegation_orders where settled = ${settled}`.execute(db);
    return Number(rows[0]?.count);
  };
  const unsettled = () => count(0);
  const settled = () => count(1);

  /** Compares what the world saw with what the agent remembers. */
  const inspect = async (orders: number): Promise<readonly string[]> => {
    const faults: string[] = [];
    const { items } = await store.list({ limit: 500 });
    if (items.length !== orders) faults.push(`${items.length} of ${orders} orders exist`);
    const asked = new Set<string>();
    for (const event of requests.values()) {
      const parsed = parseJobRequest(event);
      if (!parsed.ok || event.pubkey !== (await customer.getPublicKey())) continue;
      const key = `${parsed.request.inputs[0]?.data} to ${parsed.request.providers[0]}`;
      if (asked.has(key)) faults.push(`asked twice: ${key}`);
      asked.add(key);
    }
    const { rows: paid } = await sql<{ request: string }>`select request from paid`.execute(db);
    const paidFor = new Set(paid.map(({ request }) => request));
    if (paidFor.size !== paid.length) faults.push('a request was paid twice');
    const outcomes = new Map<string, number>();
    for (const stored of await createKyselyRoutingStore(db).readAfter(0, 10_000)) {
      const record = decodeRecord(stored);
      if (record.kind !== 'outcome') continue;
      const key = `${record.jobId.split('#')[0]} of ${record.platform.pubkey}`;
      outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
    }
    const { rows: said } = await sql<{
      work: string;
      outcome: string;
    }>`select work, outcome from said`.execute(db);
    const words = new Map<string, Set<string>>();
    for (const { work, outcome } of said) words.set(work, (words.get(work) ?? new Set()).add(outcome));
    for (const [work, different] of words) if (different.size > 1) faults.push(`two reviews of ${work}`);
    for (const { id, state } of items) {
      for (const replica of state.replicas) {
        const key = `${id} of ${replica.platform.pubkey}`;
        if (outcomes.get(key) !== 1) faults.push(`the matrix knows ${outcomes.get(key) ?? 0} ends of ${key}`);
        const { rows } = await sql<{ outcome: string }>`
          select outcome from ledger_outcomes where correlation_id = ${replica.jobId ?? ''}
          and outcome in ('verified', 'rejected')`.execute(db);
        const expected = replica.check?.checkedBy == null ? 0 : 1;
        if (rows.length !== expected) faults.push(`the journal has ${rows.length} verdicts of ${key}`);
      }
    }
    return faults;
  };
  return {
    settings,
    store,
    unsettled,
    settled,
    inspect,
    db,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
