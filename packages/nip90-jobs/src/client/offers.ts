import type { JobFeedback } from '../codec/index.ts';
import type { Job } from '../job.ts';
import { assessInvoice } from '../payment/assess-invoice.ts';
import type { LightningNetwork } from '../payment/invoice.ts';
import { decodeInvoice } from '../payment/invoice.ts';
import { invoicePayee } from '../payment/invoice-signature.ts';
import type { PaymentDemand } from '../payment/payment-method.ts';

/** A provider's price for a job, from `payment-required` feedback. */
export interface Offer extends PaymentDemand {
  /** Id of the feedback. */
  readonly eventId: string;
  /** Text from the provider; untrusted. */
  readonly info: string;
  /**
   * Lightning node that the invoice pays, by its signature: 66 hex digits; null without an invoice. A custodial wallet has
   * one node for many providers.
   */
  readonly payee: string | null;
}

/**
 * Chooses among the offers for an open job; null for none. Every offer passed to it could be paid: its invoice is signed, on
 * the right network, not expired, within the bid, and was presented by one provider only. When the payment of the chosen one is declined, the function is
 * called again with the others.
 */
export type ChooseOffer = (
  offers: readonly Offer[],
  about: { readonly job: Job; readonly bidMsat: number | null },
) => Offer | null;

/** Returns the offer in a feedback event. */
export function offerOf(feedback: JobFeedback): Offer {
  const { id, provider, amountMsat, bolt11, lightningAddress, info, event } = feedback;
  return { provider, amountMsat, bolt11, lightningAddress, event, eventId: id, info, payee: null };
}

/** Chooses the lowest amount; the first of equal ones. */
export const cheapestOffer: ChooseOffer = (offers) =>
  offers.reduce<Offer | null>(
    (best, offer) => (best === null || priceOf(offer) < priceOf(best) ? offer : best),
    null,
  );

const writtenAt = ({ event }: Offer) => event?.created_at ?? 0;

const priceOf = ({ amountMsat }: Offer) => amountMsat ?? Number.POSITIVE_INFINITY;

/**
 * Returns the offer with the amount and the payee of its invoice, or null when it may not be paid. Pure. A Lightning address is checked when
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
    const payee = assessed.ok ? invoicePayee(bolt11) : null;
    if (assessed.ok && payee !== null) return { ...offer, amountMsat: assessed.invoice.amountMsat, payee };
    return hasOtherMethods && bidMsat !== null && (amountMsat ?? 0) <= bidMsat ? offer : null;
  }
  if (bidMsat === null || amountMsat === null || amountMsat > bidMsat) return null;
  return lightningAddress !== null || hasOtherMethods ? offer : null;
}

/** The offers for an open job, at most one per provider. */
export interface OfferBook {
  /**
   * Adds an assessed offer. Returns false when it is not considered: its invoice was presented by another provider, or
   * there are too many of its price.
   */
  add(offer: Offer): boolean;
  /** Returns the offers that may be chosen. */
  list(): readonly Offer[];
  remove(provider: string): void;
  clear(): void;
}

/** Maximum number of offers for one job. */
const maxOffers = 200;
/** Maximum number of invoices whose presenters are remembered. */
const maxInvoices = 2_000;

/**
 * Creates a collection of offers. A payment hash that two providers present belongs to neither, since one of them has
 * copied it from the other: who is chosen by a copied invoice would get the job that another was paid for. When there are
 * too many offers, the latest of the most frequent price level (powers of two) is removed, so that many cheap offers do not
 * displace dearer ones, nor the reverse.
 */
export function createOfferBook(): OfferBook {
  const offers = new Map<string, Offer>();
  /** Another offer of a provider that is in `offers`: the next one when the invoice of that one turns out to be copied. */
  const spares = new Map<string, Offer>();
  /** Provider by payment hash; null for several. */
  const presenters = new Map<string, string | null>();

  const hashOf = ({ bolt11 }: Offer) =>
    bolt11 === null ? null : (decodeInvoice(bolt11)?.paymentHash ?? null);
  const levelOf = ({ amountMsat }: Offer) => Math.floor(Math.log2(Math.max(1, amountMsat ?? 1)));

  /** Returns true when only this provider has presented the invoice. Removes the other's offer otherwise. */
  const isOwn = (offer: Offer): boolean => {
    const paymentHash = hashOf(offer);
    if (paymentHash === null) return true;
    const first = presenters.get(paymentHash);
    if (first === undefined) {
      presenters.set(paymentHash, offer.provider);
      const [oldest] = presenters.keys();
      if (presenters.size > maxInvoices && oldest !== undefined) presenters.delete(oldest);
      return true;
    }
    if (first === offer.provider) return true;
    presenters.set(paymentHash, null);
    if (first !== null) withdraw(first, paymentHash);
    return false;
  };

  /** Removes what a provider offered with an invoice that another one has presented, too. */
  const withdraw = (provider: string, paymentHash: string) => {
    const [offer, spare] = [offers.get(provider), spares.get(provider)];
    const isCopied = (one: Offer | undefined) => one !== undefined && hashOf(one) === paymentHash;
    if (isCopied(offer) || isCopied(spare)) spares.delete(provider);
    if (!isCopied(offer)) return;
    offers.delete(provider);
    if (spare !== undefined && !isCopied(spare)) offers.set(provider, spare);
  };

  const remove = (provider: string) => {
    offers.delete(provider);
    spares.delete(provider);
  };

  const evict = () => {
    const levels = new Map<number, Offer[]>();
    for (const offer of offers.values()) {
      const level = levelOf(offer);
      levels.set(level, [...(levels.get(level) ?? []), offer]);
    }
    const fullest = [...levels.values()].reduce((most, level) => (level.length > most.length ? level : most));
    const latest = fullest.at(-1);
    if (latest) remove(latest.provider);
  };

  return {
    add(offer) {
      if (!isOwn(offer)) return false;
      const { provider } = offer;
      const known = offers.get(provider);
      // Relays deliver what they have stored in any order.
      const isOlder = known !== undefined && writtenAt(offer) < writtenAt(known);
      if (known !== undefined) spares.set(provider, isOlder ? offer : known);
      if (isOlder) return true;
      offers.set(provider, offer);
      if (offers.size > maxOffers) evict();
      return offers.get(provider) === offer;
    },
    list: () => [...offers.values()],
    remove,
    clear() {
      offers.clear();
      spares.clear();
    },
  };
}
