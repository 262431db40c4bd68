import { TrustScoreError } from '../errors.ts';
import { count, notNegative, optional, optionsOf, share, text, within } from '../input.ts';
import { type Edges, type EdgeTable, groupByTarget, type Incoming, toTable } from './edge-table.ts';

/** Options of {@link personalView} and {@link personalTrust}. */
export interface PersonalViewOptions {
  /** Restart probability of the random walk, more than 0 and at most 1. Larger values reach less far. @default 0.5 */
  readonly alpha?: number;
  /** Mass at which trust reaches half of the raters' opinion, more than 0. @default 0.002 */
  readonly kappa?: number;
  /**
   * Weight that every rater keeps back, 0 or more: a rater that gave ratings of sum S follows them with the share S / (S + reserve).
   * It limits the flow that a rater with few ratings can sell.
   * @default 10
   */
  readonly reserve?: number;
  /**
   * Flow that an attacker is assumed to have bought, 0…1: Σ mass(u) × q(u) over the raters u that sold an edge, where q(u) is the
   * share of u's walks that follow it.
   * @default the largest flow that one edge can carry
   */
  readonly boughtFlow?: number;
  /**
   * Mass of the raters that are assumed to rate the target dishonestly, 0…1.
   * @default the largest mass of one rater
   */
  readonly soldMass?: number;
  /** Sum of changes at which the iteration stops. @default 1e-9 */
  readonly tolerance?: number;
  /** @default 1000 */
  readonly maxIterations?: number;
}

/** One observer's view of one target. */
export interface PersonalOpinion {
  /** Σ m·w / (Σ m + κ), −1…1; 0 without raters that the observer reaches. */
  readonly trust: number;
  /** Σ m: the mass of the target's raters, 0…1. */
  readonly evidence: number;
  /**
   * Largest change of `trust` that any number of Sybils can cause behind edges that carry `boughtFlow`, when they also control
   * the target, 0…2. The ratings of the target by honest raters stay as they are: a bought edge leads to a Sybil.
   */
  readonly bound: number;
  /**
   * The same when the sellers also rate the target as the attacker wants, 0…2: they weigh `soldMass`. It is large where a single
   * rater weighs much, as a direct contact of the observer does.
   */
  readonly raterBound: number;
}

/** A rater of a target and its weight in the observer's view. */
export interface PersonalRater {
  readonly rater: string;
  /** Rating of the target, −1…1. */
  readonly rating: number;
  /** Mass of the rater, 0…1; 0 when no path of positive ratings leads to it. */
  readonly mass: number;
}

/** One observer's view of one target, with the raters that it rests on. */
export interface PersonalTrust extends PersonalOpinion {
  /** Every rater of the target, largest mass first. */
  readonly raters: readonly PersonalRater[];
}

interface View {
  readonly table: EdgeTable;
  readonly incoming: Incoming;
  /** Stationary mass of every node; all 0 for an unknown observer. */
  readonly mass: Float64Array;
  readonly opinionOf: (target: number) => PersonalOpinion;
}

/** Computes the share with which each rating is followed, and per node the sum of its positive weights and the reserve. */
function walkOf(incoming: Incoming, nodeCount: number, reserve: number) {
  const { sources, weights, count } = incoming;
  const given = new Float64Array(nodeCount).fill(reserve);
  for (let at = 0; at < count; at += 1) {
    const weight = weights[at] ?? 0;
    const source = sources[at] ?? 0;
    if (weight > 0) given[source] = (given[source] ?? 0) + weight;
  }
  const shares = new Float64Array(count);
  for (let at = 0; at < count; at += 1) {
    const weight = weights[at] ?? 0;
    if (weight > 0) shares[at] = weight / (given[sources[at] ?? 0] ?? 1);
  }
  return { given, shares };
}

