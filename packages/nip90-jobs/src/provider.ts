import {
  byteLength,
  createEmitter,
  isBonafideError,
  type Logger,
  silentLogger,
  type Unsubscribe,
} from '@bonafide/internal';
import type { EventTemplate, NostrEvent, Signer, Subscription, Transport } from '@bonafide/nostr-transport';
import { z } from 'zod';
import {
  buildFeedback,
  buildJobResult,
  DELETION_KIND,
  type FeedbackStatus,
  isRequestKind,
  type JobInput,
  type JobRequest,
  MAX_EVENT_BYTES,
  openJobRequest,
  parseJobCancellation,
  parseJobRequest,
  requestFilters,
  resultKindOf,
} from './codec/index.ts';
import { JobError } from './errors.ts';
import { decodeInvoice } from './payment/invoice.ts';
import type { Invoices } from './payment/wallet.ts';
import { publishToAny } from './publish.ts';
import { createRateLimit } from './rate-limit.ts';
import { createReferenceFetcher, type ReferenceOptions } from './references/fetch-reference.ts';
import { createReadInput } from './references/read-input.ts';
import type { Charge, ProvidedJob, ProviderStore } from './store.ts';
import { createMemoryProviderStore } from './stores/memory.ts';
import { pause, systemTimers, type Timers } from './timers.ts';

/** What a handler gives back: the result's content, or the content with what goes beside it. */
export type JobAnswer =
  | string
  | {
      readonly content: string;
      /** @default 'success' */
      readonly status?: 'success' | 'partial';
      /** What the work costs, in millisatoshi. */
      readonly amountMsat?: number;
      readonly bolt11?: string;
    };

/** What a handler has beside the request. */
export interface JobContext {
  /** Fires when the customer takes the request back or the provider closes: stop working. */
  readonly signal: AbortSignal;
  /** Tells the customer how it goes (`processing`). Gives the job more time. */
  progress(info?: string): Promise<void>;
  /**
   * The bytes that an input stands for (JOB-3): its text, what is at its address, the event or file that it names, the
   * result of the job that it names. Addresses of strangers are guarded, sizes limited, hashes checked; what is wrong
   * rejects with a {@link JobError} that tells the customer.
   */
  read(input: JobInput): Promise<Uint8Array>;
  /** Hands over a part of the result before the rest is done (`partial`). */
  partial(content: string, info?: string): Promise<void>;
}

/**
 * Does the work. What it throws becomes an `error` feedback: the message of a {@link JobError} is told to the customer,
 * any other error stays in the log. It may run again for the same request when the process died before the answer was
 * stored; the customer sees one answer in any case.
 */
export type JobHandler = (request: JobRequest, context: JobContext) => Promise<JobAnswer> | JobAnswer;

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
  /** Where requests are awaited. Answers go here and to the relays that the request names. */
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
  /** Handlers that run at the same time. @default 1 */
  readonly concurrency?: number;
  /** Milliseconds since epoch. @default Date.now */
  readonly clock?: () => number;
  /** @default the platform's */
  readonly timers?: Timers;
  readonly logger?: Logger;
  readonly config?: ProviderConfig;
}

/** What a provider tells its listeners. */
export interface ProviderEvents {
  /** A request was taken; it is stored already. */
  readonly request: { readonly request: JobRequest };
  /** The answer is fixed: a result, or feedback that says error. */
  readonly answered: { readonly requestId: string; readonly customer: string; readonly answer: NostrEvent };
  /** A relay has the answer. */
  readonly published: { readonly requestId: string; readonly answer: NostrEvent };
  /** The customer has paid; it is stored already. */
  readonly paid: { readonly requestId: string; readonly amountMsat: number };
  /** The customer took the request back. */
  readonly cancelled: { readonly requestId: string };
}

/**
 * Why an event was given no answer at all. `too-old`: also a request that has expired (NIP-40). `rate-limited`: its customer
 * asks too often.
 */
export type UnansweredReason = 'malformed' | 'not-addressed' | 'other-kind' | 'too-old' | 'rate-limited';

