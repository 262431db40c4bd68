import { createEdgeTable, type Edge, type EdgeTable, fairnessGoodness, personalView } from '../src/index.ts';

/** Movement of a target's rating by an attack, by each way of counting, 0…2. */
export interface Moved {
  readonly sybils: number;
  readonly plainMean: number;
  readonly goodness: number;
  readonly personal: number;
  /** The bound that `personalView` returns before the attack. */
  readonly bound: number;
  /** The bound for a seller that also rates the target. */
  readonly raterBound: number;
}

/** An attack on one target: Sybils behind at most one bought edge, with the help of the target if it controls that. */
export interface Attack {
  /** Rater that sells an edge of weight 1 to the first Sybil; null when none does. */
  readonly seller: string | null;
  readonly sybils: number;
  /** Edges of the Sybils among themselves. */
  readonly shape: 'chain' | 'star' | 'clique' | 'ring' | 'none';
  /** Rating of the target by every Sybil, −1…1. */
  readonly rating: number;
  /** Honest nodes that every Sybil rates, with the weight. */
  readonly favours: readonly string[];
  readonly favourWeight: number;
  /** Sybils that the target rates with 1. */
  readonly helpers: number;
  /** True when the seller also rates the target like the Sybils. */
  readonly isRatingSold?: boolean;
}

const sybil = (i: number): string => `sybil ${i}`;

/** Lists the ratings that an attack adds. */
export function attackEdges(attack: Attack, target: string): readonly Edge[] {
  const { seller, sybils, shape, rating, favours, favourWeight, helpers, isRatingSold = false } = attack;
  const edges: Edge[] = [];
  const add = (source: string, to: string, weight: number) => edges.push({ source, target: to, weight });
  if (seller !== null) add(seller, sybil(0), 1);
  if (seller !== null && isRatingSold) add(seller, target, rating);
  for (let i = 0; i < helpers; i += 1) add(target, sybil(i % sybils), 1);
  for (let i = 0; i < sybils; i += 1) {
    add(sybil(i), target, rating);
    for (const favoured of favours) add(sybil(i), favoured, favourWeight);
    if (shape === 'chain' && i + 1 < sybils) add(sybil(i), sybil(i + 1), 1);
    if (shape === 'ring') add(sybil(i), sybil((i + 1) % sybils), 1);
    if (shape === 'star') {
      if (i > 0) add(sybil(0), sybil(i), 1);
      if (i > 0) add(sybil(i), sybil(0), 1);
    }
    if (shape === 'clique') for (let j = 0; j < Math.min(sybils, 12); j += 1) add(sybil(i), sybil(j), 1);
  }
  return edges.filter((edge) => edge.source !== edge.target);
}

/** Appends ratings to a table. */
export function extend(
  table: EdgeTable,
  ids: ReadonlyMap<string, number>,
  edges: readonly Edge[],
): EdgeTable {
  const names = [...(table.nodes ?? [])];
  const known = new Map<string, number>();
  const idOf = (name: string): number => {
    const id = ids.get(name) ?? known.get(name);
    if (id !== undefined) return id;
    known.set(name, names.length);
    return names.push(name) - 1;
  };
  const size = table.sources.length;
  const sources = new Uint32Array(size + edges.length);
  const targets = new Uint32Array(size + edges.length);
  const weights = new Float64Array(size + edges.length);
  sources.set(table.sources);
  targets.set(table.targets);
  weights.set(table.weights);
  for (const [i, edge] of edges.entries()) {
    sources[size + i] = idOf(edge.source);
    targets[size + i] = idOf(edge.target);
    weights[size + i] = edge.weight;
  }
  return { sources, targets, weights, nodeCount: names.length, nodes: names };
}

/** The attack of the examination: one edge of a rater that gave one rating, and a chain of Sybils that praise the target. */
export const chainAttack = (seller: string, sybils: number): Attack => ({
  seller,
  sybils,
  shape: 'chain',
  rating: 1,
  favours: [],
  favourWeight: 1,
  helpers: 0,
});

