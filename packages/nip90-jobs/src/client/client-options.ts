import { type Logger, parseOrThrow } from '@bonafide/internal';
import type { Signer, Transport } from '@bonafide/nostr-transport';
import * as z from 'zod';
import type { JobRequestSpec } from '../codec/index.ts';
import { JobError } from '../errors.ts';
import type { PaymentOptions } from '../payment/payment-executor.ts';
import type { BlobStore } from '../references/blob-store.ts';
import type { ReferenceOptions } from '../references/fetch-reference.ts';
import type { JobStore } from '../store.ts';
import type { Timers } from '../timers.ts';
import { DEFAULT_TIMINGS, type JobTimings } from '../timings.ts';
import type { ChooseOffer } from './offers.ts';

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
  /** What may be fetched of results that stand at an address. @default public addresses over TLS, 10 MiB, 30 s */
  readonly references?: ReferenceOptions;
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

const count = z.int().positive();
const duration = z.number().positive().max(2_147_483_647);
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
});

/** A client's numbers with every default filled in. */
export type ClientSettings = z.infer<typeof configSchema>;

/** @throws {JobError} `INVALID_CONFIG` */
export function readClientOptions({ config = {}, relays }: JobClientOptions): ClientSettings {
  if (relays.length === 0)
    throw new JobError('INVALID_CONFIG', 'A job client needs at least one relay to listen for answers.');
  return parseOrThrow(
    configSchema,
    config,
    'config',
    (message, options) => new JobError('INVALID_CONFIG', message, options),
  );
}
