import * as z from 'zod';
import type { JobSpec } from '../client/client-options.ts';
import type { JobClient } from '../client/job-client.ts';
import { publicKeySchema, requirePublicKey } from '../codec/public-key.ts';
import { JobError } from '../errors.ts';
import { isFinal } from '../job.ts';
import {
  callable,
  msat,
  port,
  readInput,
  signal as signalSchema,
  timers as timersSchema,
} from '../option-schemas.ts';
import type { JobResult } from '../outcome.ts';
import { systemTimers, type Timers } from '../timers.ts';
import { committedBudget } from './committed-budget.ts';
import { type Criticality, type Equivalence, REPLICATION_PLANS } from './consensus.ts';
import { nextReplicationStep, type ReplicaAvailability, type ReplicationStep } from './next-step.ts';
import { type Asked, createReplicaSet, type Replica } from './replica-set.ts';
import { type Acceptance, createVoteCounter } from './vote-counter.ts';

/** Options of {@link requestReplicated}. */
export interface ReplicationOptions {
  readonly criticality: Criticality;
  /**
   * Different providers in order of preference, at least as many as the criticality needs. The rest is the
   * reserve that replaces replicas that fail, are silent or decline.
   */
  readonly replicas: readonly Replica[];
  /**
   * Compares two answers.
   * @default byte by byte in canonical form
   */
  readonly isEquivalent?: Equivalence;
  /**
   * Decides whether an answer is valid; an invalid answer counts as a failure.
   * @default every answer except a partial one
   */
  readonly isAcceptable?: Acceptance;
  /**
   * Deadline of the decision, ms since epoch; open jobs are then cancelled.
   * @default the end of the last job
   */
  readonly deadlineAt?: number;
  /**
   * Maximum cost of all replicas together without fees, in millisatoshi; replicas beyond it are not asked.
   * @default the sum of the bids
   */
  readonly budgetMsat?: number;
  /**
   * Idempotency key. A second call with it, also after a restart, resumes the first one and asks no provider
   * twice.
   * @default none
   */
  readonly idempotencyKey?: string;
  /** Cancels all replicas. */
  readonly signal?: AbortSignal;
  /** Milliseconds since epoch. @default Date.now */
  readonly clock?: () => number;
  /** @default the platform's */
  readonly timers?: Timers;
}

const clientSchema = port('requestJob', 'getByKey', 'payment');
/** The codec checks the other fields of the work, with the provider that is asked. */
const specSchema = z.looseObject({ bidMsat: msat.nullish() });
const optionsSchema = z.strictObject({
  criticality: z.enum(['low', 'medium', 'high', 'critical']),
  replicas: z.array(z.object({ provider: publicKeySchema, providerRelays: z.array(z.string()).optional() })),
  isEquivalent: callable.optional(),
  isAcceptable: callable.optional(),
  deadlineAt: z.number().min(0).optional(),
  budgetMsat: msat.optional(),
  idempotencyKey: z.string().min(1).optional(),
  signal: signalSchema.optional(),
  clock: callable.optional(),
  timers: timersSchema.optional(),
});

/** Result per provider; each provider is in one list. */
export interface ReplicationReport {
  readonly agreed: readonly string[];
  readonly dissented: readonly string[];
  /** Providers without a valid answer, with the reason; each was replaced when a candidate was left. */
  readonly failed: readonly { readonly provider: string; readonly error: Error }[];
  /** Providers that were cancelled because the decision did not need them. */
  readonly cancelled: readonly string[];
}

