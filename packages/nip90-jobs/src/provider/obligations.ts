import { type JobRequest, jobParam, parseJobRequest } from '../codec/index.ts';
import type { PaymentExecutor } from '../payment/payment-executor.ts';
import { isOwed } from './provided-job.ts';
import type { ProviderContext } from './provider-context.ts';
import type { ProvidedJob } from './provider-store.ts';

/** Name of the parameter with which a customer allows a refund: a Lightning address. */
export const REFUND_PARAM = 'refund-address';

/** A payment for work that was not delivered. */
export interface Obligation {
  readonly requestId: string;
  readonly customer: string;
  readonly amountMsat: number;
  /** Time of the payment, ms since epoch. */
  readonly paidAt: number;
  /** `failed`: the provider answered with an error. `cancelled`: the customer had cancelled the request. */
  readonly reason: 'failed' | 'cancelled';
}

/** Refunds payments for work that was not delivered, and reports those that it cannot refund. */
export interface Obligations {
  /** Refunds an owed payment when the wallet and the customer allow it. No effect when nothing is owed. */
  settle(provided: ProvidedJob): Promise<void>;
  list(): Promise<readonly Obligation[]>;
}

/** Returns the obligation of a request that was paid and not delivered. */
function obligationOf(provided: ProvidedJob): Obligation {
  const { requestId, customer, charge, paidAt, droppedAt } = provided;
  return {
    requestId,
    customer,
    amountMsat: charge?.amountMsat ?? 0,
    paidAt: paidAt ?? 0,
    reason: droppedAt === null ? 'failed' : 'cancelled',
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

  return {
    async settle(provided) {
      if (!isOwed(provided)) return;
      const obligation = obligationOf(provided);
      const { requestId, amountMsat, customer } = obligation;
      const address = refunds === null ? null : await addressOf(provided);
      let why =
        refunds === null
          ? 'This provider has no wallet for refunds.'
          : 'The request names no refund address.';
      if (refunds !== null && address !== null && amountMsat > 0) {
        const demand = {
          provider: customer,
          amountMsat,
          bolt11: null,
          lightningAddress: address,
          event: null,
        };
        const refund = await refunds.pay(requestId, demand, { maxMsat: amountMsat });
        if (refund.status === 'paid') {
          await jobs.apply(requestId, { type: 'refunded', at: clock() });
          logger.info({ requestId, amountMsat }, 'Payment for undelivered work refunded');
          return onRefunded(obligation);
        }
        why = refund.message;
      }
      logger.error({ requestId, amountMsat, why }, 'Payment for undelivered work is owed');
      onOwed(obligation);
    },
    async list() {
      const owed: Obligation[] = [];
      for await (const provided of jobs.list('owed')) owed.push(obligationOf(provided));
      return owed;
    },
  };
}
