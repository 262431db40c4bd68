import {
  createEmitter,
  createSemaphore,
  type Page,
  silentLogger,
  type Unsubscribe,
} from '@bonafide/internal';
import type { NostrEvent } from '@bonafide/nostr-transport';
import { answerFilters, type JobFeedback, parseFeedback } from '../codec/index.ts';
import { JobError } from '../errors.ts';
import { isFinal, type Job } from '../job.ts';
import { measureJobs } from '../metrics.ts';
import { createPaymentExecutor } from '../payment/payment-executor.ts';
import type { Payment } from '../payment/payment-store.ts';
import { createReferenceFetcher } from '../references/fetch-reference.ts';
import type { JobQuery } from '../store.ts';
import { systemTimers } from '../timers.ts';
import { type ActiveJob, createActiveJob } from './active-job.ts';
import { createActiveJobs } from './active-jobs.ts';
import { createAnswerSubscriptions } from './answer-subscriptions.ts';
import type { ClientContext, IgnoredReason } from './client-context.ts';
import type { JobClientEvents } from './client-events.ts';
import {
  type JobClientOptions,
  type JobSpec,
  type RequestJobOptions,
  readClientOptions,
} from './client-options.ts';
import { correlate } from './correlate.ts';
import { createAnswerDecrypter } from './decrypt-answer.ts';
import type { JobHandle } from './job-handle.ts';
import { createJobSubmission } from './job-submission.ts';
import { cheapestOffer } from './offers.ts';
import { quarantinedUntil } from './quarantine.ts';

/** How often events were not taken, by reason. */
export type IgnoredCounts = Readonly<Record<IgnoredReason, number>>;

