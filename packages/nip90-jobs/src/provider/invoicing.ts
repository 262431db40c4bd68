import type { JobRequest } from '../codec/index.ts';
import { JobError } from '../errors.ts';
import { decodeInvoice } from '../payment/invoice.ts';
import type { Invoices } from '../payment/wallet.ts';
import { answerInTime } from '../payment/wallet-answer.ts';
import type { AnswerPublisher } from './answer-publisher.ts';
import type { PaymentWatcher } from './payment-watcher.ts';
import type { ProviderContext } from './provider-context.ts';
import type { ProviderOptions } from './provider-options.ts';
import type { Charge, ProvidedJob } from './provider-store.ts';
import type { Replies } from './replies.ts';

/** Result of {@link Invoicing.collect}. `over`: no work, since the request was answered, cancelled, or is left to the next start. */
export type Collected = 'free' | 'paid' | 'over';

/** Requires payment before work starts. */
export interface Invoicing {
  /** Names the price of a request and waits for its payment. */
  collect(request: JobRequest, provided: ProvidedJob): Promise<Collected>;
  /** Waits for the wallet's decision about the invoice of a request that needs no work any more. */
  reconcile(provided: ProvidedJob): Promise<ProvidedJob>;
}

/** Share of `maxUnpaid` that strangers may fill: keys cost nothing, so that a flood of them can fill everything that it may. */
const strangersShare = 0.9;
/** Maximum number of customers that are remembered to have paid. */
const maxPayers = 10_000;

/** Above half of `maxUnpaid`, each customer may have one unpaid request. The last tenth is for customers who have paid before. */
export function mayStayUnpaid(
  unpaid: { readonly all: number; readonly ofCustomer: number; readonly hasPaid: boolean },
  limits: { readonly maxUnpaid: number; readonly maxUnpaidPerCustomer: number },
): boolean {
  const { all, ofCustomer, hasPaid } = unpaid;
  const { maxUnpaid, maxUnpaidPerCustomer } = limits;
  if (all >= (hasPaid ? maxUnpaid : Math.ceil(maxUnpaid * strangersShare))) return false;
  return ofCustomer < (all * 2 >= maxUnpaid ? 1 : maxUnpaidPerCustomer);
}

