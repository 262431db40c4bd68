import { flag, notNegative, optional, optionsOf, within } from '../input.ts';
import { byName, type Edges, type EdgeTable, groupByTarget, type Incoming, toTable } from './edge-table.ts';

/** Options of {@link fairnessGoodness}. */
export interface FairnessGoodnessOptions {
  /**
   * Stop when the changes of all fairnesses, and those of all goodnesses, each sum to less than this.
   * @default 1e-6
   */
  readonly epsilon?: number;
  /** @default 100 */
  readonly maxIterations?: number;
  /**
   * Leave out what nodes say about themselves. The published algorithm counts it.
   * @default false
   */
  readonly dropSelfRatings?: boolean;
}

/** Numbers of ratings that a node's results rest on. */
export interface NodeEvidence {
  /** Ratings given: what its fairness rests on. With 0 the fairness is 1 and means nothing. */
  readonly given: number;
  /** Ratings received: what its goodness rests on. With 0 the goodness is 0 and means nothing. */
  readonly received: number;
}

/** Fairness and goodness of every node. */
export interface FairnessGoodness {
  /** Fairness of a node as a rater, 0…1. */
  readonly fairness: Map<string, number>;
  /** Goodness of a node as rated by fair raters, −1…1. */
  readonly goodness: Map<string, number>;
  /**
   * Numbers of ratings. Show them with fairness and goodness: a node without ratings has fairness 1 and
   * goodness 0.
   */
  readonly evidence: Map<string, NodeEvidence>;
  readonly iterations: number;
  /** The larger of the last two sums of changes. */
  readonly residual: number;
  /** False when `maxIterations` came first. */
  readonly converged: boolean;
}

/** The same by node id, for large networks. */
export interface FairnessGoodnessColumns {
  readonly fairness: Float64Array;
  readonly goodness: Float64Array;
  readonly given: Uint32Array;
  readonly received: Uint32Array;
  readonly iterations: number;
  readonly residual: number;
  readonly converged: boolean;
}

const fairnessOptions = optionsOf({
  epsilon: optional(notNegative),
  maxIterations: optional(within(1)),
  dropSelfRatings: optional(flag),
});

interface State {
  readonly fairness: Float64Array;
  readonly goodness: Float64Array;
  /** Σ |weight − goodness| per rater; zero between passes. */
  readonly deviation: Float64Array;
}

/** One pass over all ratings: goodness from fairness, then fairness from the new goodness. Returns both sums of changes. */
function pass(incoming: Incoming, { fairness, goodness, deviation }: State): readonly [number, number] {
  const { starts, sources, weights, outDegrees } = incoming;
  const nodes = goodness.length;
  let goodnessChange = 0;
  let end = 0;
  for (let target = 0; target < nodes; target += 1) {
    const begin = end;
    end = starts[target + 1] ?? 0;
    if (begin === end) continue;
    let sum = 0;
    for (let at = begin; at < end; at += 1) sum += (fairness[sources[at] ?? 0] ?? 0) * (weights[at] ?? 0);
    const next = sum / (end - begin);
    goodnessChange += Math.abs(next - (goodness[target] ?? 0));
    goodness[target] = next;
    // A node's goodness depends on fairness alone, so that its raters' deviations can be added at once: one copy of the
    // ratings is enough.
    for (let at = begin; at < end; at += 1) {
      const source = sources[at] ?? 0;
      deviation[source] = (deviation[source] ?? 0) + Math.abs((weights[at] ?? 0) - next);
    }
  }
  let fairnessChange = 0;
  for (let node = 0; node < nodes; node += 1) {
    const given = outDegrees[node] ?? 0;
    if (given === 0) continue;
    const next = 1 - (deviation[node] ?? 0) / (2 * given);
    fairnessChange += Math.abs(next - (fairness[node] ?? 0));
    fairness[node] = next;
    deviation[node] = 0;
  }
  return [fairnessChange, goodnessChange];
}

/** Every node's mean rating, which is where the authors' code begins. */
function meanRatings({ starts, weights }: Incoming, nodeCount: number): Float64Array {
  const means = new Float64Array(nodeCount);
  for (let target = 0; target < nodeCount; target += 1) {
    const begin = starts[target] ?? 0;
    const end = starts[target + 1] ?? 0;
    let sum = 0;
    for (let at = begin; at < end; at += 1) sum += weights[at] ?? 0;
    means[target] = end === begin ? 0 : sum / (end - begin);
  }
  return means;
}

/**
 * {@link fairnessGoodness} in columns: no names and no maps, 12 bytes a rating and 32 a node beside the table.
 *
 * @throws `OUT_OF_RANGE` when a weight, an id or an option is out of range; `INVALID_INPUT` when the columns don't fit.
 */
export function fairnessGoodnessColumns(
  table: EdgeTable,
  options: FairnessGoodnessOptions = {},
): FairnessGoodnessColumns {
  fairnessOptions('options', options);
  const { epsilon = 1e-6, maxIterations = 100, dropSelfRatings = false } = options;
  const columns = toTable(table);
  const { sources, targets, nodeCount } = columns;
  const incoming = groupByTarget(
    columns,
    dropSelfRatings ? { keep: (row) => sources[row] !== targets[row] } : {},
  );
  const state: State = {
    fairness: new Float64Array(nodeCount).fill(1),
    goodness: meanRatings(incoming, nodeCount),
    deviation: new Float64Array(nodeCount),
  };
  let iterations = 0;
  let changes: readonly [number, number] = [0, 0];
  let converged = false;
  while (!converged && iterations < maxIterations) {
    changes = pass(incoming, state);
    iterations += 1;
    converged = changes[0] < epsilon && changes[1] < epsilon;
  }
  const { fairness, goodness } = state;
  const received = new Uint32Array(nodeCount);
  for (let node = 0; node < nodeCount; node += 1) {
    received[node] = (incoming.starts[node + 1] ?? 0) - (incoming.starts[node] ?? 0);
  }
  const residual = Math.max(...changes);
  return { fairness, goodness, given: incoming.outDegrees, received, iterations, residual, converged };
}

/**
 * Computes fairness and goodness of every node. The goodness of a node is the fairness-weighted mean of its
 * ratings; the fairness of a rater falls with the distance of its ratings from the goodness of the rated. The
 * fixed point is unique, and each pass at least halves the distance to it. A rating is predicted as
 * fairness(source) × goodness(target).
 *
 * It has no Sybil resistance: k fake raters decide the goodness of a node that has no other raters. Use
 * `personalView` where that matters.
 *
 * @see Kumar, Spezzano, Subrahmanian, Faloutsos: Edge Weight Prediction in Weighted Signed Networks. ICDM
 *   2016.
 * @throws `OUT_OF_RANGE` when a weight or an option is out of range; `INVALID_INPUT` when a table's columns
 *   differ in length.
 */
export function fairnessGoodness(edges: Edges, options: FairnessGoodnessOptions = {}): FairnessGoodness {
  const table = toTable(edges);
  const columns = fairnessGoodnessColumns(table, options);
  const evidence = new Map<string, NodeEvidence>();
  for (let id = 0; id < table.nodeCount; id += 1) {
    evidence.set(table.nodes?.[id] ?? String(id), {
      given: columns.given[id] ?? 0,
      received: columns.received[id] ?? 0,
    });
  }
  return {
    fairness: byName(table, columns.fairness),
    goodness: byName(table, columns.goodness),
    evidence,
    iterations: columns.iterations,
    residual: columns.residual,
    converged: columns.converged,
  };
}
