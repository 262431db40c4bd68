import { type JobFeedback, parseJobRequest } from '../codec/index.ts';
import { isFinal } from '../job.ts';
import { lazy } from '../lazy.ts';
import type { LightningNetwork } from '../payment/invoice.ts';
import type { PaymentExecutor, PaymentResult } from '../payment/payment-executor.ts';
import type { Payment } from '../payment/payment-store.ts';
import type { ClientEnvironment, JobNotifications } from './client-context.ts';
import type { JobRecord } from './job-record.ts';
import { assessOffer, type ChooseOffer, createOfferBook, type Offer, offerOf } from './offers.ts';

/** Services of the client that payments use. */
export interface JobPaymentServices {
  /** Null without a wallet. */
  readonly payments: PaymentExecutor | null;
  readonly network: LightningNetwork;
  readonly hasOtherMethods: boolean;
  readonly chooseOffer: ChooseOffer;
  readonly notify: JobNotifications;
}

/** Pays the provider of a job, or chooses among the offers for an open job. */
export interface JobPayment {
  /** Returns true while a payment is in progress. */
  isUnderWay(): boolean;
  /** Stores that a payment of this job settled. */
  settled(payment: Payment): Promise<void>;
  /** Pays an addressed provider that requires it: once per job. */
  demand(offer: Offer): Promise<void>;
  /** Returns an offer for the open job that may be paid, or null. */
  assess(feedback: JobFeedback): Offer | null;
  /** Adds an assessed offer. The choice follows after the offer window. Returns false when it is not considered. */
  offer(offer: Offer): boolean;
  /** Resumes the payment of an earlier process; `said` is the stored feedback. */
  resume(said: readonly JobFeedback[]): Promise<void>;
  /** Ends the job at its time limit when its payment is the reason; false otherwise. */
  giveUp(): Promise<boolean>;
  end(): void;
}

export function createJobPayment(
  environment: ClientEnvironment,
  services: JobPaymentServices,
  record: JobRecord,
  signal: AbortSignal,
): JobPayment {
  const { clock, timers, config, logger } = environment;
  const { payments, network, hasOtherMethods, chooseOffer, notify } = services;
  const offers = lazy(createOfferBook);
  let isUnderWay = false;
  let lastDecline = '';
  let cancelChoice: (() => void) | null = null;

  const decline = (message: string, eventId: string | null) =>
    record.insist({ type: 'failed', at: clock(), reason: 'payment-declined', message, eventId });

  const terms = () => {
    const parsed = parseJobRequest(record.job.request);
    return parsed.ok
      ? { bidMsat: parsed.request.bidMsat, isOpen: parsed.request.providers.length === 0 }
      : { bidMsat: null, isOpen: false };
  };

  /** Stores and reports a settled payment once, also when the job has ended meanwhile. */
  const settled = async (payment: Payment): Promise<void> => {
    const at = clock();
    const isStored =
      (await record.insist({ type: 'paid', at })) || (await record.insist({ type: 'late-paid', at }));
    if (isStored) notify.paid(record.job, payment);
  };

  /** Stores that the payment settled; returns the reason otherwise, or null when there is no payment. */
  const settle = async (paying: Promise<PaymentResult | null>): Promise<true | string | null> => {
    isUnderWay = true;
    try {
      const paid = await paying;
      if (paid === null) return null;
      if (paid.status === 'declined') return paid.message;
      await settled(paid.payment);
      return true;
    } finally {
      isUnderWay = false;
    }
  };

  const demand = async (offer: Offer): Promise<void> => {
    const { amountMsat, eventId } = offer;
    if (amountMsat === 0) return void (await record.insist({ type: 'paid', at: clock() }));
    if (payments === null) return void (await decline(noWallet(amountMsat), eventId));
    const { bidMsat } = terms();
    const outcome = await settle(
      payments.pay(record.job.jobId, offer, { maxMsat: bidMsat, signal: record.stopSignal() }),
    );
    if (typeof outcome === 'string') await decline(outcome, eventId);
  };

  /** Pays one offer after the other until a payment settles. From `onHeld` on only that provider's answers count. */
  const choose = async (): Promise<void> => {
    if (payments === null) return;
    while (!signal.aborted && !isUnderWay) {
      const { job } = record;
      if (isFinal(job.state) || job.provider !== null) return;
      const { bidMsat } = terms();
      const chosen = chooseOffer(offers().list(), { job, bidMsat });
      // Later offers may be better.
      if (chosen === null) return offers().clear();
      offers().remove(chosen.provider);
      const { provider } = chosen;
      const outcome = await settle(
        payments.pay(job.jobId, chosen, {
          maxMsat: bidMsat,
          signal: record.stopSignal(),
          onHeld: async () => {
            await record.insist({ type: 'chosen', at: clock(), provider });
          },
        }),
      );
      if (outcome === true) return;
      lastDecline = outcome ?? '';
      logger.info({ jobId: job.jobId, provider, message: lastDecline }, 'Offer declined, next one is tried');
      if (record.job.provider === provider)
        await record.insist({ type: 'chosen', at: clock(), provider: null });
    }
  };

  const offer = (one: Offer): boolean => {
    const isConsidered = offers().add(one);
    cancelChoice ??= timers.after(config.offerWindowMs, () => {
      cancelChoice = null;
      record.background(choose(), 'Offers for a job not handled');
    });
    return isConsidered;
  };

  const assess = (feedback: JobFeedback): Offer | null =>
    payments === null
      ? null
      : assessOffer(offerOf(feedback), { bidMsat: terms().bidMsat, network, hasOtherMethods, now: clock() });

  return {
    isUnderWay: () => isUnderWay,
    settled,
    demand,
    assess,
    offer,
    async resume(said) {
      if (isUnderWay) return;
      const { jobId } = record.job;
      const { isOpen } = terms();
      const demands = said.filter(({ status }) => status === 'payment-required');
      if (payments) {
        const outcome = await settle(payments.resume(jobId, { signal: record.stopSignal() }));
        if (outcome === true) return;
        if (typeof outcome === 'string' && !isOpen) return void (await decline(outcome, null));
        if (isOpen && record.job.provider !== null)
          await record.insist({ type: 'chosen', at: clock(), provider: null });
      }
      const { provider } = record.job;
      if (isOpen && provider === null) {
        for (const one of demands.flatMap((feedback) => assess(feedback) ?? [])) offer(one);
        return;
      }
      const last = demands.findLast((one) => one.provider === provider);
      if (last) await demand(offerOf(last));
      else await decline(noWallet(null), null);
    },
    async giveUp() {
      if (record.job.state !== 'payment-required') return false;
      if (isUnderWay) await decline(stillInFlight, null);
      else if (lastDecline !== '') await decline(lastDecline, null);
      else return false;
      return true;
    },
    end: () => cancelChoice?.(),
  };
}

const stillInFlight =
  'The wallet has not said yet whether the payment settled. Its budget stays reserved until it does; if it settles, the result can be claimed.';

function noWallet(amountMsat: number | null): string {
  return amountMsat === null
    ? 'The provider demands a payment and this client has no wallet.'
    : `The provider demands ${amountMsat} msat and this client has no wallet.`;
}
