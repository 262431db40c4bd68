import { createCortex } from '@bonafide/cortex';
import { createKyselyCortexState, migrateCortex } from '@bonafide/cortex/kysely';
import {
  type BenchmarkTask,
  type BidContext,
  createDelegation,
  createPublicWord,
} from '@bonafide/delegation';
import { createKyselyDelegationStore, migrateDelegation } from '@bonafide/delegation/kysely';
import { codeGeneration, jobKind } from '@bonafide/example-strangers';
import { createJudge, detectSandbox } from '@bonafide/judge-runner';
import { createLedger } from '@bonafide/ledger-core';
import { createKyselyLedgerStore, migrateLedger } from '@bonafide/ledger-core/kysely';
import { createDiscovery } from '@bonafide/nip89-discovery';
import { createKyselyDiscoveryStore, migrateDiscovery } from '@bonafide/nip89-discovery/kysely';
import { createJobClient } from '@bonafide/nip90-jobs';
import { createKyselyJobStore, migrateJobs } from '@bonafide/nip90-jobs/kysely';
import { createTransport, type Signer } from '@bonafide/nostr-transport';
import { createReputation } from '@bonafide/reputation';
import { createKyselyReviewStore, migrateReputation } from '@bonafide/reputation/kysely';
import { createRoutingMatrix } from '@bonafide/routing-matrix';
import { createKyselyRoutingStore, migrateRouting } from '@bonafide/routing-matrix/kysely';
import { acquireWriter, openSqlite } from '@bonafide/storage';
import { openReflector } from './model.ts';
import type { Workspace } from './workspace.ts';

/** Largest share of the jobs for one platform. The default of half an hour's jobs suits more platforms than four. */
export const maxShare = 0.9;

/** Options of {@link startAgent}. */
export interface AgentOptions {
  readonly workspace: Workspace;
  readonly signer: Signer;
  readonly relays: readonly string[];
  readonly allowLoopback: boolean;
  readonly random: () => number;
  /** Tasks of the trials, with hidden tests. */
  readonly benchmarks: readonly BenchmarkTask[];
}

/** The parts of a running agent. */
export type Agent = Awaited<ReturnType<typeof startAgent>>;

/** Opens the workspace's stores and starts every part. Work that was open when the process ended resumes. */
export async function startAgent(options: AgentOptions) {
  const { workspace, signer, relays, allowLoopback, random, benchmarks } = options;
  await using stack = new AsyncDisposableStack();
  stack.use(acquireWriter({ path: workspace.path('ledger.db') }));
  const open = (file: string) =>
    stack.adopt(openSqlite({ path: workspace.path(file) }), (db) => db.destroy());
  const ledgerDb = open('ledger.db');
  const agentDb = open('agent.db');
  const reviewsDb = open('reviews.db');
  await Promise.all([migrateLedger(ledgerDb), migrateReputation(reviewsDb)]);
  for (const migrate of [migrateDiscovery, migrateJobs, migrateRouting, migrateCortex, migrateDelegation])
    await migrate(agentDb);

  const transport = stack.use(createTransport({ addresses: { allowLoopback } }));
  const ledger = stack.use(createLedger({ store: createKyselyLedgerStore(ledgerDb) }));
  const matrix = stack.use(
    createRoutingMatrix({ store: createKyselyRoutingStore(agentDb), random, config: { maxShare } }),
  );
  const discovery = stack.use(
    createDiscovery({
      transport,
      relays,
      store: createKyselyDiscoveryStore(agentDb),
      config: { allowLoopback },
    }),
  );
  const jobs = stack.use(
    createJobClient({ transport, signer, relays, store: createKyselyJobStore(agentDb) }),
  );
  // The tasks take milliseconds.
  const limits = { cpuSoftMs: 1_000, cpuHardMs: 3_000, wallMs: 10_000 };
  const judge = stack.use(createJudge({ sandbox: await detectSandbox(), limits, concurrency: 2 }));
  const state = createKyselyCortexState(agentDb);
  const cortex = stack.use(createCortex({ ledger, state, reflector: await openReflector(process.env) }));
  await discovery.start();
  await jobs.start();
  await cortex.start();
  const ports = {
    source: discovery,
    jobs,
    judge,
    benchmarks: { tasks: () => benchmarks },
    // The bid shows what a job is worth; the embedded providers behave by it.
    bid: ({ order }: BidContext) => order.valueMsat,
    // One platform per job, so that every failure is seen.
    config: { kinds: { [codeGeneration]: jobKind }, attempts: 1, acceptPartial: true },
  };
  // Everything that is due is published: attacks at once, other reviews after a day.
  const reputation = stack.use(
    createReputation({
      ...{ transport, signer, relays },
      store: createKyselyReviewStore(reviewsDb),
      config: { consent: 'all' },
    }),
  );
  reputation.start();
  const publicWord = createPublicWord(reputation, { matrix });
  const store = createKyselyDelegationStore(agentDb);
  const delegation = stack.use(
    createDelegation({ ...ports, store, matrix, journal: ledger, reflection: cortex, publicWord }),
  );
  await delegation.ready();

  const parts = stack.move();
  return {
    cortex,
    delegation,
    discovery,
    ledger,
    matrix,
    ports,
    reputation,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}
