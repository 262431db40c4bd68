import type { EntryState, PlatformState } from '../state/state.ts';

/** Returns the expected cost of a job of size 1, msat: the higher of its price and its usual cost. */
export function expectedCost(entry: EntryState, platform: PlatformState | undefined): number | null {
  const listed = platform?.registration?.priceMsat ?? null;
  const paid = entry.cost.quantile(0.5);
  if (listed === null || paid === null) return listed ?? paid;
  return Math.max(listed, paid);
}
