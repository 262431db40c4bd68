import { type JobRequest, jobParam, parseJobRequest } from '../codec/index.ts';
import type { PaymentExecutor } from '../payment/payment-executor.ts';
import { isOwed } from './provided-job.ts';
import type { ProviderContext } from './provider-context.ts';
import type { ProvidedJob } from './provider-store.ts';

/** Name of the parameter with which a customer allows a refund: a Lightning address. */
export const REFUND_PARAM = 'refund-address';

/** Delays before a refund that failed is tried again, in ms; the last one repeats. */
const retryDelaysMs = [60_000, 300_000, 1_800_000, 3_600_000];

/** A payment for work that was not delivered. */
export interface Obligation {
  readonly requestId: string;
  readonly customer: string;
  readonly amountMsat: number;
  /** Time of the payment, ms since epoch. */
  readonly paidAt: number;
  /** `failed`: the provider answered with an error. `cancelled`: the customer had cancelled the request. */
  readonly reason: 'failed' | 'cancelled';
  /** True when a part of the result was delivered. Such a payment is not refunded by itself. */
  readonly isPartlyDelivered: boolean;
}

/**
 * Refunds payments for work that was not delivered, and reports those that it cannot refund. A payment is not refunded when a
 * part of the result was delivered: a customer could take the parts and cancel.
 */
export interface Obligations {
  /** Refunds an owed payment when the wallet and the customer allow it. No effect when nothing is owed. */
  settle(provided: ProvidedJob): Promise<void>;
  /** Repeats refunds that failed, less and less often. */
  retry(): Promise<void>;
  list(): Promise<readonly Obligation[]>;
}

/** Returns the obligation of a request that was paid and not delivered. */
function obligationOf(provided: ProvidedJob): Obligation {
  const { requestId, customer, charge, paidAt, droppedAt, partialAt } = provided;
  return {
    requestId,
    customer,
    amountMsat: charge?.amountMsat ?? 0,
    paidAt: paidAt ?? 0,
    reason: droppedAt === null ? 'failed' : 'cancelled',
    isPartlyDelivered: partialAt !== null,
  };
}

export function createObligations(
  context: Pick<ProviderContext, 'jobs' | 'clock' | 'logger'>,
  options: {
    /** Null when the provider has no wallet for refunds. */
    readonly refunds: PaymentExecutor | null;
    /** Decrypts a request. */
    readonly open: (request: JobRequest) => Promise<JobRequest | null>;
    readonly onOwed: (obligation: Obligation) => void;
    readonly onRefunded: (obligation: Obligation) => void;
  },
): Obligations {
  const { jobs, clock, logger } = context;
  const { refunds, open, onOwed, onRefunded } = options;

  const addressOf = async (provided: ProvidedJob): Promise<string | null> => {
    const parsed = parseJobRequest(provided.request);
    const request = parsed.ok ? await open(parsed.request) : null;
    return request && jobParam(request, REFUND_PARAM);
  };

  /** Times of the next attempts to refund, and the number of attempts so far, by request. */
  const retries = new Map<string, { readonly at: number; readonly attempts: number }>();

  /** Pays a refund; returns the reason when it is not paid. */
  const refund = async (provided: ProvidedJob, obligation: Obligation): Promise<string | null> => {
    const { requestId, amountMsat, customer, isPartlyDelivered } = obligation;
    if (isPartlyDelivered) return 'A part of the result was delivered.';
    if (refunds === null) return 'This provider has no wallet for refunds.';
    const lightningAddress = await addressOf(provided);
    if (lightningAddress === null || amountMsat === 0) return 'The request names no refund address.';
    const demand = { provider: customer, amountMsat, bolt11: null, lightningAddress, event: null };
    const paid = await refunds.pay(requestId, demand, { maxMsat: amountMsat });
    if (paid.status === 'paid') return null;
    const attempts = retries.get(requestId)?.attempts ?? 0;
    const delayMs = retryDelaysMs[Math.min(attempts, retryDelaysMs.length - 1)] ?? 0;
    retries.set(requestId, { at: clock() + delayMs, attempts: attempts + 1 });
    return paid.message;
  };

  const settle = async (provided: ProvidedJob): Promise<void> => {
    if (!isOwed(provided)) return;
    const obligation = obligationOf(provided);
    const { requestId, amountMsat } = obligation;
    const isFirst = !retries.has(requestId);
    const why = await refund(provided, obligation);
    if (why === null) {
      retries.delete(requestId);
      await jobs.insist(requestId, { type: 'refunded', at: clock() });
      logger.info({ requestId, amountMsat }, 'Payment for undelivered work refunded');
      return onRefunded(obligation);
    }
    logger.error({ requestId, amountMsat, why }, 'Payment for undelivered work is owed');
    if (isFirst) onOwed(obligation);
  };

  return {
    settle,
    async retry() {
      const due = [...retries].filter(([, { at }]) => at <= clock());
      for (const [requestId, { attempts }] of due) {
        const provided = await jobs.get(requestId);
        if (provided === null || !isOwed(provided)) retries.delete(requestId);
        else {
          // Not again while this attempt is under way.
          retries.set(requestId, { at: Number.POSITIVE_INFINITY, attempts });
          await settle(provided);
        }
      }
    },
    async list() {
      const owed: Obligation[] = [];
      for await (const provided of jobs.list('owed')) owed.push(obligationOf(provided));
      return owed;
    },
  };
}
