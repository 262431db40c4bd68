import { optional, optionsOf, text, within } from '../input.ts';
import { checkEdge, createEdgeTable, type Edge, type EdgeTable, groupByTarget } from './edge-table.ts';
import { fairnessGoodnessColumns, type NodeEvidence } from './fairness-goodness.ts';

/** Current fairness and goodness of one node. */
export interface NodeStanding extends NodeEvidence {
  /** 0…1. */
  readonly fairness: number;
  /** −1…1. */
  readonly goodness: number;
}

/** Work done by an update. */
export interface UpdateCost {
  /** Number of recomputed values, repetitions included. */
  readonly recomputed: number;
}

/** Fairness and goodness that are kept up to date, rating by rating. */
export interface FairnessGoodnessTracker {
  /**
   * Adds a rating, or replaces the one that `source` gave `target` before.
   * @throws `OUT_OF_RANGE` when the weight is not from −1 to 1.
   */
  add(rating: Edge): UpdateCost;
  /** Takes a rating back. Null when there is none. */
  remove(source: string, target: string): UpdateCost | null;
  /** Returns null for an unknown node. */
  get(node: string): NodeStanding | null;
  readonly nodeCount: number;
}

/** Options of {@link createFairnessGoodnessTracker}. */
export interface TrackerOptions {
  /**
   * Maximum distance from the fixed point: changes below half of it are not propagated. A ten times larger
   * tolerance makes an update four times faster.
   * @default 1e-6
   */
  readonly tolerance?: number;
}

const trackerOptions = optionsOf({ tolerance: optional(within(Number.MIN_VALUE, 1)) });

/** Neighbours of a node in one direction, with the weights. */
interface Links {
  readonly nodes: number[];
  readonly weights: number[];
}

/** Everything about all nodes, by id. Plain arrays: they grow, and numbers in them are stored as such. */
interface Columns {
  readonly names: string[];
  readonly fairness: number[];
  readonly goodness: number[];
  /** Σ fairness × weight of what a node received. */
  readonly praise: number[];
  /** Σ |weight − goodness| of what it gave. */
  readonly deviation: number[];
  /** 1 ÷ ratings received, 1 ÷ (2 × ratings given); 0 without any. */
  readonly perReceived: number[];
  readonly perGiven: number[];
  readonly given: Links[];
  readonly received: Links[];
  /** Flags of nodes that are queued for recomputation. */
  readonly waitsForGoodness: boolean[];
  readonly waitsForFairness: boolean[];
}

const noColumns = (): Columns => ({
  ...{ names: [], fairness: [], goodness: [], praise: [], deviation: [], perReceived: [], perGiven: [] },
  ...{ given: [], received: [], waitsForGoodness: [], waitsForFairness: [] },
});

function addNode(columns: Columns, name: string): number {
  columns.fairness.push(1);
  for (const column of [
    columns.goodness,
    columns.praise,
    columns.deviation,
    columns.perReceived,
    columns.perGiven,
  ])
    column.push(0);
  columns.given.push({ nodes: [], weights: [] });
  columns.received.push({ nodes: [], weights: [] });
  columns.waitsForGoodness.push(false);
  columns.waitsForFairness.push(false);
  return columns.names.push(name) - 1;
}

const noLinks: Links = { nodes: [], weights: [] };

/** Adds or replaces one rating in the sums and lists; the numbers that follow from them are not touched. */
function link(columns: Columns, source: number, target: number, weight: number): void {
  const { fairness, goodness, praise, deviation, perReceived, perGiven } = columns;
  const given = columns.given[source] ?? noLinks;
  const received = columns.received[target] ?? noLinks;
  const at = given.nodes.indexOf(target);
  const before = given.weights[at];
  const own = goodness[target] ?? 0;
  if (before === undefined) {
    given.nodes.push(target);
    given.weights.push(weight);
    received.nodes.push(source);
    received.weights.push(weight);
    perReceived[target] = 1 / received.nodes.length;
    perGiven[source] = 1 / (2 * given.nodes.length);
  } else {
    given.weights[at] = weight;
    received.weights[received.nodes.indexOf(source)] = weight;
  }
  praise[target] = (praise[target] ?? 0) + (fairness[source] ?? 0) * (weight - (before ?? 0));
  const taken = before === undefined ? 0 : Math.abs(before - own);
  deviation[source] = (deviation[source] ?? 0) + Math.abs(weight - own) - taken;
}

/** Takes a rating out of the sums and lists. False when there was none. */
function unlink(columns: Columns, source: number, target: number): boolean {
  const { fairness, goodness, praise, deviation, perReceived, perGiven } = columns;
  const given = columns.given[source] ?? noLinks;
  const received = columns.received[target] ?? noLinks;
  const weight = dropLink(given, target);
  if (weight === null) return false;
  dropLink(received, source);
  praise[target] = (praise[target] ?? 0) - (fairness[source] ?? 0) * weight;
  deviation[source] = (deviation[source] ?? 0) - Math.abs(weight - (goodness[target] ?? 0));
  perReceived[target] = received.nodes.length === 0 ? 0 : 1 / received.nodes.length;
  perGiven[source] = given.nodes.length === 0 ? 0 : 1 / (2 * given.nodes.length);
  return true;
}

