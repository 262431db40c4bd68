import type { OrderState, Replica } from '../order.ts';

/** Returns what a replica may still cost or has cost, msat, without fees. */
export function committedMsat(replica: Replica): number {
  const known = replica.paidMsat + replica.heldMsat;
  switch (replica.stage) {
    case 'chosen':
    case 'requested':
      return Math.max(replica.bidMsat, known);
    case 'answered':
    case 'checked':
      return Math.max(known, Math.min(replica.invoicedMsat, replica.bidMsat));
    case 'ended':
      return known;
  }
}

/** Returns what is left of an order's budget, msat, ≥ 0. */
export function remainingMsat({ order, replicas }: OrderState): number {
  return Math.max(0, order.maxMsat - replicas.reduce((sum, replica) => sum + committedMsat(replica), 0));
}

/** Returns the price of an answer, msat: what was paid, else what was asked for. */
export function priceMsat(replica: Replica): number {
  const paid = replica.paidMsat + replica.heldMsat;
  return paid > 0 ? paid : replica.invoicedMsat;
}
