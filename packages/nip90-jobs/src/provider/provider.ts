import { createEmitter, silentLogger, type Unsubscribe } from '@bonafide/internal';
import type { EventTemplate, NostrEvent, Subscription } from '@bonafide/nostr-transport';
import { DELETION_KIND, type JobRequest, parseJobRequest, requestFilters } from '../codec/index.ts';
import { JobError } from '../errors.ts';
import { measureProvider } from '../metrics.ts';
import { createReferenceFetcher } from '../references/fetch-reference.ts';
import { createReadInput } from '../references/read-input.ts';
import type { ProvidedJob } from '../store.ts';
import { createMemoryProviderStore } from '../stores/memory.ts';
import { pause, systemTimers } from '../timers.ts';
import { createAnswerPublisher } from './answer-publisher.ts';
import { createCancellations } from './cancellations.ts';
import { createRequestDecrypter } from './decrypt-request.ts';
import { createInvoicing } from './invoicing.ts';
import type { ProviderContext } from './provider-context.ts';
import type { ProviderEvents } from './provider-events.ts';
import { type ProviderOptions, readProviderOptions } from './provider-options.ts';
import { createReplies } from './replies.ts';
import { createRequestClassifier, type UnansweredReason } from './request-classifier.ts';
import { createWorkerPool } from './worker-pool.ts';

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

/** A customer may take this long between signing a request and getting it to a relay. */
const deliverySlackSeconds = 600;
/** How long to wait when the store fails. */
const storeRetryMs = 5_000;

/**
 * Makes a provider. Call `start()` to begin.
 * @throws {JobError} `INVALID_CONFIG`
 */
