import type { Outcome } from '../evidence/outcome.ts';

/** Class of an outcome for the thresholds. */
export type MutationOutcome =
  | 'SUCCESS'
  | 'PARTIAL'
  | 'VALIDATION_FAIL'
  | 'TIMEOUT'
  | 'ERROR'
  | 'SECURITY_VIOLATION';

/** Factor on every adjustment, by task type; 1 for others. `benchmark` is an alias of `benchmark-task`. */
export const taskMultipliers: Readonly<Record<string, number>> = Object.freeze({
  benchmark: 1,
  'benchmark-task': 1,
  'critical-path': 1.5,
  experimental: 0.6,
  background: 0.8,
  financial: 1.5,
});

/** Decrease of a threshold by outcome, before the multiplier. */
const decreases: Readonly<Record<Exclude<MutationOutcome, 'SUCCESS'>, number>> = Object.freeze({
  VALIDATION_FAIL: 0.15,
  TIMEOUT: 0.2,
  SECURITY_VIOLATION: 0.3,
  ERROR: 0.1,
  PARTIAL: 0.08,
});
/** Decrease for an outcome that this version does not know. */
const unknownDecrease = 0.15;

/** Highest and lowest threshold. */
export const thresholdCeiling = 0.9;
export const thresholdFloor = 0.1;

/** Measurements that an adjustment reads. */
export interface AdjustmentMetrics {
  /** Share of passed tests, 0..1. */
  readonly testScore?: number | null | undefined;
  readonly latencyMs?: number | null | undefined;
  /** Kind of an `ERROR`: 'timeout' and 'cpu' count as a timeout. */
  readonly errorKind?: string | null | undefined;
}

/** Returns the class of an outcome; `null` for one that changes nothing. */
export function mutationOutcome(
  outcome: Outcome | MutationOutcome,
  { errorKind }: AdjustmentMetrics = {},
): MutationOutcome | null {
  if (outcome === 'INFRA') return null;
  if (outcome === 'FAILURE') return 'VALIDATION_FAIL';
  if (outcome === 'ERROR' && (errorKind === 'timeout' || errorKind === 'cpu')) return 'TIMEOUT';
  return outcome;
}

/**
 * Returns the raw new threshold, before every limit. A success raises it by a tenth of the headroom to .9, with bonuses
 * for a test score above .95 (.05) and a latency below half of the baseline (.03), damped to half by consecutive
 * successes. Any other outcome lowers it.
 */
export function rawThreshold(
  current: number,
  outcome: MutationOutcome,
  task: {
    readonly taskType: string;
    readonly metrics: AdjustmentMetrics;
    readonly baselineMs: number | null;
    /** Number of consecutive successes with this one, ≥ 1. */
    readonly consecutiveSuccesses: number;
  },
): number {
  const multiplier = Object.hasOwn(taskMultipliers, task.taskType)
    ? (taskMultipliers[task.taskType] ?? 1)
    : 1;
  if (outcome !== 'SUCCESS') return current - (decreases[outcome] ?? unknownDecrease) * multiplier;
  const { testScore, latencyMs } = task.metrics;
  let increment = 0.1 * (thresholdCeiling - current);
  if ((testScore ?? 0) > 0.95) increment += 0.05;
  if (latencyMs != null && task.baselineMs !== null && latencyMs < task.baselineMs / 2) increment += 0.03;
  const damping = Math.max(0.5, 1 - 0.1 * (Math.max(1, task.consecutiveSuccesses) - 1));
  return current + increment * multiplier * damping;
}