/** Asks for work and follows it until it is done (JOB-6 to JOB-12). */
export interface JobClient {
  /** Goes on with what was open when the process ended, and looks for answers that came meanwhile. */
  start(): Promise<void>;
  /**
   * Stores and sends a request. Resolves as soon as it is stored; from then on it is not lost.
   * @throws {JobError} `INVALID_INPUT`, `INPUT_TOO_LARGE`, `REQUEST_TOO_LARGE`, `IDEMPOTENCY_CONFLICT`, `NOT_STARTED`, `CLOSED`
   */
  requestJob(spec: JobSpec, options?: RequestJobOptions): Promise<JobHandle>;
  /** A job by its id, open or over; null when there is none. */
  get(jobId: string): Promise<JobHandle | null>;
  /** The job that was asked for under this key; null when none was. */
  getByKey(idempotencyKey: string): Promise<JobHandle | null>;
  list(query?: JobQuery): Promise<Page<Job>>;
  /** What became of the payment for a job; null when it had none. */
  payment(jobId: string): Promise<Payment | null>;
  /**
   * Until when a provider should not be asked again, ms since epoch: it gave no sign of life to its last job, after every
   * repetition (JOB-8). Null when it may be. Nothing is enforced; whoever chooses providers asks.
   */
  quarantinedUntil(provider: string): Promise<number | null>;
  on<Name extends keyof JobClientEvents>(
    name: Name,
    listener: (event: JobClientEvents[Name]) => unknown,
  ): Unsubscribe;
  /** Events that were not taken as answers since the client was made. */
  ignored(): IgnoredCounts;
  /** Stops following. Open jobs stay open in the store. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Most open jobs that are asked about in one query when a client starts. */
const recoveryBatch = 200;
/** Requests that are on their way at the same time: half of what the transport takes for one relay. */
const maxDeliveries = 500;
/** Results that are fetched at the same time: each may be as large as the limit. */
const maxFetches = 8;

/**
 * Makes a job client. Call `start()` before the first request.
 * @throws {JobError} `INVALID_CONFIG`
 */
export function createJobClient(options: JobClientOptions): JobClient {
  const { transport, signer, store, relays, nip04Decrypt } = options;
  const config = readClientOptions(options);
  const clock = options.clock ?? Date.now;
  const random = options.random ?? Math.random;
  const timers = options.timers ?? systemTimers;
  const logger = options.logger ?? silentLogger;
  const emitter = createEmitter<JobClientEvents>({ logger });
  measureJobs(emitter);
  const counts = {
    malformed: 0,
    uncorrelated: 0,
    'third-party': 0,
    'wrong-kind': 0,
    encrypted: 0,
    plaintext: 0,
    undecryptable: 0,
    flood: 0,
    unavailable: 0,
  } satisfies Record<IgnoredReason, number>;
  const followed = createActiveJobs();
  const newJobs = createJobSubmission({ signer, store, relays, blobs: options.blobs, clock, random });
  const decryptAnswer = createAnswerDecrypter({ signer, nip04Decrypt });
  const payments = options.payments
    ? createPaymentExecutor({ ...options.payments, clock, timers, logger })
    : null;
  let status: 'new' | 'started' | 'closed' = 'new';
  let publicKey = '';

  const ignore = (reason: IgnoredReason, event: NostrEvent, job: Job | null) => {
    counts[reason] += 1;
    logger.debug(
      { reason, eventId: event.id, pubkey: event.pubkey, kind: event.kind },
      'An event is no answer to a job',
    );
    emitter.emit('ignored', { reason, event, job });
  };

  /** Takes one event that arrived, live or from a relay's memory. */
  const receive = async (event: NostrEvent, recovered: boolean): Promise<void> => {
    const found = correlate(event, followed.open, { allowPlaintext: config.allowPlaintext });
    if (found.match === 'none') return ignore(found.reason, event, found.job);
    const job = followed.get(found.job.jobId);
    if (found.match === 'result') return job?.takeResult(found.result, found.matchedBy, recovered);
    const content = await decryptAnswer(event.pubkey, found.feedback);
    if (content === null) return ignore('undecryptable', event, found.job);
    await job?.takeFeedback({ ...found.feedback, content });
  };

  const answers = createAnswerSubscriptions({
    transport,
    timers,
    logger,
    customer: () => publicKey,
    onEvent: (event) => {
      receive(event, false).catch((error) =>
        logger.error({ err: error, eventId: event.id }, 'An answer was not taken in'),
      );
    },
  });

  /** Asks the relays for what they have stored about some jobs, oldest first. */
  const recover = async (jobs: readonly Job[], signal?: AbortSignal): Promise<void> => {
    const asked = new Set([...relays, ...jobs.flatMap((job) => [...job.relays, ...job.deliveredTo])]);
    const filters = answerFilters(jobs.map(({ jobId, kind, provider }) => ({ id: jobId, kind, provider })));
    const events = await transport.query([...asked], filters, {
      timeoutMs: config.queryTimeoutMs,
      ...(signal ? { signal } : {}),
    });
    for (const event of [...events].sort((a, b) => a.created_at - b.created_at)) await receive(event, true);
  };

  const context: ClientContext = {
    transport,
    signer,
    store,
    clock,
    random,
    timers,
    logger,
    config,
    payments,
    chooseOffer: options.chooseOffer ?? cheapestOffer,
    experience: new Map(),
    decryptAnswer,
    fetchReference: createReferenceFetcher(options.references),
    fetching: createSemaphore(maxFetches).run,
    delivering: createSemaphore(maxDeliveries).run,
    recover: (job, signal) => recover([job], signal),
    onTransition: (job, transition) => emitter.emit('transition', { job, transition }),
    onFeedback: (job, feedback) => emitter.emit('feedback', { job, feedback }),
    onPaid: (job, payment) => emitter.emit('paid', { job, payment }),
    onIgnored: ignore,
    onEnd: (jobId) => {
      followed.remove(jobId);
      answers.remove(jobId);
    },
  };

  const saidBefore = async (jobId: string): Promise<JobFeedback[]> => {
    const said: JobFeedback[] = [];
    for (const { event } of await store.feedback(jobId)) {
      const parsed = parseFeedback(event);
      if (!parsed.ok) continue;
      const content = (await decryptAnswer(event.pubkey, parsed.feedback)) ?? '';
      said.push({ ...parsed.feedback, content });
    }
    return said;
  };

  /** Follows a stored job, once, however many ask for it. */
  const follow = async (job: Job, resumed: boolean): Promise<ActiveJob> => {
    const known = followed.get(job.jobId);
    if (known) return known;
    const said = resumed ? await saidBefore(job.jobId) : [];
    const raced = followed.get(job.jobId);
    if (raced) return raced;
    const created = createActiveJob(context, job, said, resumed);
    if (!isFinal(job.state)) {
      followed.add(created);
      answers.add(job);
    }
    return created;
  };

  const handleOf = async (job: Job | null): Promise<JobHandle | null> =>
    job === null ? null : (await follow(job, true)).handle;

  /** Every job that was open when the last client on this store ended. */
  const followOpenJobs = async (): Promise<ActiveJob[]> => {
    const resumed: ActiveJob[] = [];
    let cursor: string | null = null;
    do {
      const page: Page<Job> = await store.list({ open: true, limit: 500, ...(cursor ? { cursor } : {}) });
      for (const job of page.items) resumed.push(await follow(job, true));
      cursor = page.nextCursor;
    } while (cursor !== null);
    return resumed;
  };

  const assertStarted = () => {
    if (status === 'new')
      throw new JobError('NOT_STARTED', 'Call start() on the job client before asking for work.');
    if (status === 'closed') throw new JobError('CLOSED', 'This job client is closed.');
  };

  const close = async (): Promise<void> => {
    if (status === 'closed') return;
    status = 'closed';
    answers.close();
    await payments?.close();
    await Promise.all([...followed].map((job) => job.leave()));
    followed.clear();
    emitter.clear();
  };

  return {
    async start() {
      if (status === 'closed') assertStarted();
      if (status === 'started') return;
      status = 'started';
      publicKey = await signer.getPublicKey();
      await payments?.start();
      const resumed = await followOpenJobs();
      for (let at = 0; at < resumed.length; at += recoveryBatch) {
        const jobs = resumed.slice(at, at + recoveryBatch).map(({ job }) => job);
        await recover(jobs).catch((error) =>
          logger.warn({ err: error }, 'Stored answers could not be looked for'),
        );
      }
      for (const job of resumed) job.drive();
      if (resumed.length > 0) logger.info({ jobs: resumed.length }, 'Going on with open jobs');
    },

    async requestJob(spec, { signal, providerRelays = [], ...request } = {}) {
      assertStarted();
      if (signal?.aborted)
        throw new JobError('JOB_CANCELLED', 'The job was cancelled before it was sent.', {
          cause: signal.reason,
        });
      const idempotencyKey = request.idempotencyKey ?? spec.d ?? null;
      const { job, created } = await newJobs.ask(spec, { idempotencyKey, providerRelays, signal });
      // A client that was closed meanwhile leaves the job to the next one.
      assertStarted();
      const live = await follow(job, !created);
      live.drive();
      if (signal) live.cancelOn(signal);
      return live.handle;
    },

    async get(jobId) {
      const live = followed.get(jobId);
      return live ? live.handle : handleOf(await store.get(jobId));
    },

    getByKey: async (idempotencyKey) => handleOf(await store.getByKey(idempotencyKey)),

    list: (query) => store.list(query),
    payment: async (jobId) => (await options.payments?.store.get(jobId)) ?? null,
    quarantinedUntil: (provider) =>
      quarantinedUntil(store, provider, { quarantineMs: config.quarantineMs, now: clock() }),
    on: (name, listener) => emitter.on(name, listener),
    ignored: () => ({ ...counts }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
