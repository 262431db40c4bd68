import type { OutcomeRecord, TaskFeatures } from '../records.ts';
import { powerOfTwoChoices, type StrategyCandidate, type StrategyShare } from '../selection/strategy.ts';

/** Returns the reward of an outcome, 0..1; `null` for one that says nothing about the platform. A late result earns nothing. */
export function rewardOf(
  { outcome, measurements }: OutcomeRecord,
  features: TaskFeatures | null,
): number | null {
  if (outcome === 'INFRA') return null;
  const { latencyMs } = measurements;
  const deadlineMs = features?.deadlineMs ?? null;
  if (deadlineMs !== null && latencyMs !== null && latencyMs > deadlineMs) return 0;
  return outcome === 'SUCCESS' ? 1 : outcome === 'PARTIAL' ? 0.5 : 0;
}

/** Returns a value for a customer who never stated one: ten times the highest price, so that success outweighs it. */
export function assumedValue(candidates: readonly StrategyCandidate[]): number {
  return Math.max(1, 10 * assumedPrice(candidates));
}

/**
 * Returns the price of a job that is assumed where a platform states none, msat: the highest that another one asks, so that
 * silence about a price gains nothing.
 */
export function assumedPrice(candidates: readonly StrategyCandidate[]): number {
  let highest = 0;
  for (const { priceMsat } of candidates) if (priceMsat !== null && priceMsat > highest) highest = priceMsat;
  return highest;
}

/** Share of every candidate that is not among the best. */
const lower: StrategyShare = Object.freeze({ probability: 0, reason: 'lower expected utility' });

/** Shares the choice among the candidates whose scores are within a margin of the best, by the power of two choices. */
export function shareAmongBest(
  candidates: readonly StrategyCandidate[],
  scores: readonly number[],
  margin: number,
  degraded = false,
): StrategyShare[] {
  let best = Number.NEGATIVE_INFINITY;
  for (const score of scores) if (score > best) best = score;
  const near: number[] = [];
  const loads: number[] = [];
  for (let index = 0; index < scores.length; index += 1) {
    if (!((scores[index] as number) >= best - margin)) continue;
    near.push(index);
    loads.push(candidates[index]?.inFlight ?? 0);
  }
  const shares = powerOfTwoChoices(loads);
  const reason =
    near.length === 1
      ? 'highest expected utility'
      : `one of ${near.length} with the highest expected utility`;
  const result = new Array<StrategyShare>(candidates.length).fill(lower);
  for (let place = 0; place < near.length; place += 1) {
    result[near[place] as number] = { probability: shares[place] ?? 0, reason, degraded };
  }
  return result;
}
