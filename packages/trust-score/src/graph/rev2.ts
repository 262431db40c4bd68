import { requireRange, TrustScoreError } from '../errors.ts';
import { count, listOf, map, notNegative, optional, optionsOf, record, share } from '../input.ts';
import { byName, createEdgeTable, type Edge, groupByTarget } from './edge-table.ts';

/** Prior anomaly of raters, ratees and ratings, 0 (none) … 1. Missing entries are 0. */
export interface BehaviorPriors {
  readonly raters?: ReadonlyMap<string, number>;
  readonly ratees?: ReadonlyMap<string, number>;
  /** Of each rating, in the order of the ratings. */
  readonly ratings?: readonly number[];
}

/** Options of {@link rev2}. Each smoothing weight is 0 or more. */
export interface Rev2Options {
  /**
   * Weight of the median fairness in a rater's fairness.
   * @default 1
   */
  readonly alpha1?: number;
  /**
   * Weight of the rater's prior.
   * @default 0
   */
  readonly alpha2?: number;
  /**
   * Weight of the median goodness in a ratee's goodness.
   * @default 1
   */
  readonly beta1?: number;
  /**
   * Weight of the ratee's prior.
   * @default 0
   */
  readonly beta2?: number;
  /**
   * Weight of the rater's fairness in a rating's reliability.
   * @default 1
   */
  readonly gamma1?: number;
  /**
   * Weight of the rating's distance from the goodness; with 0 nothing is detected.
   * @default 1
   */
  readonly gamma2?: number;
  /**
   * Weight of the rating's prior.
   * @default 0
   */
  readonly gamma3?: number;
  /** Stop when the changes of fairness, of goodness and of reliability each sum to less. @default 1e-6 */
  readonly tolerance?: number;
  /** @default 500 */
  readonly maxIterations?: number;
  /** @default none */
  readonly priors?: BehaviorPriors;
}

const smoothing = optional(notNegative);
const rev2Options = optionsOf({
  alpha1: smoothing,
  alpha2: smoothing,
  beta1: smoothing,
  beta2: smoothing,
  gamma1: smoothing,
  gamma2: smoothing,
  gamma3: smoothing,
  tolerance: smoothing,
  maxIterations: optional(count),
  // Those of `behaviorPriors` may be passed with what else it returns.
  priors: optional(
    record({ raters: optional(map), ratees: optional(map), ratings: optional(listOf(share)) }),
  ),
});

/** The result of {@link rev2}. */
export interface Rev2Result {
  /** Of every rater, 0…1. */
  readonly fairness: Map<string, number>;
  /** Of every ratee, −1…1. */
  readonly goodness: Map<string, number>;
  /** Of every rating in the order in which they were given, 0…1; null for one that a later one of its pair replaced. */
  readonly reliability: readonly (number | null)[];
  /**
   * Of every rater: (fairness − median) × ln(ratings given + 1). Low is suspicious, and the more so the more it rated.
   */
  readonly score: Map<string, number>;
  readonly iterations: number;
  /** The largest of the last three sums of changes. */
  readonly residual: number;
  readonly converged: boolean;
}

