import { testDatabases } from '@bonafide/storage/testing';
import { createMemoryLedgerStore } from '../src/index.ts';
import { createKyselyLedgerStore, migrateLedger } from '../src/stores/kysely.ts';
import { testLedgerStore } from '../src/testing/index.ts';

testLedgerStore('memory', createMemoryLedgerStore);

for (const database of testDatabases()) {
  testLedgerStore(database.name, async () => {
    const { db, close, connect } = await database.open();
    await migrateLedger(db);
    return {
      store: createKyselyLedgerStore(db),
      forAgent: (agentId) => createKyselyLedgerStore(db, { agentId }),
      ...(connect && { reopen: () => createKyselyLedgerStore(connect()) }),
      close,
    };
  });
}