/** Computes the stationary mass of a walk that restarts at the observer. Returns it with the remaining error. */
function massOf(
  incoming: Incoming,
  walk: ReturnType<typeof walkOf>,
  observer: number,
  options: { readonly alpha: number; readonly tolerance: number; readonly maxIterations: number },
): { readonly mass: Float64Array; readonly error: number } {
  const { starts, sources } = incoming;
  const { given, shares } = walk;
  const { alpha, tolerance, maxIterations } = options;
  const nodeCount = given.length;
  let mass = new Float64Array(nodeCount);
  let next = new Float64Array(nodeCount);
  mass[observer] = 1;
  let residual = Number.POSITIVE_INFINITY;
  for (let pass = 0; pass < maxIterations && residual >= tolerance; pass += 1) {
    let passed = 0;
    residual = 0;
    let end = 0;
    for (let target = 0; target < nodeCount; target += 1) {
      const begin = end;
      end = starts[target + 1] ?? 0;
      let sum = 0;
      for (let at = begin; at < end; at += 1) sum += (mass[sources[at] ?? 0] ?? 0) * (shares[at] ?? 0);
      const value = (1 - alpha) * sum;
      passed += value;
      next[target] = value;
      if (target !== observer) residual += Math.abs(value - (mass[target] ?? 0));
    }
    // Restarts, and walks that end at a node without positive ratings, begin again at the observer.
    const restarted = (next[observer] ?? 0) + Math.max(0, 1 - passed);
    residual += Math.abs(restarted - (mass[observer] ?? 0));
    next[observer] = restarted;
    [mass, next] = [next, mass];
  }
  // The map is a contraction by 1 − α in the sum of absolute values.
  return { mass, error: (residual * (1 - alpha)) / alpha };
}

/** Returns the largest flow that bought edges of weight 1 of one seller can carry; the observer itself does not sell. */
function largestFlow(mass: Float64Array, given: Float64Array, observer: number, edges: number): number {
  let largest = 0;
  for (let node = 0; node < mass.length; node += 1) {
    if (node === observer) continue;
    largest = Math.max(largest, (edges * (mass[node] ?? 0)) / ((given[node] ?? 0) + edges));
  }
  return largest;
}

/** Returns the largest mass of a node other than the observer. */
function largestMass(mass: Float64Array, observer: number): number {
  let largest = 0;
  for (let node = 0; node < mass.length; node += 1)
    if (node !== observer) largest = Math.max(largest, mass[node] ?? 0);
  return largest;
}

const viewOptions = optionsOf({
  alpha: optional(within(Number.EPSILON, 1)),
  kappa: optional(within(Number.MIN_VALUE)),
  reserve: optional(notNegative),
  boughtFlow: optional(share),
  soldMass: optional(share),
  tolerance: optional(notNegative),
  maxIterations: optional(count),
});

function viewOf(edges: Edges, observer: string, options: PersonalViewOptions): View {
  text('observer', observer);
  viewOptions('options', options);
  const {
    alpha = 0.5,
    kappa = 0.002,
    reserve = 10,
    tolerance = 1e-9,
    maxIterations = 1_000,
    boughtFlow,
    soldMass,
  } = options;
  const table = toTable(edges);
  const { sources, targets, nodeCount } = table;
  const incoming = groupByTarget(table, { keep: (row) => sources[row] !== targets[row] });
  const id = idOf(table, observer);
  const walk = walkOf(incoming, nodeCount, reserve);
  const { mass, error } =
    id === null
      ? { mass: new Float64Array(nodeCount), error: 0 }
      : massOf(incoming, walk, id, { alpha, tolerance, maxIterations });
  const flow = boughtFlow ?? largestFlow(mass, walk.given, id ?? -1, 1);
  // A seller that also rates the target sells two edges.
  const soldFlow = boughtFlow ?? largestFlow(mass, walk.given, id ?? -1, 2);
  const sold = soldMass ?? largestMass(mass, id ?? -1);
  const amplification = (1 - alpha) / (alpha * (1 - (1 - alpha) ** 2));
  const { starts, weights } = incoming;
  return {
    table,
    incoming,
    mass,
    opinionOf(target) {
      let evidence = 0;
      let sum = 0;
      for (let at = starts[target] ?? 0; at < (starts[target + 1] ?? 0); at += 1) {
        const weight = mass[incoming.sources[at] ?? 0] ?? 0;
        evidence += weight;
        sum += weight * (weights[at] ?? 0);
      }
      const trust = sum / (evidence + kappa);
      const movedBy = (bought: number) => amplification * (bought + (mass[target] ?? 0)) + error;
      // Trust never leaves −1…1.
      const boundOf = (shifted: number) =>
        Math.min(1 + Math.abs(trust), (2 * shifted) / (kappa + Math.max(0, evidence - shifted)));
      return {
        trust,
        evidence,
        bound: boundOf(movedBy(flow)),
        raterBound: boundOf(movedBy(soldFlow) + sold),
      };
    },
  };
}

