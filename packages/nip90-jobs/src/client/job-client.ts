import {
  createEmitter,
  createSemaphore,
  type Page,
  silentLogger,
  type Unsubscribe,
} from '@bonafide/internal';
import { type JobFeedback, parseFeedback, parseJobRequest, parseJobResult } from '../codec/index.ts';
import { JobError } from '../errors.ts';
import { isClaimable, isFinal, type Job } from '../job.ts';
import { createLease, leaseTimers } from '../lease.ts';
import { measureJobs } from '../metrics.ts';
import { type AcceptResult, type JobResult, outcomeOf } from '../outcome.ts';
import { createPaymentExecutor } from '../payment/payment-executor.ts';
import type { Payment } from '../payment/payment-store.ts';
import { createReferenceFetcher } from '../references/fetch-reference.ts';
import type { JobQuery } from '../store.ts';
import { systemTimers } from '../timers.ts';
import { type ActiveJob, type ActiveJobServices, createActiveJob } from './active-job.ts';
import { createActiveJobs } from './active-jobs.ts';
import { createAnswerReceiver } from './answer-receiver.ts';
import { createAnswerSubscriptions } from './answer-subscriptions.ts';
import type { ClientEnvironment, IgnoredReason, JobNotifications } from './client-context.ts';
import type { JobClientEvents } from './client-events.ts';
import {
  type JobClientOptions,
  type JobSpec,
  type RequestJobOptions,
  readClientOptions,
} from './client-options.ts';
import { createAnswerDecrypter } from './decrypt-answer.ts';
import { createDownloads } from './fetch-content.ts';
import type { JobHandle } from './job-handle.ts';
import { createJobSubmission } from './job-submission.ts';
import { createJobWatcher } from './job-watcher.ts';
import { cheapestOffer } from './offers.ts';
import { quarantinedUntil } from './quarantine.ts';
import { createReceiptSender, type Judgment, type SentReceipt } from './receipts.ts';

/** Number of ignored events by reason. */
export type IgnoredCounts = Readonly<Record<IgnoredReason, number>>;

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

/** Concurrent deliveries: half of what the transport queues for one relay. */
const maxDeliveries = 500;
const dayMs = 86_400_000;

/**
 * Creates a job client. Call `start()` before the first request.
 * @throws {JobError} `INVALID_CONFIG`
 */
