import { testDatabases } from '@bonafide/storage/testing';
import { expect, it } from 'vitest';
import { createMemoryDelegationStore } from '../src/index.ts';
import { createKyselyDelegationStore, migrateDelegation } from '../src/stores/kysely.ts';
import { testDelegationStore } from '../src/testing/index.ts';

testDelegationStore('memory', () => ({ store: createMemoryDelegationStore() }));

for (const database of testDatabases()) {
  testDelegationStore(`kysely on ${database.name}`, async () => {
    const { db, connect, close } = await database.open();
    await migrateDelegation(db);
    await migrateDelegation(db);
    return {
      store: createKyselyDelegationStore(db),
      reopen: () => createKyselyDelegationStore(connect?.() ?? db),
      forAgent: (agentId) => createKyselyDelegationStore(db, { agentId }),
      close,
    };
  });
}

it.each(testDatabases())('X-14 names the migration that is missing on $name', async ({ open }) => {
  const { db, close } = await open();
  try {
    await expect(createKyselyDelegationStore(db).get('order')).rejects.toMatchObject({
      code: 'NOT_MIGRATED',
    });
  } finally {
    await close();
  }
});
