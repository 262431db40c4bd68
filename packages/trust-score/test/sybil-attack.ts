import { type Edge, fairnessGoodness, personalTrust } from '../src/index.ts';

/** How far an attack moved what is said about its target, by each way of counting. All in 0…2. */
export interface Moved {
  readonly fakes: number;
  readonly plainMean: number;
  readonly goodness: number;
  readonly personal: number;
  /** What `personalTrust` promises not to exceed. */
  readonly bound: number;
}

/**
 * N fake raters slander a target. Each first looks fair: it repeats what is already known about five much-rated nodes,
 * and praises ten other fakes.
 */
export function slander(network: readonly Edge[], target: string, fakes: number): readonly Edge[] {
  const known = fairnessGoodness(network);
  const famous = [...known.evidence]
    .filter(([node]) => node !== target)
    .toSorted(([, left], [, right]) => right.received - left.received)
    .slice(0, 5)
    .map(([node]) => node);
  return Array.from({ length: fakes }, (_, i) => {
    const source = `fake ${i}`;
    return [
      ...famous.map((node) => ({ source, target: node, weight: known.goodness.get(node) ?? 0 })),
      ...Array.from({ length: Math.min(10, fakes - 1) }, (_, j) => ({
        source,
        target: `fake ${(i + j + 1) % fakes}`,
        weight: 1,
      })),
      { source, target, weight: -1 },
    ];
  }).flat();
}

/** The attack's effect on what node `from` sees. */
export function attack(network: readonly Edge[], from: string, target: string, fakes: number): Moved {
  const mean = (edges: readonly Edge[]) => {
    const received = edges.filter((edge) => edge.target === target).map(({ weight }) => weight);
    return received.reduce((sum, weight) => sum + weight, 0) / received.length;
  };
  const attacked = [...network, ...slander(network, target, fakes)];
  const before = personalTrust(network, from, target);
  const after = personalTrust(attacked, from, target);
  const goodness = (edges: readonly Edge[]) => fairnessGoodness(edges).goodness.get(target) ?? 0;
  return {
    fakes,
    plainMean: Math.abs(mean(attacked) - mean(network)),
    goodness: Math.abs(goodness(attacked) - goodness(network)),
    personal: Math.abs((after.value ?? 0) - (before.value ?? 0)),
    bound: before.strangerBound,
  };
}
