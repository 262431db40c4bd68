import * as z from 'zod';
import { fading, parseOptions } from '../schemas.ts';
import type { SelectionStrategy } from '../selection/strategy.ts';
import { normalCdf } from '../statistics/normal.ts';
import { SuccessCounts } from './success-counts.ts';
import { assumedPrice, assumedValue } from './utility.ts';

/** Options of {@link thompsonStrategy}. */
export interface ThompsonOptions {
  /** Factor on all evidence for each decision, 0 < x ≤ 1. @default 0.9998 */
  readonly decay?: number;
}

const optionsSchema = z.strictObject({ decay: fading.default(0.9998) });

/** Number of steps of the integration for each quantity. */
const steps = 40;
/** Standard deviations beyond which a posterior is left out. */
const reach = 5;

/**
 * Creates a strategy that chooses each platform with the probability that it is the best one: Thompson sampling of value ×
 * success rate − price, with a posterior of the success rate per platform and task type that fades. The probabilities are
 * computed instead of sampled, so that what is logged is exact up to the normal approximation of the posteriors.
 */
export function thompsonStrategy(options: ThompsonOptions = {}): SelectionStrategy {
  const { decay } = parseOptions(optionsSchema, options, 'thompsonStrategy');
  const counts = new SuccessCounts(decay);
  return {
    name: 'thompson',
    version: '1',
    init: (snapshot) => counts.reset(snapshot),
    observe: (record) => counts.observe(record),
    snapshot: () => counts.toJSON(),
    distribution(task, candidates) {
      const value = task.valueMsat ?? assumedValue(candidates);
      const unstated = assumedPrice(candidates);
      const utilities = candidates.map((candidate): Normal => {
        const { good, all } = counts.of(task.taskType, candidate);
        // Beta(good + ½, all − good + ½).
        const rate = (good + 0.5) / (all + 1);
        const deviation = Math.sqrt((rate * (1 - rate)) / (all + 2));
        // A value of 0 leaves the price alone to decide, without an uncertainty to divide by.
        const scale = Math.max(value, 1e-9);
        return { mean: scale * rate - (candidate.priceMsat ?? unstated), deviation: scale * deviation };
      });
      return chancesOfBeingBest(utilities).map((probability) => ({
        probability,
        reason: `the best one with a probability of ${Math.round(100 * probability)} %`,
      }));
    },
  };
}

interface Normal {
  readonly mean: number;
  /** > 0 */
  readonly deviation: number;
}

/**
 * Returns for each of several independent normal quantities the probability that it is the largest. The sum is 1. Integrates
 * over steps of each quantity's own size, so that very certain ones may stand beside uncertain ones.
 */
export function chancesOfBeingBest(quantities: readonly Normal[]): number[] {
  let low = Number.NEGATIVE_INFINITY;
  for (const { mean, deviation } of quantities) low = Math.max(low, mean - reach * deviation);
  // What stays below the lower end of another one is never the largest.
  const contenders = quantities.flatMap(({ mean, deviation }, index) =>
    mean + reach * deviation >= low ? [index] : [],
  );
  const own = contenders.map((index) => quantities[index] as Normal);
  const nodes = [
    low,
    ...own
      .flatMap(({ mean, deviation }) =>
        Array.from({ length: steps + 1 }, (_, step) => mean + reach * (step / (steps / 2) - 1) * deviation),
      )
      .filter((node) => node > low)
      .sort((a, b) => a - b),
  ];
  const below = (x: number) => own.map(({ mean, deviation }) => normalCdf((x - mean) / deviation));
  const chances = own.map(() => 0);
  for (const [place, node] of nodes.entries()) {
    const next = nodes[place + 1] ?? node;
    const [before, middle, after] = [below(node), below((node + next) / 2), below(next)];
    const others = productsOfOthers(middle);
    for (let index = 0; index < chances.length; index += 1) {
      const mass = (after[index] ?? 0) - (before[index] ?? 0);
      chances[index] = (chances[index] ?? 0) + mass * (others[index] ?? 0);
    }
  }
  const sum = chances.reduce((total, chance) => total + chance, 0);
  const result = quantities.map(() => 0);
  // Without any width in floating point, all that are left are equal.
  for (const [place, index] of contenders.entries())
    result[index] = sum > 0 ? (chances[place] ?? 0) / sum : 1 / contenders.length;
  return result;
}

/** Returns for each number the product of all others. */
function productsOfOthers(numbers: readonly number[]): number[] {
  const products = numbers.map(() => 1);
  let product = 1;
  for (let index = 0; index < numbers.length; index += 1) {
    products[index] = product;
    product *= numbers[index] ?? 1;
  }
  product = 1;
  for (let index = numbers.length - 1; index >= 0; index -= 1) {
    products[index] = (products[index] ?? 1) * product;
    product *= numbers[index] ?? 1;
  }
  return products;
}
