/** How a platform is ranked for selection and reporting (RTM-7). `none`: it gets no work. */
export type Tier = 'primary' | 'secondary' | 'tertiary' | 'none';

/** The tiers that get work, best first. */
export const workingTiers = ['primary', 'secondary', 'tertiary'] as const;

/** Below this trust a platform gets nothing but the benchmark that may bring it back (RTM-6). */
export const minimumTrust = 0.3;

/** The share of the work that each tier gets (RTM-7). */
export const defaultTierShares = Object.freeze({ primary: 0.7, secondary: 0.25, tertiary: 0.05 });

/** The share of the work that each tier gets, 0..1 (RTM-7). */
export type TierShares = Readonly<Record<(typeof workingTiers)[number], number>>;

/**
 * Primary from .8, secondary from .5, tertiary from .3 or without a production outcome yet, however well it did
 * in benchmarks; none below .3 or without a trust (RTM-7).
 */
export function tierOf(trust: number | null, productionOutcomes: number): Tier {
  if (trust === null || trust < minimumTrust) return 'none';
  if (productionOutcomes === 0) return 'tertiary';
  if (trust >= 0.8) return 'primary';
  return trust >= 0.5 ? 'secondary' : 'tertiary';
}

/**
 * The shares when some tiers are empty: an empty tier hands its share on to the next lower one that is not; what
 * finds none below goes to the best one there is. All zero when every tier is empty, else they sum to 1.
 */
export function handOnShares(shares: TierShares, isEmpty: (tier: keyof TierShares) => boolean): TierShares {
  const result = { primary: 0, secondary: 0, tertiary: 0 };
  const total = shares.primary + shares.secondary + shares.tertiary;
  let carried = 0;
  let best: keyof TierShares | null = null;
  for (const tier of workingTiers) {
    const share = shares[tier] / total;
    if (isEmpty(tier)) {
      carried += share;
      continue;
    }
    result[tier] = share + carried;
    carried = 0;
    best ??= tier;
  }
  if (best !== null) result[best] += carried;
  return result;
}
