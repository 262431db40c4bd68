// One process of an agent, for tests that kill it: `node worker.ts <settings as JSON>`.
import { flushCompileCache } from 'node:module';
import { createLedger } from '@bonafide/ledger-core';
import { createKyselyLedgerStore, migrateLedger } from '@bonafide/ledger-core/kysely';
import { createJobClient, type PaymentMethod } from '@bonafide/nip90-jobs';
import { createKyselyJobStore, createKyselyPaymentStore, migrateJobs } from '@bonafide/nip90-jobs/kysely';
import { createKeySigner, createTransport } from '@bonafide/nostr-transport';
import { createRoutingMatrix } from '@bonafide/routing-matrix';
import { createKyselyRoutingStore, migrateRouting } from '@bonafide/routing-matrix/kysely';
import { openPostgres, openSqlite } from '@bonafide/storage';
import { type Kysely, sql } from 'kysely';
import { createPgBossEngine } from '../../src/engines/pg-boss.ts';
import { createDelegation, type FinishedWork, type Order } from '../../src/index.ts';
import {
  createKyselyDelegationStore,
  createPostgresLeadership,
  migrateDelegation,
} from '../../src/stores/kysely.ts';
import { noWallet } from '../simulation/money.ts';

/** Settings of a worker. */
export interface WorkerSettings {
  readonly engine: 'embedded' | 'pg-boss';
  /** Path of a SQLite file, or `postgres://` URL. */
  readonly database: string;
  readonly schema: string;
  readonly relay: string;
  readonly secretKey: string;
  readonly strangers: readonly { readonly pubkey: string; readonly priceMsat: number | null }[];
  /** Number of orders that this worker hands in; one that is to be killed hands in more until then. */
  readonly orders: number;
  /** Number of the first one. @default 0 */
  readonly firstOrder?: number;
  /** The process kills itself when this effect has happened, before its result is stored. */
  readonly killAfter?: Effect;
}

/** Effects of an order outside of its own store, and the end of its record. */
export const effects = [
  'choose',
  'request',
  'pay',
  'judge',
  'journal the request',
  'journal the answer',
  'journal the verdict',
  'matrix',
  'review',
  'receipt',
  'store a fact',
  'create',
  'wake',
] as const;

export type Effect = (typeof effects)[number];

/** Opens the database of an agent, with the tables of everything. */
// biome-ignore lint/suspicious/noExplicitAny: tables of several packages.
export async function openDatabase(database: string): Promise<Kysely<any>> {
  const db = database.startsWith('postgres:')
    ? openPostgres({ url: database, maxConnections: 6 })
    : openSqlite({ path: database });
  await migrateDelegation(db);
  await migrateLedger(db);
  await migrateJobs(db);
  await migrateRouting(db);
  await sql`create table if not exists paid (hash text primary key, request text not null, amount integer not null)`.execute(
    db,
  );
  await sql`create table if not exists said (work text not null, outcome text not null)`.execute(db);
  return db;
}

