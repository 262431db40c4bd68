import type { JobFeedback } from '../codec/index.ts';
import type { Job } from '../job.ts';
import { assessInvoice } from '../payment/assess-invoice.ts';
import type { LightningNetwork } from '../payment/invoice.ts';
import type { PaymentDemand } from '../payment/payment-method.ts';

/** A provider's price for a job, from `payment-required` feedback. */
export interface Offer extends PaymentDemand {
  /** Id of the feedback. */
  readonly eventId: string;
  /** Text from the provider; untrusted. */
  readonly info: string;
}

/**
 * Chooses among the offers for an open job; null for none. Every offer passed to it could be paid: its invoice is valid, on
 * the right network, not expired, and within the bid. When the payment of the chosen one is declined, the function is
 * called again with the others.
 */
export type ChooseOffer = (
  offers: readonly Offer[],
  about: { readonly job: Job; readonly bidMsat: number | null },
) => Offer | null;

/** Returns the offer in a feedback event. */
export function offerOf(feedback: JobFeedback): Offer {
  const { id, provider, amountMsat, bolt11, lightningAddress, info, event } = feedback;
  return { provider, amountMsat, bolt11, lightningAddress, event, eventId: id, info };
}

/** Chooses the lowest amount; the first of equal ones. */
export const cheapestOffer: ChooseOffer = (offers) =>
  offers.reduce<Offer | null>(
    (best, offer) => (best === null || priceOf(offer) < priceOf(best) ? offer : best),
    null,
  );

const priceOf = ({ amountMsat }: Offer) => amountMsat ?? Number.POSITIVE_INFINITY;

/**
 * Returns the offer with the amount of its invoice, or null when it may not be paid. Pure. A Lightning address is checked when
 * it is chosen, since that needs the network. Offers in other tags pass when the client has further payment methods.
 */
export function assessOffer(
  offer: Offer,
  options: {
    readonly bidMsat: number | null;
    readonly network: LightningNetwork;
    readonly hasOtherMethods: boolean;
    readonly now: number;
  },
): Offer | null {
  const { bidMsat, network, hasOtherMethods, now } = options;
  const { bolt11, amountMsat, lightningAddress } = offer;
  if (bolt11 !== null) {
    const assessed = assessInvoice({ bolt11, amountMsat, bidMsat, network, now });
    if (assessed.ok) return { ...offer, amountMsat: assessed.invoice.amountMsat };
    return hasOtherMethods && bidMsat !== null && (amountMsat ?? 0) <= bidMsat ? offer : null;
  }
  if (bidMsat === null || amountMsat === null || amountMsat > bidMsat) return null;
  return lightningAddress !== null || hasOtherMethods ? offer : null;
}
