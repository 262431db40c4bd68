import type { Signer, Transport } from '@bonafide/nostr-transport';
import { createBackup, restoreBackup } from '@bonafide/routing-matrix';
import { agentSigner } from '../../agent-signer.ts';
import { readErasures } from '../../erasure-lists.ts';
import { repeatErasures } from '../../erasures.ts';
import { CliError } from '../../errors.ts';
import { fastestVerifier } from '../../fastest-verifier.ts';
import { storedIn } from '../../peer-stores.ts';
import type { Printer } from '../../print.ts';
import type { CommandIo } from '../../progress.ts';
import { databasePath } from '../../workspace.ts';
import type { RouteOptions } from './options.ts';
import { withMatrix } from './session.ts';

/** Options of backup and restore. */
export interface RouteBackupOptions extends RouteOptions {
  readonly relay: readonly string[];
  readonly keyFile?: string;
}

/** Time for relays to answer, ms. */
const answerMs = 20_000;

/** Runs `use` with a connection to the relays as the agent. */
async function withRelaysOf<Result>(
  options: RouteBackupOptions,
  io: CommandIo,
  use: (connection: { readonly transport: Transport; readonly signer: Signer }) => Promise<Result>,
): Promise<Result> {
  if (options.relay.length === 0) throw new CliError('USAGE', 'Name at least one relay: --relay wss://…');
  io.progress.say('Asking the relays');
  const nostr = await import('@bonafide/nostr-transport');
  const signer = await agentSigner(options, io);
  await using transport = nostr.createTransport({
    addresses: { allowHosts: nostr.relayHosts(options.relay) },
    verifier: await fastestVerifier(),
    auth: { signer, allow: options.relay },
  });
  return await use({ transport, signer });
}

/** Reads the private messages that the agent sent to itself. Those of others are left out. */
async function ownMessages(
  { transport, signer }: { readonly transport: Transport; readonly signer: Signer },
  relays: readonly string[],
  isEnough: (messages: readonly string[]) => boolean = () => false,
): Promise<readonly string[]> {
  const { receivePrivate } = await import('@bonafide/nostr-transport');
  const me = await signer.getPublicKey();
  const messages: string[] = [];
  // Stored messages of a relay that does not answer in time are missing: the result of a restoration says so.
  const done = Promise.withResolvers<void>();
  const timer = setTimeout(done.resolve, answerMs);
  const silent = new Set(relays);
  const inbox = await receivePrivate({
    transport,
    signer,
    relays,
    onMessage: ({ sender, content }) => {
      if (sender === me) messages.push(content);
      if (isEnough(messages)) done.resolve();
    },
    onEose: (relay) => {
      silent.delete(relay);
      if (silent.size === 0) done.resolve();
    },
  });
  try {
    await done.promise;
  } finally {
    clearTimeout(timer);
    await inbox.close();
  }
  return messages;
}

/**
 * Returns the relays that keep gift wraps of strangers: one is sent to the agent by itself, and read back. Others drop
 * them, and a backup there would be lost.
 */
async function relaysThatKeep(
  connection: { readonly transport: Transport; readonly signer: Signer },
  relays: readonly string[],
): Promise<readonly string[]> {
  const { sendPrivate } = await import('@bonafide/nostr-transport');
  const recipient = await connection.signer.getPublicKey();
  const found = await Promise.all(
    relays.map(async (relay) => {
      const content = `probe ${crypto.randomUUID()}`;
      try {
        await sendPrivate({ ...connection, recipient, content, relays: [relay], inboxRelays: [relay] });
        const isHere = (messages: readonly string[]) => messages.includes(content);
        return isHere(await ownMessages(connection, [relay], isHere));
      } catch {
        return false;
      }
    }),
  );
  return relays.filter((_, index) => found[index] === true);
}

/** `bonafide routes backup`: sends the matrix to the agent itself, as private messages. */
export async function routesBackup(
  options: RouteBackupOptions,
  io: CommandIo,
  print: Printer,
): Promise<void> {
  await withMatrix(options, io, ({ matrix, store }) =>
    withRelaysOf(options, io, async (connection) => {
      const { sendPrivate } = await import('@bonafide/nostr-transport');
      const inboxRelays = await relaysThatKeep(connection, options.relay);
      if (inboxRelays.length === 0)
        throw new CliError(
          'NO_RELAY',
          'None of the relays keeps private messages. Name others with --relay.',
        );
      const recipient = await connection.signer.getPublicKey();
      let sent = 0;
      const send = async (content: string) => {
        const { delivered } = await sendPrivate({
          ...connection,
          recipient,
          content,
          relays: inboxRelays,
          inboxRelays,
        });
        if (!delivered) throw new CliError('NO_RELAY', 'No relay took the backup.');
        sent += 1;
      };
      const backup = createBackup({ matrix, store, sink: { send } });
      await backup.flush();
      await backup.close();
      if (options.json) print.json({ messages: sent, relays: inboxRelays });
      else print.line(`Sent ${sent} messages to ${inboxRelays.join(', ')}.`);
    }),
  );
}

/** `bonafide routes restore`: restores the matrix on a fresh machine. */
export async function routesRestore(
  options: RouteBackupOptions,
  io: CommandIo,
  print: Printer,
): Promise<void> {
  const messages = await withRelaysOf(options, io, (connection) => ownMessages(connection, options.relay));
  const path = databasePath(options, io.env, 'agent');
  // Read first: a list that cannot be read must not bring platforms back.
  const lists = await readErasures(path);
  const restored = await withMatrix(options, io, async ({ store }) => restoreBackup(messages, store), {
    create: true,
  });
  // The messages are of any time.
  const { stores } = await repeatErasures(path, lists, { madeAt: null, only: 'routing' });
  if (options.json) print.json({ ...restored, stores });
  else {
    if (stores.length > 0) print.line(storedIn(stores, 'Erased again').trim());
    print.line(`Restored the state at record ${restored.baseSeq} and ${restored.records} records after it.`);
    if (restored.gap) print.message('Some messages in between are missing: evidence may be lost.');
  }
}
