import { createSemaphore, type Page } from '@bonafide/internal';
import { JobError } from '../errors.ts';
import { isClaimable, isFinal, type Job } from '../job.ts';
import { createLease, leaseTimers } from '../lease.ts';
import type { AcceptResult } from '../outcome.ts';
import type { PaymentExecutor } from '../payment/payment-executor.ts';
import type { Payment } from '../payment/payment-store.ts';
import type { JobQuery } from '../store.ts';
import { type ActiveJob, type ActiveJobServices, createActiveJob } from './active-job.ts';
import { createActiveJobs } from './active-jobs.ts';
import { createAnswerInbox } from './answer-inbox.ts';
import { createAnswerRecovery } from './answer-recovery.ts';
import type { ClientEnvironment, JobNotifications } from './client-context.ts';
import type { JobClientOptions } from './client-options.ts';
import { createClientPayments } from './client-payments.ts';
import { createDownloads } from './fetch-content.ts';
import { createCancellationPublisher } from './job-cancellation.ts';
import { createJobWatcher } from './job-watcher.ts';

/** Drives the jobs of a client: those that it holds, and those of processes that have ended. */
export interface JobDriver {
  /** Id of this client as a holder of jobs. */
  readonly holder: string;
  /** Null without a wallet. */
  readonly payments: PaymentExecutor | null;
  /** Takes the lease, resumes open jobs and collects answers that arrived meanwhile. */
  start(): Promise<void>;
  /** Throws `NOT_STARTED` or `CLOSED`. */
  assertStarted(): void;
  /** Returns the latest version of a job, or null. */
  current(jobId: string): Promise<Job | null>;
  /** Drives a stored job when this client holds it or may hold it; watches it otherwise. */
  open(
    job: Job,
    options: { readonly isResumed: boolean; readonly accept?: AcceptResult | undefined },
  ): Promise<ActiveJob>;
  /** Queries the relays for answers to a job that is not open any more. */
  recover(job: Job): Promise<void>;
  /** Stores a settled payment with its job, which may have ended. */
  storeSettled(payment: Payment): Promise<void>;
  /** Stops. Open jobs stay open in the store. */
  close(): Promise<void>;
}

/** Concurrent deliveries: half of what the transport queues for one relay. */
const maxDeliveries = 500;

