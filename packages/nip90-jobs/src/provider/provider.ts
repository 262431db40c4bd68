import { createEmitter, silentLogger, type Unsubscribe } from '@bonafide/internal';
import type { EventTemplate, NostrEvent, Subscription } from '@bonafide/nostr-transport';
import {
  DELETION_KIND,
  type JobRequest,
  parseJobRequest,
  RECEIPT_KIND,
  requestFilters,
} from '../codec/index.ts';
import { JobError } from '../errors.ts';
import { createLease, leaseTimers } from '../lease.ts';
import { measureProvider } from '../metrics.ts';
import { createPaymentExecutor } from '../payment/payment-executor.ts';
import { createReferenceFetcher } from '../references/fetch-reference.ts';
import { createReadInput } from '../references/read-input.ts';
import { createMemoryProviderStore } from '../stores/memory.ts';
import { pause, systemTimers } from '../timers.ts';
import { createAnswerPublisher } from './answer-publisher.ts';
import { createCancellations } from './cancellations.ts';
import { createRequestDecrypter } from './decrypt-request.ts';
import { createInvoicing } from './invoicing.ts';
import { createObligations, type Obligation } from './obligations.ts';
import { createPaymentWatcher } from './payment-watcher.ts';
import { freshProvided, isPaymentUndecided } from './provided-job.ts';
import { createProvidedJobs } from './provided-jobs.ts';
import type { ProviderContext } from './provider-context.ts';
import type { ProviderEvents } from './provider-events.ts';
import { type ProviderOptions, readProviderOptions } from './provider-options.ts';
import type { ProvidedJob } from './provider-store.ts';
import { createReceipts } from './receipts.ts';
import { createReplies } from './replies.ts';
import { createRequestClassifier, type UnansweredReason } from './request-classifier.ts';
import { createWorkerPool } from './worker-pool.ts';

