import type { CycleRecord } from './cycle-record.ts';

/** Agreement of the agent's behavior with its soul text over the cycles of the history. */
export interface SoulReport {
  /** Newest score, 0…1. */
  readonly score: number;
  readonly reasons: readonly string[];
  /** Difference from the mean of the cycles before; null at the first. */
  readonly drift: number | null;
  /** Scores by cycle, oldest first. */
  readonly scores: readonly { readonly cycle: number; readonly score: number }[];
}

/** Reports the alignment over the cycles of the history, oldest first. Pure. Null without a score. */
export function soulReport(cycles: readonly CycleRecord[]): SoulReport | null {
  const scored = cycles.flatMap(({ cycle, soul }) => (soul === null ? [] : [{ cycle, ...soul }]));
  const newest = scored.at(-1);
  if (newest === undefined) return null;
  const { score, reasons, drift } = newest;
  return { score, reasons, drift, scores: scored.map((one) => ({ cycle: one.cycle, score: one.score })) };
}
