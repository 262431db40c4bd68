import { createCortex, createFileState, createRuleReflector } from '@bonafide/cortex';
import { createJudge, detectSandbox } from '@bonafide/judge-runner';
import { createLedger } from '@bonafide/ledger-core';
import { createKyselyLedgerStore, migrateLedger } from '@bonafide/ledger-core/kysely';
import { createDiscovery } from '@bonafide/nip89-discovery';
import { createKyselyDiscoveryStore, migrateDiscovery } from '@bonafide/nip89-discovery/kysely';
import { createJobClient } from '@bonafide/nip90-jobs';
import { createKyselyJobStore, migrateJobs } from '@bonafide/nip90-jobs/kysely';
import { createTransport, type Signer } from '@bonafide/nostr-transport';
import { createRoutingMatrix } from '@bonafide/routing-matrix';
import { createKyselyRoutingStore, migrateRouting } from '@bonafide/routing-matrix/kysely';
import { acquireWriter, openSqlite } from '@bonafide/storage';
import type { Workspace } from './workspace.ts';

/** Options of {@link startAgent}. */
export interface AgentOptions {
  readonly workspace: Workspace;
  readonly signer: Signer;
  readonly relays: readonly string[];
  readonly allowLoopback: boolean;
  readonly random: () => number;
}

/** The parts of a running agent. */
export type Agent = Awaited<ReturnType<typeof startAgent>>;

/** Opens the workspace's stores and starts every part. Work that was open when the process ended resumes. */
export async function startAgent({ workspace, signer, relays, allowLoopback, random }: AgentOptions) {
  await using stack = new AsyncDisposableStack();
  stack.use(acquireWriter({ path: workspace.path('ledger.db') }));
  const open = (file: string) =>
    stack.adopt(openSqlite({ path: workspace.path(file) }), (db) => db.destroy());
  const ledgerDb = open('ledger.db');
  const agentDb = open('agent.db');
  await migrateLedger(ledgerDb);
  await migrateDiscovery(agentDb);
  await migrateJobs(agentDb);
  await migrateRouting(agentDb);

  const transport = stack.use(createTransport({ addresses: { allowLoopback } }));
  const ledger = stack.use(createLedger({ store: createKyselyLedgerStore(ledgerDb) }));
  const matrix = stack.use(createRoutingMatrix({ store: createKyselyRoutingStore(agentDb), random }));
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
  const state = createFileState(workspace.path('cortex'));
  const cortex = stack.use(createCortex({ ledger, state, reflector: createRuleReflector() }));
  await discovery.start();
  await jobs.start();
  await cortex.start();

  const parts = stack.move();
  const dispose = () => parts.disposeAsync();
  return { cortex, discovery, jobs, judge, ledger, matrix, [Symbol.asyncDispose]: dispose };
}
