import type { LedgerOutcome } from '../ledger-port.ts';

/** One finished piece of work: its final outcome, and since when it has had that result. */
export interface FinishedWork {
  /** Time at which the piece of work got its present result, ms since epoch. */
  readonly at: number;
  readonly result: 'success' | 'failure';
  /** True for a dispute, which weighs as much as two failures. */
  readonly disputed: boolean;
}

/** Number of newest finished pieces of work that count. With the weights of {@link ruleTrust} older ones weigh 0.1 %. */
const workCounted = 100;

const successes = new Set(['paid', 'verified']);
const failures = new Set(['rejected', 'timeout', 'disputed', 'violation']);

/**
 * Returns the finished pieces of work, oldest first, at most {@link workCounted}. The last outcome of a correlationId
 * counts. Pure.
 *
 * @param outcomes - Outcomes in any order; those of the same time in order of recording.
 * @param asOf - Outcomes after this time are ignored, ms since epoch.
 */
export function finishedWork(
  outcomes: readonly LedgerOutcome[],
  asOf = Number.POSITIVE_INFINITY,
): readonly FinishedWork[] {
  const pieces = new Map<string, FinishedWork | null>();
  for (const { correlationId, outcome, createdAt } of outcomes.toSorted(
    (a, b) => a.createdAt - b.createdAt,
  )) {
    if (createdAt > asOf) break;
    const result = successes.has(outcome) ? 'success' : failures.has(outcome) ? 'failure' : null;
    const before = pieces.get(correlationId) ?? null;
    if (result === null) pieces.set(correlationId, null);
    else {
      const at = before?.result === result ? before.at : createdAt;
      pieces.set(correlationId, { at, result, disputed: outcome === 'disputed' });
    }
  }
  return [...pieces.values()]
    .filter((piece) => piece !== null)
    .sort((a, b) => a.at - b.at)
    .slice(-workCounted);
}
