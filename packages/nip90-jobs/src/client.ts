import { createEmitter, type Logger, silentLogger, type Unsubscribe } from '@bonafide/internal';
import type { EventTemplate, NostrEvent, Signer, Transport } from '@bonafide/nostr-transport';
import { z } from 'zod';
import { createAnswers } from './answers.ts';
import {
  answerFilters,
  buildJobRequest,
  buildSecretJobRequest,
  type Encryption,
  fingerprintOf,
  type JobFeedback,
  type JobRequestSpec,
  parseFeedback,
  readPublicKey,
} from './codec/index.ts';
import { correlate } from './correlate.ts';
import { JobError } from './errors.ts';
import { type FollowContext, type FollowedJob, followJob, type IgnoredReason } from './follow.ts';
import type { JobHandle } from './handle.ts';
import { freshJob, isFinal, type Job, type JobTransition } from './job.ts';
import { type ChooseOffer, cheapestOffer } from './offers.ts';
import type { Payment } from './payment/payment-store.ts';
import { createPayments, type PaymentOptions } from './payment/payments.ts';
import type { BlobStore } from './references/blob-store.ts';
import { spillInputs } from './references/spill-inputs.ts';
import type { JobQuery, JobStore, Page } from './store.ts';
import { systemTimers, type Timers } from './timers.ts';
import { DEFAULT_TIMINGS, type JobTimings, type RelayRecord } from './timetable.ts';
import { createTurnstile } from './turnstile.ts';

/** Limits and times of a client; whatever is left out has its default. */
export interface JobClientConfig extends Partial<JobTimings> {
  /** Most feedback events taken in per job. @default 256 */
  readonly maxFeedback?: number;
  /** Most characters of feedback taken in per job. @default 1_048_576 */
  readonly maxFeedbackLength?: number;
  /** How long relays are waited for when stored answers are looked for. @default 5_000 */
  readonly queryTimeoutMs?: number;
  /** How long offers for a job that addresses nobody are collected, from the first one on. @default 5_000 */
  readonly offerWindowMs?: number;
  /** How long a provider that was silent should not be asked. @default 86_400_000, a day */
  readonly quarantineMs?: number;
  /** Also takes answers in the clear to an encrypted job (JOB-4). @default false */
  readonly allowPlaintext?: boolean;
}

/** What a client is made of. */
export interface JobClientOptions {
  readonly transport: Transport;
  readonly signer: Signer;
  readonly store: JobStore;
  /** Where answers are awaited, and where requests go when it is not known where the provider reads. */
  readonly relays: readonly string[];
  /** Where inputs go that fit into no event; they then travel by reference (JOB-3). Without it they are refused. */
  readonly blobs?: BlobStore;
  /** How to pay what providers ask. Without it nothing is paid, and who wants to be paid first is declined (JOB-11). */
  readonly payments?: PaymentOptions;
  /** Chooses among the offers for a job that addresses nobody (JOB-5). @default the cheapest within the bid */
  readonly chooseOffer?: ChooseOffer;
  /** Reads answers that are encrypted in the old way (NIP-04), which a {@link Signer} does not; nothing is ever written so. */
  readonly nip04Decrypt?: (sender: string, ciphertext: string) => Promise<string>;
  /** Milliseconds since epoch. @default Date.now */
  readonly clock?: () => number;
  /** In [0, 1). @default Math.random */
  readonly random?: () => number;
  /** @default the platform's */
  readonly timers?: Timers;
  readonly logger?: Logger;
  readonly config?: JobClientConfig;
}

/** A job to be asked for; `createdAt` and `relays` are filled in by the client. */
export interface JobSpec extends Omit<JobRequestSpec, 'createdAt'> {
  /** Lets nobody but the provider read the inputs, the parameters and the answers (NIP-44, JOB-4). @default false */
  readonly encrypted?: boolean;
}

/** How a job is asked for. */
export interface RequestJobOptions {
  /**
   * Your own name for this piece of work. Asking again with the same key, also after a restart, gives the same job and
   * sends no second request. @default the specification's `d`
   */
  readonly idempotencyKey?: string;
  /** Where the provider reads, best first, as its card says. */
  readonly providerRelays?: readonly string[];
  /** Cancels the job. */
  readonly signal?: AbortSignal;
}