export function createJobDriver(
  environment: ClientEnvironment,
  options: JobClientOptions,
  notify: JobNotifications,
): JobDriver {
  const { transport, signer, store, relays, nip04Decrypt } = options;
  const { clock, random, timers, logger, config } = environment;
  const lifetime = new AbortController();
  const active = createActiveJobs();
  let status: 'new' | 'started' | 'closed' = 'new';
  let publicKey = '';

  const current = async (jobId: string) => active.get(jobId)?.job ?? (await store.get(jobId));

  const inbox = createAnswerInbox(environment, {
    transport,
    signer,
    store,
    relays,
    active,
    notify,
    nip04Decrypt,
    customer: () => publicKey,
  });
  const downloads = createDownloads(options.references);
  const payment = createClientPayments(environment, options, {
    notify,
    fetchReference: downloads.fetchReference,
    onSettled: (settled) => void storeSettled(settled),
    isWanted: async (jobId) => {
      // From the store, since another process may have cancelled the job a moment ago.
      const job = await store.get(jobId);
      // A completed job is paid when its result asks for it.
      return job !== null && (!isFinal(job.state) || job.state === 'completed');
    },
  });
  const { payments } = payment;
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

  const services: ActiveJobServices = {
    record: { store, timers, logger, notify },
    session: {
      transport,
      relayRecords: new Map(),
      limit: createSemaphore(maxDeliveries).run,
      recoverAnswers: createAnswerRecovery(environment, inbox, lifetime.signal),
      readFeedback: inbox.readFeedback,
    },
    payment,
    answers: { notify, decryptAnswer: inbox.decryptAnswer, downloads, lifetime: lifetime.signal },
    publishCancellation: createCancellationPublisher(environment, { transport, signer }),
    onEnded(job) {
      watcher.remove(job.jobId);
      // The result of a paid job is still awaited.
      if (isClaimable(job)) return;
      active.remove(job.jobId);
      inbox.remove(job.jobId);
    },
    onHolderChanged(jobId) {
      const job = active.get(jobId);
      if (!job?.isDriven() || job.job.holder === lease.holder) return;
      job.yieldJob();
      inbox.remove(jobId);
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
    const said = isResumed && job.feedbackCount > 0 ? await inbox.readFeedback(job.jobId) : [];
    const raced = active.get(job.jobId);
    if (raced && !isFinal(raced.job.state)) return raced;
    const created = createActiveJob(environment, services, job, { said, isResumed, accept });
    if (!isFinal(job.state)) active.add(created);
    else if (isClaimable(job)) {
      active.add(created);
      inbox.add(job);
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
    inbox.add(job.job);
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
        inbox.remove(job.job.jobId);
      }
      const orphans: ActiveJob[] = [];
      for (const job of await listAll({ open: true, notHeldBy: lease.holder })) {
        if (lease.isFree(job.holder)) orphans.push(await activate(job, { isResumed: true }));
      }
      if (orphans.length === 0) return;
      await inbox.recover(orphans.map(({ job }) => job));
      await Promise.all(orphans.map(takeOver));
    } catch (error) {
      if (status === 'started') logger.warn({ err: error }, 'Open jobs not read: the store failed');
    }
  };

  /** Stores a settled payment with its job, which may have ended. */
  const storeSettled = async (settled: Payment): Promise<void> => {
    try {
      const stored = await current(settled.jobId);
      if (stored === null || stored.paidAt !== null || status === 'closed') return;
      const job = await activate(stored, { isResumed: true });
      await job.paymentSettled(settled);
      if (!isClaimable(job.job)) return;
      active.add(job);
      inbox.add(job.job);
      await inbox.recover([job.job]);
    } catch (error) {
      logger.error({ err: error, jobId: settled.jobId }, 'Settled payment not stored with its job');
    }
  };

  /** Notes in an ended job that its payment settled, when a process ended between the two. */
  const withLatePayment = async (job: Job): Promise<Job> => {
    if (!isFinal(job.state) || job.state === 'completed' || job.paidAt !== null) return job;
    const paid = await options.payments?.store.get(job.jobId);
    if (paid?.status !== 'settled') return job;
    await storeSettled(paid);
    return (await current(job.jobId)) ?? job;
  };

  const assertStarted = () => {
    if (status === 'new') throw new JobError('NOT_STARTED', 'Call start() before requesting jobs.');
    if (status === 'closed') throw new JobError('CLOSED', 'This job client is closed.');
  };

  return {
    holder: lease.holder,
    payments,
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
      for (const { job } of resumed) inbox.add(job);
      await inbox
        .recover(resumed.map(({ job }) => job))
        .catch((error) => logger.warn({ err: error }, 'Relays not queried for answers'));
      await Promise.all(resumed.map(takeOver));
      if (resumed.length > 0) logger.info({ jobs: resumed.length }, 'Resumed open jobs');
    },
    assertStarted,
    current,
    async open(stored, how) {
      const job = await withLatePayment(stored);
      const opened = await activate(job, how);
      await takeOver(opened);
      return opened;
    },
    async recover(job) {
      await activate(job, { isResumed: true });
      await inbox.recover([job]);
    },
    storeSettled,
    async close() {
      if (status === 'closed') return;
      status = 'closed';
      inbox.close();
      watcher.close();
      await payments?.close();
      const left = [...active].map((job) => job.leave());
      lifetime.abort();
      await Promise.all(left);
      active.clear();
      await lease.close();
    },
  };
}
