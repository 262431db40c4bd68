/**
 * The stores of an agent that composes every package, laid out as `bonafide` reads them.
 * @packageDocumentation
 */
import { join } from 'node:path';
import type { StatePort } from '@bonafide/cortex';
import { createKyselyCortexState, migrateCortex } from '@bonafide/cortex/kysely';
import type { DelegationStore } from '@bonafide/delegation';
import { createKyselyDelegationStore, migrateDelegation } from '@bonafide/delegation/kysely';
import { createDisposerStack, type Logger, silentLogger } from '@bonafide/internal';
import type { LedgerStore } from '@bonafide/ledger-core';
import { createKyselyLedgerStore, migrateLedger } from '@bonafide/ledger-core/kysely';
import type { DiscoveryStore } from '@bonafide/nip89-discovery';
import { createKyselyDiscoveryStore, migrateDiscovery } from '@bonafide/nip89-discovery/kysely';
import type { JobStore, PaymentStore } from '@bonafide/nip90-jobs';
import { createKyselyJobStore, createKyselyPaymentStore, migrateJobs } from '@bonafide/nip90-jobs/kysely';
import type { ReviewStore } from '@bonafide/reputation';
import { createKyselyReviewStore, migrateReputation } from '@bonafide/reputation/kysely';
import type { RoutingStore } from '@bonafide/routing-matrix';
import { createKyselyRoutingStore, migrateRouting } from '@bonafide/routing-matrix/kysely';
import { acquireWriter } from '@bonafide/storage';
import type { Kysely } from 'kysely';
import { openAny } from './databases.ts';
import { createWorkspace, type WorkspacePart, workspaceFiles } from './workspace.ts';

/** Options of {@link openAgentStores}. */
export interface AgentStoresOptions {
  /** Folder of the agent. It is created with mode 0700, and holds the databases unless `database` is given. */
  readonly workspace: string;
  /**
   * `postgres://…` URL of a database for everything, which several processes of the agent may use. An agent has a database of its own.
   * @default files in the workspace, for one process
   */
  readonly database?: string | null | undefined;
  /** Receives a warning when Postgres drops a connection, and for each transaction that is repeated. Silent by default. */
  readonly logger?: Logger | undefined;
}

/** The stores of an agent. */
export interface AgentStores extends AsyncDisposable {
  readonly ledger: LedgerStore;
  readonly discovery: DiscoveryStore;
  readonly jobs: JobStore;
  readonly payments: PaymentStore;
  readonly routing: RoutingStore;
  readonly cortex: StatePort;
  readonly reviews: ReviewStore;
  readonly orders: DelegationStore;
  /** Database of the orders, for an election by `createPostgresLeadership`. */
  readonly db: Kysely<unknown>;
}

/**
 * Opens the stores of an agent and creates or migrates their tables. Without `database`, the ledger is reserved for this process until
 * the stores are disposed.
 *
 * @throws StorageError `WRITER_ACTIVE` when another process runs the agent; CliError `STORE_FAILED` when the workspace cannot be created; else
 *   as `openSqlite` and `openPostgres`
 */
export async function openAgentStores({
  workspace,
  database,
  logger = silentLogger,
}: AgentStoresOptions): Promise<AgentStores> {
  await using stack = createDisposerStack();
  createWorkspace(workspace);
  const open = (path: string) => stack.adopt(openAny(path, { logger }), (db) => db.destroy());
  const file = (name: WorkspacePart) => join(workspace, workspaceFiles[name]);
  const isShared = database !== undefined && database !== null;
  if (!isShared) stack.adopt(acquireWriter({ path: file('ledger') }), (lock) => lock.release());
  const db = open(isShared ? database : file('agent'));
  const ledger = isShared ? db : open(file('ledger'));
  const reviews = isShared ? db : open(file('reviews'));
  await migrateLedger(ledger);
  await migrateReputation(reviews);
  for (const migrate of [migrateDiscovery, migrateJobs, migrateRouting, migrateCortex, migrateDelegation])
    await migrate(db);
  const opened = stack.move();
  return {
    ledger: createKyselyLedgerStore(ledger),
    discovery: createKyselyDiscoveryStore(db),
    jobs: createKyselyJobStore(db),
    payments: createKyselyPaymentStore(db),
    routing: createKyselyRoutingStore(db),
    cortex: createKyselyCortexState(db),
    reviews: createKyselyReviewStore(reviews),
    orders: createKyselyDelegationStore(db),
    db,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
