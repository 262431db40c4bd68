import { testDatabases } from '@bonafide/storage/testing';
import { createMemoryReviewStore } from '../src/index.ts';
import { createKyselyReviewStore, migrateReputation } from '../src/stores/kysely.ts';
import { testReviewStore } from '../src/testing/index.ts';

testReviewStore('memory', () => ({ store: createMemoryReviewStore() }));

for (const database of testDatabases())
  testReviewStore(`kysely on ${database.name}`, async () => {
    const { db, connect, close } = await database.open();
    await migrateReputation(db);
    await migrateReputation(db);
    return {
      store: createKyselyReviewStore(db),
      reopen: () => createKyselyReviewStore(connect?.() ?? db),
      forAgent: (agentId: string) => createKyselyReviewStore(db, { agentId }),
      close,
    };
  });
