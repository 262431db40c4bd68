import * as z from 'zod';
import { fading, notNegative, parseOptions } from '../schemas.ts';
import type { SelectionStrategy } from '../selection/strategy.ts';
import { SuccessCounts } from './success-counts.ts';
import { assumedPrice, assumedValue, shareAmongBest } from './utility.ts';

/** Options of {@link discountedUcbStrategy}. */
export interface DiscountedUcbOptions {
  /** Factor on all evidence for each decision, 0 < x ≤ 1. @default 0.9995 */
  readonly decay?: number;
  /** Width of the confidence bound, ≥ 0: more explores more. @default 0.05 */
  readonly width?: number;
  /** Distance from the best score, as a share of the job's value, at which candidates count as equal. @default 0.01 */
  readonly nearEqual?: number;
}

const optionsSchema = z.strictObject({
  decay: fading.default(0.9995),
  width: notNegative.default(0.05),
  nearEqual: notNegative.default(0.01),
});

/**
 * Creates a strategy that chooses by value × upper confidence bound of the success rate − price, with a success rate per
 * platform and task type that fades.
 *
 * After "On Upper-Confidence Bound Policies for Switching Bandit Problems" (Garivier and Moulines, 2011).
 */
export function discountedUcbStrategy(options: DiscountedUcbOptions = {}): SelectionStrategy {
  const { decay, width, nearEqual } = parseOptions(optionsSchema, options, 'discountedUcbStrategy');
  const counts = new SuccessCounts(decay);
  return {
    name: 'discounted-ucb',
    version: '1',
    init: (snapshot) => counts.reset(snapshot),
    observe: (record) => counts.observe(record),
    snapshot: () => counts.toJSON(),
    distribution(task, candidates) {
      const value = task.valueMsat ?? assumedValue(candidates);
      const unstated = assumedPrice(candidates);
      const scores = candidates.map((candidate) => {
        const { good, all } = counts.of(task.taskType, candidate);
        const bonus = Math.sqrt((width * Math.log(2 + counts.total)) / Math.max(0.1, all));
        return value * Math.min(1, good / Math.max(1e-9, all) + bonus) - (candidate.priceMsat ?? unstated);
      });
      return shareAmongBest(candidates, scores, nearEqual * value);
    },
  };
}
