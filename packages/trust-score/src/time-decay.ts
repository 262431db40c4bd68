import { requireRange, requireTime } from './errors.ts';
import { type Check, finite, listOf, record, time } from './input.ts';

const timedValues: Check = listOf(record({ value: finite, at: time }));

const dayMs = 86_400_000;

/**
 * Averages measurements with weight e^(−λ · age in days), so that newer ones count more. Ages are fractional;
 * dates in the future count as now. The half-life is ln 2 / λ, 6.93 days by default. Without points it is 0.
 *
 * @param now ms since epoch, as `at` is.
 * @param lambdaPerDay 0 or more; 0 is the plain average.
 * @throws `OUT_OF_RANGE` when a number is not finite or λ is negative.
 */
export function timeDecayedAverage(
  points: readonly { readonly value: number; readonly at: number }[],
  now: number,
  lambdaPerDay = 0.1,
): number {
  timedValues('points', points);
  requireTime('now', now);
  requireRange('lambdaPerDay', lambdaPerDay, 0);
  // Weights relative to the newest point's: otherwise, far enough in the past, all of them would be 0.
  const ages = points.map(({ value, at }) => ({ value, days: Math.max(0, (now - at) / dayMs) }));
  const newest = Math.min(...ages.map(({ days }) => days));
  let sum = 0;
  let weights = 0;
  for (const { value, days } of ages) {
    const weight = Math.exp(-lambdaPerDay * (days - newest));
    sum += value * weight;
    weights += weight;
  }
  return weights === 0 ? 0 : sum / weights;
}