export function createInvoicing(
  context: ProviderContext,
  options: {
    readonly price: NonNullable<ProviderOptions['price']>;
    readonly invoices: Invoices;
    readonly watcher: PaymentWatcher;
    readonly replies: Replies;
    readonly answers: AnswerPublisher;
    readonly onPaid: (provided: ProvidedJob, charge: Charge) => void;
  },
): Invoicing {
  const { jobs, signer, clock, timers, logger, config, stop } = context;
  const { price, invoices, watcher, replies, answers, onPaid } = options;

  /** Customers whose invoices are being created, by request: they count against the limits before they are watched. */
  const pending = new Map<string, string>();
  /** Customers who have paid since the start, the latest last. */
  const payers = new Set<string>();

  const rememberPayer = (customer: string) => {
    payers.delete(customer);
    payers.add(customer);
    const [oldest] = payers;
    if (payers.size > maxPayers && oldest !== undefined) payers.delete(oldest);
  };

  /** Creates the invoice of a request, or returns the stored one. */
  const chargeFor = async (
    request: JobRequest,
    known: Charge | null,
  ): Promise<Charge | Exclude<Collected, 'paid'>> => {
    if (known !== null) return known;
    const decline = async (why: string): Promise<'over'> => {
      await answers.refuse(request, why);
      return 'over';
    };
    try {
      const amountMsat = await price(request);
      if (amountMsat === null || amountMsat === 0) return 'free';
      if (!Number.isSafeInteger(amountMsat) || amountMsat < 0)
        throw new JobError(
          'INVALID_CONFIG',
          `options.price returned ${amountMsat}, not a number of millisatoshi.`,
        );
      if (request.bidMsat !== null && amountMsat > request.bidMsat)
        return decline(`This costs ${amountMsat} msat; ${request.bidMsat} msat were offered.`);
      const { customer } = request;
      const unpaid = {
        all: watcher.count() + pending.size,
        ofCustomer:
          watcher.count(customer) + [...pending.values()].filter((each) => each === customer).length,
        hasPaid: payers.has(customer),
      };
      if (!mayStayUnpaid(unpaid, config)) return decline('Busy: too many requests are unpaid.');
      pending.set(request.id, customer);
      const description = `NIP-90 job ${request.id.slice(0, 16)}`;
      const expiryMs = config.invoiceExpiryMs;
      const invoice = await answerInTime(
        async () => invoices.create({ amountMsat, description, expiryMs }, { signal: stop }),
        { timers, signal: stop },
      );
      const decoded = decodeInvoice(invoice.bolt11);
      // Over less, over nothing in particular, or over satoshi in place of millisatoshi.
      if (
        decoded !== null &&
        (decoded.amountMsat !== amountMsat || decoded.paymentHash !== invoice.paymentHash)
      )
        throw new JobError(
          'WALLET_FAILED',
          `The wallet made an invoice over ${decoded.amountMsat} msat, or another payment hash, for ${amountMsat} msat.`,
        );
      const expiresAt = decoded?.expiresAt ?? clock() + expiryMs;
      const charged = await jobs.apply(request.id, {
        type: 'charged',
        charge: { amountMsat, expiresAt, ...invoice },
      });
      return charged.charge ?? 'over';
    } catch (error) {
      logger.error({ err: error, requestId: request.id }, 'Invoice not created');
      return stop.aborted ? 'over' : decline('Not available at the moment.');
    }
  };

  /** Stores the decision; the job may have been cancelled meanwhile. */
  const decide = async (provided: ProvidedJob, charge: Charge): Promise<ProvidedJob> => {
    const { requestId, customer, receivedAt } = provided;
    const store = async (decision: 'paid' | 'unpaid') => {
      // The wallet says it once.
      const stored = await jobs.insist(requestId, { type: decision, at: clock() });
      if (decision === 'paid') {
        rememberPayer(customer);
        onPaid(stored, charge);
      }
      return stored;
    };
    const decision = await watcher.watch({
      customer,
      charge,
      since: receivedAt,
      onLate: () => context.background(store('paid'), 'Late payment not stored', requestId),
    });
    return decision === 'closed' ? provided : store(decision);
  };

  /** Publishes the invoice: without it the customer cannot pay, and a relay may refuse it or be flooded for a moment. */
  const demandPayment = async (request: JobRequest, charge: Charge, isOver: () => boolean): Promise<void> => {
    if (isOver()) return;
    const demand = await signer.signEvent(await replies.feedback(request, 'payment-required', { charge }));
    if (!(await replies.insist(demand, replies.allRelays(request), isOver)) && !isOver() && !stop.aborted)
      logger.warn({ requestId: request.id }, 'No relay accepted the demand for payment');
  };

  return {
    async collect(request, provided) {
      if (provided.paidAt !== null) return 'paid';
      let charge: Awaited<ReturnType<typeof chargeFor>>;
      let deciding: Promise<ProvidedJob>;
      try {
        charge = await chargeFor(request, provided.charge);
        if (typeof charge === 'string') return charge;
        // Watched before the customer has the invoice, so that it counts against the limits.
        deciding = decide(provided, charge);
      } finally {
        pending.delete(request.id);
      }
      deciding.catch(() => {});
      let isDecided = false;
      const demanded = charge;
      context.background(
        demandPayment(request, demanded, () => isDecided || demanded.expiresAt <= clock()),
        'Demand for payment not published',
        request.id,
      );
      const decided = await deciding;
      isDecided = true;
      if (decided.droppedAt !== null) return 'over';
      if (decided.paidAt !== null) return 'paid';
      if (decided.unpaidAt !== null) await answers.refuse(request, 'The invoice was not paid in time.');
      return 'over';
    },
    reconcile: async (provided) =>
      provided.charge === null || provided.paidAt !== null ? provided : decide(provided, provided.charge),
  };
}
