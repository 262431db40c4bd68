import { type Logger, parseOrThrow } from '@bonafide/internal';
import type { EventTemplate, Signer, Transport } from '@bonafide/nostr-transport';
import * as z from 'zod';
import { isRequestKind, type JobRequest } from '../codec/index.ts';
import { JobError } from '../errors.ts';
import type { Invoices } from '../payment/wallet.ts';
import type { BlobStore } from '../references/blob-store.ts';
import type { ReferenceOptions } from '../references/fetch-reference.ts';
import type { ProviderStore } from '../store.ts';
import type { Timers } from '../timers.ts';
import type { JobHandler } from './handler.ts';

/** Limits and times of a provider; whatever is left out has its default. */
export interface ProviderConfig {
  /** Most requests that wait; more are answered with an error. @default 100 */
  readonly queueLimit?: number;
  /** How often a running job says `processing` again; 0 = never. @default 45_000 */
  readonly heartbeatMs?: number;
  /** Older requests are not taken. @default 3_600_000 */
  readonly maxRequestAgeMs?: number;
  /** How long one relay is waited for when something is published. @default 10_000 */
  readonly publishTimeoutMs?: number;
  /** Waits between tries to publish an answer that no relay of the customer took. @default [5_000, 10_000, 20_000, 60_000, 60_000] */
  readonly publishRetryDelaysMs?: readonly number[];
  /** How often a handler is begun for one request, in case it takes the whole process down with it. @default 5 */
  readonly maxAttempts?: number;
  /** Requests that one customer may make per `ratePerMs`; more are not taken. @default 600 */
  readonly rateLimit?: number;
  /** @default 60_000 */
  readonly ratePerMs?: number;
  /** How long a customer has to pay. @default 600_000 */
  readonly invoiceExpiryMs?: number;
  /** How often the wallet is asked whether an invoice was paid. @default 2_000 */
  readonly paymentPollMs?: number;
  /** Most requests that wait to be paid for; more are answered with an error. @default 1_000 */
  readonly maxUnpaid?: number;
  /** How long `close()` waits for running handlers. @default 2_000 */
  readonly closeTimeoutMs?: number;
}

/** What a provider is made of. */
export interface ProviderOptions {
  /** Kinds of requests that it takes, 5000–5999. */
  readonly kinds: readonly number[];
  readonly handler: JobHandler;
  readonly transport: Transport;
  readonly signer: Signer;
  /** Where requests are awaited. AnswerSubscriptions go here and to the relays that the request names. */
  readonly relays: readonly string[];
  /** @default in memory; give a lasting one to answer once across restarts */
  readonly store?: ProviderStore;
  /** A capability card (NIP-89, kind 31990) that is signed and published at start. */
  readonly card?: EventTemplate;
  /** Also takes requests that address nobody. @default false */
  readonly broadcast?: boolean;
  /** Looks at a request before it is taken; a text declines it and tells the customer why. */
  readonly admit?: (request: JobRequest) => Promise<string | null> | string | null;
  /**
   * What a request costs, in millisatoshi; null or 0: nothing. What costs something is begun when it is paid, and needs
   * `invoices`. What costs more than the request bids is declined.
   */
  readonly price?: (request: JobRequest) => Promise<number | null> | number | null;
  /** Makes invoices and tells when they are paid. */
  readonly invoices?: Invoices;
  /** Reads requests that are encrypted in the old way (NIP-04), which a {@link Signer} does not; answers are never written so. */
  readonly nip04Decrypt?: (sender: string, ciphertext: string) => Promise<string>;
  /** What may be fetched for a handler from where requests point. @default public addresses over TLS, 10 MiB, 30 s */
  readonly references?: ReferenceOptions;
  /** Where results go that fit into no event; they then travel by reference (JOB-3). Without it they are an error. */
  readonly blobs?: BlobStore;
  /** Handlers that run at the same time. @default 1 */
  readonly concurrency?: number;
  /** Milliseconds since epoch. @default Date.now */
  readonly clock?: () => number;
  /** @default the platform's */
  readonly timers?: Timers;
  readonly logger?: Logger;
  readonly config?: ProviderConfig;
}

const duration = z.number().positive().max(2_147_483_647);
const checkedOptions = z.object({
  kinds: z.array(z.int().refine(isRequestKind, 'must be between 5000 and 5999')).min(1),
  relays: z.array(z.string()).min(1, 'at least one relay is needed'),
  concurrency: z.int().positive().default(1),
  config: z
    .strictObject({
      queueLimit: z.int().positive().default(100),
      heartbeatMs: z.number().nonnegative().max(2_147_483_647).default(45_000),
      maxRequestAgeMs: z.number().positive().default(3_600_000),
      publishTimeoutMs: duration.default(10_000),
      publishRetryDelaysMs: z.array(duration).default([5_000, 10_000, 20_000, 60_000, 60_000]),
      maxAttempts: z.int().positive().default(5),
      rateLimit: z.int().positive().default(600),
      ratePerMs: duration.default(60_000),
      invoiceExpiryMs: duration.default(600_000),
      paymentPollMs: duration.default(2_000),
      maxUnpaid: z.int().positive().default(1_000),
      closeTimeoutMs: duration.default(2_000),
    })
    .prefault({}),
});

/** A provider's numbers with every default filled in. */
export type ProviderSettings = z.infer<typeof checkedOptions>['config'];

/** @throws {JobError} `INVALID_CONFIG` */
export function readProviderOptions(options: ProviderOptions): z.infer<typeof checkedOptions> {
  const { kinds, relays, concurrency, config } = options;
  const checked = parseOrThrow(
    checkedOptions,
    { kinds, relays, concurrency, config },
    'options',
    (message, cause) => new JobError('INVALID_CONFIG', message, cause),
  );
  if ((options.price === undefined) !== (options.invoices === undefined)) {
    throw new JobError(
      'INVALID_CONFIG',
      'Options `price` and `invoices` must be given together: a price needs a wallet that makes invoices.',
    );
  }
  return checked;
}
