import { requireRange, TrustScoreError } from '../errors.ts';
import { count, notNegative, optional, optionsOf, reading, share, such } from '../input.ts';
import { byName, type Edges, type EdgeTable, groupByTarget, type Incoming, toTable } from './edge-table.ts';

/** Convergence of a power iteration. A run that did not converge returns its last values. */
export interface Convergence {
  readonly iterations: number;
  /** Σ |change| of the last pass. */
  readonly residual: number;
  readonly converged: boolean;
}

/** Rank of every node, and how the run ended. Ranks sum to 1. */
export type RankResult = Map<string, number> & Convergence;

interface IterationOptions {
  /** Stop when the changes of all ranks sum to less. @default 1e-12 */
  readonly tolerance?: number;
  /** @default 1000 */
  readonly maxIterations?: number;
}

/** Options of {@link pageRank}. */
export interface PageRankOptions extends IterationOptions {
  /**
   * Share of a rank that is passed on, 0…1; the rest goes to the teleport vector.
   * @default 0.85
   */
  readonly damping?: number;
  /**
   * Teleport vector as weights of 0 or more; with a single node the result is that node's own view. Every
   * name must be in the network.
   * @default uniform
   */
  readonly personalization?: ReadonlyMap<string, number> | Readonly<Record<string, number>>;
}

/** Options of {@link eigenTrust}. */
export interface EigenTrustOptions extends IterationOptions {
  /** Initially trusted nodes with weights of 0 or more. The Sybil resistance rests entirely on them. */
  readonly preTrust: ReadonlyMap<string, number> | Readonly<Record<string, number>>;
  /**
   * Share that goes to the pre-trusted nodes in every pass, 0…1.
   * @default 0.5
   */
  readonly alpha?: number;
}

/** Trust of every node, and how much distrust took away. */
export interface EigenTrustResult extends Convergence {
  /** 0…1; sums to 1. */
  readonly trust: Map<string, number>;
  /**
   * Trust minus discounts: every node distributes distrust over its negative ratings, in proportion to its
   * own trust. May be negative.
   */
  readonly discounted: Map<string, number>;
}

const iterationOptions = { tolerance: optional(notNegative), maxIterations: optional(count) };
const nodeWeights = such(
  'a Map or an object of weights',
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);
const pageRankOptions = optionsOf({
  ...iterationOptions,
  damping: optional(share),
  personalization: optional(nodeWeights),
});
const eigenTrustOptions = optionsOf({ ...iterationOptions, preTrust: nodeWeights, alpha: optional(share) });

/** A teleport vector that sums to 1. */
function distribution(
  name: string,
  table: EdgeTable,
  given: ReadonlyMap<string, number> | Readonly<Record<string, number>> | undefined,
): Float64Array {
  const { nodeCount } = table;
  if (given === undefined) return new Float64Array(nodeCount).fill(1 / nodeCount);
  const weights = reading(name, () => (given instanceof Map ? given : new Map(Object.entries(given))));
  const vector = new Float64Array(nodeCount);
  let total = 0;
  let found = 0;
  for (let id = 0; id < nodeCount; id += 1) {
    const weight = weights.get(table.nodes?.[id] ?? String(id));
    if (weight === undefined) continue;
    requireRange(name, weight, 0);
    vector[id] = weight;
    total += weight;
    found += 1;
  }
  if (found < weights.size || total === 0) {
    throw new TrustScoreError('INVALID_INPUT', `${name} must name nodes of the network, with a positive sum`);
  }
  return vector.map((weight) => weight / total);
}

/** Ratings of one sign with their size, and how much each node hands out in all. */
function signed(
  table: EdgeTable,
  sign: 1 | -1,
): { readonly incoming: Incoming; readonly given: Float64Array } {
  // All are grouped first, since the last rating of a pair counts and may have changed its sign.
  const incoming = groupByTarget(table);
  const given = new Float64Array(table.nodeCount);
  for (let at = 0; at < incoming.count; at += 1) {
    const size = Math.max(0, sign * (incoming.weights[at] ?? 0));
    incoming.weights[at] = size;
    const source = incoming.sources[at] ?? 0;
    given[source] = (given[source] ?? 0) + size;
  }
  return { incoming, given };
}

