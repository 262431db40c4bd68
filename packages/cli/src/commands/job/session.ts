import { join } from 'node:path';
import type { JobClient, JobClientConfig } from '@bonafide/nip90-jobs';
import { agentSigner, hasKey, throwawaySigner } from '../../agent-signer.ts';
import { CliError } from '../../errors.ts';
import { fastestVerifier } from '../../fastest-verifier.ts';
import type { CliIo } from '../../io.ts';
import { createWorkspace } from '../../workspace.ts';
import { type BlossomOptions, type NostrOptions, requireRelays } from './options.ts';
import { hasWallet, openWallet, type WalletOptions } from './wallet.ts';

/** Loaded when needed, since other commands do not use these packages. */
const load = async () => ({
  jobs: await import('@bonafide/nip90-jobs'),
  stores: await import('@bonafide/nip90-jobs/kysely'),
  nostr: await import('@bonafide/nostr-transport'),
  storage: await import('@bonafide/storage'),
  trust: await import('@bonafide/trust-score'),
});
type Modules = Awaited<ReturnType<typeof load>>;

/** Opens the stores in the workspace, or in memory without one. */
async function openStores(
  { jobs, stores, storage }: Modules,
  { workspace, agent: agentId }: Pick<NostrOptions, 'workspace' | 'agent'>,
) {
  if (workspace === undefined) {
    return { store: jobs.createMemoryJobStore(), payments: null, close: async () => {} };
  }
  createWorkspace(workspace);
  const db = storage.openSqlite<unknown>({ path: join(workspace, 'jobs.db') });
  await stores.migrateJobs(db);
  return {
    store: stores.createKyselyJobStore(db, { agentId }),
    payments: stores.createKyselyPaymentStore(db, { agentId }),
    close: () => db.destroy(),
  };
}

/**
 * Runs `work` with a started job client, and closes everything afterwards. Without a key the client uses a random one.
 *
 * @throws `USAGE` without relays, or for a wallet without a workspace
 */
export async function withJobClient<T>(
  options: NostrOptions &
    WalletOptions &
    Partial<BlossomOptions> & {
      /** Maximum spending per day with fees, in millisatoshi. */
      readonly budget?: number;
    },
  io: CliIo,
  config: JobClientConfig,
  work: (client: JobClient) => Promise<T>,
): Promise<T> {
  const relays = requireRelays(options);
  const { blossom = [] } = options;
  const modules = await load();
  const { jobs, nostr, trust } = modules;
  const signer = await (hasKey(options, io) ? agentSigner(options, io) : throwawaySigner());
  if (hasWallet(options, io) && options.workspace === undefined)
    throw new CliError(
      'USAGE',
      'Paying needs a --workspace, where payments are remembered, so that none is made twice.',
    );
  const wallet = await openWallet(options, io);
  try {
    const stores = await openStores(modules, options);
    try {
      const budget = options.budget === undefined ? {} : { budget: { limitMsat: options.budget } };
      await using transport = nostr.createTransport({
        addresses: { allowHosts: nostr.relayHosts(relays) },
        verifier: await fastestVerifier(),
      });
      await using client = jobs.createJobClient({
        transport,
        signer,
        store: stores.store,
        relays,
        config,
        createReceipt: trust.createReceipt,
        ...(blossom.length > 0 ? { blobs: jobs.createBlossomStore({ servers: blossom, signer }) } : {}),
        ...(wallet && stores.payments ? { payments: { wallet, store: stores.payments, ...budget } } : {}),
      });
      await client.start();
      return await work(client);
    } finally {
      await stores.close();
    }
  } finally {
    wallet?.close();
  }
}
