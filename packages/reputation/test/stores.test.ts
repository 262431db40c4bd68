import { testDatabases } from '@bonafide/storage/testing';
import { expect, it } from 'vitest';
import { createMemoryReviewStore } from '../src/index.ts';
import { createKyselyReviewStore, migrateReputation } from '../src/stores/kysely.ts';
import { testReviewStore } from '../src/testing/index.ts';
import { agent } from './world.ts';

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

it.each(testDatabases())('X-14 names the migration that is missing on $name', async ({ open }) => {
  const { db, close } = await open();
  try {
    const reputation = agent(1, ['wss://relay.example.com'], {
      clock: Date.now,
      store: createKyselyReviewStore(db),
    });
    await expect(reputation.list()).rejects.toMatchObject({ code: 'NOT_MIGRATED' });
  } finally {
    await close();
  }
});
