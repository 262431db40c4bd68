import type { OrderState, Replica } from '../order.ts';
import { isAccepted } from './finished.ts';

/** Returns what a replica may still cost or has cost, msat, without fees. */
export function committedMsat(state: OrderState, replica: Replica): number {
  const known = replica.paidMsat + replica.heldMsat;
  switch (replica.stage) {
    case 'chosen':
    case 'requested':
      return Math.max(replica.bidMsat, known);
    case 'answered':
    case 'checked':
      return dueMsat(state, replica);
    case 'ended':
      return known;
  }
}

/** Returns what is left of an order's budget, msat, ≥ 0. */
export function remainingMsat(state: OrderState): number {
  const { order, replicas } = state;
  return Math.max(0, order.maxMsat - replicas.reduce((sum, each) => sum + committedMsat(state, each), 0));
}

/**
 * Returns what an answer costs, msat, without fees: what was or may have been paid, else what it asks for, up to
 * the bid. Nothing is due for a rejected answer beyond what was paid.
 */
export function dueMsat(state: OrderState, replica: Replica): number {
  const known = replica.paidMsat + replica.heldMsat;
  const isRejected = replica.check?.checkedBy != null && !isAccepted(state, replica);
  if (known > 0 || replica.answer === null || isRejected) return known;
  return Math.min(replica.invoicedMsat, replica.bidMsat);
}