/**
 * Computes the inflow of each node when every node distributes its `rank` in the proportions of its ratings.
 */
function flow(
  { incoming, given }: ReturnType<typeof signed>,
  rank: Float64Array,
  into: Float64Array,
): Float64Array {
  const { starts, sources, weights } = incoming;
  for (let target = 0; target < into.length; target += 1) {
    let sum = 0;
    for (let at = starts[target] ?? 0; at < (starts[target + 1] ?? 0); at += 1) {
      const weight = weights[at] ?? 0;
      if (weight === 0) continue;
      const source = sources[at] ?? 0;
      sum += ((rank[source] ?? 0) * weight) / (given[source] ?? 1);
    }
    into[target] = sum;
  }
  return into;
}

/** Iterates rank = damping × (flow + rank of dangling nodes × teleport) + (1 − damping) × teleport. */
function iterate(
  table: EdgeTable,
  teleport: Float64Array,
  damping: number,
  options: IterationOptions,
): { readonly rank: Float64Array } & Convergence {
  const { tolerance = 1e-12, maxIterations = 1_000 } = options;
  const trust = signed(table, 1);
  let rank = teleport.slice();
  let next = new Float64Array(table.nodeCount);
  let iterations = 0;
  let residual = 0;
  let converged = false;
  while (!converged && iterations < maxIterations) {
    let dangling = 0;
    for (let node = 0; node < rank.length; node += 1) {
      if (trust.given[node] === 0) dangling += rank[node] ?? 0;
    }
    flow(trust, rank, next);
    residual = 0;
    for (let node = 0; node < rank.length; node += 1) {
      const start = teleport[node] ?? 0;
      const value = damping * ((next[node] ?? 0) + dangling * start) + (1 - damping) * start;
      residual += Math.abs(value - (rank[node] ?? 0));
      next[node] = value;
    }
    [rank, next] = [next, rank];
    iterations += 1;
    converged = residual < tolerance;
  }
  return { rank, iterations, residual, converged };
}

/**
 * Computes PageRank over the positive ratings, in proportion to their weight: the stationary distribution of
 * a random walk that follows ratings, and restarts with probability 1 − damping or at a node without positive
 * ratings. With `personalization` it is one node's own view.
 *
 * @see Page, Brin, Motwani, Winograd: The PageRank Citation Ranking. 1999.
 * @throws `OUT_OF_RANGE`, or `INVALID_INPUT` when the personalization names a node that is not in the
 *   network. A run that does not converge returns `converged: false`.
 */
export function pageRank(edges: Edges, options: PageRankOptions = {}): RankResult {
  pageRankOptions('options', options);
  const { damping = 0.85 } = options;
  const table = toTable(edges);
  const teleport = distribution('personalization', table, options.personalization);
  const { rank, ...convergence } = iterate(table, teleport, damping, options);
  return Object.assign(byName(table, rank), convergence);
}

/**
 * Computes EigenTrust with distrust: trust flows along positive ratings from the pre-trusted nodes; a node
 * without positive ratings returns its trust to them. Negative ratings are deducted at the end, in proportion
 * to the trust of the rater.
 *
 * @see Kamvar, Schlosser, Garcia-Molina: The EigenTrust Algorithm for Reputation Management in P2P Networks.
 *   WWW 2003.
 * @throws `OUT_OF_RANGE`, or `INVALID_INPUT` when none of the pre-trusted nodes is in the network.
 */
export function eigenTrust(edges: Edges, options: EigenTrustOptions): EigenTrustResult {
  eigenTrustOptions('options', options);
  const { alpha = 0.5 } = options;
  const table = toTable(edges);
  const teleport = distribution('preTrust', table, options.preTrust);
  const { rank, ...convergence } = iterate(table, teleport, 1 - alpha, options);
  const discounts = flow(signed(table, -1), rank, new Float64Array(table.nodeCount));
  return {
    ...convergence,
    trust: byName(table, rank),
    discounted: byName(
      table,
      rank.map((value, node) => value - (discounts[node] ?? 0)),
    ),
  };
}
