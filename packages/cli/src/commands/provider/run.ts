import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sanitizeRemoteText, shortId } from '@bonafide/internal';
import type { ProviderOptions } from '@bonafide/nip90-jobs';
import { npubEncode } from 'nostr-tools/nip19';
import * as z from 'zod';
import { agentSigner } from '../../agent-signer.ts';
import { CliError } from '../../errors.ts';
import { fastestVerifier } from '../../fastest-verifier.ts';
import type { Printer } from '../../print.ts';
import type { CommandIo } from '../../progress.ts';
import { createWorkspace } from '../../workspace.ts';
import { type BlossomOptions, type NostrOptions, requireRelays, untilInterrupted } from '../job/options.ts';
import { openWallet, type WalletOptions, walletVariable } from '../job/wallet.ts';

const isFunction = (value: unknown) => typeof value === 'function';
const moduleSchema = z.object({
  kinds: z.array(z.number()).min(1),
  handler: z.custom<ProviderOptions['handler']>(isFunction, 'must be a function'),
  admit: z.custom<NonNullable<ProviderOptions['admit']>>(isFunction, 'must be a function').optional(),
  card: z.custom<NonNullable<ProviderOptions['card']>>((value) => typeof value === 'object').optional(),
  price: z.custom<NonNullable<ProviderOptions['price']>>(isFunction, 'must be a function').optional(),
  invoices: z
    .custom<NonNullable<ProviderOptions['invoices']>>(
      (value) =>
        isFunction((value as { create?: unknown })?.create) &&
        isFunction((value as { isPaid?: unknown }).isPaid),
      'must have create and isPaid',
    )
    .optional(),
  broadcast: z.boolean().optional(),
  concurrency: z.number().optional(),
});

/** Reads the exports of a provider's module. */
async function readModule(path: string): Promise<z.infer<typeof moduleSchema>> {
  let exported: unknown;
  try {
    exported = await import(pathToFileURL(resolve(path)).href);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CliError('USAGE', `The module ${path} cannot be loaded: ${why}`, { cause });
  }
  const parsed = moduleSchema.safeParse({ ...(exported as object) });
  if (parsed.success) return parsed.data;
  throw new CliError(
    'USAGE',
    `The module ${path} must export kinds, a list such as [5050], and handler, a function: ${z.prettifyError(parsed.error)}`,
  );
}

/** Options of `bonafide provider run`. */
export type ProviderRunOptions = NostrOptions & WalletOptions & BlossomOptions;

/** `bonafide provider run`: answers jobs with the handler of a module until it is interrupted. */
export async function providerRun(
  path: string,
  options: ProviderRunOptions,
  io: CommandIo,
  print: Printer,
): Promise<void> {
  const relays = requireRelays(options);
  const module = await readModule(path);
  const [jobs, stores, nostr, storage, trust] = await Promise.all([
    import('@bonafide/nip90-jobs'),
    import('@bonafide/nip90-jobs/kysely'),
    import('@bonafide/nostr-transport'),
    import('@bonafide/storage'),
    import('@bonafide/trust-score'),
  ]);
  const signer = await agentSigner(options, io);
  const { price } = module;
  const wallet = module.invoices ? null : await openWallet(options, io);
  const invoices = module.invoices ?? wallet ?? undefined;
  if (price !== undefined && invoices === undefined)
    throw new CliError(
      'USAGE',
      `The module ${path} has a price and no wallet: export invoices, or give --wallet-file or ${walletVariable}.`,
    );
  if (price === undefined && module.invoices !== undefined)
    throw new CliError('USAGE', `The module ${path} exports invoices and no price, and would work for free.`);
  const { workspace, blossom } = options;
  if (workspace === undefined)
    print.message('Without --workspace, answers are not stored, and requests may be answered again.');
  else createWorkspace(workspace);
  const db = storage.openSqlite<unknown>({
    path: workspace === undefined ? ':memory:' : join(workspace, 'provider.db'),
  });
  try {
    await stores.migrateJobs(db);
    await using transport = nostr.createTransport({
      addresses: { allowHosts: nostr.relayHosts(relays) },
      verifier: await fastestVerifier(),
    });
    const { kinds, handler, admit, card, broadcast, concurrency } = module;
    await using provider = jobs.createProvider({
      kinds,
      handler,
      ...(price && invoices ? { price, invoices } : {}),
      ...(admit ? { admit } : {}),
      ...(card ? { card } : {}),
      ...(broadcast === undefined ? {} : { broadcast }),
      ...(concurrency === undefined ? {} : { concurrency }),
      transport,
      signer,
      relays,
      store: stores.createKyselyProviderStore(db, { agentId: options.agent }),
      verifyReceipt: trust.verifyReceipt,
      ...(blossom.length > 0 ? { blobs: jobs.createBlossomStore({ servers: blossom, signer }) } : {}),
    });
    const tell = (event: string, requestId: string, words = '') => {
      if (options.json) io.stdout.write(`${JSON.stringify({ event, requestId, words })}\n`);
      else print.line(`${event} ${shortId(requestId)}${words === '' ? '' : `  ${words}`}`);
    };
    provider.on('request', ({ request }) =>
      tell('asked', request.id, `kind ${request.kind} by ${shortId(request.customer)}`),
    );
    provider.on('answered', ({ requestId, answer }) => {
      const status = answer.tags.find(([name]) => name === 'status');
      tell('answered', requestId, sanitizeRemoteText(status?.slice(1).join(' ') ?? '', 200));
    });
    provider.on('paid', ({ requestId, amountMsat }) => tell('paid', requestId, `${amountMsat} msat`));
    provider.on('obligation', ({ requestId, amountMsat, reason }) =>
      tell('owed', requestId, `${amountMsat} msat for work that was not delivered: ${reason}`),
    );
    provider.on('receipt', ({ requestId, customer }) =>
      tell('receipt', requestId, `by ${shortId(customer)}`),
    );
    provider.on('cancelled', ({ requestId }) => tell('cancelled', requestId));
    await provider.start();
    const key = npubEncode(await signer.getPublicKey());
    if (options.json) io.stdout.write(`${JSON.stringify({ event: 'listening', npub: key, kinds })}\n`);
    else print.line(`${key} takes jobs of kind ${kinds.join(', ')}. Ctrl-C ends it.`);
    io.progress.stop();
    await untilInterrupted(
      (signal) => new Promise<void>((end) => signal.addEventListener('abort', () => end(), { once: true })),
    );
  } finally {
    wallet?.close();
    await db.destroy();
  }
}
