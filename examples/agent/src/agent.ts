import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { openAgentStores } from '@bonafide/cli/stores';
import { createCortex } from '@bonafide/cortex';
import { reflectorFromEnvironment } from '@bonafide/cortex/ai-sdk';
import { type BidContext, createDelegation, createJobReceipts, createPublicWord } from '@bonafide/delegation';
import { createPostgresLeadership } from '@bonafide/delegation/kysely';
import { createPgBossEngine } from '@bonafide/delegation/pg-boss';
import { loadRunTasks, seededRandom, signerFromFile } from '@bonafide/example-strangers';
import { createJudge, detectSandbox } from '@bonafide/judge-runner';
import { createLedger } from '@bonafide/ledger-core';
import { createDiscovery } from '@bonafide/nip89-discovery';
import { createJobClient } from '@bonafide/nip90-jobs';
import { createTransport, relayHosts } from '@bonafide/nostr-transport';
import { createReputation } from '@bonafide/reputation';
import { createRoutingMatrix, platformSimilarity } from '@bonafide/routing-matrix';
import { createReceipt } from '@bonafide/trust-score';

/** Largest share of the jobs for one platform. The default of half an hour's jobs suits more platforms than four. */
export const maxShare = 0.9;

/** Settings of the agent, as plain data: each of its processes gets the same. */
export interface AgentSettings {
  readonly workspace: string;
  /** URL of a Postgres database, for an agent of several processes; null for files in the workspace. */
  readonly database: string | null;
  readonly keyFile: string;
  readonly relays: readonly string[];
  readonly seed: number;
  /** Time that a review waits before it is published, ms; a day without it. */
  readonly coolingOffMs?: number;
}

/** The parts of a running agent. Disposing it stops them. */
export type Agent = Awaited<ReturnType<typeof startAgent>>;

/** Opens the agent's stores and starts every part. Work that was open when the process ended resumes. */
export async function startAgent(settings: AgentSettings) {
  const { workspace, database, keyFile, relays, seed, coolingOffMs } = settings;
  await using stack = new AsyncDisposableStack();
  const stores = stack.use(await openAgentStores({ workspace, database }));
  const signer = await signerFromFile(keyFile);
  // The operator's own relays may be on this machine; those that others name may not.
  const allowHosts = relayHosts(relays);
  const transport = stack.use(createTransport({ addresses: { allowHosts } }));

  // What it knows: who exists, who did what, whom to trust, what to think of it, what to say about it.
  const discovery = stack.use(
    createDiscovery({ transport, relays, store: stores.discovery, config: { allowHosts } }),
  );
  const ledger = stack.use(createLedger({ store: stores.ledger }));
  const matrix = stack.use(
    createRoutingMatrix({ store: stores.routing, random: seededRandom(seed), config: { maxShare } }),
  );
  const reflector = reflectorFromEnvironment(process.env, createOpenAICompatible);
  const cortex = stack.use(createCortex({ ledger, state: stores.cortex, reflector }));
  // Everything that is due is published: attacks at once, other reviews after the cooling-off.
  const opinions = { store: stores.reviews, config: { consent: 'all', coolingOffMs } } as const;
  const reputation = stack.use(createReputation({ transport, signer, relays, ...opinions }));

  // What it does: requests work, judges it, and records it everywhere. The tasks take milliseconds.
  const limits = { cpuSoftMs: 1_000, cpuHardMs: 3_000, wallMs: 10_000 };
  const judge = stack.use(createJudge({ sandbox: await detectSandbox(), limits, concurrency: 2 }));
  const { benchmarks } = loadRunTasks(seed);
  const ports = {
    source: discovery,
    judge,
    benchmarks: { tasks: () => benchmarks },
    // Of several processes, only the elected one reads cards, requests, reflects and publishes.
    async jobs() {
      const client = createJobClient({ transport, signer, relays, store: stores.jobs, createReceipt });
      await Promise.all([client.start(), discovery.start(), cortex.start()]);
      reputation.start();
      return client;
    },
    // The bid shows what a job is worth; the embedded providers behave by it.
    bid: ({ order }: BidContext) => order.valueMsat,
    // One choice per job, so that every failure is seen.
    config: { attempts: 1, acceptPartial: true },
  };
  const delegation = stack.use(
    createDelegation({
      ...ports,
      ...(database !== null && {
        engine: stack.use(createPgBossEngine({ connectionString: database, config: { pollMs: 100 } })),
        leadership: createPostgresLeadership(stores.db),
      }),
      store: stores.orders,
      matrix,
      journal: ledger,
      reflection: cortex,
      publicWord: createPublicWord(reputation, { matrix }),
      receipts: createJobReceipts,
      similarity: platformSimilarity,
    }),
  );
  await delegation.ready();

  return Object.assign(stack.move(), { cortex, delegation, discovery, ledger, matrix, ports, reputation });
}