/** What a client tells its listeners. */
export interface JobClientEvents {
  /** A job moved from one state to another; it is stored already. */
  readonly transition: { readonly job: Job; readonly transition: Omit<JobTransition, 'sequence'> };
  readonly feedback: { readonly job: Job; readonly feedback: JobFeedback };
  /** A provider was paid; it is stored already. */
  readonly paid: { readonly job: Job; readonly payment: Payment };
  /** An event that is not counted as an answer. `job` is the one it named, if it is ours. */
  readonly ignored: { readonly reason: IgnoredReason; readonly event: NostrEvent; readonly job: Job | null };
}

/** How often events were not taken, by reason. */
export type IgnoredCounts = Readonly<Record<IgnoredReason, number>>;

/** Asks for work and follows it until it is done (JOB-6 to JOB-12). */
export interface JobClient {
  /** Goes on with what was open when the process ended, and looks for answers that came meanwhile. */
  start(): Promise<void>;
  /**
   * Stores and sends a request. Resolves as soon as it is stored; from then on it is not lost.
   * @throws {JobError} `INVALID_REQUEST`, `INPUT_TOO_LARGE`, `REQUEST_TOO_LARGE`, `IDEMPOTENCY_CONFLICT`, `NOT_STARTED`, `CLOSED`
   */
  requestJob(spec: JobSpec, options?: RequestJobOptions): Promise<JobHandle>;
  /** A job by its id, open or over; null when there is none. */
  get(jobId: string): Promise<JobHandle | null>;
  list(query?: JobQuery): Promise<Page<Job>>;
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

const count = z.int().positive();
const duration = z.number().positive().max(2_147_483_647);
const configSchema = z.strictObject({
  deliveryStagesMs: z.tuple([duration, duration, duration]).optional(),
  retryDelaysMs: z.array(duration).max(20).optional(),
  processingTimeoutMs: duration.optional(),
  extensionMs: z.number().nonnegative().max(2_147_483_647).optional(),
  maxExtensions: z.int().nonnegative().optional(),
  resultTimeoutMs: duration.optional(),
  maxFeedback: count.optional(),
  maxFeedbackLength: count.optional(),
  queryTimeoutMs: duration.optional(),
  offerWindowMs: duration.optional(),
  quarantineMs: z.number().nonnegative().optional(),
  allowPlaintext: z.boolean().optional(),
});

/** Most open jobs that are asked about in one query when a client starts. */
const recoveryBatch = 200;
/** Requests that are on their way at the same time: half of what the transport takes for one relay. */
const maxDeliveries = 500;
/** Most open jobs of one provider among which an answer that names no request is looked for. */
const maxCandidates = 200;

/**
 * Makes a job client. Call `start()` before the first request.
 * @throws {JobError} `INVALID_OPTIONS`
 */
export function createJobClient(options: JobClientOptions): JobClient {
  const { transport, signer, store, relays } = options;
  const clock = options.clock ?? Date.now;
  const logger = options.logger ?? silentLogger;
  const config = configSchema.safeParse(options.config ?? {});
  if (!config.success) {
    throw new JobError('INVALID_OPTIONS', `The client's config: ${z.prettifyError(config.error)}`, {
      cause: config.error,
    });
  }
  if (relays.length === 0)
    throw new JobError('INVALID_OPTIONS', 'A job client needs at least one relay to hear answers.');

  const timers = options.timers ?? systemTimers;
  const random = options.random ?? Math.random;
  const emitter = createEmitter<JobClientEvents>({ logger });
  const followed = new Map<string, FollowedJob>();
  const experience = new Map<string, RelayRecord>();
  const counts = {
    malformed: 0,
    uncorrelated: 0,
    'third-party': 0,
    'wrong-kind': 0,
    encrypted: 0,
    plaintext: 0,
    undecryptable: 0,
    flood: 0,
  } satisfies Record<IgnoredReason, number>;
  let status: 'new' | 'started' | 'closed' = 'new';
  let publicKey = '';
  /** The open jobs of each provider. */
  const byProvider = new Map<string, Set<string>>();
  const payments = options.payments ? createPayments({ ...options.payments, clock, timers, logger }) : null;

  /** The plaintext of an answer; null when it cannot be read. */
  const decrypt = async (
    sender: string,
    { encryption, content }: { readonly encryption: Encryption | null; readonly content: string },
  ): Promise<string | null> => {
    // Feedback may say all it has to say in its status.
    if (encryption === null || content === '') return content;
    try {
      if (encryption === 'nip44') return await signer.nip44Decrypt(sender, content);
      if (encryption === 'nip04') return (await options.nip04Decrypt?.(sender, content)) ?? null;
    } catch {
      // Told by null, as one of the other kinds is.
    }
    return null;
  };

  /** Those of a provider, unless they are too many to tell one from the other anyhow. */
  const openJobsOf = (provider: string): Job[] => {
    const ids = byProvider.get(provider);
    if (ids === undefined || ids.size > maxCandidates) return [];
    return [...ids].flatMap((jobId) => followed.get(jobId)?.job ?? []);
  };

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
    const jobs = { get: (jobId: string) => followed.get(jobId)?.job, of: openJobsOf };
    const found = correlate(event, jobs, { allowPlaintext: config.data.allowPlaintext ?? false });
    if (found.match === 'none') return ignore(found.reason, event, found.job);
    const job = followed.get(found.job.jobId);
    const content = await decrypt(event.pubkey, found.match === 'result' ? found.result : found.feedback);
    if (content === null) return ignore('undecryptable', event, found.job);
    if (found.match === 'result')
      await job?.takeResult({ ...found.result, content }, found.matchedBy, recovered);
    else await job?.takeFeedback({ ...found.feedback, content });
  };