function median(values: Float64Array): number {
  const sorted = values.toSorted();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

const clip = (value: number, min: number): number => Math.min(1, Math.max(min, value));

/** A column of 1 − anomaly per node, checked. */
function prior(
  name: string,
  names: readonly string[],
  anomalies: ReadonlyMap<string, number> | undefined,
): Float64Array {
  return Float64Array.from(names, (node) => {
    const anomaly = anomalies?.get(node) ?? 0;
    requireRange(`priors.${name} of ${node}`, anomaly, 0, 1);
    return 1 - anomaly;
  });
}

/** Ids without gaps for the nodes for which `is` says true; −1 for the others. */
function compact(
  nodes: readonly string[],
  is: (id: number) => boolean,
): { readonly ids: Int32Array; readonly names: string[] } {
  const ids = new Int32Array(nodes.length).fill(-1);
  const names: string[] = [];
  for (const [id, node] of nodes.entries()) {
    if (is(id)) ids[id] = names.push(node) - 1;
  }
  return { ids, names };
}

/**
 * Computes REV2: fairness of raters, goodness of ratees and reliability of every rating, smoothed towards the
 * median for those with few ratings, with optional priors. Raters and ratees are separate: the fairness and
 * the goodness of one node are independent.
 *
 * It treats ratings as a set and does not see trajectories: for a partner that turned bad see
 * `detectBuildThenExploit`.
 *
 * @see Kumar, Hooi, Makhija, Kumar, Faloutsos, Subrahmanian: REV2: Fraudulent User Prediction in Rating
 *   Platforms. WSDM 2018.
 * @throws `OUT_OF_RANGE` when a weight, a prior or an option is out of range; `INVALID_INPUT` when gammas are
 *   all 0.
 */
export function rev2(edges: readonly Edge[], options: Rev2Options = {}): Rev2Result {
  rev2Options('options', options);
  const { alpha1 = 1, alpha2 = 0, beta1 = 1, beta2 = 0, gamma1 = 1, gamma2 = 1, gamma3 = 0 } = options;
  const { tolerance = 1e-6, maxIterations = 500, priors = {} } = options;
  const gammas = gamma1 + gamma2 + gamma3;
  if (gammas === 0) throw new TrustScoreError('INVALID_INPUT', 'gamma1, gamma2 and gamma3 must not all be 0');

  const table = createEdgeTable(edges);
  const incoming = groupByTarget(table, { rows: true });
  const { starts, weights, rows, count, outDegrees } = incoming;
  const nodes = table.nodes ?? [];
  const raters = compact(nodes, (id) => (outDegrees[id] ?? 0) > 0);
  const ratees = compact(nodes, (id) => (starts[id + 1] ?? 0) > (starts[id] ?? 0));
  const raterOf = Uint32Array.from(incoming.sources.subarray(0, count), (id) => raters.ids[id] ?? 0);
  const given = new Uint32Array(raters.names.length);
  for (const rater of raterOf) given[rater] = (given[rater] ?? 0) + 1;
  const begins = Uint32Array.from(
    nodes.flatMap((_, id) => ((ratees.ids[id] ?? -1) >= 0 ? [starts[id] ?? 0] : [])),
  );

  const raterPrior = prior('raters', raters.names, priors.raters);
  const rateePrior = prior('ratees', ratees.names, priors.ratees);
  const ratingPrior = Float64Array.from(rows.subarray(0, count), (row) => {
    const anomaly = priors.ratings?.[row] ?? 0;
    requireRange(`priors.ratings[${row}]`, anomaly, 0, 1);
    return 1 - anomaly;
  });

  const fairness = raterPrior.slice();
  const goodness = rateePrior.map((good) => 2 * (good - 0.5));
  const reliability = ratingPrior.slice();
  const sums = new Float64Array(fairness.length);
  let iterations = 0;
  let residual = 0;
  let converged = count === 0;
  while (!converged && iterations < maxIterations) {
    const [dG, dR, dF] = [{ sum: 0 }, { sum: 0 }, { sum: 0 }];
    const medianGoodness = beta1 > 0 ? median(goodness) : 0;
    sums.fill(0);
    for (let ratee = 0; ratee < goodness.length; ratee += 1) {
      const begin = begins[ratee] ?? 0;
      const end = begins[ratee + 1] ?? count;
      let sum = beta1 * medianGoodness + beta2 * 2 * ((rateePrior[ratee] ?? 0) - 0.5);
      for (let at = begin; at < end; at += 1) sum += (reliability[at] ?? 0) * (weights[at] ?? 0);
      const good = clip(sum / (beta1 + beta2 + end - begin), -1);
      dG.sum += Math.abs(good - (goodness[ratee] ?? 0));
      goodness[ratee] = good;
      // Reliability uses the fairness of the pass before, and this goodness.
      for (let at = begin; at < end; at += 1) {
        const rater = raterOf[at] ?? 0;
        const near = 1 - Math.abs((weights[at] ?? 0) - good) / 2;
        const own = gamma2 * near + gamma1 * (fairness[rater] ?? 0) + gamma3 * (ratingPrior[at] ?? 0);
        const reliable = clip(own / gammas, 0);
        dR.sum += Math.abs(reliable - (reliability[at] ?? 0));
        reliability[at] = reliable;
        sums[rater] = (sums[rater] ?? 0) + reliable;
      }
    }
    const medianFairness = alpha1 > 0 ? median(fairness) : 0;
    for (let rater = 0; rater < fairness.length; rater += 1) {
      const all = (sums[rater] ?? 0) + alpha1 * medianFairness + alpha2 * (raterPrior[rater] ?? 0);
      const fair = clip(all / ((given[rater] ?? 0) + alpha1 + alpha2), 0);
      dF.sum += Math.abs(fair - (fairness[rater] ?? 0));
      fairness[rater] = fair;
    }
    iterations += 1;
    residual = Math.max(dF.sum, dG.sum, dR.sum);
    converged = residual < tolerance;
  }

  const middle = median(fairness);
  const score = fairness.map((fair, rater) => (fair - middle) * Math.log((given[rater] ?? 0) + 1));
  const byRow: (number | null)[] = edges.map(() => null);
  for (let at = 0; at < count; at += 1) byRow[rows[at] ?? 0] = reliability[at] ?? 0;
  const named = (names: readonly string[], values: Float64Array) =>
    byName({ nodes: names, nodeCount: names.length }, values);
  return {
    fairness: named(raters.names, fairness),
    goodness: named(ratees.names, goodness),
    reliability: byRow,
    score: named(raters.names, score),
    iterations,
    residual,
    converged,
  };
}