/** Accepts requests and answers each once. */
export interface Provider {
  /** Publishes the card, resumes unfinished requests, and listens. */
  start(): Promise<void>;
  on<Name extends keyof ProviderEvents>(
    name: Name,
    listener: (event: ProviderEvents[Name]) => unknown,
  ): Unsubscribe;
  /** Returns the number of waiting and of running requests. */
  load(): { readonly waiting: number; readonly running: number };
  /** Returns the number of events without an answer since the provider was created, by reason. */
  unanswered(): Readonly<Record<UnansweredReason, number>>;
  /** Returns the payments for work that was not delivered and not refunded, oldest first. */
  obligations(): Promise<readonly Obligation[]>;
  /** Returns the receipts of customers that were stored, oldest request first: evidence for a trust report. */
  receipts(): AsyncIterable<NostrEvent>;
  /**
   * Deletes requests that were answered or cancelled before `before` (ms since epoch). Keeps unfinished requests and
   * obligations. Their receipts are deleted with them: read `receipts()` before. Returns the number of deleted requests.
   */
  prune(options: { readonly before: number }): Promise<number>;
  /** Stops listening and aborts running handlers; the next start resumes what is unanswered. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A customer may take this long between signing a request and publishing it. */
const deliverySlackSeconds = 600;
/** Delay before a retry when the store fails, in ms. */
const storeRetryMs = 5_000;

/**
 * Creates a provider. Call `start()` to begin.
 * @throws {JobError} `INVALID_CONFIG`
 */
export function createProvider(options: ProviderOptions): Provider {
  const { handler, transport, signer, relays, card, broadcast = false, admit, price, invoices } = options;
  const { kinds, concurrency, config } = readProviderOptions(options);
  const store = options.store ?? createMemoryProviderStore();
  const jobs = createProvidedJobs(store);
  const clock = options.clock ?? Date.now;
  const random = options.random ?? Math.random;
  const timers = options.timers ?? systemTimers;
  const logger = options.logger ?? silentLogger;
  const emitter = createEmitter<ProviderEvents>({ logger });
  measureProvider(emitter);
  const stop = new AbortController();
  const counts: Record<UnansweredReason, number> = {
    malformed: 0,
    'not-addressed': 0,
    'other-kind': 0,
    'too-old': 0,
    'rate-limited': 0,
    receipt: 0,
  };
  let subscription: Subscription | null = null;
  let startedAt: number | null = null;
  let publicKey = '';

  const background = (work: Promise<unknown>, message: string, requestId: string) => {
    work.catch((error) => {
      if (!stop.signal.aborted) logger.error({ err: error, requestId }, message);
    });
  };

  const context: ProviderContext = {
    transport,
    signer,
    jobs,
    relays,
    clock,
    timers,
    logger,
    config,
    stop: stop.signal,
    background,
  };
  const fetchReference = createReferenceFetcher(options.references);
  const classifier = createRequestClassifier({ kinds, broadcast, clock, ...config });
  const cancellations = createCancellations(jobs);
  const decryptRequest = createRequestDecrypter({ signer, logger, nip04Decrypt: options.nip04Decrypt });
  const replies = createReplies(context, options.blobs ?? null);
  const refunds = options.refunds
    ? createPaymentExecutor({
        ...options.refunds,
        clock,
        random,
        timers,
        logger,
        leaseMs: config.leaseMs,
        fetchReference,
        onSettled: () => {},
      })
    : null;
  const obligations = createObligations(context, {
    refunds,
    async open(request) {
      const opened = await decryptRequest(request);
      return opened.ok ? opened.request : null;
    },
    onOwed: (obligation) => emitter.emit('obligation', obligation),
    onRefunded: (obligation) => emitter.emit('refunded', obligation),
  });
  const settleObligation = (provided: ProvidedJob) =>
    background(obligations.settle(provided), 'Refund not made', provided.requestId);
  const receipts = createReceipts(context, {
    verify: options.verifyReceipt,
    publicKey: () => publicKey,
    onReceipt: (receipt) => emitter.emit('receipt', receipt),
  });
  const answers = createAnswerPublisher(context, {
    replies,
    publicKey: () => publicKey,
    startedAt: () => startedAt ?? 0,
    onAnswered: (provided, answer) => {
      const { requestId, customer } = provided;
      emitter.emit('answered', { requestId, customer, answer });
      settleObligation(provided);
    },
    onPublished: ({ id: requestId }, answer) => emitter.emit('published', { requestId, answer }),
  });
  const watcher = invoices
    ? createPaymentWatcher({
        invoices,
        pollMs: config.paymentPollMs,
        graceMs: config.paymentGraceMs,
        clock,
        timers,
        logger,
        stop: stop.signal,
      })
    : null;
  const invoicing =
    price && invoices && watcher
      ? createInvoicing(context, {
          price,
          invoices,
          watcher,
          replies,
          answers,
          onPaid: (provided, { amountMsat }) => {
            emitter.emit('paid', { requestId: provided.requestId, amountMsat });
            settleObligation(provided);
          },
        })
      : null;
  const workers = createWorkerPool(context, {
    handler,
    concurrency,
    readInput: createReadInput({ transport, relays, fetchReference }),
    replies,
    answers,
  });
  const lease = createLease({
    store,
    leaseMs: config.leaseMs,
    clock,
    random,
    timers: leaseTimers,
    logger,
    onRenewed: () => {
      background(resumeAll(), 'Unfinished requests not read', '');
      background(obligations.retry(), 'Refunds not tried again', '');
    },
  });

  const ignore = (reason: UnansweredReason, event: NostrEvent) => {
    counts[reason] += 1;
    logger.debug(
      { reason, eventId: event.id, kind: event.kind, pubkey: event.pubkey },
      'Ignored event: not a request to answer',
    );
  };

  /** Stores a request. Returns null when it is stored already. Retries while the store fails, since it arrives once. */
  const keep = async ({ id: requestId, customer, kind, event }: JobRequest): Promise<ProvidedJob | null> => {
    for (;;) {
      try {
        const provided: ProvidedJob = {
          ...freshProvided,
          requestId,
          customer,
          kind,
          request: event,
          receivedAt: clock(),
          holder: lease.holder,
        };
        return (await store.take(provided)) ? provided : null;
      } catch (error) {
        logger.error({ err: error, requestId }, 'Request not stored: the store failed');
        if (!(await pause(timers, storeRetryMs, stop.signal))) return null;
      }
    }
  };

  const askAdmission = async (request: JobRequest): Promise<string | null> => {
    try {
      return admit ? await admit(request) : null;
    } catch (error) {
      logger.error({ err: error, requestId: request.id }, 'Admission of a request failed');
      return 'Not available at the moment.';
    }
  };

  /** Takes a stored request to its handler: decrypts, admits, collects the payment, enqueues. */
  const begin = async (received: JobRequest, provided: ProvidedJob): Promise<void> => {
    const opened = await decryptRequest(received);
    if (!opened.ok) return answers.refuse(received, opened.message);
    const { request } = opened;
    // A request with an invoice was admitted; its payment may be on the way.
    const isAdmitted = provided.charge !== null || provided.paidAt !== null;
    const declined = isAdmitted ? null : await askAdmission(request);
    if (declined !== null) return answers.refuse(request, declined);
    const collected = invoicing ? await invoicing.collect(request, provided) : collectedBefore(provided);
    if (collected === 'over') return;
    // A paid request is accepted although the queue is full.
    if (!workers.enqueue(request, { force: collected === 'paid' }))
      return answers.refuse(request, 'Busy: too many requests are waiting.');
  };

  const drop = async (requestId: string): Promise<void> => {
    const provided = await jobs.apply(requestId, { type: 'dropped', at: clock() });
    emitter.emit('cancelled', { requestId });
    // Paid, and cancelled before the answer.
    settleObligation(provided);
  };

  const takeRequest = async (event: NostrEvent): Promise<void> => {
    const found = classifier.classify(event, publicKey);
    if (found.verdict === 'ignore') return ignore(found.reason, event);
    if (found.verdict === 'known') return;
    const { request } = found;
    const provided = await keep(request);
    if (provided === null) return;
    emitter.emit('request', { request });
    if (cancellations.cameBefore(request)) return drop(request.id);
    await begin(request, provided);
  };

  const takeCancellation = async (event: NostrEvent): Promise<void> => {
    for (const { requestId } of await cancellations.read(event)) {
      await drop(requestId);
      workers.cancel(requestId);
    }
  };

  const takeReceipt = async (event: NostrEvent): Promise<void> => {
    if (!(await receipts.take(event))) ignore('receipt', event);
  };

  /** Resumes a request of an earlier process. */
  const resume = async (stored: ProvidedJob): Promise<void> => {
    const read = parseJobRequest(stored.request);
    if (!read.ok)
      throw new JobError('STORE_FAILED', `Request ${stored.requestId} cannot be read: ${read.message}`);
    const provided = await jobs.claim(stored, lease.holder);
    if (provided === null) return;
    classifier.remember(provided.requestId);
    // The wallet is asked before anything is dropped that may have been paid.
    if ((provided.droppedAt !== null || provided.publishedAt !== null) && isPaymentUndecided(provided)) {
      await invoicing?.reconcile(provided);
      return;
    }
    if (provided.answer) return answers.publish(read.request, provided.answer);
    const isCharged = provided.charge !== null || provided.paidAt !== null;
    if (!isCharged && classifier.isTooOld(read.request)) return drop(provided.requestId);
    await begin(read.request, provided);
  };

  /** Resumes the unfinished requests of processes that have ended. */
  const resumeAll = async (): Promise<void> => {
    for await (const provided of jobs.list('unfinished')) {
      const { holder, requestId } = provided;
      if (stop.signal.aborted) return;
      if (holder === lease.holder || !(await lease.isFreeNow(holder))) continue;
      background(resume(provided), 'Request not resumed', requestId);
    }
  };

  const onEvent = (event: NostrEvent) => {
    if (event.kind === DELETION_KIND)
      background(takeCancellation(event), 'Cancellation not accepted', event.id);
    else if (event.kind === RECEIPT_KIND) background(takeReceipt(event), 'Receipt not accepted', event.id);
    else background(takeRequest(event), 'Request not accepted', event.id);
  };

  const publishCard = async (template: EventTemplate): Promise<void> => {
    const signed = await signer.signEvent(template);
    for (const delayMs of [...config.publishRetryDelaysMs, null]) {
      if (await replies.send(signed, relays)) return;
      if (delayMs === null || !(await pause(timers, delayMs, stop.signal))) break;
    }
    if (!stop.signal.aborted) logger.error({ eventId: signed.id }, 'No relay accepted the capability card');
  };

  const listen = (): Subscription =>
    transport.subscribe(
      relays,
      requestFilters({
        kinds,
        provider: publicKey,
        broadcast,
        receipts: options.verifyReceipt !== undefined,
      }),
      {
        onEvent,
        watermarks: {
          async get(relay, key) {
            const read = await store.watermark(`${relay} ${key}`);
            if (read !== null) return read - deliverySlackSeconds;
            return Math.floor(clock() / 1000) - Math.ceil(config.maxRequestAgeMs / 1000);
          },
          set: (relay, key, to) => store.setWatermark(`${relay} ${key}`, to),
        },
      },
    );

  const close = async (): Promise<void> => {
    if (stop.signal.aborted) return;
    subscription?.close();
    stop.abort();
    await workers.close();
    await watcher?.close();
    await refunds?.close();
    await lease.close();
    emitter.clear();
  };

  return {
    async start() {
      if (stop.signal.aborted) throw new JobError('CLOSED', 'This provider is closed.');
      if (startedAt !== null) return;
      startedAt = clock();
      publicKey = await signer.getPublicKey();
      await lease.start();
      await refunds?.start();
      await resumeAll();
      for await (const provided of jobs.list('owed')) settleObligation(provided);
      subscription = listen();
      if (card) await publishCard(card);
    },
    on: (name, listener) => emitter.on(name, listener),
    unanswered: () => ({ ...counts }),
    load: workers.load,
    obligations: obligations.list,
    receipts: receipts.list,
    prune: (period) => store.prune(period),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A provider without prices still does the work that was paid before. */
function collectedBefore({ paidAt }: ProvidedJob): 'paid' | 'free' {
  return paidAt === null ? 'free' : 'paid';
}
