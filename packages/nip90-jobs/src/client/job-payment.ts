import { type JobFeedback, parseJobRequest } from '../codec/index.ts';
import { isFinal } from '../job.ts';
import type { LightningNetwork } from '../payment/invoice.ts';
import type { PaymentExecutor, PaymentResult } from '../payment/payment-executor.ts';
import type { Payment } from '../payment/payment-store.ts';
import type { ClientEnvironment, JobNotifications } from './client-context.ts';
import type { JobRecord } from './job-record.ts';
import {
  assessOffer,
  type ChooseOffer,
  createOfferBook,
  type Offer,
  type OfferBook,
  offerOf,
} from './offers.ts';

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

export const createJobPayment = (
  environment: ClientEnvironment,
  services: JobPaymentServices,
  record: JobRecord,
  lifetime: AbortSignal,
): JobPayment => new RecordPayment(environment, services, record, lifetime);

/** A class, since thousands of open jobs have one each, and few are paid at the same time. */
class RecordPayment implements JobPayment {
  readonly #environment: ClientEnvironment;
  readonly #services: JobPaymentServices;
  readonly #record: JobRecord;
  /** Aborts when the client closes. */
  readonly #lifetime: AbortSignal;
  #book: OfferBook | null = null;
  #isUnderWay = false;
  #lastDecline = '';
  /** Cancels the timer of the offer window. */
  #cancelChoice: (() => void) | null = null;

  constructor(
    environment: ClientEnvironment,
    services: JobPaymentServices,
    record: JobRecord,
    lifetime: AbortSignal,
  ) {
    this.#environment = environment;
    this.#services = services;
    this.#record = record;
    this.#lifetime = lifetime;
  }

  isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  async settled(payment: Payment): Promise<void> {
    const at = this.#environment.clock();
    const isStored =
      (await this.#record.insist({ type: 'paid', at })) ||
      (await this.#record.insist({ type: 'late-paid', at }));
    if (isStored) this.#services.notify.paid(this.#record.job, payment);
  }

  async demand(offer: Offer): Promise<void> {
    const { amountMsat, eventId } = offer;
    if (amountMsat === 0)
      return void (await this.#record.insist({ type: 'paid', at: this.#environment.clock() }));
    const { payments } = this.#services;
    if (payments === null) return this.#decline(noWallet(amountMsat), eventId);
    const outcome = await this.#settle(
      payments.pay(this.#record.job.jobId, offer, {
        maxMsat: this.#terms().bidMsat,
        signal: this.#record.stopSignal(),
      }),
    );
    if (typeof outcome === 'string') await this.#decline(outcome, eventId);
  }

  assess(feedback: JobFeedback): Offer | null {
    const { payments, network, hasOtherMethods } = this.#services;
    if (payments === null) return null;
    const { bidMsat } = this.#terms();
    const now = this.#environment.clock();
    return assessOffer(offerOf(feedback), { bidMsat, network, hasOtherMethods, now });
  }

  offer(offer: Offer): boolean {
    const { timers, config } = this.#environment;
    const isConsidered = this.#offers().add(offer);
    this.#cancelChoice ??= timers.after(config.offerWindowMs, () => {
      this.#cancelChoice = null;
      this.#record.background(this.#choose(), 'Offers for a job not handled');
    });
    return isConsidered;
  }

  async resume(said: readonly JobFeedback[]): Promise<void> {
    if (this.#isUnderWay) return;
    const { payments } = this.#services;
    const { isOpen } = this.#terms();
    if (payments) {
      const { jobId } = this.#record.job;
      const outcome = await this.#settle(payments.resume(jobId, { signal: this.#record.stopSignal() }));
      if (outcome === true) return;
      if (typeof outcome === 'string' && !isOpen) return this.#decline(outcome, null);
      if (isOpen && this.#record.job.provider !== null) await this.#chooseProvider(null);
    }
    const { provider } = this.#record.job;
    const demands = said.filter(({ status }) => status === 'payment-required');
    if (isOpen && provider === null) {
      for (const one of demands.flatMap((feedback) => this.assess(feedback) ?? [])) this.offer(one);
      return;
    }
    const last = demands.findLast((one) => one.provider === provider);
    if (last) await this.demand(offerOf(last));
    else await this.#decline(noWallet(null), null);
  }

  async giveUp(): Promise<boolean> {
    if (this.#record.job.state !== 'payment-required') return false;
    if (this.#isUnderWay) await this.#decline(stillInFlight, null);
    else if (this.#lastDecline !== '') await this.#decline(this.#lastDecline, null);
    else return false;
    return true;
  }

  end(): void {
    this.#cancelChoice?.();
  }

  #offers(): OfferBook {
    this.#book ??= createOfferBook();
    return this.#book;
  }

  #terms(): { readonly bidMsat: number | null; readonly isOpen: boolean } {
    const parsed = parseJobRequest(this.#record.job.request);
    return parsed.ok
      ? { bidMsat: parsed.request.bidMsat, isOpen: parsed.request.providers.length === 0 }
      : { bidMsat: null, isOpen: false };
  }

  async #decline(message: string, eventId: string | null): Promise<void> {
    const at = this.#environment.clock();
    await this.#record.insist({ type: 'failed', at, reason: 'payment-declined', message, eventId });
  }

  async #chooseProvider(provider: string | null): Promise<void> {
    await this.#record.insist({ type: 'chosen', at: this.#environment.clock(), provider });
  }

  /** Stores that the payment settled; returns the reason otherwise, or null when there is no payment. */
  async #settle(paying: Promise<PaymentResult | null>): Promise<true | string | null> {
    this.#isUnderWay = true;
    try {
      const paid = await paying;
      if (paid === null) return null;
      if (paid.status === 'declined') return paid.message;
      await this.settled(paid.payment);
      return true;
    } finally {
      this.#isUnderWay = false;
    }
  }

  /** Pays one offer after the other until a payment settles. From `onHeld` on only that provider's answers count. */
  async #choose(): Promise<void> {
    const { payments, chooseOffer } = this.#services;
    if (payments === null) return;
    const offers = this.#offers();
    while (!this.#lifetime.aborted && !this.#isUnderWay) {
      const { job } = this.#record;
      if (isFinal(job.state) || job.provider !== null) return;
      const { bidMsat } = this.#terms();
      const chosen = chooseOffer(offers.list(), { job, bidMsat });
      // Later offers may be better.
      if (chosen === null) return offers.clear();
      offers.remove(chosen.provider);
      const { provider } = chosen;
      const outcome = await this.#settle(
        payments.pay(job.jobId, chosen, {
          maxMsat: bidMsat,
          signal: this.#record.stopSignal(),
          onHeld: () => this.#chooseProvider(provider),
        }),
      );
      if (outcome === true) return;
      this.#lastDecline = outcome ?? '';
      const { jobId } = job;
      this.#environment.logger.info(
        { jobId, provider, message: this.#lastDecline },
        'Offer declined, next one is tried',
      );
      if (this.#record.job.provider === provider) await this.#chooseProvider(null);
    }
  }
}

const stillInFlight =
  'The wallet has not said yet whether the payment settled. Its budget stays reserved until it does; if it settles, the result can be claimed.';

function noWallet(amountMsat: number | null): string {
  return amountMsat === null
    ? 'The provider demands a payment and this client has no wallet.'
    : `The provider demands ${amountMsat} msat and this client has no wallet.`;
}
