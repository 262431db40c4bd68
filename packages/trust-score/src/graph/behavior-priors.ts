import { listOf, notNegative, optional, optionsOf, record, text, time, within } from '../input.ts';
import type { Edge } from './edge-table.ts';
import type { BehaviorPriors } from './rev2.ts';

/** Options of {@link behaviorPriors}. */
export interface BehaviorPriorOptions {
  /** Sum of both entropies from which on a rater is not suspicious, in bits, more than 0. @default 6 */
  readonly usualBits?: number;
  /** Ratings at which half of the anomaly counts, 0 or more: who rated once or twice shows no behavior. @default 3 */
  readonly priorRatings?: number;
}

const priorOptions = optionsOf({
  usualBits: optional(within(Number.MIN_VALUE)),
  priorRatings: optional(notNegative),
});
const timedEdges = listOf(record({ source: text, target: text, weight: within(-1, 1), at: time }));

/** Returns the Shannon entropy of values, in bits. */
function entropy(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => {
    const share = count / values.length;
    return sum - share * Math.log2(share);
  }, 0);
}

/**
 * Computes how mechanically each rater behaves, as a prior of `rev2`: the lower the entropy of its ratings (in tenths) and of the
 * times between them (in powers of two seconds), the higher the anomaly, which is
 * n / (n + `priorRatings`) × max(0, 1 − bits / `usualBits`) for n ratings. Pass it with `alpha2: 2`.
 *
 * The settings were fixed on Bitcoin-OTC. Labels of such networks favor active raters, and so does this prior: many ratings at
 * irregular times with different values are cheap for whoever knows of it.
 *
 * @param ratings In any order; `at` is in ms since epoch.
 * @see Hooi et al.: BIRDNEST: Bayesian Inference for Ratings-Fraud Detection. SDM 2016, for the idea.
 * @throws `OUT_OF_RANGE` when a weight is not from −1 to 1, or a time or an option is out of range.
 */
export function behaviorPriors(
  ratings: readonly (Edge & { readonly at: number })[],
  options: BehaviorPriorOptions = {},
): BehaviorPriors & { readonly raters: ReadonlyMap<string, number> } {
  priorOptions('options', options);
  timedEdges('ratings', ratings);
  const { usualBits = 6, priorRatings = 3 } = options;
  const given = new Map<string, { readonly values: number[]; readonly times: number[] }>();
  for (const { source, weight, at } of ratings) {
    const own = given.get(source) ?? { values: [], times: [] };
    own.values.push(Math.round(weight * 10));
    own.times.push(at);
    given.set(source, own);
  }
  const anomalyOf = ({ values, times }: { values: readonly number[]; times: readonly number[] }) => {
    const sorted = times.toSorted((left, right) => left - right);
    const gaps = sorted
      .slice(1)
      .map((at, index) => Math.floor(Math.log2(1 + (at - (sorted[index] ?? at)) / 1_000)));
    const seen = values.length / (values.length + priorRatings);
    return seen * Math.max(0, 1 - (entropy(values) + entropy(gaps)) / usualBits);
  };
  return { raters: new Map([...given].map(([rater, own]) => [rater, anomalyOf(own)])) };
}
