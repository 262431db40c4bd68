import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { OwnAssessment, Reputation } from '@bonafide/reputation';
import type { Command } from 'commander';
import { agentSigner, hasKey, keyVariable, throwawaySigner } from '../../agent-signer.ts';
import { CliError } from '../../errors.ts';
import { fastestVerifier } from '../../fastest-verifier.ts';
import type { CliIo } from '../../io.ts';
import { withAgent, withRelays } from '../../options.ts';
import { openLedger } from '../../workspace.ts';
import { hostsOf } from '../job/options.ts';

/** Options of every command about reviews. */
export interface ReviewOptions {
  readonly workspace?: string;
  readonly agent: string;
  readonly relay: readonly string[];
  readonly keyFile?: string;
  readonly json: boolean;
}

/** Adds the options of every command about reviews. */
export function withReviews(command: Command): Command {
  return withAgent(withRelays(command, 'a relay to publish to and to read from'))
    .option(
      '-w, --workspace <dir>',
      "the agent's folder; its queue is <dir>/reviews.db (default: ~/.bonafide)",
    )
    .option('--key-file <file>', `the agent's key, in a file of mode 0600 (default: $${keyVariable})`)
    .option('--json', 'print one JSON document', false);
}

/** Loaded when needed, since other commands do not use these packages. */
const load = async () => ({
  reputation: await import('@bonafide/reputation'),
  stores: await import('@bonafide/reputation/kysely'),
  nostr: await import('@bonafide/nostr-transport'),
  storage: await import('@bonafide/storage'),
});

/** Which parts a command needs. */
interface Needs {
  /** The queue must exist: without one there is nothing to show. */
  readonly queue?: boolean;
  /** Relays must be named. */
  readonly relays?: boolean;
  /** The agent's key signs; without it a random one reads. */
  readonly key?: boolean;
}

const folderOf = ({ workspace }: ReviewOptions, env: CliIo['env']) =>
  resolve(workspace ?? join(env.HOME ?? env.USERPROFILE ?? homedir(), '.bonafide'));

/** Reads the latest judgment of every peer with a public key. Empty without a ledger. */
async function ownAssessments(options: ReviewOptions, io: CliIo): Promise<readonly OwnAssessment[]> {
  const path = join(folderOf(options, io.env), 'ledger.db');
  if (!existsSync(path)) return [];
  await using open = await openLedger(path, options.agent);
  const found: OwnAssessment[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof open.ledger.listPeers>> = await open.ledger.listPeers({
      limit: 1_000,
      cursor,
    });
    for (const { peerId, latest, infoScoreNow } of page.items)
      if (latest !== null && /^[0-9a-f]{64}$/u.test(peerId))
        found.push({
          peer: peerId,
          trust: latest.trust,
          infoScore: infoScoreNow,
          rationale: latest.rationale,
        });
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}

/**
 * Runs `work` with the queue of the workspace, and closes everything afterwards.
 *
 * @throws `USAGE` without relays, `DATABASE_NOT_FOUND` without a queue
 */
export async function withReputation<Result>(
  options: ReviewOptions,
  io: CliIo,
  needs: Needs,
  work: (reputation: Reputation) => Promise<Result>,
): Promise<Result> {
  if (needs.relays === true && options.relay.length === 0)
    throw new CliError('USAGE', 'Name at least one relay: --relay wss://…');
  const folder = folderOf(options, io.env);
  const path = join(folder, 'reviews.db');
  if (needs.queue === true && !existsSync(path))
    throw new CliError(
      'DATABASE_NOT_FOUND',
      `There are no reviews at ${path}. Name the agent's folder with --workspace <dir>.`,
    );
  const { reputation, stores, nostr, storage } = await load();
  const isKeyed = hasKey(options, io) || needs.key === true;
  const signer = await (isKeyed ? agentSigner(options, io) : throwawaySigner());
  const isStored = existsSync(path) || needs.queue === true;
  if (isStored) await mkdir(folder, { recursive: true });
  const db = isStored ? storage.openSqlite<unknown>({ path }) : null;
  try {
    if (db !== null) await stores.migrateReputation(db);
    const { agent: agentId } = options;
    await using transport = nostr.createTransport({
      addresses: { allowHosts: hostsOf(options.relay) },
      verifier: await fastestVerifier(),
    });
    await using opened = reputation.createReputation({
      transport,
      signer,
      store:
        db === null ? reputation.createMemoryReviewStore() : stores.createKyselyReviewStore(db, { agentId }),
      // A command that reads the queue needs none, and then sends nothing.
      relays: options.relay.length > 0 ? options.relay : ['wss://relay.invalid'],
      ledger: { assessments: () => ownAssessments(options, io) },
    });
    return await work(opened);
  } finally {
    await db?.destroy();
  }
}
