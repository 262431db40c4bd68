import { testDatabases } from '@bonafide/storage/testing';
import type { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import {
  createKyselyJobStore,
  createKyselyPaymentStore,
  createKyselyProviderStore,
  migrateJobs,
} from '../src/stores/kysely.ts';
import { createMemoryJobStore, createMemoryProviderStore } from '../src/stores/memory.ts';
import { createMemoryPaymentStore } from '../src/stores/memory-payments.ts';
import { testJobStore, testPaymentStore, testProviderStore } from '../src/testing/index.ts';

testJobStore('jobs in memory', () => ({ store: createMemoryJobStore() }));
testProviderStore('a provider in memory', () => ({ store: createMemoryProviderStore() }));
testPaymentStore('payments in memory', () => ({
  store: { payments: createMemoryPaymentStore(), jobs: createMemoryJobStore() },
}));

// biome-ignore lint/suspicious/noExplicitAny: as the stores take it.
const paymentStores = (db: Kysely<any>) => ({
  payments: createKyselyPaymentStore(db),
  jobs: createKyselyJobStore(db),
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
    return { store: createKyselyJobStore(db), close, reopen: () => createKyselyJobStore(again()) };
  });
  testPaymentStore(`payments in ${database.name}`, async () => {
    const { db, close, again } = await open();
    return { store: paymentStores(db), close, reopen: () => paymentStores(again()) };
  });
  testProviderStore(`a provider in ${database.name}`, async () => {
    const { db, close, again } = await open();
    return { store: createKyselyProviderStore(db), close, reopen: () => createKyselyProviderStore(again()) };
  });
}

it.each(testDatabases().filter(({ name }) => name !== 'PGlite'))(
  'X-14 names the migration that is missing on $name',
  async ({ open }) => {
    const { db, close } = await open();
    try {
      await expect(createKyselyJobStore(db).get('job')).rejects.toMatchObject({ code: 'NOT_MIGRATED' });
    } finally {
      await close();
    }
  },
);
