import { testDatabases } from '@bonafide/storage/testing';
import { expect, it } from 'vitest';
import { createFileAuditLog, createMemoryAuditLog } from '../src/audit/audit-log.ts';
import {
  createFileProposalStore,
  createLocalGitForge,
  createMemoryProposalStore,
  createSelfCorrection,
} from '../src/index.ts';
import {
  createKyselyAuditLog,
  createKyselyProposalStore,
  migrateSelfCorrection,
} from '../src/stores/kysely.ts';
import { testAuditLog, testProposalStore } from '../src/testing/index.ts';
import { folder, input, repository, start } from './world.ts';

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

it.each(testDatabases())('X-14 names the migration that is missing on $name', async ({ open }) => {
  const { db, close } = await open();
  try {
    const file = { path: 'orchestrator.py', language: 'python' } as const;
    const forge = createLocalGitForge({ repository: repository().bare });
    const correction = createSelfCorrection({ forge, file, store: createKyselyProposalStore(db) });
    await expect(correction.propose(input())).rejects.toMatchObject({ code: 'NOT_MIGRATED' });
  } finally {
    await close();
  }
});
