import { testDatabases } from '@bonafide/storage/testing';
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
