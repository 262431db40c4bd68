import type { Signer, Transport } from '@bonafide/nostr-transport';
import { buildJobCancellation, type JobFeedback, type ParsedResult } from '../codec/index.ts';
import { JobError } from '../errors.ts';
import { isClaimable, isFinal, type Job, type MatchedBy } from '../job.ts';
import { lazy } from '../lazy.ts';
import { type AcceptResult, type JobResult, outcomeOf } from '../outcome.ts';
import type { Payment } from '../payment/payment-store.ts';
import type { JobStore } from '../store.ts';
import { pause } from '../timers.ts';
import { createAnswerHandler } from './answer-handler.ts';
import type { ClientEnvironment, JobNotifications } from './client-context.ts';
import type { DecryptAnswer } from './decrypt-answer.ts';
import { type DeliveryServices, deliver } from './delivery.ts';
import { createReplayLog } from './feedback-log.ts';
import { createContentFetcher, type Downloads } from './fetch-content.ts';
import { createJobDeadline, type JobDeadline } from './job-deadline.ts';
import type { JobHandle } from './job-handle.ts';
import { createJobPayment, type JobPaymentServices } from './job-payment.ts';
import { createJobRecord } from './job-record.ts';

/** Services of the client that active jobs use. */
export interface ActiveJobServices {
  readonly store: JobStore;
  readonly transport: Transport;
  readonly signer: Signer;
  readonly notify: JobNotifications;
  readonly delivery: DeliveryServices;
  readonly payment: JobPaymentServices;
  readonly decryptAnswer: DecryptAnswer;
  readonly downloads: Downloads;
  /** Aborts when the client closes; unlike the signal of a record it outlives the end of a job, for late results. */
  readonly lifetime: AbortSignal;
  /** Queries the relays for answers to a job and applies them. Returns false when no relay was read completely. */
  recover(job: Job, signal: AbortSignal): Promise<boolean>;
  /** Reads the stored feedback of a job. */
  readFeedback(jobId: string): Promise<readonly JobFeedback[]>;
  /** Called when the job has ended, or when another process has changed its holder. */
  onEnded(job: Job): void;
  onHolderChanged(jobId: string): void;
}

