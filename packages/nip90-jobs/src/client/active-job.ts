import type { JobFeedback, ParsedResult } from '../codec/index.ts';
import { JobError } from '../errors.ts';
import { isClaimable, isFinal, type Job, type MatchedBy } from '../job.ts';
import { type AcceptResult, type JobResult, outcomeOf } from '../outcome.ts';
import type { Payment } from '../payment/payment-store.ts';
import { type AnswerHandler, type AnswerServices, createAnswerHandler } from './answer-handler.ts';
import type { ClientEnvironment } from './client-context.ts';
import { createReplayLog, type ReplayLog } from './feedback-log.ts';
import type { PublishCancellation } from './job-cancellation.ts';
import type { JobHandle } from './job-handle.ts';
import { createJobPayment, type JobPayment, type JobPaymentServices } from './job-payment.ts';
import {
  createJobRecord,
  type JobRecord,
  type JobRecordListeners,
  type JobRecordServices,
} from './job-record.ts';
import { type JobSession, type JobSessionServices, startJobSession } from './job-session.ts';

/** Services of the client that active jobs use. */
export interface ActiveJobServices {
  readonly record: JobRecordServices;
  readonly session: JobSessionServices;
  readonly payment: JobPaymentServices;
  readonly answers: AnswerServices;
  readonly publishCancellation: PublishCancellation;
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

/** How a job becomes active. */
export interface ActiveJobOptions {
  /** The stored feedback. */
  readonly said: readonly JobFeedback[];
  /** True when another client created the job, or when it had ended before. */
  readonly isResumed: boolean;
  readonly accept: AcceptResult | undefined;
}

export const createActiveJob = (
  environment: ClientEnvironment,
  services: ActiveJobServices,
  stored: Job,
  options: ActiveJobOptions,
): ActiveJob => new ClientJob(environment, services, stored, options);

/** A class, here and in the parts of a job: closures would take several kilobytes for each of thousands of open jobs. */
class ClientJob implements ActiveJob, JobRecordListeners {
  readonly handle: Writable<JobHandle>;
  readonly #environment: ClientEnvironment;
  readonly #services: ActiveJobServices;
  readonly #record: JobRecord;
  readonly #payment: JobPayment;
  readonly #answers: AnswerHandler;
  readonly #log: ReplayLog<JobFeedback>;
  readonly #settled = Promise.withResolvers<JobResult>();
  readonly #isResumed: boolean;
  /** One per time that this client drives the job. */
  #session: JobSession | null = null;

  constructor(
    environment: ClientEnvironment,
    services: ActiveJobServices,
    stored: Job,
    { said, isResumed, accept }: ActiveJobOptions,
  ) {
    this.#environment = environment;
    this.#services = services;
    this.#isResumed = isResumed;
    this.#log = createReplayLog(said);
    this.#record = createJobRecord(services.record, stored, this);
    const { lifetime } = services.answers;
    this.#payment = createJobPayment(environment, services.payment, this.#record, lifetime);
    const job = { record: this.#record, payment: this.#payment };
    this.#answers = createAnswerHandler(environment, services.answers, job, { said, accept });
    // The result may be left unobserved: its rejection must not end the process.
    this.#settled.promise.catch(ignoreRejection);
    // Plain properties that follow the record, see `onVersion`.
    this.handle = {
      jobId: stored.jobId,
      state: stored.state,
      job: stored,
      result: this.#settled.promise,
      feedback: this.#log,
      cancel: (reason) => this.#cancel(reason),
    };
    if (isFinal(stored.state)) this.#openEnded(stored);
  }

  get job(): Job {
    return this.#record.job;
  }

  isDriven(): boolean {
    return this.#session !== null;
  }

  drive(): void {
    if (this.#session !== null || isFinal(this.job.state)) return;
    this.#session = startJobSession(this.#environment, this.#services.session, this.#record, this.#payment);
  }

  yieldJob(): void {
    this.#session?.end();
    this.#session = null;
  }

  refresh(): Promise<void> {
    return this.#record.refresh();
  }

  async takeResult(result: ParsedResult, matchedBy: MatchedBy, recovered: boolean): Promise<void> {
    // Before a resumed job is driven, stored answers arrive by the subscription as well.
    const isRecovered = recovered || (this.#isResumed && this.#session === null);
    const taking = this.#answers.takeResult(result, matchedBy, isRecovered);
    // The start of a client does not wait for a server that a provider has chosen.
    if (this.#session !== null || result.reference === null) await taking;
    else this.#record.background(taking, 'Result of a job not stored');
  }

  takeFeedback(feedback: JobFeedback): Promise<void> {
    return this.#answers.takeFeedback(feedback);
  }

  takeOversized({ type, id: eventId }: { readonly type: 'result' | 'error'; readonly id: string }): void {
    const isResult = type === 'result';
    const failed = this.#record.insist({
      type: 'failed',
      at: this.#environment.clock(),
      reason: isResult ? 'result-too-large' : 'provider-error',
      message: isResult
        ? 'The result exceeds the size limit for events. Ask the provider to send it by reference.'
        : 'The provider reported an error whose text exceeds the size limit for events.',
      eventId,
    });
    this.#record.background(failed, 'Oversized answer not stored');
  }

  paymentSettled(payment: Payment): Promise<void> {
    return this.#payment.settled(payment);
  }

  claim(holder: string): Promise<boolean> {
    return this.#record.apply({ type: 'claimed', at: this.#environment.clock(), holder });
  }

  cancelOn(signal: AbortSignal): void {
    const onAbort = () => this.#record.background(this.#cancel('aborted by the caller'), 'Job not cancelled');
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true, signal: this.#record.stopSignal() });
  }

  async leave(): Promise<void> {
    this.#stop();
    await this.#record.idle();
    this.#settled.reject(
      new JobError('CLOSED', 'The job client was closed. The job stays open; the next start resumes it.'),
    );
  }

  onVersion(job: Job): void {
    this.handle.job = job;
    this.handle.state = job.state;
  }

  onChange(feedback: JobFeedback | null): void {
    if (feedback) this.#log.push(feedback);
    this.#session?.reset();
  }

  onForeign({ jobId }: Job): void {
    const reading = this.#services.session.readFeedback(jobId).then((said) => {
      for (const feedback of said) this.#log.push(feedback);
    });
    this.#record.background(reading, 'Feedback of a job not read');
    this.#session?.reset();
    this.#services.onHolderChanged(jobId);
  }

  onEnd(): void {
    this.#stop();
    this.#settle();
    this.#services.onEnded(this.job);
  }

  /** A job that had ended before: its result is known, or awaited when it was paid. */
  #openEnded(stored: Job): void {
    this.#log.end();
    // A paid job may have its result on a relay.
    if (this.#isResumed && isClaimable(stored))
      void this.#services.session.recoverAnswers(stored).then(() => this.#settle());
    else this.#settle();
  }

  async #cancel(reason = ''): Promise<void> {
    const at = this.#environment.clock();
    const isChanged = await this.#record.apply({ type: 'cancelled', at, message: reason });
    if (isChanged && this.job.attempts > 0) await this.#services.publishCancellation(this.job, reason);
  }

  #settle(): void {
    const outcome = outcomeOf(this.job);
    if (outcome instanceof Error) this.#settled.reject(outcome);
    else if (outcome) this.#settled.resolve(outcome);
  }

  #stop(): void {
    this.yieldJob();
    this.#payment.end();
    this.#record.end();
    this.#log.end();
  }
}

const ignoreRejection = (): void => {};