async function main(settings: WorkerSettings): Promise<void> {
  /** Runs an effect, and ends the process after it when the test wants that: nothing of this process runs after SIGKILL. */
  const effect =
    <Args extends readonly unknown[], Result>(name: Effect, work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const result = await work(...args);
      if (settings.killAfter === name) process.kill(process.pid, 'SIGKILL');
      return result;
    };
  const db = await openDatabase(settings.database);
  const transport = createTransport({ addresses: { allowLoopback: true } });
  // The wallet is a table, which all processes share.
  const method: PaymentMethod = {
    name: 'table',
    async quote({ event, amountMsat }, { maxMsat }) {
      const hash = event?.tags.find(([name]) => name === 'amount')?.[2];
      if (!hash || amountMsat === null || maxMsat === null || amountMsat > maxMsat)
        return { ok: false, message: 'Above the bid.' };
      const request = event?.tags.find(([name]) => name === 'e')?.[1] ?? '';
      const instructions = `${hash} ${request} ${amountMsat}`;
      return {
        ok: true,
        // A payment of unknown outcome is given up a minute after this, when its job does not want it any more.
        quote: { paymentHash: hash, instructions, amountMsat, expiresAt: Date.now() + 30_000 },
      };
    },
    pay: effect('pay', async ({ instructions }) => {
      const [hash, request, amount] = instructions.split(' ');
      await sql`insert into paid (hash, request, amount) values (${hash}, ${request}, ${Number(amount)})
        on conflict (hash) do nothing`.execute(db);
      return { status: 'settled', preimage: null, feesMsat: 0 } as const;
    }),
    async lookup(hash) {
      const { rows } = await sql`select hash from paid where hash = ${hash}`.execute(db);
      return rows.length > 0 ? { status: 'settled', preimage: null, feesMsat: 0 } : { status: 'unknown' };
    },
  };
  const startJobs = async () => {
    const client = createJobClient({
      transport,
      signer: createKeySigner(settings.secretKey),
      store: createKyselyJobStore(db),
      relays: [settings.relay],
      payments: { wallet: noWallet, store: createKyselyPaymentStore(db), methods: [method] },
      config: {
        processingTimeoutMs: 3_000,
        deliveryStagesMs: [2_000, 2_000, 2_000],
        retryDelaysMs: [1_000, 1_000],
        leaseMs: 1_000,
      },
    });
    await client.start();
    return { ...client, requestJob: effect('request', client.requestJob) };
  };
  const isShared = settings.engine === 'pg-boss';
  const say = (kind: 'review' | 'receipt') =>
    effect(kind, async ({ key, outcome }: FinishedWork) => {
      await sql`insert into said (work, outcome) values (${`${kind} of ${key}`}, ${outcome})`.execute(db);
    });
  const orders = createKyselyDelegationStore(db);
  const store = {
    ...orders,
    create: effect('create', orders.create),
    update: effect('store a fact', orders.update),
    wakes: { ...orders.wakes, put: effect('wake', orders.wakes.put) },
  };
  const openEngine = () => {
    const engine = createPgBossEngine({
      connectionString: settings.database,
      schema: settings.schema,
      config: { pollMs: 200, superviseSeconds: 1, maxConnections: 4 },
    });
    return { ...engine, wake: effect('wake', engine.wake) };
  };
  const matrix = createRoutingMatrix({ store: createKyselyRoutingStore(db) });
  const journal = createLedger({ store: createKyselyLedgerStore(db) });
  const delegation = createDelegation({
    store,
    ...(isShared
      ? {
          engine: openEngine(),
          leadership: createPostgresLeadership(db, { config: { intervalMs: 500, silenceMs: 4_000 } }),
        }
      : {}),
    jobs: startJobs,
    source: {
      async *find() {},
      get: async (pubkey) => {
        const stranger = settings.strangers.find((each) => each.pubkey === pubkey);
        const pricing = { amountMsat: stranger?.priceMsat ?? null };
        return stranger ? { pubkey, d: 'x', relayHints: [], card: { name: null, pricing } } : null;
      },
    },
    matrix: {
      ...matrix,
      select: effect('choose', matrix.select),
      recordOutcome: effect('matrix', matrix.recordOutcome),
    },
    journal: {
      ...journal,
      recordOutgoing: effect('journal the request', journal.recordOutgoing),
      recordIncoming: effect('journal the answer', journal.recordIncoming),
      recordOutcome: effect('journal the verdict', journal.recordOutcome),
    },
    judge: {
      run: effect('judge', async ({ artifact }) => {
        // A flaky judge: only the stored verdict may count.
        const isRight = artifact.source === 'right' || Math.random() < 0.2;
        return {
          outcome: isRight ? 'SUCCESS' : 'FAILURE',
          errorKind: null,
          summary: isRight ? 'right' : 'wrong',
          passRate: Number(isRight),
          compositePassRate: null,
          tests: [],
          metrics: { wallMs: 1, softLimits: { cpu: false, memory: false } },
          violations: [],
        } as const;
      }),
    },
    publicWord: { offerReview: say('review') },
    receipts: { send: say('receipt') },
    config: { attempts: 3, recheckMs: 1_000, lateMs: 1_000 },
  });
  await delegation.ready();
  // The next process loads what this one has compiled.
  flushCompileCache();
  process.stdout.write('ready\n');
  const { firstOrder = 0, orders: count, killAfter } = settings;
  // Not every order has every effect: nobody asks for money, or nobody answers.
  const end = killAfter === undefined ? firstOrder + count : Number.POSITIVE_INFINITY;
  for (let number = firstOrder; number < end; number += 1) {
    const order: Order = {
      id: `order-${number}`,
      taskType: 'code',
      inputs: [{ data: `order-${number}` }],
      suite: {},
      valueMsat: 1_000,
      maxMsat: 2_000,
      criticality: number % 10 === 0 ? 'normal' : 'background',
    };
    // The database may be restarting. Handing in the same order again is safe.
    while (!(await delegation.start(order).then(Boolean, () => false)))
      await new Promise((resolve) => setTimeout(resolve, 200));
    if (killAfter === undefined) continue;
    const soon = new Promise((resolve) => setTimeout(resolve, 2_000));
    await Promise.race([soon, delegation.settled(order.id).catch(() => soon)]);
  }
  process.stdout.write('handed in\n');
}

if (process.argv[2] !== undefined) await main(JSON.parse(process.argv[2]));