/** A job that a running client drives, or watches while another process drives it. */
export interface ActiveJob {
  readonly job: Job;
  readonly handle: JobHandle;
  /** Returns true while this client delivers, waits and pays. */
  isDriven(): boolean;
  /** Starts to deliver, wait and pay. The caller holds the job. No effect for a driven or ended job. */
  drive(): void;
  /** Stops to drive, since another process holds the job. */
  yieldJob(): void;
  /** Reads what another process has stored. */
  refresh(): Promise<void>;
  takeResult(result: ParsedResult, matchedBy: MatchedBy, recovered: boolean): Promise<void>;
  takeFeedback(feedback: JobFeedback): Promise<void>;
  /** Ends the job because its result, or its error, exceeds the transport's size limit. */
  takeOversized(answer: { readonly type: 'result' | 'error'; readonly id: string }): void;
  /** Stores that the payment settled, also after the end of the job. */
  paymentSettled(payment: Payment): Promise<void>;
  /** Stores that `holder` drives the job. */
  claim(holder: string): Promise<boolean>;
  cancelOn(signal: AbortSignal): void;
  /** Stops, and leaves the job open for the next client. */
  leave(): Promise<void>;
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** Time limit for publishing a cancellation, in ms. */
const cancellationTimeoutMs = 5_000;

/** `said` is the stored feedback. `isResumed`: another client created the job, or it had ended before. */
export function createActiveJob(
  environment: ClientEnvironment,
  services: ActiveJobServices,
  stored: Job,
  options: {
    readonly said: readonly JobFeedback[];
    readonly isResumed: boolean;
    readonly accept: AcceptResult | undefined;
  },
): ActiveJob {
  const { clock, timers, logger, config } = environment;
  const { store, transport, signer, notify } = services;
  const { said, isResumed, accept } = options;
  const log = createReplayLog(said, ({ id }) => id);
  const settled = Promise.withResolvers<JobResult>();
  // The result may be left unobserved: its rejection must not end the process.
  settled.promise.catch(() => {});
  /** One per time that this client drives the job. */
  let session: { readonly abort: AbortController; readonly deadline: JobDeadline } | null = null;

  const stop = () => {
    yieldJob();
    payment.end();
    record.end();
    log.end();
  };

  const settle = () => {
    const outcome = outcomeOf(record.job);
    if (outcome instanceof Error) settled.reject(outcome);
    else if (outcome) settled.resolve(outcome);
  };

  const record = createJobRecord({ store, timers, logger, notify }, stored, {
    onVersion(job) {
      active.job = job;
      handle.job = job;
      handle.state = job.state;
    },
    onChange(feedback) {
      if (feedback) log.push(feedback);
      session?.deadline.reset();
    },
    onForeign(job) {
      record.background(
        services.readFeedback(job.jobId).then((all) => all.forEach(log.push)),
        'Feedback of a job not read',
      );
      session?.deadline.reset();
      services.onHolderChanged(job.jobId);
    },
    onEnd() {
      stop();
      settle();
      services.onEnded(record.job);
    },
  });

  /** Queries the relays for missed answers, at most as long as a result may take. Returns false when none was read. */
  const recoverAnswers = async (): Promise<boolean> => {
    const enough = new AbortController();
    try {
      const limit = pause(timers, config.resultTimeoutMs, enough.signal).then(() => false);
      return await Promise.race([services.recover(record.job, services.lifetime), limit]);
    } catch (error) {
      logger.warn({ err: error, jobId: record.job.jobId }, 'Relays not queried for answers');
      return false;
    } finally {
      enough.abort();
    }
  };

  const payment = createJobPayment(environment, services.payment, record, services.lifetime);
  const fetcher = lazy(() => createContentFetcher(environment, services, record));
  const answers = createAnswerHandler(
    environment,
    {
      notify,
      decryptAnswer: services.decryptAnswer,
      // Created when a result is not in its event: most jobs never need it, and there are thousands.
      fetchContent: (result) => fetcher()(result),
      accept,
    },
    record,
    payment,
    said,
  );

  const yieldJob = () => {
    session?.abort.abort();
    session?.deadline.end();
    session = null;
  };

  const cancel = async (reason = ''): Promise<void> => {
    const { request, provider, relays, deliveredTo, providerRelays } = record.job;
    const isChanged = await record.apply({ type: 'cancelled', at: clock(), message: reason });
    if (!isChanged || record.job.attempts === 0) return;
    try {
      const template = buildJobCancellation({ request, provider, reason, createdAt: clock() });
      const everywhere = [...new Set([...deliveredTo, ...providerRelays, ...relays])];
      await transport.publish(await signer.signEvent(template), everywhere, {
        timeoutMs: cancellationTimeoutMs,
      });
    } catch (error) {
      logger.warn({ err: error, jobId: record.job.jobId }, 'Cancellation not published');
    }
  };

  if (isFinal(stored.state)) {
    log.end();
    // A paid job may have its result on a relay.
    if (isResumed && isClaimable(stored)) void recoverAnswers().then(settle);
    else settle();
  }

  // Plain properties that follow the record, see there.
  const handle: Writable<JobHandle> = {
    jobId: stored.jobId,
    state: stored.state,
    job: stored,
    result: settled.promise,
    feedback: log,
    cancel,
  };
  const active: Writable<ActiveJob> = {
    job: stored,
    isDriven: () => session !== null,
    handle,
    drive() {
      if (session !== null || isFinal(record.job.state)) return;
      // The end of the record ends the session too.
      const abort = new AbortController();
      const { signal } = abort;
      const deadline = createJobDeadline(environment, record, {
        signal,
        recoverAnswers,
        beforeTimeout: payment.giveUp,
      });
      session = { abort, deadline };
      // An earlier process ended between the demand and the end of the payment.
      if (record.job.state === 'payment-required' && !payment.isUnderWay())
        record.background(
          services.readFeedback(stored.jobId).then((all) => payment.resume(all)),
          'Payment of a job not resumed',
        );
      deadline.reset();
      record.background(
        deliver(environment, services.delivery, record, { signal, recoverAnswers }),
        'Job not delivered',
      );
    },
    yieldJob,
    refresh: () => record.refresh(),
    takeFeedback: answers.takeFeedback,
    async takeResult(result, matchedBy, recovered) {
      // Before a resumed job is driven, stored answers arrive by the subscription as well.
      const isRecovered = recovered || (isResumed && session === null);
      const taking = answers.takeResult(result, matchedBy, isRecovered);
      // The start of a client does not wait for a server that a provider has chosen.
      if (session !== null || result.reference === null) await taking;
      else record.background(taking, 'Result of a job not stored');
    },
    takeOversized: ({ type, id: eventId }) =>
      record.background(
        record.insist({
          type: 'failed',
          at: clock(),
          reason: type === 'result' ? 'result-too-large' : 'provider-error',
          message:
            type === 'result'
              ? 'The result exceeds the size limit for events. Ask the provider to send it by reference.'
              : 'The provider reported an error whose text exceeds the size limit for events.',
          eventId,
        }),
        'Oversized answer not stored',
      ),
    paymentSettled: payment.settled,
    claim: (holder) => record.apply({ type: 'claimed', at: clock(), holder }),
    cancelOn(signal) {
      const onAbort = () => record.background(cancel('aborted by the caller'), 'Job not cancelled');
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true, signal: record.stopSignal() });
    },
    async leave() {
      stop();
      await record.idle();
      settled.reject(
        new JobError('CLOSED', 'The job client was closed. The job stays open; the next start resumes it.'),
      );
    },
  };
  return active;
}
