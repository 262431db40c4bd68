import { round } from '../statistics/numbers.ts';
import { thresholdCeiling, thresholdFloor } from './adjustment.ts';

/** One earlier change of a threshold. */
export interface ThresholdChange {
  /** ms since epoch */
  readonly at: number;
  readonly taskType: string;
  readonly delta: number;
}

const dayMs = 86_400_000;
const largestStep = 0.2;
const largestDailySum = 0.3;
const reversalWindow = 10;
const reversalsToAlert = 3;

/** Returns how much of the daily limit of a task type is left: .3 less the sum of |delta| over the last 24 hours. */
export function dailyAllowance(history: readonly ThresholdChange[], taskType: string, now: number): number {
  let used = 0;
  for (const { at, taskType: type, delta } of history) {
    if (type === taskType && at > now - dayMs && at <= now) used += Math.abs(delta);
  }
  return Math.max(0, round(largestDailySum - used));
}

/** Limits a change to the daily allowance, to ±.2 and to the range .1 … .9, in this order. */
export function limitChange(current: number, proposed: number, allowance: number): number {
  const clamp = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));
  const delta = clamp(clamp(proposed - current, allowance), largestStep);
  return round(Math.max(thresholdFloor, Math.min(thresholdCeiling, current + delta)));
}

/**
 * Counts reversals of direction among the last ten changes of a task type, the proposed one included. Changes smaller
 * than one standard deviation of the ten are ignored: on pure noise the plain rule "3 reversals in 10 events" fires in
 * 91 % of cases, this one in 9 %.
 */
export function countReversals(
  history: readonly ThresholdChange[],
  taskType: string,
  proposedDelta: number,
): number {
  const earlier = history.filter((change) => change.taskType === taskType && change.delta !== 0);
  const deltas = [
    ...earlier.map(({ delta }) => delta),
    ...(proposedDelta === 0 ? [] : [proposedDelta]),
  ].slice(-reversalWindow);
  const mean = deltas.reduce((sum, delta) => sum + delta, 0) / deltas.length;
  const deadband = Math.sqrt(deltas.reduce((sum, delta) => sum + (delta - mean) ** 2, 0) / deltas.length);
  let direction = 0;
  let reversals = 0;
  for (const delta of deltas) {
    if (round(Math.abs(delta) - deadband) < 0) continue;
    if (direction !== 0 && Math.sign(delta) !== direction) reversals += 1;
    direction = Math.sign(delta);
  }
  return reversals;
}

/** Tells whether a threshold oscillates: three reversals in ten events. */
export const oscillates = (reversals: number) => reversals >= reversalsToAlert;
