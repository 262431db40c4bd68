import * as z from 'zod';

/** Rank of a platform for selection and reports. `none`: it gets no work. */
export type Tier = 'primary' | 'secondary' | 'tertiary' | 'none';

/** Tiers that get work, best first. */
export const workingTiers = ['primary', 'secondary', 'tertiary'] as const;

/** Trust below which a platform gets only the benchmark that may requalify it. */
export const minimumTrust = 0.3;

/** Default share of the work per tier. */
export const defaultTierShares = Object.freeze({ primary: 0.7, secondary: 0.25, tertiary: 0.05 });

/** Share of the work per tier, 0..1. */
export type TierShares = Readonly<Record<(typeof workingTiers)[number], number>>;

const share = z.number().min(0);

/** Schema of {@link TierShares}. */
export const sharesSchema = z
  .strictObject({ primary: share, secondary: share, tertiary: share })
  .refine((shares) => Object.values(shares).some((each) => each > 0), 'One share must be above 0');

/** Returns the tier of a platform. Arguments are valid. */
export function tierOf(trust: number | null, productionOutcomes: number): Tier {
  if (trust === null || trust < minimumTrust) return 'none';
  if (productionOutcomes === 0) return 'tertiary';
  if (trust >= 0.8) return 'primary';
  return trust >= 0.5 ? 'secondary' : 'tertiary';
}

/** Redistributes the shares of empty tiers. Arguments are valid. */
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
