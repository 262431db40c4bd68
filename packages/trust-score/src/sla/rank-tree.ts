/** A weighted multiset over ranks 0…size − 1 with logarithmic updates and quantiles (a Fenwick tree). */
export interface RankTree {
  /** Adds a weight to a rank; a negative one removes it. */
  add(rank: number, weight: number): void;
  /** Returns the sum of all weights. */
  total(): number;
  /** Returns the lowest rank at which the running sum reaches `weight`; the last rank when it never does. */
  rankAt(weight: number): number;
}

/** Creates an empty tree for `size` ranks. */
export function createRankTree(size: number): RankTree {
  const sums = new Float64Array(size + 1);
  const highest = 2 ** Math.floor(Math.log2(Math.max(1, size)));
  let all = 0;
  return {
    add(rank, weight) {
      all += weight;
      for (let at = rank + 1; at <= size; at += at & -at) sums[at] = (sums[at] ?? 0) + weight;
    },
    total: () => all,
    rankAt(weight) {
      let at = 0;
      let left = weight;
      for (let step = highest; step >= 1; step /= 2) {
        const next = at + step;
        if (next > size || (sums[next] ?? 0) >= left) continue;
        at = next;
        left -= sums[next] ?? 0;
      }
      return Math.min(size - 1, at);
    },
  };
}