  const answers = createAnswers({
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
      timeoutMs: config.data.queryTimeoutMs ?? 5_000,
      ...(signal ? { signal } : {}),
    });
    for (const event of [...events].sort((a, b) => a.created_at - b.created_at)) await receive(event, true);
  };

  const context: FollowContext = {
    transport,
    signer,
    store,
    clock,
    random,
    timers,
    logger,
    timings: { ...DEFAULT_TIMINGS, ...defined(config.data) },
    maxFeedback: config.data.maxFeedback ?? 256,
    maxFeedbackLength: config.data.maxFeedbackLength ?? 1_048_576,
    payments,
    chooseOffer: options.chooseOffer ?? cheapestOffer,
    offerWindowMs: config.data.offerWindowMs ?? 5_000,
    experience,
    delivering: createTurnstile(maxDeliveries),
    recover: (job, signal) => recover([job], signal),
    onTransition: (job, transition) => emitter.emit('transition', { job, transition }),
    onFeedback: (job, feedback) => emitter.emit('feedback', { job, feedback }),
    onPaid: (job, payment) => emitter.emit('paid', { job, payment }),
    onIgnored: ignore,
    onEnd: (jobId) => {
      const provider = followed.get(jobId)?.job.provider;
      if (provider != null && byProvider.get(provider)?.delete(jobId) && byProvider.get(provider)?.size === 0)
        byProvider.delete(provider);
      followed.delete(jobId);
      answers.remove(jobId);
    },
  };

  /** Follows a stored job, once, however many ask for it. */
  const follow = async (job: Job, resumed: boolean): Promise<FollowedJob> => {
    const known = followed.get(job.jobId);
    if (known) return known;
    const earlier = resumed ? await store.feedback(job.jobId) : [];
    const said: JobFeedback[] = [];
    for (const { event } of earlier) {
      const parsed = parseFeedback(event);
      if (!parsed.ok) continue;
      const content = await decrypt(event.pubkey, parsed.feedback);
      said.push({ ...parsed.feedback, content: content ?? '' });
    }
    const raced = followed.get(job.jobId);
    if (raced) return raced;
    const created = followJob(context, job, said, resumed);
    if (!isFinal(job.state)) {
      followed.set(job.jobId, created);
      if (job.provider !== null) {
        const others = byProvider.get(job.provider);
        if (others) others.add(job.jobId);
        else byProvider.set(job.provider, new Set([job.jobId]));
      }
      answers.add(job);
    }
    return created;
  };

  const template = async ({
    encrypted = false,
    ...asked
  }: JobRequestSpec & Pick<JobSpec, 'encrypted'>): Promise<EventTemplate> => {
    if (!encrypted) return buildJobRequest(asked);
    const secret = buildSecretJobRequest(asked);
    return secret.seal(await signer.nip44Encrypt(secret.provider, secret.plaintext));
  };

  /**
   * Signs and stores a new job. Two that ask for the same in the same second would be one and the same event; unless
   * they bear the same key, the later one is made to differ.
   */
  const create = async (
    asked: JobRequestSpec & Pick<JobSpec, 'encrypted'>,
    own: Pick<Job, 'idempotencyKey' | 'fingerprint' | 'providerRelays'>,
  ): Promise<{ readonly job: Job; readonly created: boolean }> => {
    for (let collisions = 0; ; collisions += 1) {
      const distinct: Partial<JobRequestSpec> = asked.d
        ? { createdAt: asked.createdAt + collisions * 1000 }
        : { d: collisions === 0 ? null : `${randomName(random)}-${collisions}` };
      const request = await signer.signEvent(await template({ ...asked, ...distinct }));
      const stored = await store.create({
        ...own,
        request,
        jobId: request.id,
        kind: request.kind,
        provider: asked.provider ? readPublicKey(asked.provider) : null,
        relays: asked.relays ?? relays,
        builtAt: asked.createdAt,
        ...freshJob,
      });
      const { idempotencyKey } = stored.job;
      if (stored.created || (idempotencyKey !== null && idempotencyKey === own.idempotencyKey)) return stored;
    }
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
    await Promise.all([...followed.values()].map((job) => job.leave()));
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
      const resumed: FollowedJob[] = [];
      let cursor: string | null = null;
      do {
        const page: Page<Job> = await store.list({ open: true, limit: 500, ...(cursor ? { cursor } : {}) });
        for (const job of page.items) resumed.push(await follow(job, true));
        cursor = page.nextCursor;
      } while (cursor !== null);
      for (let at = 0; at < resumed.length; at += recoveryBatch) {
        const jobs = resumed.slice(at, at + recoveryBatch).map(({ job }) => job);
        await recover(jobs).catch((error) =>
          logger.warn({ err: error }, 'Stored answers could not be looked for'),
        );
      }
      for (const job of resumed) job.drive();
      if (resumed.length > 0) logger.info({ jobs: resumed.length }, 'Going on with open jobs');
    },

    async requestJob(spec, request = {}) {
      assertStarted();
      const { signal, providerRelays = [] } = request;
      const idempotencyKey = request.idempotencyKey ?? spec.d ?? null;
      if (signal?.aborted)
        throw new JobError('JOB_CANCELLED', 'The job was cancelled before it was sent.', {
          cause: signal.reason,
        });

      if (idempotencyKey !== null && !/^[^\p{Cc}\p{Cs}]{1,500}$/u.test(idempotencyKey)) {
        throw new JobError(
          'INVALID_REQUEST',
          'An idempotency key has 1 to 500 characters and no control characters.',
        );
      }

      const asked: JobRequestSpec & Pick<JobSpec, 'encrypted'> = {
        ...(options.blobs && !spec.encrypted ? await spillInputs(spec, options.blobs, signal) : spec),
        relays: spec.relays ?? relays,
        createdAt: clock(),
      };
      const fingerprint = fingerprintOf(asked, asked.encrypted ?? false);
      const known = idempotencyKey === null ? null : await store.getByKey(idempotencyKey);
      const { job, created } =
        known === null
          ? await create(asked, { idempotencyKey, fingerprint, providerRelays })
          : { job: known, created: false };
      if (job.fingerprint !== fingerprint) {
        throw new JobError(
          'IDEMPOTENCY_CONFLICT',
          `The key '${idempotencyKey}' was used for other work (job ${job.jobId}). Give other work another key.`,
        );
      }
      // A client that was closed meanwhile leaves the job to the next one.
      assertStarted();
      const live = await follow(job, !created);
      live.drive();
      if (signal) live.cancelOn(signal);
      return live.handle;
    },

    async get(jobId) {
      const live = followed.get(jobId);
      if (live) return live.handle;
      const job = await store.get(jobId);
      return job === null ? null : (await follow(job, true)).handle;
    },

    list: (query) => store.list(query),
    async quarantinedUntil(provider) {
      const key = readPublicKey(provider);
      if (key === null) throw new JobError('INVALID_REQUEST', `'${provider}' is no public key.`);
      // Who answered a job that was asked for later is well again.
      const { items } = await store.list({ provider: key, open: false, limit: 50 });
      const last = items.find(
        ({ state, timeoutClass }) => state === 'completed' || timeoutClass === 'silence',
      );
      if (last?.timeoutClass !== 'silence' || last.endedAt === null) return null;
      const until = last.endedAt + (config.data.quarantineMs ?? 86_400_000);
      return until > clock() ? until : null;
    },
    on: (name, listener) => emitter.on(name, listener),
    ignored: () => ({ ...counts }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function randomName(random: () => number): string {
  return Array.from({ length: 16 }, () => Math.floor(random() * 16).toString(16)).join('');
}

function defined<Value extends object>(
  value: Value,
): { [Key in keyof Value]?: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as ReturnType<
    typeof defined<Value>
  >;
}
