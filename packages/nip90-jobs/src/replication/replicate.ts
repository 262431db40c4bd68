import type { JobClient } from '../client/client.ts';
import type { JobSpec } from '../client/client-options.ts';
import type { JobHandle } from '../client/handle.ts';
import { readPublicKey } from '../codec/index.ts';
import { JobError } from '../errors.ts';
import type { JobResult } from '../outcome.ts';
import {
  type Consensus,
  type Criticality,
  consensus,
  type Equivalence,
  REPLICATION_PLANS,
  type Vote,
} from './consensus.ts';

/** Whom to ask, and where they read. */
export interface Replica {
  /** 64 hex digits or an npub. */
  readonly provider: string;
  readonly providerRelays?: readonly string[];
}

/** How a replicated job is asked for. */
export interface ReplicationOptions {
  readonly criticality: Criticality;
  /** As many different ones as the criticality asks for, best first; more are not asked. */
  readonly replicas: readonly Replica[];
  /** When two answers are the same. @default bit by bit in canonical form */
  readonly isEquivalent?: Equivalence;
  /** Your name for this piece of work. Each provider's job has this key and the provider's. @default none */
  readonly idempotencyKey?: string;
  /** Cancels all of them. */
  readonly signal?: AbortSignal;
}

/** What became of a replicated job; each provider stands in one list. Who disagreed is for trust to know. */
export interface ReplicationReport {
  /** Those whose answers count, in the order in which they came. */
  readonly agreed: readonly string[];
  /** Those who answered otherwise. When nothing was agreed on, all who answered. */
  readonly dissented: readonly string[];
  /** Those who gave no answer, and why. */
  readonly failed: readonly { readonly provider: string; readonly error: Error }[];
  /** Those who were told to stop, since it was decided without them. */
  readonly cancelled: readonly string[];
}

/** An agreed answer. */
export interface ReplicatedResult extends ReplicationReport {
  readonly content: string;
  /** The first of the answers that agree. */
  readonly result: JobResult;
  readonly results: readonly JobResult[];
}

/** Too few answers agree. Code `NO_CONSENSUS`. */
export class NoConsensusError extends JobError {
  readonly report: ReplicationReport;
  constructor(message: string, report: ReplicationReport) {
    super('NO_CONSENSUS', message);
    this.report = report;
  }
}

/**
 * Has the same work done by several providers and takes what enough of them agree on (JOB-13). As soon as that is decided
 * the others are cancelled.
 *
 * @throws {JobError} `INVALID_OPTIONS` when there are too few different providers; `NO_CONSENSUS` ({@link NoConsensusError});
 * `JOB_CANCELLED` when `signal` ended it; and what `requestJob` throws
 */
export async function requestReplicated(
  client: Pick<JobClient, 'requestJob'>,
  spec: Omit<JobSpec, 'provider'>,
  options: ReplicationOptions,
): Promise<ReplicatedResult> {
  const { criticality, isEquivalent, idempotencyKey, signal } = options;
  const plan = REPLICATION_PLANS[criticality];
  const chosen = distinct(options.replicas).slice(0, plan.replicas);
  if (chosen.length < plan.replicas) {
    throw new JobError(
      'INVALID_OPTIONS',
      `${criticality} work is done by ${plan.replicas} different providers; ${chosen.length} were given.`,
    );
  }
  const jobs = await startAll(client, spec, chosen, { idempotencyKey, signal });

  const results = new Map<string, JobResult>();
  const failed: { provider: string; error: Error }[] = [];
  const votes: Vote[] = [];
  const decided = Promise.withResolvers<void>();
  const tally = (): Consensus => {
    const pending = jobs.length - votes.length - failed.length;
    return consensus(votes, {
      needed: plan.needed,
      pending,
      ...(isEquivalent ? { isEquivalent } : {}),
    });
  };
  const judge = () => {
    if (tally().outcome !== 'open') decided.resolve();
  };
  for (const { provider, job } of jobs) {
    job.result
      .then(
        (result) => {
          // A part is no answer to agree with.
          if (result.status === 'partial')
            failed.push({ provider, error: new Error('Only a part was done.') });
          else {
            results.set(provider, result);
            votes.push({ provider, content: result.content });
          }
          judge();
        },
        (error: Error) => {
          failed.push({ provider, error });
          judge();
        },
      )
      .catch(decided.reject);
  }
  await decided.promise;
  // What has come in the meantime is reported, too; it cannot undo the agreement.
  const state = tally();
  const heard = new Set([...votes, ...failed].map(({ provider }) => provider));
  const rest = jobs.filter(({ provider }) => !heard.has(provider));
  const cancelled = rest.map(({ provider }) => provider);
  // Answers that come while the others are being told change nothing any more.
  const lists = { failed: [...failed], cancelled };
  await Promise.allSettled(rest.map(({ job }) => job.cancel('It was decided without this answer.')));
  signal?.throwIfAborted();

  if (state.outcome === 'agreed') {
    const { content, agreed, dissented } = state;
    const agreeing = agreed.flatMap((provider) => results.get(provider) ?? []);
    const [result] = agreeing;
    if (result) return { content, result, results: agreeing, agreed, dissented, ...lists };
  }
  const dissented = votes.map(({ provider }) => provider);
  throw new NoConsensusError(
    `${plan.needed} of ${plan.replicas} had to agree; ${votes.length} answered and did not.`,
    { agreed: [], dissented, ...lists },
  );
}

function distinct(replicas: readonly Replica[]): Replica[] {
  const byKey = new Map<string, Replica>();
  for (const replica of replicas) {
    const provider = readPublicKey(replica.provider);
    if (provider === null) throw new JobError('INVALID_OPTIONS', `'${replica.provider}' is no public key.`);
    if (!byKey.has(provider)) byKey.set(provider, { ...replica, provider });
  }
  return [...byKey.values()];
}

/** Asks all of them, or none: when one cannot be asked, the others are cancelled. */
async function startAll(
  client: Pick<JobClient, 'requestJob'>,
  spec: Omit<JobSpec, 'provider'>,
  replicas: readonly Replica[],
  { idempotencyKey, signal }: { idempotencyKey: string | undefined; signal: AbortSignal | undefined },
): Promise<{ readonly provider: string; readonly job: JobHandle }[]> {
  const started = await Promise.allSettled(
    replicas.map(async ({ provider, providerRelays }) => ({
      provider,
      job: await client.requestJob(
        { ...spec, provider },
        {
          ...(idempotencyKey === undefined ? {} : { idempotencyKey: `${idempotencyKey} ${provider}` }),
          ...(providerRelays ? { providerRelays } : {}),
          ...(signal ? { signal } : {}),
        },
      ),
    })),
  );
  const jobs = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const broken = started.find((one) => one.status === 'rejected');
  if (broken === undefined) return jobs;
  await Promise.allSettled(jobs.map(({ job }) => job.cancel('Not all providers could be asked.')));
  throw broken.reason;
}
