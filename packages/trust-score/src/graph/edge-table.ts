import { requireRange, TrustScoreError } from '../errors.ts';
import { count, list, listOf, nullable, reading, record, such, text, within } from '../input.ts';

/** One rating: `source` rates `target` with `weight` from −1 to 1. */
export interface Edge {
  readonly source: string;
  readonly target: string;
  /** −1…1: ratings of −10…10 divided by ten. */
  readonly weight: number;
}

/**
 * Ratings in columns, for networks of millions: 16 bytes a rating. Row i says that node `sources[i]` rates node
 * `targets[i]` with `weights[i]`, −1…1. Rows are in order of time: of several ratings of one pair the last counts.
 */
export interface EdgeTable {
  /** Ids from 0 to `nodeCount` − 1. */
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  readonly weights: Float64Array;
  readonly nodeCount: number;
  /** Names of the nodes by id; null when the names are the ids. */
  readonly nodes: readonly string[] | null;
}

/** Input of every graph function. */
export type Edges = readonly Edge[] | EdgeTable;

/**
 * Puts ratings into columns. Nodes get their ids in the order in which they first appear.
 *
 * @throws `OUT_OF_RANGE` when a weight is not from −1 to 1.
 */
export function createEdgeTable(edges: readonly Edge[]): EdgeTable {
  list('edges', edges);
  const ids = new Map<string, number>();
  const nodes: string[] = [];
  const idOf = (node: string): number => {
    const known = ids.get(node);
    if (known !== undefined) return known;
    const id = nodes.length;
    ids.set(node, id);
    nodes.push(node);
    return id;
  };
  const count = edges.length;
  const table = {
    sources: new Uint32Array(count),
    targets: new Uint32Array(count),
    weights: new Float64Array(count),
  };
  reading('edges', () => {
    let row = 0;
    for (const edge of edges) {
      const { source, target, weight } = edge;
      // A check of its own for speed: a network has millions of edges.
      if (
        typeof source !== 'string' ||
        typeof target !== 'string' ||
        typeof weight !== 'number' ||
        !(weight >= -1 && weight <= 1)
      )
        checkEdge(`edges[${row}]`, edge);
      table.sources[row] = idOf(source);
      table.targets[row] = idOf(target);
      table.weights[row] = weight;
      row += 1;
    }
  });
  return { ...table, nodeCount: nodes.length, nodes };
}

/** Throws unless a value is a rating. */
export const checkEdge = record({ source: text, target: text, weight: within(-1, 1) });
const columns = record({
  sources: such('a Uint32Array', (value) => value instanceof Uint32Array),
  targets: such('a Uint32Array', (value) => value instanceof Uint32Array),
  weights: such('a Float64Array', (value) => value instanceof Float64Array),
  nodeCount: count,
  nodes: nullable(listOf(text)),
});

/** Throws unless the columns fit together: of one length, ids below `nodeCount`, weights from −1 to 1. */
function checkTable(table: EdgeTable): void {
  columns('table', table);
  const { sources, targets, weights, nodeCount, nodes } = table;
  if (sources.length !== targets.length || sources.length !== weights.length) {
    throw new TrustScoreError('INVALID_INPUT', 'sources, targets and weights must be of one length');
  }
  if (nodes != null && nodes.length !== nodeCount) {
    throw new TrustScoreError('INVALID_INPUT', `There are ${nodes.length} names for ${nodeCount} nodes`);
  }
  for (let row = 0; row < sources.length; row += 1) {
    if ((sources[row] ?? 0) >= nodeCount || (targets[row] ?? 0) >= nodeCount) {
      throw new TrustScoreError('OUT_OF_RANGE', `Row ${row} names a node that is not below ${nodeCount}`);
    }
    const weight = weights[row] ?? 0;
    if (!(weight >= -1 && weight <= 1)) requireRange(`weights[${row}]`, weight, -1, 1);
  }
}

/** The columns of what a caller gave, checked. */
export function toTable(edges: Edges): EdgeTable {
  if (Array.isArray(edges)) return createEdgeTable(edges);
  const table = edges as EdgeTable;
  checkTable(table);
  return table;
}

