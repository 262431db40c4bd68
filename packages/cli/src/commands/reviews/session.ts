import { existsSync } from 'node:fs';
import { createTransport, relayHosts } from '@bonafide/nostr-transport';
import {
  createMemoryReviewStore,
  createReputation,
  type OwnAssessment,
  type Reputation,
} from '@bonafide/reputation';
import { createKyselyReviewStore, reputationMigrations } from '@bonafide/reputation/kysely';
import { agentSigner, hasKey, throwawaySigner } from '../../agent-signer.ts';
import { type AgentSchema, openDatabase } from '../../databases.ts';
import { CliError } from '../../errors.ts';
import { fastestVerifier } from '../../fastest-verifier.ts';
import type { CliIo } from '../../io.ts';
import { openLedger } from '../../open-ledger.ts';
import { databasePath, isPostgres } from '../../workspace.ts';
import type { ReviewOptions } from './options.ts';

/** Tables of the reviews. */
export const reviewSchema: AgentSchema = {
  name: 'reputation',
  migrations: reputationMigrations,
  missing: 'There are no reviews',
};

/** Which parts a command needs. */
interface Needs {
  /** The queue must exist: without one there is nothing to show. */
  readonly queue?: boolean;
  /** Relays must be named. */
  readonly relays?: boolean;
  /** The agent's key signs; without it a random one reads. */
  readonly key?: boolean;
}

/** Reads the latest judgment of every peer with a public key. Empty without a ledger. */
async function ownAssessments(options: ReviewOptions, io: CliIo): Promise<readonly OwnAssessment[]> {
  // `--db` names the ledger as well when it is a database of everything.
  const { db = '', workspace } = options;
  const path = databasePath(isPostgres(db) ? { db } : { workspace }, io.env);
  if (!isPostgres(path) && !existsSync(path)) return [];
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
  const path = databasePath(options, io.env, 'reviews');
  const isStored = needs.queue === true || isPostgres(path) || existsSync(path);
  const db = isStored ? await openDatabase(path, reviewSchema, 'write') : null;
  try {
    const isKeyed = hasKey(options, io) || needs.key === true;
    const signer = await (isKeyed ? agentSigner(options, io) : throwawaySigner());
    const { agent: agentId } = options;
    await using transport = createTransport({
      addresses: { allowHosts: relayHosts(options.relay) },
      verifier: await fastestVerifier(),
    });
    await using opened = createReputation({
      transport,
      signer,
      store: db === null ? createMemoryReviewStore() : createKyselyReviewStore(db, { agentId }),
      // A command that reads the queue needs none, and then sends nothing.
      relays: options.relay.length > 0 ? options.relay : ['wss://relay.invalid'],
      ledger: { assessments: () => ownAssessments(options, io) },
    });
    return await work(opened);
  } finally {
    await db?.destroy();
  }
}
