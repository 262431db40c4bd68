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
export const workCounted = 100;

const successes = new Set(['paid', 'verified']);
const failures = new Set(['rejected', 'timeout', 'disputed', 'violation']);

/** The order of receipt where the ledger states it, else the order of time. */
const inOrder = (a: LedgerOutcome, b: LedgerOutcome) =>
  a.sequence === undefined || b.sequence === undefined ? a.createdAt - b.createdAt : a.sequence - b.sequence;

/** The final outcome of one piece of work. */
interface FinalOutcome extends FinishedWork {
  readonly correlationId: string;
  readonly outcome: string;
}

/**
 * Returns the final outcome of each piece of work: the last one received. An outcome that is not final, such as a late
 * delivery, reopens nothing, and a violation is never replaced. Pure. Parameters as for {@link finishedWork}.
 */
export function finalOutcomes(
  outcomes: readonly LedgerOutcome[],
  asOf = Number.POSITIVE_INFINITY,
): ReadonlyMap<string, FinalOutcome> {
  const pieces = new Map<string, FinalOutcome>();
  for (const { correlationId, outcome, createdAt } of outcomes.toSorted(inOrder)) {
    const result = successes.has(outcome) ? 'success' : failures.has(outcome) ? 'failure' : null;
    const before = pieces.get(correlationId);
    if (createdAt > asOf || result === null || before?.outcome === 'violation') continue;
    const at = before?.result === result ? before.at : createdAt;
    pieces.set(correlationId, { correlationId, outcome, at, result, disputed: outcome === 'disputed' });
  }
  return pieces;
}

/**
 * Returns the finished pieces of work, oldest first, at most {@link workCounted}. Pure.
 *
 * @param outcomes - Outcomes in any order; those of the same time in order of recording.
 * @param asOf - Outcomes after this time are ignored, ms since epoch.
 */
export function finishedWork(
  outcomes: readonly LedgerOutcome[],
  asOf = Number.POSITIVE_INFINITY,
): readonly FinishedWork[] {
  return [...finalOutcomes(outcomes, asOf).values()]
    .sort((a, b) => a.at - b.at)
    .slice(-workCounted)
    .map(({ at, result, disputed }) => ({ at, result, disputed }));
}
