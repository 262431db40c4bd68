import type { JobClient } from '../client/client.ts';
import type { JobSpec } from '../client/client-options.ts';
import { readPublicKey } from '../codec/index.ts';
import { JobError } from '../errors.ts';
import { isFinal } from '../job.ts';
import type { JobResult } from '../outcome.ts';
import { systemTimers, type Timers } from '../timers.ts';
import { type Acceptance, createBallot } from './ballot.ts';
import { committedMoney } from './committed-money.ts';
import { type Criticality, type Equivalence, REPLICATION_PLANS } from './consensus.ts';
import { type Move, nextMove, type Room } from './next-move.ts';
import { type Asked, createPanel, type Replica } from './panel.ts';

/** How a replicated job is asked for. */
export interface ReplicationOptions {
  readonly criticality: Criticality;
  /**
   * Different ones, best first: as many as the criticality asks for at least. Those beyond are the reserve, who are asked in
   * the place of one that fails, is silent or declines.
   */
  readonly replicas: readonly Replica[];
  /** When two answers are the same. @default bit by bit in canonical form */
  readonly isEquivalent?: Equivalence;
  /** Whether an answer counts at all: one that does not counts as failed. @default each does that is no mere part */
  readonly isAcceptable?: Acceptance;
  /** When it must be decided, ms since epoch: what is open then is cancelled. @default when the last job is over */
  readonly deadlineAt?: number;
  /** The most that all of them together may cost, fees aside, in millisatoshi: nobody is asked beyond it. @default no limit but the bids */
  readonly budgetMsat?: number;
  /**
   * Your name for this piece of work. Asked for again with it, also after a restart, it goes on where it stood: whoever was
   * asked is not asked again. @default none
   */
  readonly idempotencyKey?: string;
  /** Cancels all of them. */
  readonly signal?: AbortSignal;
  /** Milliseconds since epoch. @default Date.now */
  readonly clock?: () => number;
  /** @default the platform's */
  readonly timers?: Timers;
}

/** What became of a replicated job; each provider stands in one list. Who disagreed is for trust to know. */
export interface ReplicationReport {
  readonly agreed: readonly string[];
  readonly dissented: readonly string[];
  /** Those who gave no answer that counts, and why; each left its place to another one, if there was one. */
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
 * Has the same work done by several providers and takes what enough of them agree on (JOB-13). Who fails is replaced, as
 * long as others are left, and time and money. As soon as it is decided the others are cancelled.
 *
 * @throws {JobError} `INVALID_OPTIONS` when there are too few different providers, or too little money for them;
 * `NO_CONSENSUS` ({@link NoConsensusError}); `CLOSED` when the client was closed, and the jobs wait for the next one; and
 * what `requestJob` throws. When `signal` ended it, its reason.
 */
export async function requestReplicated(
  client: Pick<JobClient, 'requestJob' | 'getByKey' | 'payment'>,
  spec: Omit<JobSpec, 'provider'>,
  options: ReplicationOptions,
): Promise<ReplicatedResult> {
  const { criticality, isEquivalent, idempotencyKey, signal, deadlineAt, budgetMsat } = options;
  const { clock = Date.now, timers = systemTimers } = options;
  const plan = REPLICATION_PLANS[criticality];
  const bidMsat = spec.bidMsat ?? 0;
  const candidates = distinct(options.replicas);
  const refuse = (message: string) => {
    throw new JobError('INVALID_OPTIONS', `${criticality} work is done by ${plan.replicas} ${message}`);
  };
  if (candidates.length < plan.replicas) refuse(`different providers; ${candidates.length} were given.`);
  if (budgetMsat !== undefined && budgetMsat < plan.replicas * bidMsat)
    refuse(`providers for ${bidMsat} msat each; the budget is ${budgetMsat} msat.`);

  signal?.throwIfAborted();

  const panel = createPanel(client, spec, { idempotencyKey, signal });
  const ballot = createBallot(options.isAcceptable);
  let change = Promise.withResolvers<void>();
  let broken: unknown = null;
  const watch = (one: Asked) => {
    ballot
      .count(one)
      .catch((error) => {
        broken = error;
      })
      .finally(() => change.resolve());
  };

  const isLate = () => deadlineAt !== undefined && clock() >= deadlineAt;
  const candidate = () =>
    candidates.find(({ provider }) => panel.asked.every((one) => one.provider !== provider));
  const roomFor = async (next: Replica | undefined): Promise<Room> => {
    if (next === undefined || signal?.aborted || isLate()) return 'never';
    if (budgetMsat === undefined) return 'now';
    const { spent, held } = await committedMoney(client, panel.asked, bidMsat);
    if (spent + held + bidMsat <= budgetMsat) return 'now';
    return spent + bidMsat <= budgetMsat ? 'later' : 'never';
  };

  const think = (room: Room): Move => {
    const { votes, failed, cancelled } = ballot;
    const running = panel.asked.length - votes.length - failed.length - cancelled.length;
    return nextMove({ plan, votes, running, cancelled: cancelled.length, room, isEquivalent });
  };

  const changed = async (): Promise<void> => {
    const wake = change.resolve;
    const cancel = deadlineAt === undefined ? null : timers.after(Math.max(0, deadlineAt - clock()), wake);
    await change.promise;
    cancel?.();
  };

  /** Asks and waits until there is nothing left to wait for. */
  const decide = async (): Promise<Move> => {
    for (;;) {
      change = Promise.withResolvers();
      if (broken !== null) throw broken;
      const next = candidate();
      const move = think(await roomFor(next));
      if (move.move === 'accept' || move.move === 'give-up' || isLate()) return move;
      if (move.move === 'ask' && next) watch(await panel.ask(next));
      else await changed();
    }
  };

  /** Those of whom nothing is known yet are told to stop. */
  const dismiss = async (reason: string): Promise<string[]> => {
    const { votes, failed, cancelled } = ballot;
    const known = new Set([...[...votes, ...failed].map(({ provider }) => provider), ...cancelled]);
    const rest = panel.asked.filter(({ provider }) => !known.has(provider));
    await Promise.allSettled(rest.map(({ job }) => job.cancel(reason)));
    return rest.map(({ provider }) => provider);
  };

  for (const one of await panel.adopt()) {
    // What is over is counted before anybody is asked in its place.
    if (isFinal(one.job.state)) await ballot.count(one);
    else watch(one);
  }
  const move = await decide().catch(async (error) => {
    // The jobs of a client that was closed wait for the next one.
    if (!(error instanceof JobError && error.code === 'CLOSED'))
      await dismiss('Not all providers could be asked.');
    throw error;
  });

  const isOutOfTime = move.move !== 'accept' && isLate();
  // Answers that come while the others are being told change nothing any more.
  const { results } = ballot;
  const votes = [...ballot.votes];
  const failed = [...ballot.failed];
  const stopped = [...ballot.cancelled];
  const cancelled = [...stopped, ...(await dismiss('It was decided without this answer.'))];
  signal?.throwIfAborted();

  if (move.move === 'accept') {
    const { content, agreed, dissented } = move.agreement;
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
    const provider = readPublicKey(replica.provider);
    if (provider === null) throw new JobError('INVALID_OPTIONS', `'${replica.provider}' is no public key.`);
    if (!byKey.has(provider)) byKey.set(provider, { ...replica, provider });
  }
  return [...byKey.values()];
}
