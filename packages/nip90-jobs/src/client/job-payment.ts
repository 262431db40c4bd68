import { type JobFeedback, parseJobRequest } from '../codec/index.ts';
import { isFinal } from '../job.ts';
import type { PaymentResult } from '../payment/payment-executor.ts';
import type { ClientContext } from './client-context.ts';
import type { JobRecord } from './job-record.ts';
import { type Offer, offerOf } from './offers.ts';

/** Offers for one open job that are looked at. */
const maxOffers = 100;

/** Settles what a job's provider wants to be paid, or chooses among those who offer to do it (JOB-5, JOB-11). */
export interface JobPayment {
  /** A payment is under way. */
  readonly isUnderWay: boolean;
  /** AnswerSubscriptions a provider that wants to be paid before it goes on: once per job, whatever it says later. */
  demand(offer: Offer): Promise<void>;
  /** Takes in what one of many asks for an open job; soon after the first one, one is chosen. */
  offer(offer: Offer): void;
  /** Goes on with a payment that an earlier process was about to make, or had made; `said` is what it had heard. */
  resume(said: readonly JobFeedback[]): Promise<void>;
  /** Ends the job whose time is up while its payment is in flight; false when none is. */
  giveUp(): Promise<boolean>;
  end(): void;
}

export function createJobPayment(context: ClientContext, record: JobRecord): JobPayment {
  const { clock, timers, config, payments, chooseOffer } = context;
  const offers = new Map<string, Offer>();
  let isUnderWay = false;
  let cancelChoice: (() => void) | null = null;

  const decline = (message: string, eventId: string | null) =>
    record.insist({ type: 'failed', at: clock(), reason: 'payment-declined', message, eventId });

  const bidMsat = () => {
    const parsed = parseJobRequest(record.job.request);
    return parsed.ok ? parsed.request.bidMsat : null;
  };

  /** Takes what became of a payment over into the job; false when there was none. */
  const settle = async (paying: Promise<PaymentResult | null>, eventId: string | null): Promise<boolean> => {
    isUnderWay = true;
    try {
      const paid = await paying;
      if (paid === null) return false;
      if (paid.status === 'paid') {
        await record.insist({ type: 'paid', at: clock() });
        context.onPaid(record.job, paid.payment);
      } else await decline(paid.message, eventId);
      return true;
    } finally {
      isUnderWay = false;
    }
  };

  const demand = async ({ provider, amountMsat, bolt11, eventId }: Offer): Promise<void> => {
    if (amountMsat === 0) return record.insist({ type: 'paid', at: clock() });
    if (payments === null) return decline(noWallet(amountMsat), eventId);
    const paying = payments.pay(record.job, { provider, amountMsat, bolt11, bidMsat: bidMsat() });
    await settle(paying, eventId);
  };

  /** From then on nobody else's answer counts. */
  const choose = async (): Promise<void> => {
    const { job } = record;
    if (isFinal(job.state) || job.provider !== null || isUnderWay) return;
    const chosen = chooseOffer([...offers.values()], { job, bidMsat: bidMsat() });
    // None will do: somebody may still do it for less.
    if (chosen === null) return offers.clear();
    await record.insist({ type: 'chosen', at: clock(), provider: chosen.provider });
    await demand(chosen);
  };

  const offer = (one: Offer) => {
    if (offers.size >= maxOffers && !offers.has(one.provider)) return;
    offers.set(one.provider, one);
    cancelChoice ??= timers.after(config.offerWindowMs, () => {
      cancelChoice = null;
      record.background(choose(), 'No offer could be chosen');
    });
  };

  return {
    get isUnderWay() {
      return isUnderWay;
    },
    demand,
    offer,
    async resume(said) {
      if (isUnderWay) return;
      const { jobId, provider } = record.job;
      if (payments && (await settle(payments.resume(jobId), null))) return;
      const demands = said.filter(({ status }) => status === 'payment-required').map(offerOf);
      if (provider === null) return demands.forEach(offer);
      const last = demands.findLast((one) => one.provider === provider);
      if (last) await demand(last);
      else await decline(noWallet(null), null);
    },
    async giveUp() {
      if (record.job.state !== 'payment-required' || !isUnderWay) return false;
      await decline(stillInFlight, null);
      return true;
    },
    end: () => cancelChoice?.(),
  };
}

const stillInFlight =
  'The wallet has not said yet what became of the payment. The money stays set aside until it does; nothing is paid twice.';

function noWallet(amountMsat: number | null): string {
  return amountMsat === null
    ? 'The provider wants to be paid first and this client has no wallet.'
    : `The provider wants ${amountMsat} msat first and this client has no wallet.`;
}
