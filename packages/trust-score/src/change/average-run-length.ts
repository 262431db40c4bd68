import { requireCount, requireRange } from '../errors.ts';
import { count, finite, oneOf, optional, optionsOf } from '../input.ts';

/** P(Z > x) of the standard normal, x ≥ 0, to about 1e-16 relative: a series near 0, a continued fraction beyond. */
function upperTail(x: number): number {
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  if (x < 3) {
    let term = x;
    let sum = x;
    for (let i = 3; Math.abs(term) > sum * 1e-17; i += 2) {
      term *= (x * x) / i;
      sum += term;
    }
    return 0.5 - density * sum;
  }
  let fraction = 0;
  for (let i = 100; i > 0; i -= 1) fraction = i / (x + fraction);
  return density / (x + fraction);
}

/** P(Z ≤ x). */
const normal = (x: number): number => (x >= 0 ? 1 - upperTail(x) : upperTail(-x));

/** P(low < Z ≤ high), from the tail in which it is, where differences of 1 would be lost. */
function between(low: number, high: number): number {
  return low > 0 ? upperTail(low) - upperTail(high) : normal(high) - normal(low);
}

/** Solves (1 − Q) x = 1 in place, by elimination: Q is substochastic, so that no pivot is needed. */
function solve(matrix: readonly Float64Array[], right: Float64Array): number {
  const size = right.length;
  // From the last row up, so that what is left in the end is the first unknown.
  for (let pivot = size - 1; pivot > 0; pivot -= 1) {
    const from = matrix[pivot] ?? right;
    for (let row = 0; row < pivot; row += 1) {
      const into = matrix[row] ?? right;
      const factor = (into[pivot] ?? 0) / (from[pivot] ?? 1);
      if (factor === 0) continue;
      for (let column = 0; column < pivot; column += 1)
        into[column] = (into[column] ?? 0) - factor * (from[column] ?? 0);
      right[row] = (right[row] ?? 0) - factor * (right[pivot] ?? 0);
    }
  }
  return (right[0] ?? 0) / (matrix[0]?.[0] ?? 1);
}

/** Options of {@link averageRunLength}. */
export interface AverageRunLengthOptions {
  /** Shift of the mean in σ; 0 for the time between false alarms. @default 0 */
  readonly shift?: number;
  /** @default 1 */
  readonly sides?: 1 | 2;
  /** States of the Markov chain; the error falls with the square. @default 200 */
  readonly states?: number;
}

const runLengthOptions = optionsOf({
  shift: optional(finite),
  sides: optional(oneOf(1, 2)),
  states: optional(count),
});

/**
 * Computes the average number of independent normal values until a CUSUM alarms, with the true mean and σ
 * known: without a shift the time between false alarms, with one the detection delay.
 *
 * | k | h | false alarm, one side | two sides | finds 1σ after | 2σ | 3σ |
 * |---|---|---|---|---|---|---|
 * | .25 | 8 | 737 | 368 | 11.4 | 5.2 | 3.5 |
 * | .5 | 4 | 335 | 168 | 8.4 | 3.3 | 2.2 |
 * | .5 | 5 | 931 | 465 | 10.4 | 4.0 | 2.6 |
 * | 1 | 4 | 14,511 | 7,255 | 26.7 | 4.8 | 2.6 |
 *
 * @see Brook, Evans: An Approach to the Probability Distribution of CUSUM Run Length. Biometrika 59, 1972.
 * @throws `OUT_OF_RANGE` when an argument is out of range.
 */
export function averageRunLength(k: number, h: number, options: AverageRunLengthOptions = {}): number {
  runLengthOptions('options', options);
  const { shift = 0, sides = 1, states = 200 } = options;
  requireRange('k', k, 0, 100);
  requireRange('h', h, Number.MIN_VALUE, 1_000);
  requireRange('shift', shift, -100, 100);
  requireCount('states', states, 2_000);
  requireRange('states', states, 2);
  const oneSide = (drift: number): number => {
    const width = (2 * h) / (2 * states - 1);
    const matrix = Array.from({ length: states }, (_, from) =>
      Float64Array.from({ length: states }, (_, to) => {
        const high = (to - from + 0.5) * width + k - drift;
        const moved = to === 0 ? normal(high) : between(high - width, high);
        return (from === to ? 1 : 0) - moved;
      }),
    );
    return solve(matrix, new Float64Array(states).fill(1));
  };
  if (sides === 1) return oneSide(shift);
  return 1 / (1 / oneSide(shift) + 1 / oneSide(-shift));
}
