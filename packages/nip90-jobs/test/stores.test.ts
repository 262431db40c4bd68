import { testDatabases } from '@bonafide/storage/testing';
import { createKyselyJobStore, createKyselyProviderStore, migrateJobs } from '../src/stores/kysely.ts';
import { createMemoryJobStore, createMemoryProviderStore } from '../src/stores/memory.ts';
import { testJobStore, testProviderStore } from '../src/testing/index.ts';

testJobStore('jobs in memory', () => ({ store: createMemoryJobStore() }));
testProviderStore('a provider in memory', () => ({ store: createMemoryProviderStore() }));

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
  testProviderStore(`a provider in ${database.name}`, async () => {
    const { db, close, again } = await open();
    return { store: createKyselyProviderStore(db), close, reopen: () => createKyselyProviderStore(again()) };
  });
}
