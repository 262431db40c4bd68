import { createEmitter, relayList, requireOptions, silentLogger, type Unsubscribe } from '@bonafide/internal';
import type { NostrEvent, Subscription } from '@bonafide/nostr-transport';
import { JobError } from '../errors.ts';
import { createLease, leaseTimers } from '../lease.ts';
import { measureProvider } from '../metrics.ts';
import { createReferenceFetcher } from '../references/fetch-reference.ts';
import { createReadInput } from '../references/read-input.ts';
import { createMemoryProviderStore } from '../stores/memory.ts';
import { systemTimers } from '../timers.ts';
import { createAnswerPublisher } from './answer-publisher.ts';
import { createRequestDecrypter } from './decrypt-request.ts';
import { listenForRequests, publishCard } from './listening.ts';
import type { Obligation } from './obligations.ts';
import { createProvidedJobs } from './provided-jobs.ts';
import type { ProviderContext } from './provider-context.ts';
import type { ProviderEvents } from './provider-events.ts';
import { type ProviderOptions, readProviderOptions } from './provider-options.ts';
import { createProviderPayments } from './provider-payments.ts';
import { createReceipts } from './receipts.ts';
import { createReplies } from './replies.ts';
import type { UnansweredReason } from './request-classifier.ts';
import { createRequestIntake } from './request-intake.ts';
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

/**
 * Creates a provider. Call `start()` to begin.
 * @throws {JobError} `INVALID_CONFIG`
 */
export function createProvider(options: ProviderOptions): Provider {
  requireOptions(
    options,
    {
      transport: { methods: ['publish'], example: 'createTransport() of @bonafide/nostr-transport' },
      signer: { methods: ['signEvent'], example: 'createKeySigner(secret) of @bonafide/nostr-transport' },
      relays: relayList,
    },
    (message) => new JobError('INVALID_CONFIG', message),
  );
  if (typeof options.handler !== 'function')
    throw new JobError(
      'INVALID_CONFIG',
      'options.handler: is missing, pass for example async ({ inputs }) => answer.',
    );
  const { handler, transport, signer, relays, card, broadcast = false, admit } = options;
  const { kinds, concurrency, config } = readProviderOptions(options);
  const store = options.store ?? createMemoryProviderStore();
  const clock = options.clock ?? Date.now;
  const random = options.random ?? Math.random;
  const timers = options.timers ?? systemTimers;
  const logger = options.logger ?? silentLogger;
  const emitter = createEmitter<ProviderEvents>({ logger });
  measureProvider(emitter);
  const stop = new AbortController();
  let subscription: Subscription | null = null;
  let startedAt: number | null = null;
  let publicKey = '';

  const context: ProviderContext = {
    ...{ transport, signer, relays, clock, timers, logger, config },
    jobs: createProvidedJobs(store),
    stop: stop.signal,
    background(work, message, requestId) {
      work.catch((error) => {
        if (!stop.signal.aborted) logger.error({ err: error, requestId }, message);
      });
    },
  };
  const fetchReference = createReferenceFetcher(options.references);
  const decryptRequest = createRequestDecrypter({ signer, logger, nip04Decrypt: options.nip04Decrypt });
  const payments = createProviderPayments(context, {
    ...options,
    ...{ emitter, random, fetchReference, decryptRequest },
  });
  const replies = createReplies(context, options.blobs ?? null);
  const answers = createAnswerPublisher(context, {
    replies,
    publicKey: () => publicKey,
    startedAt: () => startedAt ?? 0,
    onAnswered(provided, answer) {
      const { requestId, customer } = provided;
      emitter.emit('answered', { requestId, customer, answer });
      payments.settle(provided);
    },
    onPublished: ({ id: requestId }, answer) => emitter.emit('published', { requestId, answer }),
  });
  const workers = createWorkerPool(context, {
    ...{ handler, concurrency, replies, answers },
    readInput: createReadInput({ transport, relays, fetchReference }),
  });
  const receipts = createReceipts(context, {
    verify: options.verifyReceipt,
    publicKey: () => publicKey,
    onReceipt: (receipt) => emitter.emit('receipt', receipt),
  });
  const lease = createLease({
    ...{ store, leaseMs: config.leaseMs, clock, random, timers: leaseTimers, logger },
    onRenewed() {
      context.background(intake.resumeAll(), 'Unfinished requests not read', '');
      context.background(payments.retryRefunds(), 'Refunds not tried again', '');
    },
  });
  const intake = createRequestIntake(context, {
    ...{ kinds, broadcast, admit, store, lease, emitter, decryptRequest, answers, workers, receipts },
    publicKey: () => publicKey,
    invoicing: payments.invoicing({ replies, answers }),
    settleObligation: payments.settle,
  });

  const close = async (): Promise<void> => {
    if (stop.signal.aborted) return;
    subscription?.close();
    stop.abort();
    await workers.close();
    await payments.close();
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
      await payments.start();
      await intake.resumeAll();
      for await (const provided of context.jobs.list('owed')) payments.settle(provided);
      const listening = { kinds, publicKey, broadcast, store, intake };
      subscription = listenForRequests(context, {
        ...listening,
        receipts: options.verifyReceipt !== undefined,
      });
      if (card) await publishCard(context, card, replies);
    },
    on: (name, listener) => emitter.on(name, listener),
    unanswered: intake.unanswered,
    load: workers.load,
    obligations: payments.obligations.list,
    receipts: receipts.list,
    prune: (period) => store.prune(period),
    close,
    [Symbol.asyncDispose]: close,
  };
}