/** An answer on which enough replicas agree. */
export interface ReplicatedResult extends ReplicationReport {
  readonly content: string;
  /** The first of the agreeing results. */
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
 * Requests the same work from several providers and returns the answer on which enough of them agree.
 * Replicas that fail are replaced while candidates, time and budget are left. Remaining jobs are cancelled at
 * the decision.
 *
 * @throws {JobError} `INVALID_INPUT` for too few different providers or too small a budget; `NO_CONSENSUS`
 *   ({@link NoConsensusError}); `CLOSED` when the client closes, which leaves the jobs to the next client;
 *   and the errors of `requestJob`. Throws the signal's reason when it aborts.
 */
export async function requestReplicated(
  client: Pick<JobClient, 'requestJob' | 'getByKey' | 'payment'>,
  spec: Omit<JobSpec, 'provider'>,
  options: ReplicationOptions,
): Promise<ReplicatedResult> {
  readInput(clientSchema, client, 'client');
  readInput(specSchema, spec, 'spec');
  readInput(optionsSchema, options, 'options');
  const { criticality, isEquivalent, idempotencyKey, signal, deadlineAt, budgetMsat } = options;
  const { clock = Date.now, timers = systemTimers } = options;
  const plan = REPLICATION_PLANS[criticality];
  const bidMsat = spec.bidMsat ?? 0;
  const candidates = distinct(options.replicas);
  const refuse = (message: string) => {
    throw new JobError('INVALID_INPUT', `${criticality} work is done by ${plan.replicas} ${message}`);
  };
  if (candidates.length < plan.replicas) refuse(`different providers; ${candidates.length} were given.`);
  if (budgetMsat !== undefined && budgetMsat < plan.replicas * bidMsat)
    refuse(`providers for ${bidMsat} msat each; the budget is ${budgetMsat} msat.`);

  signal?.throwIfAborted();

  const replicaSet = createReplicaSet(client, spec, { idempotencyKey, signal });
  const counter = createVoteCounter(options.isAcceptable);
  let change = Promise.withResolvers<void>();
  let counterError: unknown = null;
  const watch = (one: Asked) => {
    counter
      .count(one)
      .catch((error) => {
        counterError = error;
      })
      .finally(() => change.resolve());
  };

  const isLate = () => deadlineAt !== undefined && clock() >= deadlineAt;
  const candidate = () =>
    candidates.find(({ provider }) => replicaSet.asked.every((one) => one.provider !== provider));
  const availabilityOf = async (next: Replica | undefined): Promise<ReplicaAvailability> => {
    if (next === undefined || signal?.aborted || isLate()) return 'never';
    if (budgetMsat === undefined) return 'now';
    const { spent, held } = await committedBudget(client, replicaSet.asked, bidMsat);
    if (spent + held + bidMsat <= budgetMsat) return 'now';
    return spent + bidMsat <= budgetMsat ? 'later' : 'never';
  };

  const evaluate = (availability: ReplicaAvailability): ReplicationStep => {
    const { votes, failed, cancelled } = counter;
    const running = replicaSet.asked.length - votes.length - failed.length - cancelled.length;
    return nextReplicationStep({
      plan,
      votes,
      running,
      cancelled: cancelled.length,
      availability,
      isEquivalent,
    });
  };

  const nextChange = async (): Promise<void> => {
    const wake = change.resolve;
    const cancel = deadlineAt === undefined ? null : timers.after(Math.max(0, deadlineAt - clock()), wake);
    await change.promise;
    cancel?.();
  };

  /** Asks and waits until there is nothing left to wait for. */
  const decide = async (): Promise<ReplicationStep> => {
    for (;;) {
      change = Promise.withResolvers();
      if (counterError !== null) throw counterError;
      const next = candidate();
      const decision = evaluate(await availabilityOf(next));
      if (decision.step === 'accept' || decision.step === 'give-up' || isLate()) return decision;
      if (decision.step === 'ask' && next) watch(await replicaSet.ask(next));
      else await nextChange();
    }
  };

  /** Cancels the jobs without a known outcome. */
  const cancelOthers = async (reason: string): Promise<string[]> => {
    const { votes, failed, cancelled } = counter;
    const known = new Set([...[...votes, ...failed].map(({ provider }) => provider), ...cancelled]);
    const rest = replicaSet.asked.filter(({ provider }) => !known.has(provider));
    await Promise.allSettled(rest.map(({ job }) => job.cancel(reason)));
    return rest.map(({ provider }) => provider);
  };

  for (const one of await replicaSet.adopt()) {
    // What is over is counted before anybody is asked in its place.
    if (isFinal(one.job.state)) await counter.count(one);
    else watch(one);
  }
  const decision = await decide().catch(async (error) => {
    // The jobs of a client that was closed wait for the next one.
    if (!(error instanceof JobError && error.code === 'CLOSED'))
      await cancelOthers('Not all providers could be asked.');
    throw error;
  });

  const isOutOfTime = decision.step !== 'accept' && isLate();
  // AnswerSubscriptions that come while the others are being told change nothing any more.
  const { results } = counter;
  const votes = [...counter.votes];
  const failed = [...counter.failed];
  const stopped = [...counter.cancelled];
  const cancelled = [...stopped, ...(await cancelOthers('It was decided without this answer.'))];
  signal?.throwIfAborted();

  if (decision.step === 'accept') {
    const { content, agreed, dissented } = decision.agreement;
    const agreeing = agreed.flatMap((provider) => results.get(provider) ?? []);
    const [result] = agreeing;
    if (result) return { content, result, results: agreeing, agreed, dissented, failed, cancelled };
  }
  const dissented = votes.map(({ provider }) => provider);
  throw new NoConsensusError(
    isOutOfTime
      ? `${plan.needed} had to agree in time; ${votes.length} answered.`
      : `${plan.needed} of ${plan.replicas} had to agree; ${votes.length} answered and did not.`,
    { agreed: [], dissented, failed, cancelled },
  );
}

function distinct(replicas: readonly Replica[]): Replica[] {
  const byKey = new Map<string, Replica>();
  for (const replica of replicas) {
    const provider = requirePublicKey(replica.provider);
    if (!byKey.has(provider)) byKey.set(provider, { ...replica, provider });
  }
  return [...byKey.values()];
}
