import { requireRange } from '../errors.ts';
import { type Edges, groupByTarget, toTable } from './edge-table.ts';
import { fairnessGoodnessColumns } from './fairness-goodness.ts';

/** Options of {@link personalTrust}. */
export interface PersonalTrustOptions {
  /**
   * Ratings that a rater must have given for its own fairness to count as much as the prior.
   * @default 3
   */
  readonly priorRatings?: number;
  /** Fairness of somebody about whom nothing is known, 0…1. @default 0.5 */
  readonly priorFairness?: number;
}

/** A rater of the target and how much it counts. */
export interface PersonalRater {
  readonly rater: string;
  /** Its rating of the target, −1…1. */
  readonly rating: number;
  /** True when there is a path of positive ratings from the asking node to it. */
  readonly known: boolean;
  /** Fairness among the known, shrunk towards the prior by the number of ratings given; the prior for a stranger. */
  readonly fairness: number;
  /** Share in the value, 0…1. */
  readonly weight: number;
}

/** What a node can make of what others say about a target. */
export interface PersonalTrust {
  /** −1…1; null when nobody known rates the target: strangers alone decide nothing. */
  readonly value: number | null;
  /** What the known raters alone say, −1…1; null when there are none. */
  readonly byKnown: number | null;
  /** What strangers alone say, −1…1; null when there are none. Anybody can make any number of them. */
  readonly byStrangers: number | null;
  readonly knownRaters: number;
  readonly strangers: number;
  /** How far strangers, however many, can have moved the value, at most 2. */
  readonly strangerBound: number;
  /** Every rater of the target, the weightiest first. */
  readonly raters: readonly PersonalRater[];
}

/** Who can be reached from a node along positive ratings, itself included. */
function reachable(
  nodeCount: number,
  edges: { readonly sources: Uint32Array; readonly targets: Uint32Array; readonly weights: Float64Array },
  from: number,
): Uint8Array {
  const starts = new Uint32Array(nodeCount + 1);
  for (const source of edges.sources) starts[source + 1] = (starts[source + 1] ?? 0) + 1;
  for (let node = 0; node < nodeCount; node += 1)
    starts[node + 1] = (starts[node + 1] ?? 0) + (starts[node] ?? 0);
  const order = new Uint32Array(edges.sources.length);
  const cursor = starts.slice(0, nodeCount);
  for (const [row, source] of edges.sources.entries()) {
    const at = cursor[source] ?? 0;
    order[at] = row;
    cursor[source] = at + 1;
  }
  const reached = new Uint8Array(nodeCount);
  const queue = [from];
  reached[from] = 1;
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    for (let at = starts[node] ?? 0; at < (starts[node + 1] ?? 0); at += 1) {
      const row = order[at] ?? 0;
      const target = edges.targets[row] ?? 0;
      if ((edges.weights[row] ?? 0) <= 0 || reached[target] === 1) continue;
      reached[target] = 1;
      queue.push(target);
    }
  }
  return reached;
}

/**
 * What `from` can make of the ratings of `target` (TRU-24): the mean of them, weighted by fairness *among those whom it
 * can reach along positive ratings*, shrunk by how many ratings that fairness rests on. All raters without such a path
 * weigh together as much as one known rater, the lightest, so that N fake ones move the value no further than one:
 * at most 2 × w / (W + w), where W is what the known raters weigh and w the lightest of them. Fake raters who do find a
 * path, because somebody known rates one of them well, are a known rater's mistake and cost that rater fairness.
 *
 * Fairness and goodness alone, and any other reputation in which all nodes are alike, have no such bound.
 *
 * @see Cheng, Friedman: Sybilproof Reputation Mechanisms. 2005.
 * @throws `OUT_OF_RANGE` when a weight or an option is out of range.
 */
export function personalTrust(
  edges: Edges,
  from: string,
  target: string,
  options: PersonalTrustOptions = {},
): PersonalTrust {
  const { priorRatings = 3, priorFairness = 0.5 } = options;
  requireRange('priorRatings', priorRatings, 0);
  requireRange('priorFairness', priorFairness, 0, 1);
  const table = toTable(edges);
  const idOf = (node: string) => table.nodes?.indexOf(node) ?? Number(node);
  const nameOf = (id: number) => table.nodes?.[id] ?? String(id);
  const [me, subject] = [idOf(from), idOf(target)];
  const incoming = groupByTarget(table);
  // Only the last ratings count, so that a path cannot go over one that was taken back.
  const current = {
    sources: incoming.sources.subarray(0, incoming.count),
    targets: new Uint32Array(incoming.count),
    weights: incoming.weights.subarray(0, incoming.count),
  };
  for (let node = 0; node < table.nodeCount; node += 1)
    current.targets.fill(node, incoming.starts[node], incoming.starts[node + 1]);
  const known =
    me >= 0 && me < table.nodeCount
      ? reachable(table.nodeCount, current, me)
      : new Uint8Array(table.nodeCount);

  const inside = Uint32Array.from(current.sources.keys()).filter(
    (row) => known[current.sources[row] ?? 0] === 1,
  );
  const seen = fairnessGoodnessColumns({
    sources: inside.map((row) => current.sources[row] ?? 0),
    targets: inside.map((row) => current.targets[row] ?? 0),
    weights: Float64Array.from(inside, (row) => current.weights[row] ?? 0),
    nodeCount: table.nodeCount,
    nodes: null,
  });
  const shrunk = (id: number): number => {
    const given = seen.given[id] ?? 0;
    const all = given + priorRatings;
    return all === 0
      ? priorFairness
      : (given * (seen.fairness[id] ?? 1) + priorRatings * priorFairness) / all;
  };

  const raters: { id: number; rating: number; known: boolean; fairness: number }[] = [];
  const [begin, end] =
    subject >= 0 && subject < table.nodeCount
      ? [incoming.starts[subject] ?? 0, incoming.starts[subject + 1] ?? 0]
      : [0, 0];
  for (let at = begin; at < end; at += 1) {
    const id = current.sources[at] ?? 0;
    if (id === subject) continue;
    const isKnown = known[id] === 1;
    const fairness = isKnown ? shrunk(id) : priorFairness;
    raters.push({ id, rating: current.weights[at] ?? 0, known: isKnown, fairness });
  }
  const friends = raters.filter((rater) => rater.known);
  const strangers = raters.filter((rater) => !rater.known);
  const total = friends.reduce((sum, { fairness }) => sum + fairness, 0);
  const lightest = friends.reduce((least, { fairness }) => Math.min(least, fairness), priorFairness);
  const together = strangers.length === 0 || total === 0 ? 0 : lightest;
  const all = total + together;
  const byKnown =
    total === 0 ? null : friends.reduce((sum, { fairness, rating }) => sum + fairness * rating, 0) / total;
  const byStrangers =
    strangers.length === 0 ? null : strangers.reduce((sum, { rating }) => sum + rating, 0) / strangers.length;
  const share = (rater: { known: boolean; fairness: number }) => {
    if (all === 0) return 0;
    return (rater.known ? rater.fairness : together / strangers.length) / all;
  };
  return {
    value: byKnown === null ? null : (total * byKnown + together * (byStrangers ?? 0)) / all,
    byKnown,
    byStrangers,
    knownRaters: friends.length,
    strangers: strangers.length,
    strangerBound: total === 0 ? 0 : (2 * lightest) / (total + lightest),
    raters: raters
      .map((rater) => ({
        rater: nameOf(rater.id),
        rating: rater.rating,
        known: rater.known,
        fairness: rater.fairness,
        weight: share(rater),
      }))
      .toSorted((left, right) => right.weight - left.weight),
  };
}
