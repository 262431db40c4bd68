import { minimumTrust } from '../scoring/tiers.ts';
import type { StrategyCandidate, StrategyTask } from './strategy.ts';

/**
 * Limits an operator's share of the recent jobs of a task type while another one could do them as well. All services of an operator
 * count together: a further one costs it nothing.
 */
export interface ShareRule {
  /** Largest share, 0..1. */
  readonly maxShare: number;
  /** Number of the decision in the window from which the limit applies; earlier shares are too coarse. */
  readonly fromDecision: number;
  /** Jobs of the task type in the window. */
  readonly recent: RecentJobs;
}

/** Jobs of a task type in the window of the rule. */
export interface RecentJobs {
  readonly total: number;
  /** Returns the number of those of an operator. */
  of(operator: string): number;
}

/** Candidates that may be drawn, and those that the limit excludes. */
interface Allowed {
  readonly allowed: readonly StrategyCandidate[];
  readonly over: readonly StrategyCandidate[];
}

/** Allocation from which a platform can take over the work of others. */
const leastAllocation = 0.5;

/**
 * Excludes platforms that one more job would bring above the share, while the job has an alternative: a platform whose trust is
 * at the floor or above, that is not just back from a suspension, and that reaches the threshold or may be tried with a job of
 * this value. So the rule forces no work on platforms that fail. When it excludes every alternative (two platforms, an odd
 * number of jobs), the least used ones remain.
 */
export function applyShareRule(
  task: StrategyTask,
  candidates: readonly StrategyCandidate[],
  rule: ShareRule,
): Allowed {
  const { recent } = rule;
  const { total } = recent;
  if (total + 1 < rule.fromDecision) return { allowed: candidates, over: [] };
  const limit = rule.maxShare * (total + 1);
  let [exceeded, alternatives, alternativesWithin] = [0, 0, 0];
  let leastUsed = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const used = recent.of(candidate.operator);
    const within = used + 1 <= limit;
    if (!within) exceeded += 1;
    if (!isAlternative(task, candidate)) continue;
    alternatives += 1;
    if (within) alternativesWithin += 1;
    leastUsed = Math.min(leastUsed, used);
  }
  if (exceeded === 0 || alternatives < 2) return { allowed: candidates, over: [] };
  const allowed: StrategyCandidate[] = [];
  const over: StrategyCandidate[] = [];
  for (const candidate of candidates) {
    const used = recent.of(candidate.operator);
    const stays =
      used + 1 <= limit || (alternativesWithin === 0 && used === leastUsed && isAlternative(task, candidate));
    (stays ? allowed : over).push(candidate);
  }
  return { allowed, over };
}

function isAlternative(
  { valueMsat, exposureCapMsat }: StrategyTask,
  { trust, explorationOnly, allocation }: StrategyCandidate,
): boolean {
  if (trust < minimumTrust || allocation < leastAllocation) return false;
  if (!explorationOnly) return true;
  return exposureCapMsat === null || (valueMsat !== null && valueMsat <= exposureCapMsat);
}
