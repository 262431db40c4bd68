import { type Page, relayList, requireOptions, requireRuntime, type Unsubscribe } from '@bonafide/internal';
import {
  readJobQuery,
  readJudgment,
  readName,
  readPaymentLimit,
  readProvider,
  readPrunePeriod,
  readRequest,
} from '../call-options.ts';
import { parseJobRequest, parseJobResult } from '../codec/index.ts';
import { JobError } from '../errors.ts';
import { isClaimable, type Job } from '../job.ts';
import { type JobResult, outcomeOf } from '../outcome.ts';
import type { Payment } from '../payment/payment-store.ts';
import type { JobQuery } from '../store.ts';
import { readClientEnvironment } from './client-context.ts';
import type { JobClientEvents } from './client-events.ts';
import type { JobClientOptions, JobSpec, RequestJobOptions } from './client-options.ts';
import { createJobDriver } from './job-driver.ts';
import type { JobHandle } from './job-handle.ts';
import { createJobSubmission } from './job-submission.ts';
import { createNotifications, type IgnoredCounts } from './notifications.ts';
import { quarantinedUntil } from './quarantine.ts';
import { createReceiptSender, type Judgment, type SentReceipt } from './receipts.ts';

/** Requests work and follows it until it ends. */
export interface JobClient {
  /** Resumes open jobs that no other process drives, and collects answers that arrived meanwhile. */
  start(): Promise<void>;
  /**
   * Stores and publishes a request. Resolves when it is stored; from then on it survives a crash.
   * @throws {JobError} `INVALID_INPUT`, `INPUT_TOO_LARGE`, `REQUEST_TOO_LARGE`, `IDEMPOTENCY_CONFLICT`, `NOT_STARTED`, `CLOSED`
   */
  requestJob(spec: JobSpec, options?: RequestJobOptions): Promise<JobHandle>;
  /** Returns the handle of a job, or null. An open job that no process drives is resumed. */
  get(jobId: string): Promise<JobHandle | null>;
  /** Returns the handle of the job with this idempotency key, or null. An open job that no process drives is resumed. */
  getByKey(idempotencyKey: string): Promise<JobHandle | null>;
  list(query?: JobQuery): Promise<Page<Job>>;
  /** Returns the payment for a job, or null. */
  payment(jobId: string): Promise<Payment | null>;
  /**
   * Pays for a result that asks for a payment, within the budget and at most `maxMsat` (default: the job's bid). Returns the
   * payment; a job that is paid already is not paid again.
   * @throws {JobError} `JOB_NOT_FOUND`, `INVALID_INPUT` when the result asks for nothing, `PAYMENT_DECLINED`
   */
  pay(jobId: string, options?: { readonly maxMsat?: number }): Promise<Payment>;
  /**
   * Queries the relays for the result of a job that was paid and ended without one, and returns it; null
   * without a result. Also looks up a payment that the wallet reported as failed.
   * @throws {JobError} `JOB_NOT_FOUND`
   */
  claim(jobId: string): Promise<JobResult | null>;
  /**
   * Signs a receipt for the outcome of an ended job and sends it to its provider, encrypted. A later receipt for the same job
   * replaces an earlier one. Resolves when the relays have answered; `deliveredTo` names those that accepted it.
   * @throws {JobError} `JOB_NOT_FOUND`, `INVALID_CONFIG` without `createReceipt`, `INVALID_INPUT` for an open job or one without
   *   a provider
   */
  sendReceipt(jobId: string, judgment: Judgment): Promise<SentReceipt>;
  /**
   * Deletes jobs that ended before `before` (ms since epoch), with their history and payments. Keeps open and claimable jobs,
   * and everything that counts against the budget. Returns the number of deleted jobs.
   */
  prune(options: { readonly before: number }): Promise<number>;
  /**
   * Returns the time until which a provider should not be asked, ms since epoch, because it did not answer its latest job; null
   * when it may be asked. Not enforced here: the caller chooses providers.
   */
  quarantinedUntil(provider: string): Promise<number | null>;
  on<Name extends keyof JobClientEvents>(
    name: Name,
    listener: (event: JobClientEvents[Name]) => unknown,
  ): Unsubscribe;
  /** Returns the number of ignored events since the client was created. */
  ignored(): IgnoredCounts;
  /** Stops. Open jobs stay open in the store. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const dayMs = 86_400_000;

/**
 * Creates a job client. Call `start()` before the first request.
 * @throws {JobError} `INVALID_CONFIG`; `RUNTIME_TOO_OLD` before Node 22.13
 */
export function createJobClient(options: JobClientOptions): JobClient {
  requireRuntime((message) => new JobError('RUNTIME_TOO_OLD', message));
  requireOptions(
    options,
    {
      transport: { methods: ['publish'], example: 'createTransport() of @bonafide/nostr-transport' },
      signer: { methods: ['signEvent'], example: 'createKeySigner(secret) of @bonafide/nostr-transport' },
      store: { methods: ['get'], example: 'createMemoryJobStore()' },
      relays: relayList,
    },
    (message) => new JobError('INVALID_CONFIG', message),
  );
  const environment = readClientEnvironment(options);
  const { transport, signer, store, relays, blobs, createReceipt } = options;
  const { clock, random, config } = environment;
  const notifications = createNotifications(environment);
  const driver = createJobDriver(environment, options, notifications.notify);
  const submission = createJobSubmission({ signer, store, relays, blobs, clock, random });
  const sendReceipt = createReceiptSender({ transport, signer, createReceipt, clock });

  const handleOf = async (job: Job | null): Promise<JobHandle | null> =>
    job === null ? null : (await driver.open(job, { isResumed: true })).handle;

  const require = async (jobId: string): Promise<Job> => {
    readName(jobId, 'jobId');
    const job = await driver.current(jobId);
    if (job === null) throw new JobError('JOB_NOT_FOUND', `There is no job ${jobId}.`);
    return job;
  };

  const close = async (): Promise<void> => {
    await driver.close();
    notifications.clear();
  };

  return {
    start: driver.start,

    async requestJob(spec, requestOptions = {}) {
      driver.assertStarted();
      const { signal, accept, providerRelays = [], ...request } = readRequest(spec, requestOptions);
      if (signal?.aborted)
        throw new JobError('JOB_CANCELLED', 'The job was cancelled before it was sent.', {
          cause: signal.reason,
        });
      const idempotencyKey = request.idempotencyKey ?? spec.d ?? null;
      const { job, created } = await submission.submit(spec, {
        idempotencyKey,
        providerRelays,
        holder: driver.holder,
        signal,
      });
      // A client that was closed meanwhile leaves the job to the next one.
      driver.assertStarted();
      const opened = await driver.open(job, { isResumed: !created, ...(accept ? { accept } : {}) });
      if (signal) opened.cancelOn(signal);
      return opened.handle;
    },

    get: async (jobId) => handleOf(await driver.current(readName(jobId, 'jobId'))),
    getByKey: async (idempotencyKey) =>
      handleOf(await store.getByKey(readName(idempotencyKey, 'idempotencyKey'))),
    list: async (query = {}) => store.list(readJobQuery(query)),
    async payment(jobId) {
      readName(jobId, 'jobId');
      return (await options.payments?.store.get(jobId)) ?? null;
    },

    async pay(jobId, limit = {}) {
      driver.assertStarted();
      const maxMsat = readPaymentLimit(limit);
      const job = await require(jobId);
      const parsed = parseJobResult(job.resultEvent);
      // An invoice may be all that names the amount.
      const isFree =
        !parsed.ok || (parsed.result.amountMsat ?? (parsed.result.bolt11 === null ? 0 : 1)) === 0;
      if (isFree) throw new JobError('INVALID_INPUT', `Job ${jobId} has no result that asks for a payment.`);
      if (driver.payments === null)
        throw new JobError(
          'PAYMENT_DECLINED',
          'This client has no wallet. Pass `payments` to createJobClient.',
        );
      const request = parseJobRequest(job.request);
      const paid = await driver.payments.pay(jobId, parsed.result, {
        maxMsat: maxMsat ?? (request.ok ? request.request.bidMsat : null),
      });
      if (paid.status === 'declined') throw new JobError('PAYMENT_DECLINED', paid.message);
      await driver.storeSettled(paid.payment);
      return paid.payment;
    },

    async claim(jobId) {
      driver.assertStarted();
      readName(jobId, 'jobId');
      await driver.payments?.recheck(jobId);
      const stored = await require(jobId);
      const payment = (await options.payments?.store.get(jobId)) ?? null;
      if (payment?.status === 'settled' && stored.paidAt === null) await driver.storeSettled(payment);
      const job = await require(jobId);
      if (isClaimable(job)) {
        await driver.recover(job);
      }
      const outcome = outcomeOf(await require(jobId));
      return outcome instanceof Error ? null : outcome;
    },

    async sendReceipt(jobId, given) {
      driver.assertStarted();
      const judgment = readJudgment(given);
      const job = await require(jobId);
      return sendReceipt(job, (await options.payments?.store.get(jobId)) ?? null, judgment);
    },

    async prune(period) {
      const { before } = readPrunePeriod(period);
      const budget = options.payments?.budget;
      const windowStart = budget ? clock() - (budget.windowMs ?? dayMs) : before;
      // Also with stores that do not know of each other, such as those in memory.
      const ends = await Promise.all(
        ((await options.payments?.store.listOpen()) ?? []).map(async ({ jobId }) => store.get(jobId)),
      );
      const oldestOpen = ends.reduce((oldest, job) => Math.min(oldest, job?.endedAt ?? before), before);
      return store.prune({ before: Math.min(before, windowStart, oldestOpen) });
    },

    quarantinedUntil: async (provider) =>
      quarantinedUntil(store, readProvider(provider), { quarantineMs: config.quarantineMs, now: clock() }),
    on: notifications.on,
    ignored: notifications.ignored,
    close,
    [Symbol.asyncDispose]: close,
  };
}