export function createProvider(options: ProviderOptions): Provider {
  const { handler, transport, signer, relays, card, broadcast = false, admit, price, invoices } = options;
  const { kinds, concurrency, config } = readProviderOptions(options);
  const store = options.store ?? createMemoryProviderStore();
  const clock = options.clock ?? Date.now;
  const timers = options.timers ?? systemTimers;
  const logger = options.logger ?? silentLogger;
  const emitter = createEmitter<ProviderEvents>({ logger });
  measureProvider(emitter);
  const stop = new AbortController();
  const counts = {
    malformed: 0,
    'not-addressed': 0,
    'other-kind': 0,
    'too-old': 0,
    'rate-limited': 0,
  } satisfies Record<UnansweredReason, number>;
  let subscription: Subscription | null = null;
  let startedAt: number | null = null;
  let publicKey = '';

  const background = (work: Promise<unknown>, what: string, requestId: string) => {
    work.catch((error) => {
      if (!stop.signal.aborted) logger.error({ err: error, requestId }, what);
    });
  };

  const context: ProviderContext = {
    transport,
    signer,
    store,
    relays,
    clock,
    timers,
    logger,
    config,
    stop: stop.signal,
    background,
  };
  const intake = createRequestClassifier({ kinds, broadcast, clock, ...config });
  const cancellations = createCancellations(store);
  const decryptRequest = createRequestDecrypter({ signer, logger, nip04Decrypt: options.nip04Decrypt });
  const replies = createReplies(context, options.blobs ?? null);
  const answerPublisher = createAnswerPublisher(context, {
    replies,
    publicKey: () => publicKey,
    startedAt: () => startedAt ?? 0,
    onAnswered: ({ id: requestId, customer }, answer) =>
      emitter.emit('answered', { requestId, customer, answer }),
    onPublished: ({ id: requestId }, answer) => emitter.emit('published', { requestId, answer }),
  });
  const charges =
    price && invoices
      ? createInvoicing(context, {
          price,
          invoices,
          replies,
          answerPublisher,
          onPaid: ({ id: requestId }, { amountMsat }) => emitter.emit('paid', { requestId, amountMsat }),
        })
      : null;
  const fetchReference = createReferenceFetcher(options.references);
  const workers = createWorkerPool(context, {
    handler,
    concurrency,
    readInput: createReadInput({ transport, relays, fetchReference }),
    replies,
    answerPublisher,
  });

  const ignore = (reason: UnansweredReason, event: NostrEvent) => {
    counts[reason] += 1;
    logger.debug(
      { reason, eventId: event.id, kind: event.kind, pubkey: event.pubkey },
      'A request is not answered',
    );
  };

  /** Stores a request; false when it was stored before. While the store fails, tries again: it comes only once. */
  const keep = async ({ id: requestId, customer, kind, event }: JobRequest): Promise<boolean> => {
    const fresh = {
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
        return await store.take({ requestId, customer, kind, request: event, receivedAt: clock(), ...fresh });
      } catch (error) {
        logger.error({ err: error, requestId }, 'A request could not be stored');
        if (!(await pause(timers, storeRetryMs, stop.signal))) return false;
      }
    }
  };

  const askAdmission = async (request: JobRequest): Promise<string | null> => {
    try {
      return admit ? await admit(request) : null;
    } catch (error) {
      logger.error({ err: error, requestId: request.id }, 'Whether to take a request could not be decided');
      return 'Not available at the moment.';
    }
  };

  /** From a request that is stored to a handler that works on it: read, admitted, paid for, in line. */
  const begin = async (received: JobRequest, provided?: ProvidedJob): Promise<void> => {
    const opened = await decryptRequest(received);
    if (!opened.ok) return answerPublisher.refuse(received, opened.message);
    const { request } = opened;
    // What was paid for is done, whatever has changed since.
    const declined = provided?.paidAt == null ? await askAdmission(request) : null;
    if (declined !== null) return answerPublisher.refuse(request, declined);
    const collected = charges ? await charges.collect(request, provided) : 'free';
    if (collected === 'over') return;
    // Who has paid is not sent away for want of room.
    if (!workers.enqueue(request, { regardless: collected === 'paid' }))
      return answerPublisher.refuse(request, 'Busy: too many requests are waiting.');
  };

  const drop = async (requestId: string): Promise<void> => {
    await store.drop(requestId, clock());
    emitter.emit('cancelled', { requestId });
  };

  const takeRequest = async (event: NostrEvent): Promise<void> => {
    const judged = intake.judge(event, publicKey);
    if (judged.verdict === 'ignore') return ignore(judged.reason, event);
    if (judged.verdict === 'known') return;
    const { request } = judged;
    if (!(await keep(request))) return;
    emitter.emit('request', { request });
    if (cancellations.cameBefore(request)) return drop(request.id);
    await begin(request);
  };

  const takeCancellation = async (event: NostrEvent): Promise<void> => {
    for (const { requestId } of await cancellations.read(event)) {
      charges?.cancel(requestId);
      await drop(requestId);
      workers.cancel(requestId);
    }
  };

  /** Goes on with what an earlier life of this provider left. */
  const resume = async (provided: ProvidedJob): Promise<void> => {
    const read = parseJobRequest(provided.request);
    if (!read.ok)
      throw new JobError('STORE_FAILED', `Request ${provided.requestId} cannot be read: ${read.message}`);
    intake.remember(provided.requestId);
    if (provided.answer) return answerPublisher.publish(read.request, provided.answer);
    // What was paid for is done, however late.
    if (provided.paidAt === null && intake.isTooOld(read.request)) return drop(provided.requestId);
    await begin(read.request, provided);
  };

  const onEvent = (event: NostrEvent) => {
    const taken = event.kind === DELETION_KIND ? takeCancellation(event) : takeRequest(event);
    background(taken, 'A request could not be taken', event.id);
  };

  const publishCard = async (template: EventTemplate): Promise<void> => {
    const signed = await signer.signEvent(template);
    for (const delayMs of [...config.publishRetryDelaysMs, null]) {
      if (await replies.send(signed, relays)) return;
      if (delayMs === null || !(await pause(timers, delayMs, stop.signal))) break;
    }
    if (!stop.signal.aborted)
      logger.error({ eventId: signed.id }, 'No relay took the card; nobody will find this provider by it');
  };

  const listen = (): Subscription =>
    transport.subscribe(relays, requestFilters({ kinds, provider: publicKey, broadcast }), {
      onEvent,
      watermarks: {
        async get(relay, key) {
          const read = await store.watermark(`${relay} ${key}`);
          if (read !== null) return read - deliverySlackSeconds;
          return Math.floor(clock() / 1000) - Math.ceil(config.maxRequestAgeMs / 1000);
        },
        set: (relay, key, to) => store.setWatermark(`${relay} ${key}`, to),
      },
    });

  const close = async (): Promise<void> => {
    if (stop.signal.aborted) return;
    subscription?.close();
    stop.abort();
    await workers.close();
    emitter.clear();
  };

  return {
    async start() {
      if (stop.signal.aborted) throw new JobError('CLOSED', 'This provider is closed.');
      if (startedAt !== null) return;
      startedAt = clock();
      publicKey = await signer.getPublicKey();
      for (const provided of await store.listUnfinished())
        background(resume(provided), 'A request could not be resumed', provided.requestId);
      subscription = listen();
      if (card) await publishCard(card);
    },
    on: (name, listener) => emitter.on(name, listener),
    unanswered: () => ({ ...counts }),
    load: workers.load,
    close,
    [Symbol.asyncDispose]: close,
  };
}
