import { type Cortex, createCortex, createFileState, createRuleReflector } from '@bonafide/cortex';
import { createJudge, detectSandbox, type Judge } from '@bonafide/judge-runner';
import { createLedger, type Ledger } from '@bonafide/ledger-core';
import { createKyselyLedgerStore, migrateLedger } from '@bonafide/ledger-core/kysely';
import { createDiscovery, type Discovery } from '@bonafide/nip89-discovery';
import { createKyselyDiscoveryStore, migrateDiscovery } from '@bonafide/nip89-discovery/kysely';
import { createJobClient, type JobClient } from '@bonafide/nip90-jobs';
import { createKyselyJobStore, migrateJobs } from '@bonafide/nip90-jobs/kysely';
import { createTransport, type Signer } from '@bonafide/nostr-transport';
import { createRoutingMatrix, type RoutingMatrix } from '@bonafide/routing-matrix';
import { createKyselyRoutingStore, migrateRouting } from '@bonafide/routing-matrix/kysely';
import { openSqlite } from '@bonafide/storage';
import type { Workspace } from './workspace.ts';

/** Every part that an agent needs to do business with strangers. */
export interface Agent extends AsyncDisposable {
  readonly cortex: Cortex;
  readonly discovery: Discovery;
  readonly jobs: JobClient;
  readonly judge: Judge;
  readonly ledger: Ledger;
  readonly matrix: RoutingMatrix;
}

/** What an agent is made from. */
export interface AgentOptions {
  readonly workspace: Workspace;
  readonly signer: Signer;
  readonly relays: readonly string[];
  readonly allowLoopback: boolean;
  readonly random: () => number;
}

/** Opens the workspace's stores and starts everything over them; what was open when the process ended goes on. */
export async function startAgent({
  workspace,
  signer,
  relays,
  allowLoopback,
  random,
}: AgentOptions): Promise<Agent> {
  const sandbox = await detectSandbox();
  const ledgerDb = openSqlite({ path: workspace.path('ledger.db') });
  const agentDb = openSqlite({ path: workspace.path('agent.db') });
  await migrateLedger(ledgerDb);
  await migrateDiscovery(agentDb);
  await migrateJobs(agentDb);
  await migrateRouting(agentDb);

  const transport = createTransport({ addresses: { allowLoopback } });
  const ledger = createLedger({ store: createKyselyLedgerStore(ledgerDb) });
  const discovery = createDiscovery({
    transport,
    relays,
    store: createKyselyDiscoveryStore(agentDb),
    config: { allowLoopback },
  });
  const jobs = createJobClient({ transport, signer, relays, store: createKyselyJobStore(agentDb) });
  const matrix = createRoutingMatrix({ store: createKyselyRoutingStore(agentDb), random });
  const judge = createJudge({ sandbox, concurrency: 2 });
  const cortex = createCortex({
    ledger,
    reflector: createRuleReflector(),
    state: createFileState(workspace.path('cortex')),
  });
  await discovery.start();
  await jobs.start();
  await cortex.start();

  return {
    cortex,
    discovery,
    jobs,
    judge,
    ledger,
    matrix,
    async [Symbol.asyncDispose]() {
      await cortex.close();
      await judge.close();
      await jobs.close();
      await discovery.close();
      await matrix.close();
      await ledger.close();
      await transport.close();
      await agentDb.destroy();
      await ledgerDb.destroy();
    },
  };
}
