import { isCallable, type Logger, relayList, requireOptions, requireRuntime } from '@bonafide/internal';
import type { EventTemplate, Signer, Transport } from '@bonafide/nostr-transport';
import * as z from 'zod';
import { eventTemplate } from '../codec/event.ts';
import { isRequestKind, type JobRequest } from '../codec/index.ts';
import { JobError } from '../errors.ts';
import { callable, duration, payments, port, readConfig, shared } from '../option-schemas.ts';
import type { PaymentOptions } from '../payment/payment-executor.ts';
import type { Invoices } from '../payment/wallet.ts';
import type { VerifyReceipt } from '../receipt.ts';
import type { BlobStore } from '../references/blob-store.ts';
import type { ReferenceOptions } from '../references/fetch-reference.ts';
import type { Timers } from '../timers.ts';
import type { JobHandler } from './handler.ts';
import type { ProviderStore } from './provider-store.ts';

/** Limits and times of a provider; every field has a default. */
export interface ProviderConfig {
  /**
   * Maximum number of waiting requests; further ones are answered with an error.
   * @default 100
   */
  readonly queueLimit?: number;
  /**
   * Interval at which a running job publishes `processing`, in ms; 0 = never.
   * @default 45_000
   */
  readonly heartbeatMs?: number;
  /**
   * Maximum age of a request, in ms.
   * @default 3_600_000
   */
  readonly maxRequestAgeMs?: number;
  /**
   * Time limit per relay for publishing, in ms.
   * @default 10_000
   */
  readonly publishTimeoutMs?: number;
  /**
   * Delays before retries of an answer that no relay of the customer accepted, in ms.
   * @default [5_000, 10_000, 20_000, 60_000, 60_000]
   */
  readonly publishRetryDelaysMs?: readonly number[];
  /**
   * Maximum number of times that a handler is started for one request, for handlers that end the process. An
   * interruption by `close()` does not count.
   * @default 5
   */
  readonly maxAttempts?: number;
  /**
   * Requests per customer and `ratePerMs`; further ones are ignored.
   * @default 600
   */
  readonly rateLimit?: number;
  /** @default 60_000 */
  readonly ratePerMs?: number;
  /**
   * Validity of an invoice, in ms.
   * @default 600_000
   */
  readonly invoiceExpiryMs?: number;
  /**
   * Shortest interval between two questions to the wallet, over all invoices, in ms.
   * @default 1_000
   */
  readonly paymentPollMs?: number;
  /**
   * Time after the expiry of an invoice for which its payment is still awaited, in ms: a payment that was on its way settles
   * later.
   * @default 60_000
   */
  readonly paymentGraceMs?: number;
  /**
   * Maximum number of unpaid requests; further ones are answered with an error.
   * @default 1_000
   */
  readonly maxUnpaid?: number;
  /**
   * Maximum number of unpaid requests per customer; one per customer above half of `maxUnpaid`.
   * @default 5
   */
  readonly maxUnpaidPerCustomer?: number;
  /**
   * Time for which `close()` waits for running handlers, in ms.
   * @default 2_000
   */
  readonly closeTimeoutMs?: number;
  /**
   * Time after which other processes take over the requests of one that stopped renewing its lease, in ms.
   * @default 10_000
   */
  readonly leaseMs?: number;
}

/** Options of `createProvider`. */
export interface ProviderOptions {
  /** Request kinds, 5000–5999. */
  readonly kinds: readonly number[];
  readonly handler: JobHandler;
  readonly transport: Transport;
  readonly signer: Signer;
  /** Relays on which the provider listens. Answers are published there and on the relays that the request names. */
  readonly relays: readonly string[];
  /**
   * Store of requests and answers. Use a durable one to answer once across restarts.
   * @default in memory
   */
  readonly store?: ProviderStore;
  /** A capability card (NIP-89, kind 31990) to sign and publish at the start. */
  readonly card?: EventTemplate;
  /**
   * Accepts requests without an addressee.
   * @default false
   */
  readonly broadcast?: boolean;
  /** Checks a request before it is accepted. A returned text declines it and is sent to the customer. */
  readonly admit?: (request: JobRequest) => Promise<string | null> | string | null;
  /**
   * Returns the price of a request in millisatoshi; null or 0: free. Work with a price starts when it is paid, and requires
   * `invoices`. A price above the request's bid declines it.
   */
  readonly price?: (request: JobRequest) => Promise<number | null> | number | null;
  /** Creates invoices and reports their payment. */
  readonly invoices?: Invoices;
  /**
   * Pays refunds for work that was paid and cannot be delivered, to customers whose request names a refund address. Without
   * it such payments are reported by `obligations()`.
   */
  readonly refunds?: PaymentOptions;
  /**
   * Verifies the receipts of customers, such as `verifyReceipt` of `@bonafide/trust-score`. Without it no receipts are stored.
   */
  readonly verifyReceipt?: VerifyReceipt;
  /** Decrypts NIP-04 requests, which a {@link Signer} does not. Answers are never written in NIP-04. */
  readonly nip04Decrypt?: (sender: string, ciphertext: string) => Promise<string>;
  /**
   * Limits for downloads of inputs by reference.
   * @default public addresses over TLS, 10 MiB, 30 s
   */
  readonly references?: ReferenceOptions;
  /** Storage for results that exceed an event; they travel by reference. Without it they are an error. */
  readonly blobs?: BlobStore;
  /**
   * Number of handlers that run at the same time.
   * @default 1
   */
  readonly concurrency?: number;
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
  readonly logger?: Logger;
  readonly config?: ProviderConfig;
}

/** Shape of `ProviderOptions`. */
export const providerOptionsSchema = z.strictObject({
  ...shared,
  handler: z.custom(isCallable, 'must be a function, for example async ({ inputs }) => answer'),
  store: port('lease').optional(),
  card: eventTemplate.optional(),
  broadcast: z.boolean().optional(),
  admit: callable.optional(),
  price: callable.optional(),
  invoices: port('create', 'isPaid').optional(),
  refunds: payments.optional(),
  verifyReceipt: callable.optional(),
  kinds: z.array(z.int().refine(isRequestKind, 'must be between 5000 and 5999')).min(1),
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
      paymentPollMs: duration.default(1_000),
      paymentGraceMs: z.number().nonnegative().max(2_147_483_647).default(60_000),
      maxUnpaid: z.int().positive().default(1_000),
      maxUnpaidPerCustomer: z.int().positive().default(5),
      closeTimeoutMs: duration.default(2_000),
      leaseMs: duration.min(30).default(10_000),
    })
    .prefault({}),
});

/** The settings of a provider with all defaults. */
export type ProviderSettings = z.infer<typeof providerOptionsSchema>['config'];

/** Validates the options; throws `INVALID_CONFIG`, and `RUNTIME_TOO_OLD` before Node 22.13. */
export function readProviderOptions(options: ProviderOptions): z.infer<typeof providerOptionsSchema> {
  requireRuntime((message) => new JobError('RUNTIME_TOO_OLD', message));
  requireOptions(
    options,
    {
      transport: { methods: ['publish'], example: 'createTransport() of @bonafide/nostr-transport' },
      signer: { methods: ['signEvent'], example: 'createKeySigner(secret) of @bonafide/nostr-transport' },
      relays: relayList,
    },
    (message) => new JobError('INVALID_CONFIG', message),
  );
  const checked = readConfig(providerOptionsSchema, options);
  if ((options.price === undefined) !== (options.invoices === undefined)) {
    throw new JobError(
      'INVALID_CONFIG',
      'Options `price` and `invoices` must be given together: a price needs a wallet that makes invoices.',
    );
  }
  return checked;
}
