import type { Unsubscribe } from '@bonafide/internal';
import type { NostrEvent, Subscription } from '@bonafide/nostr-transport';
import { readPrunePeriod } from '../call-options.ts';
import { JobError } from '../errors.ts';
import { createLease, leaseTimers } from '../lease.ts';
import { createReferenceFetcher } from '../references/fetch-reference.ts';
import { createRequestDecrypter } from './decrypt-request.ts';
import { listenForRequests, publishCard } from './listening.ts';
import type { Obligation } from './obligations.ts';
import { createProviderContext } from './provider-context.ts';
import type { ProviderEvents } from './provider-events.ts';
import { type ProviderOptions, readProviderOptions } from './provider-options.ts';
import { createProviderPayments } from './provider-payments.ts';
import { createProviderWork } from './provider-work.ts';
import { createReceipts } from './receipts.ts';
import type { UnansweredReason } from './request-classifier.ts';
import { createRequestIntake } from './request-intake.ts';

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
 * @throws {JobError} `INVALID_CONFIG`; `RUNTIME_TOO_OLD` before Node 22.13
 */
export function createProvider(options: ProviderOptions): Provider {
  const { kinds, concurrency, config } = readProviderOptions(options);
  const stop = new AbortController();
  const context = createProviderContext(options, config, stop.signal);
  const { signer, store, emitter, clock, random, logger, background } = context;
  const { card, broadcast = false, admit, verifyReceipt } = options;
  let subscription: Subscription | null = null;
  let startedAt: number | null = null;
  let ownKey = '';
  const publicKey = () => ownKey;

  const fetchReference = createReferenceFetcher(options.references);
  const decryptRequest = createRequestDecrypter({ signer, logger, nip04Decrypt: options.nip04Decrypt });
  const payments = createProviderPayments(context, { ...options, fetchReference, decryptRequest });
  const { replies, answers, workers } = createProviderWork(context, {
    ...options,
    ...{ concurrency, fetchReference, publicKey },
    startedAt: () => startedAt ?? 0,
    onAnswered: payments.settle,
  });
  const receipts = createReceipts(context, {
    verify: verifyReceipt,
    publicKey,
    onReceipt: (receipt) => emitter.emit('receipt', receipt),
  });
  const lease = createLease({
    ...{ store, leaseMs: config.leaseMs, clock, random, timers: leaseTimers, logger },
    onRenewed() {
      background(intake.resumeAll(), 'Unfinished requests not read', '');
      background(payments.retryRefunds(), 'Refunds not tried again', '');
    },
  });
  const intake = createRequestIntake(context, {
    ...{ kinds, broadcast, admit, lease, publicKey, decryptRequest, answers, workers, receipts },
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
      ownKey = await signer.getPublicKey();
      await lease.start();
      await payments.start();
      await intake.resumeAll();
      for await (const provided of context.jobs.list('owed')) payments.settle(provided);
      const listening = { kinds, publicKey: ownKey, broadcast, intake };
      subscription = listenForRequests(context, { ...listening, receipts: verifyReceipt !== undefined });
      if (card) await publishCard(context, card, replies);
    },
    on: (name, listener) => emitter.on(name, listener),
    unanswered: intake.unanswered,
    load: workers.load,
    obligations: payments.obligations.list,
    receipts: receipts.list,
    prune: async (period) => store.prune(readPrunePeriod(period)),
    close,
    [Symbol.asyncDispose]: close,
  };
}