/** A name for each value of a column, in the order of ids. */
export function byName(
  table: Pick<EdgeTable, 'nodes' | 'nodeCount'>,
  values: Float64Array,
  keep: (id: number) => boolean = () => true,
): Map<string, number> {
  const named = new Map<string, number>();
  for (let id = 0; id < table.nodeCount; id += 1) {
    if (keep(id)) named.set(table.nodes?.[id] ?? String(id), values[id] ?? 0);
  }
  return named;
}

/**
 * Ratings grouped by target (compressed sparse rows): those of node v are at `starts[v]` up to `starts[v +
 * 1]`. 12 bytes a rating, 20 with the row of the table.
 */
export interface Incoming {
  readonly starts: Uint32Array;
  readonly sources: Uint32Array;
  readonly weights: Float64Array;
  /** Row of the table; empty unless asked for. */
  readonly rows: Uint32Array;
  /** Ratings given, per node. */
  readonly outDegrees: Uint32Array;
  /** Ratings without those that a later one of the same pair replaced. */
  readonly count: number;
}

/**
 * Groups a table by target. Only the last of several ratings of one pair is kept, so that repeating a rating
 * adds no weight.
 */
export function groupByTarget(
  { sources, targets, weights, nodeCount }: EdgeTable,
  options: { readonly rows?: boolean; readonly keep?: (row: number) => boolean } = {},
): Incoming {
  const { keep } = options;
  const all = sources.length;
  const starts = new Uint32Array(nodeCount + 1);
  for (let row = 0; row < all; row += 1) {
    if (keep !== undefined && !keep(row)) continue;
    const next = (targets[row] ?? 0) + 1;
    starts[next] = (starts[next] ?? 0) + 1;
  }
  for (let node = 0; node < nodeCount; node += 1) {
    starts[node + 1] = (starts[node + 1] ?? 0) + (starts[node] ?? 0);
  }
  const kept = starts[nodeCount] ?? 0;
  const grouped = {
    sources: new Uint32Array(kept),
    weights: new Float64Array(kept),
    rows: new Uint32Array(options.rows === true ? kept : 0),
  };
  const cursor = starts.slice(0, nodeCount);
  for (let row = 0; row < all; row += 1) {
    if (keep !== undefined && !keep(row)) continue;
    const target = targets[row] ?? 0;
    const at = cursor[target] ?? 0;
    cursor[target] = at + 1;
    grouped.sources[at] = sources[row] ?? 0;
    grouped.weights[at] = weights[row] ?? 0;
    if (options.rows === true) grouped.rows[at] = row;
  }
  return dropReplaced({ ...grouped, starts, outDegrees: cursor, count: kept }, nodeCount);
}

/** In place of the source of a rating that a later one replaced. */
const replacedMark = 0xff_ff_ff_ff;

/** Keeps the last rating of each pair, in place, and counts what each node gave. `outDegrees` may hold anything. */
function dropReplaced(incoming: Incoming, nodeCount: number): Incoming {
  const { starts, sources, weights, rows, outDegrees } = incoming;
  // Among whose raters each node was seen last, going backwards: 0 is nobody's, v + 1 is node v's.
  const seen = outDegrees.fill(0);
  let replaced = 0;
  for (let target = 0; target < nodeCount; target += 1) {
    for (let at = (starts[target + 1] ?? 0) - 1; at >= (starts[target] ?? 0); at -= 1) {
      const source = sources[at] ?? 0;
      if (seen[source] === target + 1) {
        sources[at] = replacedMark;
        replaced += 1;
      } else seen[source] = target + 1;
    }
  }
  let to = 0;
  let from = 0;
  for (let target = 0; replaced > 0 && target < nodeCount; target += 1) {
    const end = starts[target + 1] ?? 0;
    starts[target] = to;
    for (; from < end; from += 1) {
      const source = sources[from] ?? 0;
      if (source === replacedMark) continue;
      sources[to] = source;
      weights[to] = weights[from] ?? 0;
      if (rows.length > 0) rows[to] = rows[from] ?? 0;
      to += 1;
    }
  }
  const count = incoming.count - replaced;
  starts[nodeCount] = count;
  outDegrees.fill(0);
  for (let at = 0; at < count; at += 1) {
    const source = sources[at] ?? 0;
    outDegrees[source] = (outDegrees[source] ?? 0) + 1;
  }
  return { ...incoming, count };
}
