import type { EntryState, MatrixState } from '../state/state.ts';

/** Returns the expected cost of a job of size 1, msat: the higher of its price and its usual cost. */
export function expectedCost(state: MatrixState, entry: EntryState): number | null {
  const listed = state.platforms.get(entry.platformId)?.registration?.priceMsat ?? null;
  const paid = entry.cost.quantile(0.5);
  if (listed === null || paid === null) return listed ?? paid;
  return Math.max(listed, paid);
}
