import { buildJobCancellation, type JobFeedback, type ParsedResult } from '../codec/index.ts';
import { JobError } from '../errors.ts';
import { isFinal, type Job, type MatchedBy } from '../job.ts';
import { type JobResult, outcomeOf } from '../outcome.ts';
import { pause } from '../timers.ts';
import { createAnswerHandler } from './answer-handler.ts';
import type { ClientContext } from './client-context.ts';
import { deliver } from './delivery.ts';
import { createLog } from './feedback-log.ts';
import { createJobDeadline } from './job-deadline.ts';
import type { JobHandle } from './job-handle.ts';
import { createJobPayment } from './job-payment.ts';
import { createJobRecord } from './job-record.ts';

/** One job in the hands of a running client. */
export interface ActiveJob {
  readonly job: Job;
  readonly handle: JobHandle;
  /** Starts delivery and deadlines; does nothing the second time. */
  drive(): void;
  takeResult(result: ParsedResult, matchedBy: MatchedBy, recovered: boolean): Promise<void>;
  takeFeedback(feedback: JobFeedback): Promise<void>;
  cancelOn(signal: AbortSignal): void;
  /** Stops following and leaves the job open. */
  leave(): Promise<void>;
}

/** How long the deletion of a cancelled request is tried. */
const cancellationTimeoutMs = 5_000;

/**
 * Follows a job from its request to its end: delivers it, waits, listens, pays. `said` is the feedback taken in before;
 * `resumed` tells that the job was begun by an earlier process.
 */
export function createActiveJob(
  context: ClientContext,
  stored: Job,
  said: readonly JobFeedback[],
  resumed: boolean,
): ActiveJob {
  const { transport, signer, clock, timers, logger, config } = context;
  const log = createLog(said);
  const settled = Promise.withResolvers<JobResult>();
  // Nobody has to look at the result: a rejection that no one observes must not end the process.
  settled.promise.catch(() => {});
  let driven = false;

  const stopFollowing = () => {
    patience.end();
    settlement.end();
    record.end();
    log.end();
  };

  const finish = () => {
    stopFollowing();
    const outcome = outcomeOf(record.job);
    if (outcome instanceof Error) settled.reject(outcome);
    else if (outcome) settled.resolve(outcome);
    context.onEnd(record.job.jobId);
  };

  const record = createJobRecord(context, stored, {
    onChange(feedback) {
      if (feedback) log.push(feedback);
      if (driven) patience.reset();
    },
    onOver: finish,
  });

  /** What was published but never arrived is asked for; what it refers to is not waited for without end (JOB-16). */
  const recoverAnswers = async () => {
    const enough = new AbortController();
    try {
      const limit = pause(timers, config.resultTimeoutMs, enough.signal);
      await Promise.race([context.recover(record.job, record.stop), limit]);
    } catch (error) {
      logger.warn({ err: error, jobId: record.job.jobId }, 'Stored answers could not be looked for');
    } finally {
      enough.abort();
    }
  };

  const settlement = createJobPayment(context, record);
  const listening = createAnswerHandler(context, record, settlement, said);
  const patience = createJobDeadline(context, record, {
    resumed,
    recoverAnswers,
    beforeTimeout: settlement.giveUp,
  });

  const cancel = async (reason = ''): Promise<void> => {
    const { job } = record;
    const { request, provider, relays, deliveredTo, providerRelays } = job;
    const isChanged = await record.apply({ type: 'cancelled', at: clock(), message: reason });
    if (!isChanged || job.attempts === 0) return;
    try {
      const template = buildJobCancellation({ request, provider, reason, createdAt: clock() });
      const everywhere = [...new Set([...deliveredTo, ...providerRelays, ...relays])];
      await transport.publish(await signer.signEvent(template), everywhere, {
        timeoutMs: cancellationTimeoutMs,
      });
    } catch (error) {
      logger.warn({ err: error, jobId: job.jobId }, 'The cancellation of a job could not be published');
    }
  };

  if (isFinal(stored.state)) finish();

  return {
    get job() {
      return record.job;
    },
    handle: {
      jobId: stored.jobId,
      get state() {
        return record.job.state;
      },
      get job() {
        return record.job;
      },
      result: settled.promise,
      feedback: log,
      cancel,
    },
    drive() {
      if (driven || isFinal(record.job.state)) return;
      driven = true;
      // An earlier process ended between hearing of the price and the end of the payment. What was heard since is seen
      // to already.
      if (stored.state === 'payment-required' && record.job.state === 'payment-required')
        record.background(settlement.resume(said), 'A payment could not be gone on with');
      patience.reset();
      record.background(deliver(context, record, recoverAnswers), 'A job could not be delivered');
    },
    takeFeedback: listening.takeFeedback,
    async takeResult(result, matchedBy, recovered) {
      // Until a resumed job is driven, what the relays had stored comes by the subscription as well.
      const taking = listening.takeResult(result, matchedBy, recovered || (resumed && !driven));
      // A client that starts does not wait for a server that a provider has chosen.
      if (driven || result.reference === null) await taking;
      else record.background(taking, 'A result could not be taken in');
    },
    cancelOn(signal) {
      const onAbort = () =>
        record.background(cancel('aborted by the caller'), 'A job could not be cancelled');
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true, signal: record.stop });
    },
    async leave() {
      stopFollowing();
      await record.idle();
      settled.reject(
        new JobError(
          'CLOSED',
          'The job client was closed. The job stays open and goes on with the next start.',
        ),
      );
    },
  };
}