/** Measures an attack by every way of counting. */
export function measureAttack(
  network: readonly Edge[],
  observer: string,
  target: string,
  attack: Attack,
): Moved {
  const attacked = [...network, ...attackEdges(attack, target)];
  const mean = (edges: readonly Edge[]) => {
    const received = edges.filter((edge) => edge.target === target).map(({ weight }) => weight);
    return received.reduce((sum, weight) => sum + weight, 0) / received.length;
  };
  const goodness = (edges: readonly Edge[]) => fairnessGoodness(edges).goodness.get(target) ?? 0;
  const before = personalView(network, observer).get(target) ?? { trust: 0, bound: 0, raterBound: 0 };
  const after = personalView(attacked, observer).get(target) ?? { trust: 0 };
  return {
    sybils: attack.sybils,
    plainMean: Math.abs(mean(attacked) - mean(network)),
    goodness: Math.abs(goodness(attacked) - goodness(network)),
    personal: Math.abs(after.trust - before.trust),
    bound: before.bound,
    raterBound: before.raterBound,
  };
}

/** The strongest attack that a search found. */
export interface FoundAttack {
  readonly attack: Attack;
  readonly moved: number;
  readonly bound: number;
  readonly evaluations: number;
  /** Evaluations in which trust moved further than the bound. */
  readonly exceeded: number;
}

/**
 * Searches for the attack that moves an observer's trust in a target the furthest, by hill climbing with restarts over
 * seller, number and shape of the Sybils, ratings, favoured nodes and the target's own help.
 */
export function searchAttack(
  network: readonly Edge[],
  options: {
    readonly observer: string;
    readonly target: string;
    readonly random: () => number;
    readonly evaluations: number;
    /** True when the seller also rates the target: then `raterBound` is the bound. @default false */
    readonly isRatingSold?: boolean;
  },
): FoundAttack {
  const { observer, target, random, evaluations, isRatingSold = false } = options;
  const table = createEdgeTable(network);
  const ids = new Map((table.nodes ?? []).map((name, id) => [name, id]));
  const opinion = personalView(table, observer).get(target) ?? { trust: 0, bound: 0, raterBound: 0 };
  const bound = isRatingSold ? opinion.raterBound : opinion.bound;
  const friends = network
    .filter(({ source, weight }) => source === observer && weight > 0)
    .map((edge) => edge.target);
  const raters = network.filter((edge) => edge.target === target).map(({ source }) => source);
  const all = table.nodes ?? [];
  const pick = <T>(list: readonly T[], fallback: T): T =>
    list[Math.floor(random() * list.length)] ?? fallback;
  const nodes = (): string => pick(pick([friends, raters, all], all), observer);
  const fresh = (): Attack => ({
    seller: pick(
      friends.filter((one) => one !== target),
      null as string | null,
    ),
    sybils: pick([1, 2, 5, 20, 100], 1),
    shape: pick(['chain', 'star', 'clique', 'ring', 'none'] as const, 'none'),
    rating: opinion.trust > 0 ? -1 : 1,
    favours: [],
    favourWeight: 1,
    helpers: 0,
    isRatingSold,
  });
  const mutate = (attack: Attack): Attack =>
    pick<() => Attack>(
      [
        () => ({ ...attack, seller: nodes() }),
        () => ({ ...attack, seller: pick(friends, observer) }),
        () => ({ ...attack, sybils: pick([1, 2, 5, 20, 100, 400], 1) }),
        () => ({ ...attack, shape: pick(['chain', 'star', 'clique', 'ring', 'none'] as const, 'none') }),
        () => ({ ...attack, rating: pick([-1, -0.5, 0.5, 1], 1) }),
        () => ({ ...attack, favours: [...attack.favours, nodes()].slice(-6) }),
        () => ({ ...attack, favours: attack.favours.slice(1) }),
        () => ({ ...attack, favourWeight: pick([0.1, 0.5, 1, -1], 1) }),
        () => ({ ...attack, helpers: pick([0, 1, 10, 100, 400], 0) }),
      ],
      () => attack,
    )();
  const evaluate = (attack: Attack): number => {
    // The observer does not sell, and the target sells through its helpers.
    if (attack.seller === observer || attack.seller === target) return 0;
    const attacked = extend(table, ids, attackEdges(attack, target));
    return Math.abs((personalView(attacked, observer).get(target)?.trust ?? 0) - opinion.trust);
  };
  let best: { attack: Attack; moved: number } = { attack: fresh(), moved: 0 };
  let current = best;
  let exceeded = 0;
  for (let i = 0; i < evaluations; i += 1) {
    const attack = i % 60 === 0 ? fresh() : mutate(current.attack);
    const moved = evaluate(attack);
    if (moved > bound + 1e-9) exceeded += 1;
    if (i % 60 === 0 || moved >= current.moved) current = { attack, moved };
    if (moved > best.moved) best = { attack, moved };
  }
  return { ...best, bound, evaluations, exceeded };
}
