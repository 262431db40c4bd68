import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sanitizeRemoteText, shortId } from '@bonafide/internal';
import type { JobClient, JobSpec } from '@bonafide/nip90-jobs';
import { npubEncode } from 'nostr-tools/nip19';
import { CliError } from '../../errors.ts';
import { fastestVerifier } from '../../fastest-verifier.ts';
import type { CliIo } from '../../io.ts';
import type { Printer } from '../../print.ts';
import {
  hostsOf,
  keyEnvironment,
  keyVariable,
  type NostrOptions,
  requireRelays,
  untilInterrupted,
} from './options.ts';

/** Environment variable of the wallet's address. */
export const walletVariable = 'BONAFIDE_WALLET';

/** Options of `bonafide job request`. */
export interface JobRequestOptions extends NostrOptions {
  readonly kind: number;
  readonly provider?: string;
  readonly param: readonly (readonly [string, string])[];
  readonly output?: string;
  readonly bid?: number;
  readonly encrypt: boolean;
  readonly id?: string;
  readonly walletFile?: string;
  /** Seconds. */
  readonly timeout: number;
}

/** Loaded on demand, because other commands do not need these packages. */
const load = async () => ({
  jobs: await import('@bonafide/nip90-jobs'),
  stores: await import('@bonafide/nip90-jobs/kysely'),
  nostr: await import('@bonafide/nostr-transport'),
  storage: await import('@bonafide/storage'),
});
type Modules = Awaited<ReturnType<typeof load>>;

/** Jobs and payments, in the workspace if there is one. */
async function openStores({ jobs, stores, storage }: Modules, workspace: string | undefined) {
  if (workspace === undefined) {
    return { store: jobs.createMemoryJobStore(), payments: null, close: async () => {} };
  }
  await mkdir(workspace, { recursive: true });
  const db = storage.openSqlite<unknown>({ path: join(workspace, 'jobs.db') });
  await stores.migrateJobs(db);
  return {
    store: stores.createKyselyJobStore(db),
    payments: stores.createKyselyPaymentStore(db),
    close: () => db.destroy(),
  };
}

/** The wallet's address; it holds a secret, so it is never an option on the command line. */
function walletUrl(options: JobRequestOptions, io: CliIo): string | null {
  const { walletFile } = options;
  if (walletFile === undefined) return io.env[walletVariable] || null;
  if (!existsSync(walletFile)) throw new CliError('USAGE', `There is no file ${walletFile}.`);
  return readFileSync(walletFile, 'utf8').trim();
}

async function openWallet(url: string) {
  try {
    // Computed, so that a bundle of this program does without the optional package.
    const name = '@bonafide/nip90-jobs/nwc';
    const { createNwcWallet }: typeof import('@bonafide/nip90-jobs/nwc') = await import(name);
    return createNwcWallet({ url });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new CliError('USAGE', 'Paying needs one more package: npm install --global @getalby/sdk');
  }
}

/** Says on stderr how it goes, as it goes. */
function follow(client: JobClient, print: Printer): void {
  const said = (what: string, words: string) =>
    print.message(words === '' ? what : `${what}: ${sanitizeRemoteText(words, 300)}`);
  client.on('transition', ({ transition }) => {
    if (transition.to === 'delivered') said('A relay has the request', '');
    if (transition.to === 'payment-required') said('The provider wants to be paid first', '');
  });
  client.on('paid', ({ payment }) =>
    said(`Paid ${payment.amountMsat} msat and ${payment.feesMsat} msat in fees`, ''),
  );
  client.on('feedback', ({ feedback }) => {
    const { status, info, content } = feedback;
    if (status === 'payment-required') return;
    said(sanitizeRemoteText(status, 40), info || content);
  });
}

/**
 * `bonafide job request`: asks for one piece of work, tells on stderr how it goes and prints the result.
 * Interrupted, it takes the request back; with a workspace and an id it only goes away, and can be called again.
 */
export async function jobRequest(
  text: string | undefined,
  options: JobRequestOptions,
  io: CliIo,
  print: Printer,
): Promise<boolean> {
  const relays = requireRelays(options);
  const modules = await load();
  const { jobs, nostr } = modules;
  const hasKey = options.keyFile !== undefined || (io.env[keyVariable] ?? '') !== '';
  const signer = nostr.createKeySigner(
    hasKey
      ? await nostr.loadSecretKey({
          env: keyVariable,
          ...(options.keyFile === undefined ? {} : { file: options.keyFile }),
          environment: keyEnvironment(io.env),
        })
      : randomBytes(32),
  );
  const url = walletUrl(options, io);
  if (options.id !== undefined && (options.workspace === undefined || !hasKey))
    throw new CliError(
      'USAGE',
      `An --id needs a --workspace to be remembered in, and a key of its own (${keyVariable}).`,
    );
  if (url !== null && options.workspace === undefined)
    throw new CliError(
      'USAGE',
      'Paying needs a --workspace, where payments are remembered, so that none is made twice.',
    );

  const spec: JobSpec = {
    kind: options.kind,
    provider: options.provider ?? null,
    inputs: text === undefined ? [] : [{ data: text }],
    params: Object.fromEntries(options.param),
    output: options.output ?? null,
    bidMsat: options.bid ?? null,
    encrypted: options.encrypt,
  };
  const stores = await openStores(modules, options.workspace);
  const wallet = url === null ? null : await openWallet(url);
  try {
    await using transport = nostr.createTransport({
      addresses: { allowHosts: hostsOf(relays) },
      verifier: await fastestVerifier(),
    });
    await using client = jobs.createJobClient({
      transport,
      signer,
      store: stores.store,
      relays,
      config: { processingTimeoutMs: options.timeout * 1_000 },
      ...(wallet && stores.payments ? { payments: { wallet, store: stores.payments } } : {}),
    });
    follow(client, print);
    await client.start();
    return await untilInterrupted(async (signal) => {
      const { id } = options;
      const job = await client.requestJob(spec, id === undefined ? { signal } : { idempotencyKey: id });
      // What bears an id is not taken back: it goes on with the next call.
      if (id !== undefined) signal.addEventListener('abort', () => void client.close(), { once: true });
      print.message(`Job ${shortId(job.jobId)}`);
      const result = await job.result;
      if (options.json) {
        const { jobId, provider, status, content, latencyMs, recovered, amountMsat } = result;
        const npub = npubEncode(provider);
        print.json({ jobId, provider, npub, status, content, latencyMs, recovered, amountMsat });
      } else printContent(result.content, io, print);
      return result.status === 'success';
    });
  } finally {
    wallet?.close();
    await stores.close();
  }
}

/** On a terminal line by line and harmless; into a file or a pipe as it is. */
function printContent(content: string, io: CliIo, print: Printer): void {
  if (io.stdout.isTTY !== true) {
    io.stdout.write(content.endsWith('\n') ? content : `${content}\n`);
    return;
  }
  for (const line of content.split('\n')) {
    const indent = /^[ \t]*/u.exec(line)?.[0].replaceAll('\t', '  ') ?? '';
    print.line(indent + sanitizeRemoteText(line, 10_000));
  }
}