/** Returns the id of a node; null when it is not in the table. */
function idOf({ nodes, nodeCount }: EdgeTable, name: string): number | null {
  const id = nodes === null ? Number(name) : nodes.indexOf(name);
  return Number.isInteger(id) && id >= 0 && id < nodeCount && (nodes !== null || String(id) === name)
    ? id
    : null;
}

/**
 * Computes one observer's view of every other node. A rater weighs as much as the mass m of a random walk that follows positive
 * ratings and restarts at the observer (personalized PageRank); trust is Σ m·w / (Σ m + κ).
 *
 * The bound. Let F = Σ mass(u) × q(u) be the flow that an attacker bought, plus the target's mass when it controls the target.
 * Until a walk first enters bought edges it is the unattacked walk, so it enters them F / α times at most; afterwards it
 * needs two surviving steps for each further entry. Hence the flow under attack is at most F / (1 − (1 − α)²), and the Sybils
 * and everything that they favour gain at most M = (1 − α) / α times that for any number of them and any edges. The others lose as
 * much, so that trust moves by at most 2 M / (κ + Σ m − M). This holds for edges to Sybils, who rate the target. A rater u that rates
 * the target itself weighs m(u): when raters of mass B give, change or withdraw their own ratings of it, Σ m·(w − trust) moves by 2 B
 * more and Σ m falls by B at most, so that M + B stands for M (`raterBound`); F includes their edges to the target.
 *
 * @param edges Of several ratings of one pair the last counts. Ratings of oneself are ignored.
 * @returns A view of every node but the observer; trust and evidence are 0 for an observer that is not in the network.
 * @see Haveliwala: Topic-Sensitive PageRank. WWW 2002. Cheng, Friedman: Sybilproof Reputation Mechanisms. 2005.
 * @throws `OUT_OF_RANGE` when a weight or an option is out of range; `INVALID_INPUT` when a table's columns differ in length.
 */
export function personalView(
  edges: Edges,
  observer: string,
  options: PersonalViewOptions = {},
): Map<string, PersonalOpinion> {
  const { table, opinionOf } = viewOf(edges, observer, options);
  const view = new Map<string, PersonalOpinion>();
  const self = idOf(table, observer);
  for (let id = 0; id < table.nodeCount; id += 1) {
    if (id !== self) view.set(table.nodes?.[id] ?? String(id), opinionOf(id));
  }
  return view;
}

/**
 * Computes one observer's view of one target, as {@link personalView}, with the raters and their mass.
 *
 * @throws `INVALID_INPUT` when observer and target are the same; else as {@link personalView}.
 */
export function personalTrust(
  edges: Edges,
  observer: string,
  target: string,
  options: PersonalViewOptions = {},
): PersonalTrust {
  text('target', target);
  if (observer === target)
    throw new TrustScoreError('INVALID_INPUT', 'Observer and target must be different nodes.');
  const { table, incoming, mass, opinionOf } = viewOf(edges, observer, options);
  const id = idOf(table, target);
  if (id === null) return { ...opinionOf(-1), raters: [] };
  const { starts, sources, weights } = incoming;
  const raters: PersonalRater[] = [];
  for (let at = starts[id] ?? 0; at < (starts[id + 1] ?? 0); at += 1) {
    const source = sources[at] ?? 0;
    const rater = table.nodes?.[source] ?? String(source);
    raters.push({ rater, rating: weights[at] ?? 0, mass: mass[source] ?? 0 });
  }
  return { ...opinionOf(id), raters: raters.toSorted((left, right) => right.mass - left.mass) };
}
