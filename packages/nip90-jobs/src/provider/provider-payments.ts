import type { JobRequest } from '../codec/index.ts';
import { createPaymentExecutor } from '../payment/payment-executor.ts';
import type { FetchReference } from '../references/fetch-reference.ts';
import type { AnswerPublisher } from './answer-publisher.ts';
import type { DecryptRequest } from './decrypt-request.ts';
import { createInvoicing, type Invoicing } from './invoicing.ts';
import { createObligations, type Obligations } from './obligations.ts';
import { createPaymentWatcher } from './payment-watcher.ts';
import type { ProviderContext } from './provider-context.ts';
import type { ProviderOptions } from './provider-options.ts';
import type { ProvidedJob } from './provider-store.ts';
import type { Replies } from './replies.ts';

/** The money of a provider: invoices for work, and refunds for work that was not delivered. */
export interface ProviderPayments {
  readonly obligations: Pick<Obligations, 'list'>;
  /** Refunds a payment in the background when it is owed. */
  settle(provided: ProvidedJob): void;
  /** Repeats refunds that failed. */
  retryRefunds(): Promise<void>;
  /** Returns what requires payment before work starts; null for a provider without prices. */
  invoicing(services: { readonly replies: Replies; readonly answers: AnswerPublisher }): Invoicing | null;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Creates the payments of a provider from its wallet options. */
export function createProviderPayments(
  context: ProviderContext,
  options: Pick<ProviderOptions, 'price' | 'invoices' | 'refunds'> & {
    readonly fetchReference: FetchReference;
    readonly decryptRequest: DecryptRequest;
  },
): ProviderPayments {
  const { clock, random, timers, logger, config, stop, emitter, background } = context;
  const { price, invoices, decryptRequest } = options;
  const refunds = options.refunds
    ? createPaymentExecutor({
        ...options.refunds,
        clock,
        random,
        timers,
        logger,
        leaseMs: config.leaseMs,
        fetchReference: options.fetchReference,
        onSettled: () => {},
      })
    : null;
  const obligations = createObligations(context, {
    refunds,
    async open(request: JobRequest) {
      const opened = await decryptRequest(request);
      return opened.ok ? opened.request : null;
    },
    onOwed: (obligation) => emitter.emit('obligation', obligation),
    onRefunded: (obligation) => emitter.emit('refunded', obligation),
  });
  const watcher = invoices
    ? createPaymentWatcher({
        invoices,
        pollMs: config.paymentPollMs,
        graceMs: config.paymentGraceMs,
        clock,
        timers,
        logger,
        stop,
      })
    : null;
  const settle = (provided: ProvidedJob) =>
    background(obligations.settle(provided), 'Refund not made', provided.requestId);

  return {
    obligations,
    settle,
    retryRefunds: obligations.retry,
    invoicing({ replies, answers }) {
      if (!price || !invoices || !watcher) return null;
      return createInvoicing(context, {
        ...{ price, invoices, watcher, replies, answers },
        onPaid(provided, { amountMsat }) {
          emitter.emit('paid', { requestId: provided.requestId, amountMsat });
          settle(provided);
        },
      });
    },
    async start() {
      await refunds?.start();
    },
    async close() {
      await watcher?.close();
      await refunds?.close();
    },
  };
}
