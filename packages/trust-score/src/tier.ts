import { requireRange } from './errors.ts';
import {
  type Check,
  flag,
  notNegative,
  nullable,
  optional,
  optionsOf,
  reading,
  record,
  share,
} from './input.ts';
import { type SlaPromises, slaPromises } from './sla/promises.ts';
import type { SlaInput } from './sla/sla.ts';

/** The four tiers, lowest first. */
export type TierName = 'unverified' | 'verified' | 'trusted' | 'highly_trusted';

/** The metrics that tier requirements compare. Uptimes and test coverage are 0…1, the others counts. */
export interface TierEvidence {
  readonly uptime7d?: number | null;
  readonly uptime30d?: number | null;
  readonly uptime90d?: number | null;
  readonly testCoverage?: number | null;
  readonly endorsements?: number | null;
  readonly successfulDelegations?: number | null;
  /**
   * Its service level agreement, or what that promises; null when it has none, which keeps it out of every tier that
   * needs one. Left out, agreements are not looked at.
   */
  readonly sla?: SlaInput | Partial<SlaPromises> | null;
}

/** A metric of the evidence, or a promise of the agreement. */
export type TierMetric = Exclude<keyof TierEvidence, 'sla'>;

/** One requirement of a tier: the metric must be *more* than `above`. */
export interface TierRequirement {
  readonly metric: TierMetric;
  readonly above: number;
}

/** Minimum targets of an agreement for a tier. Null means no requirement. */
export interface MinimumSla {
  readonly uptime: number;
  readonly successRate: number;
  /** Milliseconds; the promise must be less. */
  readonly latencyP99Ms: number | null;
}

/** The definition of a tier. */
export interface TierDefinition {
  readonly tier: TierName;
  readonly label: string;
  /** Lowest score of the tier; it reaches up to the next one's. */
  readonly from: number;
  readonly badge: string;
  /** Offset of the agent's position in search results. */
  readonly discoveryRank: number;
  readonly restrictions: { readonly maxDelegationsPerDay: number; readonly shownWithWarning: boolean } | null;
  readonly requirements: readonly TierRequirement[];
  /** Null when no agreement is needed. */
  readonly minimumSla: MinimumSla | null;
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
    minimumSla: null,
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
    minimumSla: { uptime: 0.9, successRate: 0.8, latencyP99Ms: null },
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
    minimumSla: { uptime: 0.95, successRate: 0.9, latencyP99Ms: null },
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
    minimumSla: { uptime: 0.99, successRate: 0.95, latencyP99Ms: 5_000 },
  },
];

/** A requirement that was not met. */
export interface FailedRequirement {
  /** `sla` when there is no agreement at all. */
  readonly metric: TierMetric | 'sla' | `sla.${keyof SlaPromises}`;
  /** Exclusive lower limit; for a promise inclusive; for `sla.latencyP99Ms` an exclusive upper limit. */
  readonly above: number;
  /** The tier that it kept the agent out of. */
  readonly tier: TierName;
  /** Actual value; null when it is unknown. */
  readonly actual: number | null;
}

/** The tier of a score, and why it is not a higher one. */
export interface TierResult extends Omit<TierDefinition, 'from' | 'requirements' | 'minimumSla'> {
  readonly score: number;
  /** The tier that the score alone would give. */
  readonly tierByScore: TierName;
  /** Requirements of the tiers that the score alone would give, highest tier first, that were not met. */
  readonly failedRequirements: readonly FailedRequirement[];
}

function metricFailures(
  { tier, requirements }: TierDefinition,
  evidence: TierEvidence,
): readonly FailedRequirement[] {
  return requirements
    .map(({ metric, above }) => ({ tier, metric, above, actual: evidence[metric] ?? null }))
    .filter(({ actual, above }) => actual === null || actual <= above);
}

/** Lists the promises of an agreement that are below a tier's minimum. */
function slaFailures(
  { tier, minimumSla }: TierDefinition,
  promises: Partial<SlaPromises> | null,
): readonly FailedRequirement[] {
  if (minimumSla === null) return [];
  if (promises === null) return [{ tier, metric: 'sla', above: 0, actual: null }];
  const { uptime = null, successRate = null, latencyP99Ms = null } = promises;
  const failed: FailedRequirement[] = [];
  if (uptime === null || uptime < minimumSla.uptime)
    failed.push({ tier, metric: 'sla.uptime', above: minimumSla.uptime, actual: uptime });
  if (successRate === null || successRate < minimumSla.successRate)
    failed.push({ tier, metric: 'sla.successRate', above: minimumSla.successRate, actual: successRate });
  const most = minimumSla.latencyP99Ms;
  if (most !== null && (latencyP99Ms === null || latencyP99Ms >= most))
    failed.push({ tier, metric: 'sla.latencyP99Ms', above: most, actual: latencyP99Ms });
  return failed;
}

/** Options of {@link classifyTier}. */
export interface TierOptions {
  /**
   * Require an agreement that promises the tier's minimum.
   * @default true when the evidence has an `sla` member
   */
  readonly requireSla?: boolean;
}

const tierOptions: Check = optionsOf({ requireSla: optional(flag) });
/** Throws unless a value is the evidence of a tier. */
export const tierMetrics: Check = record({
  uptime7d: nullable(share),
  uptime30d: nullable(share),
  uptime90d: nullable(share),
  testCoverage: nullable(share),
  endorsements: nullable(notNegative),
  successfulDelegations: nullable(notNegative),
  sla: nullable(record({})),
});
const promisedMetrics: Check = nullable(
  record({
    uptime: nullable(share),
    successRate: nullable(share),
    latencyP99Ms: nullable(notNegative),
  }),
);

/** Returns the promises of the agreement in the evidence; undefined when agreements are not required. */
function promisesOf(
  { sla }: TierEvidence,
  { requireSla }: TierOptions,
): Partial<SlaPromises> | null | undefined {
  if (requireSla === false) return undefined;
  if (sla === undefined) return requireSla === true ? null : undefined;
  if (sla === null) return null;
  const isAgreement = reading('sla', () => 'guarantees' in sla || 'sla' in sla);
  return isAgreement ? slaPromises(sla) : (sla as Partial<SlaPromises>);
}

/**
 * Classifies a score: the highest tier whose lower bound the score reaches and whose requirements are met,
 * each strictly. A score alone never promotes, and an unknown metric does not meet its requirement.
 *
 * @param score 0…1, e.g. the `value` of a trust score.
 * @throws `OUT_OF_RANGE` when the score or a metric is out of range; `INVALID_INPUT` when the agreement is
 *   wrong.
 */
export function classifyTier(score: number, evidence: TierEvidence, options: TierOptions = {}): TierResult {
  tierOptions('options', options);
  requireRange('score', score, 0, 1);
  tierMetrics('evidence', evidence);
  const promises = promisesOf(evidence, options);
  promisedMetrics('sla', promises);
  const reached = tiers.filter((tier) => score >= tier.from).toReversed();
  const failedRequirements: FailedRequirement[] = [];
  for (const definition of reached) {
    const failed = [
      ...metricFailures(definition, evidence),
      ...(promises === undefined ? [] : slaFailures(definition, promises)),
    ];
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
