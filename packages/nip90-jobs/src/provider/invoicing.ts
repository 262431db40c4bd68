import type { JobRequest } from '../codec/index.ts';
import { decodeInvoice } from '../payment/invoice.ts';
import type { Invoices } from '../payment/wallet.ts';
import type { Charge, ProvidedJob } from '../store.ts';
import { pause } from '../timers.ts';
import type { AnswerPublisher } from './answer-publisher.ts';
import type { ProviderContext } from './provider-context.ts';
import type { ProviderOptions } from './provider-options.ts';
import type { Replies } from './replies.ts';

/** How {@link Invoicing.collect} ends: work may begin, or it may not, because the request was answered, dropped or left. */
export type Collected = 'free' | 'paid' | 'over';

/** Sees to it that what costs something is paid before it is begun (JOB-15). */
export interface Invoicing {
  /** Asks the price of a request and waits until it is paid; `provided` is what is stored of it. */
  collect(request: JobRequest, provided: ProvidedJob | undefined): Promise<Collected>;
  /** The customer took the request back: nobody waits for its payment any more. */
  cancel(requestId: string): void;
}

export function createInvoicing(
  context: ProviderContext,
  options: {
    readonly price: NonNullable<ProviderOptions['price']>;
    readonly invoices: Invoices;
    readonly replies: Replies;
    readonly answerPublisher: AnswerPublisher;
    readonly onPaid: (request: JobRequest, charge: Charge) => void;
  },
): Invoicing {
  const { store, clock, timers, logger, config, stop } = context;
  const { price, invoices, replies, answerPublisher, onPaid } = options;
  const unpaid = new Map<string, AbortController>();

  /** The invoice for a request, the same one after a restart. */
  const chargeFor = async (
    request: JobRequest,
    known: Charge | null,
  ): Promise<Charge | Exclude<Collected, 'paid'>> => {
    if (known !== null) return known;
    const decline = async (why: string): Promise<'over'> => {
      await answerPublisher.refuse(request, why);
      return 'over';
    };
    try {
      const amountMsat = await price(request);
      if (amountMsat === null || amountMsat === 0) return 'free';
      if (request.bidMsat !== null && amountMsat > request.bidMsat)
        return decline(`This costs ${amountMsat} msat; ${request.bidMsat} msat were offered.`);
      if (unpaid.size >= config.maxUnpaid) return decline('Busy: too many requests wait to be paid for.');
      const description = `NIP-90 job ${request.id.slice(0, 16)}`;
      const expiryMs = config.invoiceExpiryMs;
      const invoice = await invoices.create({ amountMsat, description, expiryMs }, { signal: stop });
      const expiresAt = decodeInvoice(invoice.bolt11)?.expiresAt ?? clock() + expiryMs;
      return (await store.charge(request.id, { amountMsat, expiresAt, ...invoice })) ?? 'over';
    } catch (error) {
      logger.error({ err: error, requestId: request.id }, 'No invoice could be made');
      return stop.aborted ? 'over' : decline('Not available at the moment.');
    }
  };

  /** A wallet that cannot be asked has not been paid. */
  const isPaid = async (request: JobRequest, charge: Charge, signal: AbortSignal): Promise<boolean> => {
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

  const awaitPayment = async (request: JobRequest, charge: Charge): Promise<Collected> => {
    const waits = new AbortController();
    unpaid.set(request.id, waits);
    const signal = AbortSignal.any([waits.signal, stop]);
    try {
      await replies.sendFeedback(request, 'payment-required', { charge });
      for (;;) {
        const wasOver = clock() >= charge.expiresAt;
        if (await isPaid(request, charge, signal)) break;
        if (wasOver) {
          await answerPublisher.refuse(request, 'The invoice was not paid in time.');
          return 'over';
        }
        const left = Math.max(1, charge.expiresAt - clock());
        if (!(await pause(timers, Math.min(config.paymentPollMs, left), signal))) return 'over';
      }
      if (signal.aborted) return 'over';
      await store.paid(request.id, clock());
      onPaid(request, charge);
      return 'paid';
    } finally {
      unpaid.delete(request.id);
    }
  };

  return {
    async collect(request, provided) {
      if (provided !== undefined && provided.paidAt !== null) return 'paid';
      const charged = await chargeFor(request, provided?.charge ?? null);
      return typeof charged === 'string' ? charged : awaitPayment(request, charged);
    },
    cancel: (requestId) => unpaid.get(requestId)?.abort(),
  };
}
