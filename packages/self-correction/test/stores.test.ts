import { testDatabases } from '@bonafide/storage/testing';
import { createFileAuditLog, createMemoryAuditLog } from '../src/audit/audit-log.ts';
import { createFileProposalStore, createMemoryProposalStore } from '../src/index.ts';
import {
  createKyselyAuditLog,
  createKyselyProposalStore,
  migrateSelfCorrection,
} from '../src/stores/kysely.ts';
import { testAuditLog, testProposalStore } from '../src/testing/index.ts';
import { folder, start } from './world.ts';

testProposalStore('memory', () => ({ store: createMemoryProposalStore() }));
testProposalStore('files', () => {
  const directory = folder();
  return { store: createFileProposalStore(directory), reopen: () => createFileProposalStore(directory) };
});
testAuditLog('memory', () => ({ store: createMemoryAuditLog() }));
testAuditLog('files', () => {
  const directory = folder();
  const clock = () => start;
  return {
    store: createFileAuditLog(directory, { clock }),
    reopen: () => createFileAuditLog(directory, { clock }),
  };
});

for (const database of testDatabases()) {
  testProposalStore(`kysely on ${database.name}`, async () => {
    const { db, connect, close } = await database.open();
    await migrateSelfCorrection(db);
    await migrateSelfCorrection(db);
    return {
      store: createKyselyProposalStore(db),
      reopen: () => createKyselyProposalStore(connect?.() ?? db),
      forAgent: (agentId: string) => createKyselyProposalStore(db, { agentId }),
      close,
    };
  });
  testAuditLog(`kysely on ${database.name}`, async () => {
    const { db, connect, close } = await database.open();
    await migrateSelfCorrection(db);
    return {
      store: createKyselyAuditLog(db),
      reopen: () => createKyselyAuditLog(connect?.() ?? db),
      forAgent: (agentId: string) => createKyselyAuditLog(db, { agentId }),
      close,
    };
  });
}
