// The conformance suites of the stores over Kysely with this project's versions of vitest, Kysely and the drivers: the
// ledger's on every database that the project has, the others on Node's own.
import { createKyselyDelegationStore, migrateDelegation } from '@bonafide/delegation/kysely';
import { testDelegationStore } from '@bonafide/delegation/testing';
import { createKyselyLedgerStore, migrateLedger } from '@bonafide/ledger-core/kysely';
import { testLedgerStore } from '@bonafide/ledger-core/testing';
import { createKyselyDiscoveryStore, migrateDiscovery } from '@bonafide/nip89-discovery/kysely';
import { testDiscoveryStore } from '@bonafide/nip89-discovery/testing';
import { createKyselyJobStore, migrateJobs } from '@bonafide/nip90-jobs/kysely';
import { testJobStore } from '@bonafide/nip90-jobs/testing';
import { createKyselyReviewStore, migrateReputation } from '@bonafide/reputation/kysely';
import { testReviewStore } from '@bonafide/reputation/testing';
import { createKyselyRoutingStore, migrateRouting } from '@bonafide/routing-matrix/kysely';
import { testRoutingStore } from '@bonafide/routing-matrix/testing';
import {
  createKyselyAuditLog,
  createKyselyProposalStore,
  migrateSelfCorrection,
} from '@bonafide/self-correction/kysely';
import { testAuditLog, testProposalStore } from '@bonafide/self-correction/testing';
import { testDatabases } from '@bonafide/storage/testing';

const on = (database, migrate, createStore) => async () => {
  const { db, close } = await database.open();
  await migrate(db);
  return { store: createStore(db), close };
};

const chosen = process.env.DATABASES || null;
const databases = testDatabases().filter(({ name }) => chosen === null || chosen.split(',').includes(name));
for (const database of databases)
  testLedgerStore(database.name, on(database, migrateLedger, createKyselyLedgerStore));
const [node] = databases;
testDiscoveryStore(node.name, on(node, migrateDiscovery, createKyselyDiscoveryStore));
testJobStore(node.name, on(node, migrateJobs, createKyselyJobStore));
testDelegationStore(node.name, on(node, migrateDelegation, createKyselyDelegationStore));
testRoutingStore(node.name, on(node, migrateRouting, createKyselyRoutingStore));
testReviewStore(node.name, on(node, migrateReputation, createKyselyReviewStore));
testProposalStore(node.name, on(node, migrateSelfCorrection, createKyselyProposalStore));
testAuditLog(node.name, on(node, migrateSelfCorrection, createKyselyAuditLog));