/** Takes requests and answers each once (JOB-15). */
export interface Provider {
  /** Publishes the card, goes on with what was begun, and listens. */
  start(): Promise<void>;
  on<Name extends keyof ProviderEvents>(
    name: Name,
    listener: (event: ProviderEvents[Name]) => unknown,
  ): Unsubscribe;
  /** Requests that wait and that are worked on. */
  load(): { readonly waiting: number; readonly running: number };
  /** Events that were given no answer since the provider was made, by reason. */
  unanswered(): Readonly<Record<UnansweredReason, number>>;
  /** Stops listening and aborts what runs; what is not answered is begun anew at the next start. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const duration = z.number().positive().max(2_147_483_647);
const optionsSchema = z.object({
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

/** A customer may take this long between signing a request and getting it to a relay. */
const deliverySlackSeconds = 600;
/** How long to wait when the store fails. */
const storeRetryMs = 5_000;
/** Relays of a request that an answer is sent to. */
const maxReplyRelays = 5;
/** Cancellations that are remembered because they came before their request. */
const maxEarlyCancellations = 1_000;
/** Requests whose ids are kept in memory to know repetitions at once. */
const maxKnown = 10_000;

/**
 * Makes a provider. Call `start()` to begin.
 * @throws {JobError} `INVALID_OPTIONS`
 */
export function createProvider(options: ProviderOptions): Provider {
  const { handler, transport, signer, relays, card, broadcast = false, admit } = options;
  const parsed = optionsSchema.safeParse({
    kinds: options.kinds,
    relays,
    concurrency: options.concurrency,
    config: options.config,
  });
  if (!parsed.success) {
    throw new JobError('INVALID_OPTIONS', `The provider's options: ${z.prettifyError(parsed.error)}`, {
      cause: parsed.error,
    });
  }
  const { kinds, concurrency, config } = parsed.data;
  if ((options.price === undefined) !== (options.invoices === undefined)) {
    throw new JobError(
      'INVALID_OPTIONS',
      'A provider that has a price needs invoices, and the other way round.',
    );
  }
  const store = options.store ?? createMemoryProviderStore();
  const clock = options.clock ?? Date.now;
  const timers = options.timers ?? systemTimers;
  const logger = options.logger ?? silentLogger;
  const emitter = createEmitter<ProviderEvents>({ logger });

  const stop = new AbortController();
  const waiting: JobRequest[] = [];
  const running = new Map<string, { readonly abort: AbortController; readonly done: Promise<void> }>();
  const known = new Set<string>();
  const cancelledEarly = new Map<string, string>();
  const readInput = createReadInput({
    transport,
    relays,
    fetchReference: createReferenceFetcher(options.references),
  });
  const unpaid = new Map<string, AbortController>();
  const rateLimit = createRateLimit({ count: config.rateLimit, perMs: config.ratePerMs, clock });
  const counts = {
    malformed: 0,
    'not-addressed': 0,
    'other-kind': 0,
    'too-old': 0,
    'rate-limited': 0,
  } satisfies Record<UnansweredReason, number>;
  let subscription: Subscription | null = null;
  let started = false;
  let startedAt = 0;
  let publicKey = '';

  const background = (work: Promise<unknown>, what: string, requestId: string) => {
    work.catch((error) => {
      if (!stop.signal.aborted) logger.error({ err: error, requestId }, what);
    });
  };

  const seconds = () => Math.floor(clock() / 1000);

  // --- publishing -----------------------------------------------------------------------------------------------

  const replyRelays = (request: JobRequest) => [
    ...new Set([...request.relays.slice(0, maxReplyRelays), ...relays]),
  ];

  const send = (event: NostrEvent, to: readonly string[]) =>
    publishToAny(transport, event, to, {
      timeoutMs: config.publishTimeoutMs,
      signal: stop.signal,
      onOutcome: (relay, { status, message }) => {
        if (status !== 'accepted')
          logger.debug({ relay, status, message, eventId: event.id }, 'A relay did not take an event');
      },
      onError: (error) => logger.error({ err: error, eventId: event.id }, 'An event could not be sent'),
    });

  /** Feedback as it goes out: to an encrypted request everything but the status is encrypted, too (JOB-4). */
  const feedbackTemplate = async (
    request: JobRequest,
    status: FeedbackStatus,
    said: { readonly info?: string; readonly content?: string; readonly charge?: Charge },
  ): Promise<EventTemplate> => {
    const { info = '', content = '', charge } = said;
    const about = {
      request: { id: request.id, pubkey: request.customer },
      status,
      createdAt: clock(),
      ...(charge ? { amountMsat: charge.amountMsat, bolt11: charge.bolt11 } : {}),
    };
    const secret = content || info;
    if (request.encryption === null || secret === '') return buildFeedback({ ...about, info, content });
    const ciphertext = await signer.nip44Encrypt(request.customer, secret);
    return buildFeedback({ ...about, content: ciphertext, encrypted: true });
  };

  const sendFeedback = async (
    request: JobRequest,
    status: FeedbackStatus,
    said: Parameters<typeof feedbackTemplate>[2],
  ): Promise<void> => {
    const template = await feedbackTemplate(request, status, said);
    await send(await signer.signEvent(template), replyRelays(request));
  };

  /** Publishes an answer that is stored, until a relay where the customer listens has it. */
  const publishAnswer = async (request: JobRequest, answer: NostrEvent): Promise<void> => {
    const theirs = request.relays.length > 0 ? request.relays.slice(0, maxReplyRelays) : relays;
    const others = relays.filter((relay) => !theirs.includes(relay));
    let elsewhere = false;
    for (let attempt = 0; ; attempt += 1) {
      const copies = send(answer, others).then((accepted) => {
        elsewhere ||= accepted;
      });
      if (await send(answer, theirs)) break;
      const delayMs = config.publishRetryDelaysMs[attempt];
      if (delayMs === undefined) {
        await copies;
        if (elsewhere) break;
        return logger.error(
          { requestId: request.id },
          'No relay took the answer; it is tried again at the next start',
        );
      }
      logger.warn(
        { requestId: request.id, attempt },
        'No relay of the customer took the answer; trying again',
      );
      if (!(await pause(timers, delayMs, stop.signal))) return;
    }
    await store.published(request.id, clock());
    emitter.emit('published', { requestId: request.id, answer });
  };

  // --- working ----------------------------------------------------------------------------------------------------

  /** Fixes the one answer to a request and publishes it. */
  const settle = async (request: JobRequest, template: EventTemplate): Promise<void> => {
    const signed = await signer.signEvent(template);
    const answer = await store.answer(request.id, signed, clock());
    if (answer === null) return;
    emitter.emit('answered', { requestId: request.id, customer: request.customer, answer });
    background(publishAnswer(request, answer), 'An answer could not be published', request.id);
  };

  const refuse = async (request: JobRequest, info: string) =>
    settle(request, await feedbackTemplate(request, 'error', { info }));

  const resultTemplate = async (request: JobRequest, given: JobAnswer): Promise<EventTemplate> => {
    const answer = typeof given === 'string' ? { content: given } : given;
    const encrypted = request.encryption !== null;
    // NIP-44 has no ciphertext of nothing.
    const content = encrypted
      ? await signer.nip44Encrypt(request.customer, answer.content || ' ')
      : answer.content;
    const template = buildJobResult({
      request: request.event,
      createdAt: clock(),
      ...answer,
      content,
      encrypted,
    });
    if (byteLength(JSON.stringify(template)) + 320 > MAX_EVENT_BYTES) {
      throw new JobError('REQUEST_TOO_LARGE', 'The result is too large for a relay.');
    }
    return template;
  };

  const work = async (request: JobRequest, abort: AbortController): Promise<void> => {
    const tell = (status: FeedbackStatus, info: string, content?: string) =>
      sendFeedback(request, status, { info, ...(content === undefined ? {} : { content }) }).catch((error) =>
        logger.warn({ err: error, requestId: request.id }, 'Feedback could not be published'),
      );
    let beat = () => {};
    const heartbeat = () => {
      if (config.heartbeatMs === 0) return;
      beat = timers.after(config.heartbeatMs, () => {
        background(tell('processing', ''), 'Feedback could not be published', request.id);
        heartbeat();
      });
    };
    try {
      const earlier = await earlierAnswer(request);
      if (earlier) {
        await store.answer(request.id, earlier, clock());
        await store.published(request.id, clock());
        return;
      }
      if ((await store.begin(request.id)) > config.maxAttempts) {
        logger.error(
          { requestId: request.id },
          'A request was begun too often and never ended; it is given up',
        );
        return refuse(request, 'The job failed.');
      }
      background(tell('processing', ''), 'Feedback could not be published', request.id);
      heartbeat();
      const given = await handler(request, {
        signal: abort.signal,
        read: (input) => readInput(input, { signal: abort.signal }),
        progress: (info = '') => tell('processing', info),
        partial: (content, info = '') => tell('partial', info, content),
      });
      if (!abort.signal.aborted) await settle(request, await resultTemplate(request, given));
    } catch (error) {
      // Closing leaves the request for the next start; a cancelled one wants no answer.
      if (abort.signal.aborted) return;
      const told = isBonafideError(error) && error instanceof JobError ? error.message : 'The job failed.';
      logger.warn({ err: error, requestId: request.id }, 'A handler failed');
      await refuse(request, told);
    } finally {
      beat();
    }
  };

  /**
   * A request from before this start that the store does not know may have been answered by an earlier life whose
   * store was lost: the relays remember.
   */
  const earlierAnswer = async (request: JobRequest): Promise<NostrEvent | null> => {
    if (request.createdAt >= startedAt - 2_000) return null;
    const filter = { kinds: [resultKindOf(request.kind)], authors: [publicKey], '#e': [request.id] };
    try {
      const [answer] = await transport.query(replyRelays(request), [filter], { signal: stop.signal });
      return answer ?? null;
    } catch (error) {
      logger.warn({ err: error, requestId: request.id }, 'Earlier answers could not be looked for');
      return null;
    }
  };

  const fill = () => {
    while (running.size < concurrency && !stop.signal.aborted) {
      const request = waiting.shift();
      if (request === undefined) return;
      const abort = new AbortController();
      const done = work(request, abort)
        .catch((error) =>
          logger.error({ err: error, requestId: request.id }, 'A request could not be answered'),
        )
        .finally(() => {
          running.delete(request.id);
          fill();
        });
      running.set(request.id, { abort, done });
    }
  };

  // --- taking requests --------------------------------------------------------------------------------------------

  const remember = (requestId: string): boolean => {
    if (known.has(requestId)) return false;
    known.add(requestId);
    const [oldest] = known;
    if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
    return true;
  };

  const ignore = (reason: UnansweredReason, event: NostrEvent) => {
    counts[reason] += 1;
    logger.debug(
      { reason, eventId: event.id, kind: event.kind, pubkey: event.pubkey },
      'A request is not answered',
    );
  };

  const isTooOld = (request: JobRequest) =>
    request.createdAt < clock() - config.maxRequestAgeMs ||
    (request.expiresAt !== null && request.expiresAt <= clock());

  /** Stores a request; false when it was stored before. While the store fails, tries again: it comes only once. */
  const remembered = async (request: JobRequest): Promise<boolean> => {
    const { id: requestId, customer, kind, event } = request;
    const none = {
      attempts: 0,
      charge: null,
      paidAt: null,
      answer: null,
      answeredAt: null,
      publishedAt: null,
      droppedAt: null,
    };
    for (;;) {
      try {
        return await store.take({ requestId, customer, kind, request: event, receivedAt: clock(), ...none });
      } catch (error) {
        logger.error({ err: error, requestId }, 'A request could not be stored');
        if (!(await pause(timers, storeRetryMs, stop.signal))) return false;
      }
    }
  };

  const takeRequest = async (event: NostrEvent): Promise<void> => {
    const read = parseJobRequest(event);
    if (!read.ok) return ignore('malformed', event);
    const { request } = read;
    const addressed = request.providers.includes(publicKey) || (broadcast && request.providers.length === 0);
    if (!addressed) return ignore('not-addressed', event);
    if (!kinds.includes(request.kind)) return ignore('other-kind', event);
    if (isTooOld(request)) return ignore('too-old', event);
    if (!remember(request.id)) return;
    if (!rateLimit.take(request.customer)) {
      // A request that is not taken may be sent again later.
      known.delete(request.id);
      return ignore('rate-limited', event);
    }

    if (!(await remembered(request))) return;
    emitter.emit('request', { request });

    if (cancelledEarly.get(request.id) === request.customer) return drop(request.id);
    await begin(request);
  };

  /** The request as its handler sees it: decrypted, if it was not in the clear. Null when it cannot be read. */
  const open = async (request: JobRequest): Promise<JobRequest | null> => {
    const { encryption, customer } = request;
    const { content } = request.event;
    if (encryption === null) return request;
    try {
      if (encryption === 'nip44')
        return openJobRequest(request, await signer.nip44Decrypt(customer, content));
      if (encryption === 'nip04' && options.nip04Decrypt)
        return openJobRequest(request, await options.nip04Decrypt(customer, content));
    } catch (error) {
      logger.debug({ err: error, requestId: request.id }, 'A request could not be decrypted');
    }
    return null;
  };

  const begin = async (received: JobRequest, provided?: ProvidedJob): Promise<void> => {
    const request = await open(received);
    if (request === null) {
      const how = received.encryption === 'nip44' ? 'It cannot be decrypted.' : 'Encrypt with NIP-44.';
      return refuse(received, `The request cannot be read. ${how}`);
    }
    const declined = await askAdmission(request);
    if (declined !== null) return refuse(request, declined);
    const isPaid = provided !== undefined && provided.paidAt !== null;
    if (options.price && options.invoices && !isPaid) {
      const charged = await chargeFor(request, provided?.charge ?? null, options.price, options.invoices);
      if (charged === 'refused') return;
      if (charged !== null) return awaitPayment(request, charged, options.invoices);
    }
    return enqueue(request);
  };

  /** The invoice for a request, the same one after a restart; null when it costs nothing. */
  const chargeFor = async (
    request: JobRequest,
    known: Charge | null,
    price: NonNullable<ProviderOptions['price']>,
    invoices: Invoices,
  ): Promise<Charge | 'refused' | null> => {
    if (known !== null) return known;
    try {
      const amountMsat = await price(request);
      if (amountMsat === null || amountMsat === 0) return null;
      if (request.bidMsat !== null && amountMsat > request.bidMsat) {
        await refuse(request, `This costs ${amountMsat} msat; ${request.bidMsat} msat were offered.`);
        return 'refused';
      }
      if (unpaid.size >= config.maxUnpaid) {
        await refuse(request, 'Busy: too many requests wait to be paid for.');
        return 'refused';
      }
      const description = `NIP-90 job ${request.id.slice(0, 16)}`;
      const expiryMs = config.invoiceExpiryMs;
      const invoice = await invoices.create({ amountMsat, description, expiryMs }, { signal: stop.signal });
      const expiresAt = decodeInvoice(invoice.bolt11)?.expiresAt ?? clock() + expiryMs;
      return await store.charge(request.id, { amountMsat, expiresAt, ...invoice });
    } catch (error) {
      logger.error({ err: error, requestId: request.id }, 'No invoice could be made');
      if (!stop.signal.aborted) await refuse(request, 'Not available at the moment.');
      return 'refused';
    }
  };

  /** Tells the customer the price, and begins when it is paid. */
  const awaitPayment = async (request: JobRequest, charge: Charge, invoices: Invoices): Promise<void> => {
    const waits = new AbortController();
    unpaid.set(request.id, waits);
    const signal = AbortSignal.any([waits.signal, stop.signal]);
    const isPaid = async () => {
      try {
        return await invoices.isPaid(charge.paymentHash, { signal });
      } catch (error) {
        logger.warn(
          { err: error, requestId: request.id },
          'Whether a customer has paid could not be found out',
        );
        return false;
      }
    };
    try {
      await sendFeedback(request, 'payment-required', { charge });
      for (;;) {
        const wasOver = clock() >= charge.expiresAt;
        if (await isPaid()) break;
        if (wasOver) return await refuse(request, 'The invoice was not paid in time.');
        const left = Math.max(1, charge.expiresAt - clock());
        if (!(await pause(timers, Math.min(config.paymentPollMs, left), signal))) return;
      }
      if (signal.aborted) return;
      await store.paid(request.id, clock());
      emitter.emit('paid', { requestId: request.id, amountMsat: charge.amountMsat });
    } finally {
      unpaid.delete(request.id);
    }
    // Who has paid is not sent away for want of room.
    waiting.push(request);
    fill();
  };

  const enqueue = async (request: JobRequest): Promise<void> => {
    if (waiting.length >= config.queueLimit) return refuse(request, 'Busy: too many requests are waiting.');
    waiting.push(request);
    fill();
  };

  const askAdmission = async (request: JobRequest): Promise<string | null> => {
    try {
      return admit ? await admit(request) : null;
    } catch (error) {
      logger.error({ err: error, requestId: request.id }, 'Whether to take a request could not be decided');
      return 'Not available at the moment.';
    }
  };

  const drop = async (requestId: string): Promise<void> => {
    await store.drop(requestId, clock());
    emitter.emit('cancelled', { requestId });
  };

  const takeCancellation = async (event: NostrEvent): Promise<void> => {
    const cancellation = parseJobCancellation(event);
    if (cancellation === null) return;
    for (const requestId of cancellation.requestIds) {
      const provided = await store.getProvided(requestId);
      if (provided === null) {
        cancelledEarly.set(requestId, cancellation.customer);
        const [oldest] = cancelledEarly.keys();
        if (cancelledEarly.size > maxEarlyCancellations && oldest !== undefined)
          cancelledEarly.delete(oldest);
        continue;
      }
      // Only who asked can take it back.
      if (
        provided.customer !== cancellation.customer ||
        provided.answer !== null ||
        provided.droppedAt !== null
      )
        continue;
      unpaid.get(requestId)?.abort();
      const at = waiting.findIndex((request) => request.id === requestId);
      if (at >= 0) waiting.splice(at, 1);
      await drop(requestId);
      running.get(requestId)?.abort.abort();
    }
  };

  /** Goes on with what an earlier life of this provider left. */
  const resume = async (provided: ProvidedJob): Promise<void> => {
    const read = parseJobRequest(provided.request);
    if (!read.ok)
      throw new JobError('STORE_CORRUPT', `Request ${provided.requestId} cannot be read: ${read.message}`);
    remember(provided.requestId);
    if (provided.answer) return publishAnswer(read.request, provided.answer);
    // What was paid for is done, however late.
    if (provided.paidAt === null && isTooOld(read.request)) return drop(provided.requestId);
    await begin(read.request, provided);
  };

  const onEvent = (event: NostrEvent) => {
    const taken = event.kind === DELETION_KIND ? takeCancellation(event) : takeRequest(event);
    background(taken, 'A request could not be taken', event.id);
  };

  const publishCard = async (template: EventTemplate): Promise<void> => {
    const signed = await signer.signEvent(template);
    for (const delayMs of [...config.publishRetryDelaysMs, null]) {
      if (await send(signed, relays)) return;
      if (delayMs === null || !(await pause(timers, delayMs, stop.signal))) break;
    }
    if (!stop.signal.aborted)
      logger.error({ eventId: signed.id }, 'No relay took the card; nobody will find this provider by it');
  };

  const close = async (): Promise<void> => {
    if (stop.signal.aborted) return;
    subscription?.close();
    stop.abort();
    waiting.length = 0;
    const running_ = [...running.values()];
    for (const { abort } of running_) abort.abort();
    const enough = Promise.withResolvers<void>();
    const cancel = timers.after(config.closeTimeoutMs, enough.resolve);
    await Promise.race([Promise.all(running_.map(({ done }) => done)), enough.promise]);
    cancel();
    emitter.clear();
  };

  return {
    async start() {
      if (stop.signal.aborted) throw new JobError('CLOSED', 'This provider is closed.');
      if (started) return;
      started = true;
      startedAt = clock();
      publicKey = await signer.getPublicKey();
      const unfinished = await store.listUnfinished();
      for (const provided of unfinished)
        background(resume(provided), 'A request could not be resumed', provided.requestId);
      subscription = transport.subscribe(relays, requestFilters({ kinds, provider: publicKey, broadcast }), {
        onEvent,
        watermarks: {
          async get(relay, key) {
            const read = await store.watermark(`${relay} ${key}`);
            if (read !== null) return read - deliverySlackSeconds;
            return seconds() - Math.ceil(config.maxRequestAgeMs / 1000);
          },
          set: (relay, key, to) => store.setWatermark(`${relay} ${key}`, to),
        },
      });
      if (card) await publishCard(card);
    },
    on: (name, listener) => emitter.on(name, listener),
    unanswered: () => ({ ...counts }),
    load: () => ({ waiting: waiting.length, running: running.size }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