/** Takes a node out of a list, in any order. Returns its weight; null when it is not there. */
function dropLink({ nodes, weights }: Links, node: number): number | null {
  const at = nodes.indexOf(node);
  const lastNode = nodes.at(-1);
  const lastWeight = weights.at(-1);
  const weight = weights[at];
  if (weight === undefined || lastNode === undefined || lastWeight === undefined) return null;
  nodes[at] = lastNode;
  weights[at] = lastWeight;
  nodes.pop();
  weights.pop();
  return weight;
}

/** Propagates changes larger than `least` until there are none. Returns the number of recomputed values. */
function spread(columns: Columns, source: number, target: number, least: number): number {
  const { fairness, goodness, praise, deviation, perReceived, perGiven } = columns;
  const { given, received, waitsForGoodness, waitsForFairness } = columns;
  let good: number[] = [target];
  let fair: number[] = [source];
  let recomputed = 0;
  while (good.length > 0 || fair.length > 0) {
    // All goodnesses of a round first, as a full run does: fewer numbers are computed twice.
    const targets = good;
    good = [];
    for (const node of targets) {
      waitsForGoodness[node] = false;
      recomputed += 1;
      const before = goodness[node] ?? 0;
      const next = (praise[node] ?? 0) * (perReceived[node] ?? 0);
      goodness[node] = next;
      const { nodes, weights } = received[node] ?? noLinks;
      for (let at = 0; at < nodes.length; at += 1) {
        const rater = nodes[at] ?? 0;
        const weight = weights[at] ?? 0;
        const sum = (deviation[rater] ?? 0) + Math.abs(weight - next) - Math.abs(weight - before);
        deviation[rater] = sum;
        const change = 1 - sum * (perGiven[rater] ?? 0) - (fairness[rater] ?? 0);
        if ((change > least || change < -least) && waitsForFairness[rater] === false) {
          waitsForFairness[rater] = true;
          fair.push(rater);
        }
      }
    }
    const sources = fair;
    fair = [];
    for (const node of sources) {
      waitsForFairness[node] = false;
      recomputed += 1;
      const next = 1 - (deviation[node] ?? 0) * (perGiven[node] ?? 0);
      const change = next - (fairness[node] ?? 0);
      fairness[node] = next;
      const { nodes, weights } = given[node] ?? noLinks;
      for (let at = 0; at < nodes.length; at += 1) {
        const rated = nodes[at] ?? 0;
        const sum = (praise[rated] ?? 0) + change * (weights[at] ?? 0);
        praise[rated] = sum;
        const moved = sum * (perReceived[rated] ?? 0) - (goodness[rated] ?? 0);
        if ((moved > least || moved < -least) && waitsForGoodness[rated] === false) {
          waitsForGoodness[rated] = true;
          good.push(rated);
        }
      }
    }
  }
  return recomputed;
}

/** Fills the columns with a table's ratings and their fixed point. */
function load(columns: Columns, table: EdgeTable, idOf: (name: string) => number, tolerance: number): void {
  const fixed = fairnessGoodnessColumns(table, {
    epsilon: Math.min(1e-9, tolerance / 1_000),
    maxIterations: 1_000,
  });
  for (const [id, name] of (table.nodes ?? []).entries()) {
    idOf(name);
    columns.fairness[id] = fixed.fairness[id] ?? 1;
    columns.goodness[id] = fixed.goodness[id] ?? 0;
  }
  const { starts, sources, weights } = groupByTarget(table);
  for (let target = 0; target < table.nodeCount; target += 1) {
    for (let at = starts[target] ?? 0; at < (starts[target + 1] ?? 0); at += 1)
      link(columns, sources[at] ?? 0, target, weights[at] ?? 0);
  }
}

/**
 * Creates a tracker that keeps the fixed point of `fairnessGoodness` up to date. A new rating is propagated
 * only as far as its effect exceeds the tolerance. Every round at least halves the change, so the omitted
 * rest stays within the tolerance.
 *
 * @throws `OUT_OF_RANGE` when a weight or the tolerance is out of range.
 */
export function createFairnessGoodnessTracker(
  ratings: readonly Edge[] = [],
  options: TrackerOptions = {},
): FairnessGoodnessTracker {
  trackerOptions('options', options);
  const { tolerance = 1e-6 } = options;
  const least = tolerance / 2;
  const columns = noColumns();
  const ids = new Map<string, number>();
  const idOf = (name: string): number => {
    const known = ids.get(name);
    if (known !== undefined) return known;
    const id = addNode(columns, name);
    ids.set(name, id);
    return id;
  };
  load(columns, createEdgeTable(ratings), idOf, tolerance);
  return {
    add(rating) {
      checkEdge('rating', rating);
      const [source, target] = [idOf(rating.source), idOf(rating.target)];
      link(columns, source, target, rating.weight);
      return { recomputed: spread(columns, source, target, least) };
    },
    remove(from, to) {
      text('source', from);
      text('target', to);
      const [source, target] = [ids.get(from), ids.get(to)];
      if (source === undefined || target === undefined || !unlink(columns, source, target)) return null;
      return { recomputed: spread(columns, source, target, least) };
    },
    get(name) {
      text('node', name);
      const id = ids.get(name);
      if (id === undefined) return null;
      return {
        // From the sums, which are newer than what was passed on.
        fairness: 1 - (columns.deviation[id] ?? 0) * (columns.perGiven[id] ?? 0),
        goodness: (columns.praise[id] ?? 0) * (columns.perReceived[id] ?? 0),
        given: columns.given[id]?.nodes.length ?? 0,
        received: columns.received[id]?.nodes.length ?? 0,
      };
    },
    get nodeCount() {
      return ids.size;
    },
  };
}
