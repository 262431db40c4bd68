import { requireRange } from './errors.ts';

/** The four tiers, lowest first. */
export type TierName = 'unverified' | 'verified' | 'trusted' | 'highly_trusted';

/** What a tier's requirements are about. Uptimes and test coverage are 0…1, the others counts. */
export interface TierEvidence {
  readonly uptime7d?: number | null;
  readonly uptime30d?: number | null;
  readonly uptime90d?: number | null;
  readonly testCoverage?: number | null;
  readonly endorsements?: number | null;
  readonly successfulDelegations?: number | null;
}

/** One requirement of a tier: the metric must be *more* than `above`. */
export interface TierRequirement {
  readonly metric: keyof TierEvidence;
  readonly above: number;
}

/** A tier as it is defined (TRU-10). */
export interface TierDefinition {
  readonly tier: TierName;
  readonly label: string;
  /** Lowest score of the tier; it reaches up to the next one's. */
  readonly from: number;
  readonly badge: string;
  /** How far the tier moves an agent up or down in a list of search results. */
  readonly discoveryRank: number;
  readonly restrictions: { readonly maxDelegationsPerDay: number; readonly shownWithWarning: boolean } | null;
  readonly requirements: readonly TierRequirement[];
}

/** All tiers, lowest first. */
export const tiers: readonly TierDefinition[] = [
  {
    tier: 'unverified',
    label: 'Unverified',
    from: 0,
    badge: '🆕',
    discoveryRank: -10,
    restrictions: { maxDelegationsPerDay: 10, shownWithWarning: true },
    requirements: [],
  },
  {
    tier: 'verified',
    label: 'Verified',
    from: 0.5,
    badge: '✅',
    discoveryRank: 0,
    restrictions: null,
    requirements: [
      { metric: 'uptime7d', above: 0.9 },
      { metric: 'testCoverage', above: 0.5 },
      { metric: 'endorsements', above: 3 },
    ],
  },
  {
    tier: 'trusted',
    label: 'Trusted',
    from: 0.8,
    badge: '⭐',
    discoveryRank: 10,
    restrictions: null,
    requirements: [
      { metric: 'uptime30d', above: 0.95 },
      { metric: 'testCoverage', above: 0.8 },
      { metric: 'endorsements', above: 10 },
      { metric: 'successfulDelegations', above: 100 },
    ],
  },
  {
    tier: 'highly_trusted',
    label: 'Highly Trusted',
    from: 0.95,
    badge: '⭐⭐⭐',
    discoveryRank: 20,
    restrictions: null,
    requirements: [
      { metric: 'uptime90d', above: 0.99 },
      { metric: 'testCoverage', above: 0.9 },
      { metric: 'endorsements', above: 50 },
      { metric: 'successfulDelegations', above: 1_000 },
    ],
  },
];

/** A requirement that was not met. */
export interface FailedRequirement extends TierRequirement {
  /** The tier that it kept the agent out of. */
  readonly tier: TierName;
  /** What the metric is; null when it is not known. */
  readonly actual: number | null;
}

/** The tier of a score, and why it is not a higher one. */
export interface TierResult extends Omit<TierDefinition, 'from' | 'requirements'> {
  readonly score: number;
  /** The tier that the score alone would give. */
  readonly tierByScore: TierName;
  /** What kept the agent out of tiers that its score reaches, highest tier first. Empty when nothing did. */
  readonly failedRequirements: readonly FailedRequirement[];
}

function failures(
  { tier, requirements }: TierDefinition,
  evidence: TierEvidence,
): readonly FailedRequirement[] {
  return requirements
    .map(({ metric, above }) => ({ tier, metric, above, actual: evidence[metric] ?? null }))
    .filter(({ actual, above }) => actual === null || actual <= above);
}

/**
 * The tier of a score (TRU-10): the highest whose lower bound the score reaches *and* whose requirements are met, each
 * strictly. A score alone never promotes, and a metric that is not known does not meet its requirement.
 *
 * @param score 0…1, e.g. the `value` of a trust score.
 * @throws `OUT_OF_RANGE` when the score or a metric is out of range.
 */
export function classifyTier(score: number, evidence: TierEvidence): TierResult {
  requireRange('score', score, 0, 1);
  for (const name of ['uptime7d', 'uptime30d', 'uptime90d', 'testCoverage'] as const) {
    requireRange(name, evidence[name] ?? 0, 0, 1);
  }
  for (const name of ['endorsements', 'successfulDelegations'] as const)
    requireRange(name, evidence[name] ?? 0, 0);

  const reached = tiers.filter((tier) => score >= tier.from).toReversed();
  const failedRequirements: FailedRequirement[] = [];
  for (const definition of reached) {
    const failed = failures(definition, evidence);
    if (failed.length > 0) {
      failedRequirements.push(...failed);
      continue;
    }
    const { tier, label, badge, discoveryRank, restrictions } = definition;
    const tierByScore = reached[0]?.tier ?? tier;
    return { tier, label, badge, discoveryRank, restrictions, score, tierByScore, failedRequirements };
  }
  throw new Error('unreachable: the lowest tier has no requirements');
}
