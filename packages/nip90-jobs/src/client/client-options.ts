import type { Logger } from '@bonafide/internal';
import type { Signer, Transport } from '@bonafide/nostr-transport';
import * as z from 'zod';
import type { JobRequestSpec } from '../codec/index.ts';
import { callable, duration, payments, port, readConfig, shared, timers } from '../option-schemas.ts';
import type { AcceptResult } from '../outcome.ts';
import type { PaymentOptions } from '../payment/payment-executor.ts';
import type { CreateReceipt } from '../receipt.ts';
import type { BlobStore } from '../references/blob-store.ts';
import type { ReferenceOptions } from '../references/fetch-reference.ts';
import type { JobStore } from '../store.ts';
import type { Timers } from '../timers.ts';
import { DEFAULT_TIMINGS, type JobTimings } from '../timings.ts';
import type { ChooseOffer } from './offers.ts';

/** Limits and times of a client; every field has a default. */
export interface JobClientConfig extends Partial<JobTimings> {
  /**
   * Maximum number of feedback events stored per job.
   * @default 256
   */
  readonly maxFeedback?: number;
  /**
   * Maximum number of characters of feedback stored per job.
   * @default 1_048_576
   */
  readonly maxFeedbackLength?: number;
  /**
   * Time limit of a query for stored answers, in ms.
   * @default 5_000
   */
  readonly queryTimeoutMs?: number;
  /**
   * Time for collecting offers for an open job, from the first one on, in ms.
   * @default 5_000
   */
  readonly offerWindowMs?: number;
  /**
   * Time for which a silent provider should not be asked, in ms.
   * @default 86_400_000
   */
  readonly quarantineMs?: number;
  /**
   * Accepts plain answers to an encrypted job.
   * @default false
   */
  readonly allowPlaintext?: boolean;
  /**
   * Time after which other processes take over the jobs of one that stopped renewing its lease, in ms. A process that ended
   * on the same machine is recognized at once.
   * @default 10_000
   */
  readonly leaseMs?: number;
  /**
   * Interval at which jobs that another process drives are read, in ms.
   * @default 500
   */
  readonly watchIntervalMs?: number;
  /**
   * Time for which the late result of a paid job is awaited, in ms. `claim` works without limit.
   * @default 604_800_000
   */
  readonly lateResultWindowMs?: number;
}

/** Options of `createJobClient`. */
export interface JobClientOptions {
  readonly transport: Transport;
  readonly signer: Signer;
  readonly store: JobStore;
  /** Relays on which answers are read; also the destination of requests when the provider's relays are unknown. */
  readonly relays: readonly string[];
  /** Storage for inputs that exceed an event; they travel by reference. Without it they are rejected. */
  readonly blobs?: BlobStore;
  /**
   * Limits for downloads of results by reference, and for Lightning addresses.
   * @default public addresses over TLS, 10 MiB, 30 s
   */
  readonly references?: ReferenceOptions;
  /** Wallet, store and budget for payments. Without it every demand for payment is declined. */
  readonly payments?: PaymentOptions;
  /**
   * Chooses among the offers for an open job.
   * @default the cheapest
   */
  readonly chooseOffer?: ChooseOffer;
  /**
   * Decides whether a result ends an open job; other results are ignored. Also used for resumed jobs.
   * @default every complete result that is not blank
   */
  readonly accept?: AcceptResult;
  /**
   * Signs receipts for `sendReceipt`, such as `createReceipt` of `@bonafide/trust-score`. Without it no receipts are sent.
   */
  readonly createReceipt?: CreateReceipt;
  /** Decrypts NIP-04 answers, which a {@link Signer} does not. Answers are never written in NIP-04. */
  readonly nip04Decrypt?: (sender: string, ciphertext: string) => Promise<string>;
  /**
   * Milliseconds since epoch.
   * @default Date.now
   */
  readonly clock?: () => number;
  /**
   * Random number in [0, 1).
   * @default Math.random
   */
  readonly random?: () => number;
  /** @default the platform's */
  readonly timers?: Timers;
  /**
   * Timers that renew leases, apart from the others because a lease tells other processes that this one is alive.
   * @default the platform's, which do not keep a process running
   */
  readonly leaseTimers?: Timers;
  readonly logger?: Logger;
  readonly config?: JobClientConfig;
}

/** Specification of a job; the client fills in `createdAt` and `relays`. */
export interface JobSpec extends Omit<JobRequestSpec, 'createdAt'> {
  /**
   * Encrypts inputs, parameters and answers for the provider (NIP-44).
   * @default false
   */
  readonly encrypted?: boolean;
}

/** Options of `requestJob`. */
export interface RequestJobOptions {
  /**
   * Idempotency key. A second call with the same key, also after a restart or in another process, returns the same job and
   * publishes no second request.
   * @default the specification's `d`
   */
  readonly idempotencyKey?: string;
  /** Relays of the provider, in order of preference, from its card. */
  readonly providerRelays?: readonly string[];
  /** Decides whether a result ends this open job, in place of the client's `accept`. */
  readonly accept?: AcceptResult;
  /** Cancels the job. */
  readonly signal?: AbortSignal;
}

const count = z.int().positive();
const configSchema = z.strictObject({
  deliveryStagesMs: z.tuple([duration, duration, duration]).default([...DEFAULT_TIMINGS.deliveryStagesMs]),
  retryDelaysMs: z
    .array(duration)
    .max(20)
    .default([...DEFAULT_TIMINGS.retryDelaysMs]),
  processingTimeoutMs: duration.default(DEFAULT_TIMINGS.processingTimeoutMs),
  extensionMs: z.number().nonnegative().max(2_147_483_647).default(DEFAULT_TIMINGS.extensionMs),
  maxExtensions: z.int().nonnegative().default(DEFAULT_TIMINGS.maxExtensions),
  resultTimeoutMs: duration.default(DEFAULT_TIMINGS.resultTimeoutMs),
  maxFeedback: count.default(256),
  maxFeedbackLength: count.default(1_048_576),
  queryTimeoutMs: duration.default(5_000),
  offerWindowMs: duration.default(5_000),
  quarantineMs: z.number().nonnegative().default(86_400_000),
  allowPlaintext: z.boolean().default(false),
  leaseMs: duration.min(30).default(10_000),
  watchIntervalMs: duration.default(500),
  lateResultWindowMs: z.number().nonnegative().default(604_800_000),
});

const optionsSchema = z.strictObject({
  ...shared,
  store: port('get', 'list'),
  payments: payments.optional(),
  chooseOffer: callable.optional(),
  accept: callable.optional(),
  createReceipt: callable.optional(),
  leaseTimers: timers.optional(),
  config: configSchema.prefault({}),
});

/** The settings of a client with all defaults. */
export type ClientSettings = z.infer<typeof configSchema>;

/** Validates the options; throws `INVALID_CONFIG`. */
export function readClientOptions(options: JobClientOptions): ClientSettings {
  return readConfig(optionsSchema, options).config;
}
