import { migrate } from '@bonafide/storage';
import { testDatabases } from '@bonafide/storage/testing';
import { type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import {
  createKyselyJobStore,
  createKyselyPaymentStore,
  createKyselyProviderStore,
  jobMigrations,
  migrateJobs,
} from '../src/stores/kysely.ts';
import { createMemoryJobStore, createMemoryProviderStore } from '../src/stores/memory.ts';
import { createMemoryPaymentStore } from '../src/stores/memory-payments.ts';
import { testJobStore, testPaymentStore, testProviderStore } from '../src/testing/index.ts';
import { sampleId, sampleJob } from '../src/testing/samples.ts';

testJobStore('jobs in memory', () => ({ store: createMemoryJobStore() }));
testProviderStore('a provider in memory', () => ({ store: createMemoryProviderStore() }));
testPaymentStore('payments in memory', () => ({
  store: { payments: createMemoryPaymentStore(), jobs: createMemoryJobStore() },
}));

// biome-ignore lint/suspicious/noExplicitAny: as the stores take it.
const paymentStores = (db: Kysely<any>, agentId = 'default') => ({
  payments: createKyselyPaymentStore(db, { agentId }),
  jobs: createKyselyJobStore(db, { agentId }),
});

for (const database of testDatabases()) {
  const open = async () => {
    const { db, connect, close } = await database.open();
    await migrateJobs(db);
    // PGlite allows one connection only, so there the same one serves as the one after the restart.
    return { db, close, again: () => connect?.() ?? db };
  };
  testJobStore(`jobs in ${database.name}`, async () => {
    const { db, close, again } = await open();
    return {
      store: createKyselyJobStore(db),
      close,
      reopen: () => createKyselyJobStore(again()),
      forAgent: (agentId) => createKyselyJobStore(db, { agentId }),
    };
  });
  testPaymentStore(`payments in ${database.name}`, async () => {
    const { db, close, again } = await open();
    return {
      store: paymentStores(db),
      close,
      reopen: () => paymentStores(again()),
      forAgent: (agentId) => paymentStores(db, agentId),
    };
  });
  testProviderStore(`a provider in ${database.name}`, async () => {
    const { db, close, again } = await open();
    return {
      store: createKyselyProviderStore(db),
      close,
      reopen: () => createKyselyProviderStore(again()),
      forAgent: (agentId) => createKyselyProviderStore(db, { agentId }),
    };
  });
}

it.each(testDatabases())('X-14 names the migration that is missing on $name', async ({ open }) => {
  const { db, close } = await open();
  try {
    await expect(createKyselyJobStore(db).get('job')).rejects.toMatchObject({ code: 'NOT_MIGRATED' });
  } finally {
    await close();
  }
});

it.each(testDatabases())(
  'the rows of an earlier schema are those of the agent default, on $name (JOB-27)',
  async ({ open }) => {
    const { db, close } = await open();
    try {
      await migrate(db, { name: 'jobs', migrations: jobMigrations.slice(0, 4) });
      const job = sampleJob(10);
      const text = JSON.stringify(job.request);
      await sql`insert into jobs_requests (job_id, idempotency_key, fingerprint, kind, provider, request, relays, provider_relays,
      state, revision, attempts, delivered_to, built_at, feedback_count, extensions, recovered, message)
      values (${job.jobId}, 'k', 'f', 5000, ${job.provider}, ${text}, ${JSON.stringify(job.relays)}, '[]',
      'built', 1, 0, '[]', ${job.builtAt}, 0, 0, 0, '')`.execute(db);
      await sql`insert into jobs_payments (payment_hash, job_id, provider, method, bolt11, amount_msat, fee_reserve_msat, fees_msat,
      status, revision, holder, held_at, expires_at, message)
      values (${sampleId(1_010)}, ${job.jobId}, '', 'bolt11', '', 5, 1, 0, 'held', 1, 'a', 1, 2, '')`.execute(
        db,
      );
      await sql`insert into jobs_provided (request_id, customer, kind, request, received_at, charge, answer, answer_kind, answered_at,
      partial_at, receipt) values (${sampleId(20)}, ${sampleId(3)}, 5000, ${text}, 7,
      '{"amountMsat":5,"bolt11":"lnbc1","paymentHash":"","expiresAt":9}', ${text}, 6000, 8, 6, ${text})`.execute(
        db,
      );
      await sql`insert into jobs_watermarks (source, seconds) values ('wss://one.example', 3)`.execute(db);
      await migrateJobs(db);
      expect(await createKyselyJobStore(db).getByKey('k')).toEqual({
        ...job,
        idempotencyKey: 'k',
        fingerprint: 'f',
      });
      expect(await createKyselyPaymentStore(db).listOpen()).toMatchObject([
        { jobId: job.jobId, amountMsat: 5 },
      ]);
      const provided = createKyselyProviderStore(db);
      expect(await provided.get(sampleId(20))).toMatchObject({
        ...{
          answeredAt: 8,
          partialAt: 6,
          charge: { amountMsat: 5 },
          customer: sampleId(3),
          receivedAt: 7,
          attempts: 0,
        },
        ...{ answer: job.request, receipt: job.request, request: job.request, revision: 1 },
      });
      expect(await provided.watermark('wss://one.example')).toBe(3);
      expect(await createKyselyJobStore(db, { agentId: 'other' }).getByKey('k')).toBeNull();
    } finally {
      await close();
    }
  },
);
