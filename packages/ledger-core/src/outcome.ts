import type { Outcome, OutcomeResult } from './records.ts';

/** All outcomes, in the usual order of work. */
export const outcomes = [
  'requested',
  'accepted',
  'declined',
  'delivered',
  'paid',
  'verified',
  'rejected',
  'disputed',
  'timeout',
  'violation',
] as const satisfies readonly Outcome[];

const results: Readonly<Record<Outcome, OutcomeResult>> = {
  requested: 'open',
  accepted: 'open',
  declined: 'open',
  delivered: 'open',
  paid: 'success',
  verified: 'success',
  rejected: 'failure',
  disputed: 'failure',
  timeout: 'failure',
  violation: 'failure',
};

/**
 * Classifies an outcome: `paid` and `verified` are successes; `rejected`, `timeout`, `disputed` and
 * `violation` are failures; the others are open.
 */
export function outcomeResult(outcome: Outcome): OutcomeResult {
  return results[outcome];
}

/** Successes among finished pieces of work, 0…1; null when none is finished. */
export function successRate(counts: {
  readonly successCount: number;
  readonly failureCount: number;
}): number | null {
  const finished = counts.successCount + counts.failureCount;
  return finished === 0 ? null : counts.successCount / finished;
}
