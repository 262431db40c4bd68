import type { JobFeedback } from '../codec/index.ts';
import type { Job } from '../job.ts';

/** What a provider asks for a job, by `payment-required` feedback. */
export interface Offer {
  /** Who asks: 64 hex digits. */
  readonly provider: string;
  /** Null when it names no amount. */
  readonly amountMsat: number | null;
  readonly bolt11: string | null;
  /** The feedback's id. */
  readonly eventId: string;
  /** The provider's words; a stranger's. */
  readonly info: string;
}

/** Chooses among the offers for a job that addresses nobody (JOB-5); null for none of them. */
export type ChooseOffer = (
  offers: readonly Offer[],
  about: { readonly job: Job; readonly bidMsat: number | null },
) => Offer | null;

export function offerOf({ id, provider, amountMsat, bolt11, info }: JobFeedback): Offer {
  return { provider, amountMsat, bolt11, eventId: id, info };
}

/** The lowest amount with an invoice that stays within the bid; of equal ones the first that came. */
export const cheapestOffer: ChooseOffer = (offers, { bidMsat }) => {
  const payable = offers.filter(
    ({ amountMsat, bolt11 }) => bolt11 !== null && (amountMsat ?? Infinity) <= (bidMsat ?? 0),
  );
  return payable.reduce<Offer | null>(
    (best, offer) => (best === null || (offer.amountMsat ?? 0) < (best.amountMsat ?? 0) ? offer : best),
    null,
  );
};