export function createJobClient(options: JobClientOptions): JobClient {
  const { transport, signer, store, relays, nip04Decrypt } = options;
  const config = readClientOptions(options);
  const environment: ClientEnvironment = {
    clock: options.clock ?? Date.now,
    random: options.random ?? Math.random,
    timers: options.timers ?? systemTimers,
    logger: options.logger ?? silentLogger,
    config,
  };
  const { clock, random, timers, logger } = environment;
  const emitter = createEmitter<JobClientEvents>({ logger });
  measureJobs(emitter);
  const counts: Record<IgnoredReason, number> = {
    malformed: 0,
    uncorrelated: 0,
    'third-party': 0,
    'wrong-kind': 0,
    encrypted: 0,
    plaintext: 0,
    undecryptable: 0,
    flood: 0,
    unavailable: 0,
    unpayable: 0,
    unaccepted: 0,
  };
  const notify: JobNotifications = {
    transition: (job, transition) => emitter.emit('transition', { job, transition }),
    feedback: (job, feedback) => emitter.emit('feedback', { job, feedback }),
    paid: (job, payment) => emitter.emit('paid', { job, payment }),
    lateResult: (job) => {
      const result = outcomeOf(job);
      if (result !== null && !(result instanceof Error)) emitter.emit('late-result', { job, result });
    },
    ignored: (reason, event, job) => {
      counts[reason] += 1;
      logger.debug(
        { reason, eventId: event.id, pubkey: event.pubkey, kind: event.kind },
        'Ignored event: matches no open job',
      );
      emitter.emit('ignored', { reason, event, job });
    },
  };
  const lifetime = new AbortController();
  const active = createActiveJobs();
  const sendReceipt = createReceiptSender({
    transport,
    signer,
    createReceipt: options.createReceipt,
    clock,
  });
  const decryptAnswer = createAnswerDecrypter({ signer, nip04Decrypt });
  const fetchReference = createReferenceFetcher(options.references);
  let status: 'new' | 'started' | 'closed' = 'new';
  let publicKey = '';

  const payments = options.payments
    ? createPaymentExecutor({
        ...options.payments,
        ...environment,
        leaseMs: config.leaseMs,
        leaseTimers: options.leaseTimers ?? leaseTimers,
        fetchReference,
        onSettled: (payment) => void storeSettled(payment),
        isWanted: async (jobId) => {
          const job = active.get(jobId)?.job ?? (await store.get(jobId));
          // A completed job is paid when its result asks for it.
          return job !== null && (!isFinal(job.state) || job.state === 'completed');
        },
      })
    : null;
  const receiver = createAnswerReceiver({ ...environment, transport, relays, active, decryptAnswer, notify });
  const subscriptions = createAnswerSubscriptions({
    transport,
    timers,
    logger,
    customer: () => publicKey,
    onEvent: receiver.receive,
    onRejected: receiver.rejected,
  });
  const submission = createJobSubmission({ signer, store, relays, blobs: options.blobs, clock, random });
  const lease = createLease({
    clock,
    random,
    logger,
    timers: options.leaseTimers ?? leaseTimers,
    store,
    leaseMs: config.leaseMs,
    onRenewed: () => void takeOverOrphans(),
  });
  const watcher = createJobWatcher({
    intervalMs: config.watchIntervalMs,
    timers,
    logger,
    onRead: (job) => void takeOver(job),
  });

  const readFeedback = async (jobId: string): Promise<JobFeedback[]> => {
    const said: JobFeedback[] = [];
    for (const { event } of (await store.history(jobId)).feedback) {
      const parsed = parseFeedback(event);
      if (!parsed.ok) continue;
      const content = (await decryptAnswer(event.pubkey, parsed.feedback)) ?? '';
      said.push({ ...parsed.feedback, content });
    }
    return said;
  };

  const services: ActiveJobServices = {
    store,
    transport,
    signer,
    notify,
    delivery: { transport, relayRecords: new Map(), limit: createSemaphore(maxDeliveries).run },
    payment: {
      payments,
      network: options.payments?.network ?? 'bitcoin',
      hasOtherMethods: (options.payments?.methods ?? []).length > 0,
      chooseOffer: options.chooseOffer ?? cheapestOffer,
      notify,
    },
    decryptAnswer,
    downloads: createDownloads(fetchReference),
    lifetime: lifetime.signal,
    recover: (job, signal) => receiver.recover([job], signal),
    readFeedback,
    onEnded(job) {
      watcher.remove(job.jobId);
      // The result of a paid job is still awaited.
      if (isClaimable(job)) return;
      active.remove(job.jobId);
      subscriptions.remove(job.jobId);
    },
    onHolderChanged(jobId) {
      const job = active.get(jobId);
      if (!job?.isDriven() || job.job.holder === lease.holder) return;
      job.yieldJob();
      subscriptions.remove(jobId);
      watcher.add(job);
    },
  };

  /** Loads a stored job once, however many callers ask for it. */
  const activate = async (
    job: Job,
    {
      isResumed,
      accept = options.accept,
    }: { readonly isResumed: boolean; readonly accept?: AcceptResult | undefined },
  ): Promise<ActiveJob> => {
    const known = active.get(job.jobId);
    if (known && !isFinal(known.job.state)) return known;
    const said = isResumed && job.feedbackCount > 0 ? await readFeedback(job.jobId) : [];
    const raced = active.get(job.jobId);
    if (raced && !isFinal(raced.job.state)) return raced;
    const created = createActiveJob(environment, services, job, { said, isResumed, accept });
    if (!isFinal(job.state)) active.add(created);
    else if (isClaimable(job)) {
      active.add(created);
      subscriptions.add(job);
    }
    return created;
  };

  /** Drives the job when this client holds it or may hold it; watches it otherwise. */
  const takeOver = async (job: ActiveJob): Promise<void> => {
    if (isFinal(job.job.state) || job.isDriven() || status !== 'started') return;
    const { holder } = job.job;
    try {
      if (holder !== lease.holder && (await lease.isFreeNow(holder))) await job.claim(lease.holder);
    } catch (error) {
      logger.warn({ err: error, jobId: job.job.jobId }, 'Job not taken over: the store failed');
    }
    if (isFinal(job.job.state) || status !== 'started') return;
    if (job.job.holder !== lease.holder) return watcher.add(job);
    watcher.remove(job.job.jobId);
    subscriptions.add(job.job);
    job.drive();
  };

  /** Reads all pages of a query. */
  const listAll = async (query: JobQuery): Promise<Job[]> => {
    const jobs: Job[] = [];
    let cursor: string | null = null;
    do {
      const page: Page<Job> = await store.list({ ...query, limit: 500, ...(cursor ? { cursor } : {}) });
      jobs.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return jobs;
  };

  /** Takes over the open jobs of processes that have ended. */
  const takeOverOrphans = async (): Promise<void> => {
    try {
      const lateSince = clock() - config.lateResultWindowMs;
      for (const job of active) {
        if (!isFinal(job.job.state) || (job.job.endedAt ?? 0) >= lateSince) continue;
        active.remove(job.job.jobId);
        subscriptions.remove(job.job.jobId);
      }
      const orphans: ActiveJob[] = [];
      for (const job of await listAll({ open: true, notHeldBy: lease.holder })) {
        if (lease.isFree(job.holder)) orphans.push(await activate(job, { isResumed: true }));
      }
      if (orphans.length === 0) return;
      await receiver.recover(orphans.map(({ job }) => job));
      await Promise.all(orphans.map(takeOver));
    } catch (error) {
      if (status === 'started') logger.warn({ err: error }, 'Open jobs not read: the store failed');
    }
  };

  /** Stores a settled payment with its job, which may have ended. */
  const storeSettled = async (payment: Payment): Promise<void> => {
    try {
      const stored = active.get(payment.jobId)?.job ?? (await store.get(payment.jobId));
      if (stored === null || stored.paidAt !== null || status === 'closed') return;
      const job = await activate(stored, { isResumed: true });
      await job.paymentSettled(payment);
      if (!isClaimable(job.job)) return;
      active.add(job);
      subscriptions.add(job.job);
      await receiver.recover([job.job]);
    } catch (error) {
      logger.error({ err: error, jobId: payment.jobId }, 'Settled payment not stored with its job');
    }
  };

  const handleOf = async (job: Job | null): Promise<JobHandle | null> => {
    if (job === null) return null;
    const loaded = await activate(job, { isResumed: true });
    await takeOver(loaded);
    return loaded.handle;
  };

  const assertStarted = () => {
    if (status === 'new') throw new JobError('NOT_STARTED', 'Call start() before requesting jobs.');
    if (status === 'closed') throw new JobError('CLOSED', 'This job client is closed.');
  };

  const require = async (jobId: string): Promise<Job> => {
    const job = active.get(jobId)?.job ?? (await store.get(jobId));
    if (job === null) throw new JobError('JOB_NOT_FOUND', `There is no job ${jobId}.`);
    return job;
  };

  const close = async (): Promise<void> => {
    if (status === 'closed') return;
    status = 'closed';
    subscriptions.close();
    watcher.close();
    await payments?.close();
    const left = [...active].map((job) => job.leave());
    lifetime.abort();
    await Promise.all(left);
    active.clear();
    await lease.close();
    emitter.clear();
  };

  return {
    async start() {
      if (status === 'closed') assertStarted();
      if (status === 'started') return;
      status = 'started';
      publicKey = await signer.getPublicKey();
      await lease.start();
      await payments?.start();
      const resumed: ActiveJob[] = [];
      for (const job of await listAll({ open: true }))
        if (lease.isFree(job.holder)) resumed.push(await activate(job, { isResumed: true }));
      for (const job of await listAll({ claimable: true }))
        if ((job.endedAt ?? 0) >= clock() - config.lateResultWindowMs)
          await activate(job, { isResumed: true });
      // Listening starts before the query, so that no answer is missed between them.
      for (const { job } of resumed) subscriptions.add(job);
      await receiver
        .recover(resumed.map(({ job }) => job))
        .catch((error) => logger.warn({ err: error }, 'Relays not queried for answers'));
      await Promise.all(resumed.map(takeOver));
      if (resumed.length > 0) logger.info({ jobs: resumed.length }, 'Resumed open jobs');
    },

    async requestJob(spec, { signal, accept, providerRelays = [], ...request } = {}) {
      assertStarted();
      if (signal?.aborted)
        throw new JobError('JOB_CANCELLED', 'The job was cancelled before it was sent.', {
          cause: signal.reason,
        });
      const idempotencyKey = request.idempotencyKey ?? spec.d ?? null;
      const { job, created } = await submission.submit(spec, {
        idempotencyKey,
        providerRelays,
        holder: lease.holder,
        signal,
      });
      // A client that was closed meanwhile leaves the job to the next one.
      assertStarted();
      const loaded = await activate(job, { isResumed: !created, ...(accept ? { accept } : {}) });
      await takeOver(loaded);
      if (signal) loaded.cancelOn(signal);
      return loaded.handle;
    },

    get: async (jobId) => handleOf(active.get(jobId)?.job ?? (await store.get(jobId))),
    getByKey: async (idempotencyKey) => handleOf(await store.getByKey(idempotencyKey)),
    list: (query) => store.list(query),
    payment: async (jobId) => (await options.payments?.store.get(jobId)) ?? null,

    async pay(jobId, { maxMsat } = {}) {
      assertStarted();
      const job = await require(jobId);
      const parsed = parseJobResult(job.resultEvent);
      if (!parsed.ok || (parsed.result.amountMsat ?? 0) === 0)
        throw new JobError('INVALID_INPUT', `Job ${jobId} has no result that asks for a payment.`);
      if (payments === null)
        throw new JobError(
          'PAYMENT_DECLINED',
          'This client has no wallet. Pass `payments` to createJobClient.',
        );
      const request = parseJobRequest(job.request);
      const paid = await payments.pay(jobId, parsed.result, {
        maxMsat: maxMsat ?? (request.ok ? request.request.bidMsat : null),
      });
      if (paid.status === 'declined') throw new JobError('PAYMENT_DECLINED', paid.message);
      await storeSettled(paid.payment);
      return paid.payment;
    },

    async claim(jobId) {
      assertStarted();
      await payments?.recheck(jobId);
      const stored = await require(jobId);
      const payment = (await options.payments?.store.get(jobId)) ?? null;
      if (payment?.status === 'settled' && stored.paidAt === null) await storeSettled(payment);
      const job = await require(jobId);
      if (isClaimable(job)) {
        await activate(job, { isResumed: true });
        await receiver.recover([job]);
      }
      const outcome = outcomeOf(await require(jobId));
      return outcome instanceof Error ? null : outcome;
    },

    async sendReceipt(jobId, judgment) {
      assertStarted();
      const job = await require(jobId);
      return sendReceipt(job, (await options.payments?.store.get(jobId)) ?? null, judgment);
    },

    async prune({ before }) {
      const budget = options.payments?.budget;
      const windowStart = budget ? clock() - (budget.windowMs ?? dayMs) : before;
      return store.prune({ before: Math.min(before, windowStart) });
    },

    quarantinedUntil: (provider) =>
      quarantinedUntil(store, provider, { quarantineMs: config.quarantineMs, now: clock() }),
    on: (name, listener) => emitter.on(name, listener),
    ignored: () => ({ ...counts }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
