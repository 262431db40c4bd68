import { type MetricDirection, parseOrThrow, type Schema } from '@bonafide/internal';
import * as z from 'zod';
import { TrustScoreError } from '../errors.ts';
import type { EndorsementOptions } from '../factors.ts';
import type { Receipt } from '../receipt.ts';
import { signedEventSchema } from '../signing/nostr-event.ts';
import type { TierName } from '../tier.ts';
import { checkWeights, defaultWeights, type FactorName, type FactorWeights } from '../trust-score.ts';

const dayMs = 86_400_000;

/** Freezes a value with all its members. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}

/** Floors and ceilings for the terms of a service level agreement. */
export interface SlaTermLimits {
  /**
   * Lowest breach threshold of a metric for which higher is better, by metric; `*` for every other metric. Targets of the named
   * metrics are not lower either. Shares, not percent.
   */
  readonly minBreachThreshold: Readonly<Record<string, number>>;
  /** Direction of metrics that this package does not know. One that is not named counts as its agreement states. */
  readonly directions: Readonly<Record<string, MetricDirection>>;
  /** Largest distance from target to breach threshold, as a share of the target: below it when higher is better. */
  readonly maxBreachMargin: { readonly higherIsBetter: number; readonly lowerIsBetter: number };
  /** Smallest `trust_score_reduction`, as a share of the score. */
  readonly minReduction: number;
  /** Shortest recovery from a reduction, in days. */
  readonly minRecoveryDays: number;
  /** Shortest suspension and longest notice before it, in milliseconds. */
  readonly minSuspensionMs: number;
  readonly maxNoticeMs: number;
  /** Smallest fine by currency. A fine in another currency counts as no penalty. */
  readonly minFine: Readonly<Record<string, number>>;
  /** Badges whose revocation is a penalty. */
  readonly badges: readonly string[];
  /** Arbitrators that may decide disputes: ids or public keys. Empty for every one but the subject. */
  readonly arbitrators: readonly string[];
  /** Shortest and longest measurement window, in milliseconds. */
  readonly minWindowMs: number;
  readonly maxWindowMs: number;
  /** Longest filing and review period of a dispute, in days. */
  readonly maxFilingPeriodDays: number;
  readonly maxReviewPeriodDays: number;
}

/** Proof that a tier requires: receipts by customers that the verifier knows. */
export interface TierProof {
  /** Successful jobs with a receipt, at least. */
  readonly successes: number;
  /** Known customers among them, at least. */
  readonly customers: number;
  /**
   * Lowest success rate once known customers signed a failure, 0…1. Claimed jobs count for `maxJobsPerSource` at most.
   * @default 0
   */
  readonly successRate?: number;
}

/** The rules of a verifier. A report cannot change any of them. */
export interface TrustPolicy {
  /** Name for messages. */
  readonly name: string;
  readonly weights: FactorWeights;
  readonly endorsementCurve: NonNullable<EndorsementOptions['endorsementCurve']>;
  readonly endorsementBase: NonNullable<EndorsementOptions['endorsementBase']>;
  /** Longest validity of an attestation, in hours. A longer one counts as this. */
  readonly maxValidityHours: number;
  /** Age from which on a report is expired, in milliseconds. */
  readonly maxReportAgeMs: number;
  /** Tolerated difference between clocks, in milliseconds. */
  readonly clockSkewMs: number;
  /** Algorithm versions that can be recomputed. */
  readonly algorithmVersions: readonly string[];
  /** Require that a subject that is a public key signed its report itself. A stated `signer` replaces this rule. */
  readonly requireOwnSignature: boolean;
  /** Fewest tests on which a test coverage may rest. */
  readonly minTests: number;
  /** Require a service level agreement for every tier above `unverified`. */
  readonly requireSla: boolean;
  readonly sla: SlaTermLimits;
  /** Proof by tier. Tiers that are not named need none. */
  readonly proof: Readonly<Partial<Record<TierName, TierProof>>>;
  /**
   * Public keys of customers that the verifier knows, with a weight from 0 to 1, for example from `personalView`. Receipts
   * of other customers are listed and prove nothing, since a provider can create any number of keys.
   */
  readonly knownCustomers: Readonly<Record<string, number>>;
  /**
   * Number of jobs for which the agent's own counts, or the receipts of one known customer, count at most when success rates are
   * compared: claims do not outnumber signed failures, and one customer does not decide.
   */
  readonly maxJobsPerSource: number;
  /** Largest share of the proof that one customer can contribute, 0…1. */
  readonly maxCustomerShare: number;
  /**
   * Probers whose measurements count in `evaluateSla` and `performanceByDay`: ids or public keys. Measurements without a prober
   * are the verifier's own and count always.
   */
  readonly knownProbers: readonly string[];
  /** Age from which on a receipt is ignored, in milliseconds. */
  readonly maxReceiptAgeMs: number;
  /** Largest number of receipts in a report. */
  readonly maxReceipts: number;
  /** Receipts that the verifier has from other sources. A report that omits their failures disagrees. */
  readonly ownReceipts: readonly Receipt[];
}

/**
 * The default policy. Own counts reach `verified` at most; `trusted` and `highly_trusted` need receipts by customers that the
 * verifier knows.
 */
export const strictTrustPolicy: TrustPolicy = deepFreeze({
  name: 'strict',
  weights: defaultWeights,
  endorsementCurve: 'log',
  endorsementBase: 'unique',
  maxValidityHours: 24,
  maxReportAgeMs: 7 * dayMs,
  clockSkewMs: 600_000,
  algorithmVersions: ['1.0.0'],
  requireOwnSignature: true,
  minTests: 10,
  requireSla: true,
  sla: {
    minBreachThreshold: { uptime: 0.85, availability: 0.85, success_rate: 0.75, '*': 0 },
    directions: {},
    maxBreachMargin: { higherIsBetter: 0.1, lowerIsBetter: 1 },
    minReduction: 0.05,
    minRecoveryDays: 14,
    minSuspensionMs: dayMs,
    maxNoticeMs: 7 * dayMs,
    minFine: { msat: 1_000_000, sat: 1_000, BTC: 0.000_01, USD: 1, EUR: 1 },
    badges: ['verified', 'trusted', 'highly_trusted'],
    arbitrators: [],
    minWindowMs: dayMs,
    maxWindowMs: 90 * dayMs,
    maxFilingPeriodDays: 14,
    maxReviewPeriodDays: 14,
  },
  proof: {
    verified: { successes: 0, customers: 0, successRate: 0.8 },
    trusted: { successes: 101, customers: 10, successRate: 0.9 },
    highly_trusted: { successes: 1_001, customers: 50, successRate: 0.95 },
  },
  knownCustomers: {},
  maxJobsPerSource: 20,
  maxCustomerShare: 0.2,
  knownProbers: [],
  maxReceiptAgeMs: 365 * dayMs,
  maxReceipts: 2_000,
  ownReceipts: [],
});

const share = z.number().min(0).max(1);
const amount = z.number().min(0);
const count = z.int().min(0);
const proof = z.strictObject({ successes: count, customers: count, successRate: share.optional() });
const publicKey = z.string().regex(/^[0-9a-f]{64}$/u, 'must be a public key of 64 lower-case hex digits');
const ids = z.array(z.string().min(1));

const slaLimitsSchema = z.strictObject({
  minBreachThreshold: z.record(z.string(), z.number()),
  directions: z.record(z.string(), z.enum(['higher_is_better', 'lower_is_better'])),
  maxBreachMargin: z.strictObject({ higherIsBetter: amount, lowerIsBetter: amount }),
  minReduction: share,
  minRecoveryDays: amount,
  minSuspensionMs: amount,
  maxNoticeMs: amount,
  minFine: z.record(z.string(), amount),
  badges: ids,
  arbitrators: ids,
  minWindowMs: amount,
  maxWindowMs: amount.positive(),
  maxFilingPeriodDays: amount.positive(),
  maxReviewPeriodDays: amount.positive(),
});

/** Members that are not listed are refused: a misspelled rule would silently not hold. */
const policySchema = z
  .strictObject({
    name: z.string(),
    weights: z.strictObject({
      testCoverage: share,
      uptime: share,
      successRate: share,
      endorsements: share,
      attestationFreshness: share,
    } satisfies Record<FactorName, z.ZodType>),
    endorsementCurve: z.enum(['log', 'table']),
    endorsementBase: z.enum(['total', 'unique']),
    maxValidityHours: amount.positive(),
    maxReportAgeMs: amount,
    clockSkewMs: amount,
    algorithmVersions: z.array(z.string()),
    requireOwnSignature: z.boolean(),
    minTests: count,
    requireSla: z.boolean(),
    sla: slaLimitsSchema,
    proof: z.partialRecord(z.enum(['unverified', 'verified', 'trusted', 'highly_trusted']), proof),
    knownCustomers: z.record(publicKey, share),
    maxJobsPerSource: count.positive(),
    maxCustomerShare: share,
    knownProbers: ids,
    maxReceiptAgeMs: amount,
    maxReceipts: count,
    ownReceipts: z.array(signedEventSchema),
  })
  .partial();

/** Lists the paths of members that are present and undefined: such a rule would silently not hold. */
function undefinedPaths(value: unknown, path: string): readonly string[] {
  if (value === undefined) return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => undefinedPaths(member, `${path}.${name}`));
}

/** Reads a policy, of which a getter may throw. */
function readable<Result>(what: string, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    throw new TrustScoreError('INVALID_CONFIG', `${what} cannot be read, because a property of it throws.`, {
      cause,
    });
  }
}

function checked<Output>(schema: Schema<Output>, value: unknown, what: string): Output {
  const [missing] = readable(what, () => undefinedPaths(value, what));
  if (missing !== undefined)
    throw new TrustScoreError('INVALID_CONFIG', `${missing} is undefined. Leave it out for the default.`);
  return parseOrThrow(
    schema,
    value,
    what,
    (message, options) => new TrustScoreError('INVALID_CONFIG', message, options),
  );
}

/** Checks limits of agreement terms. Throws `INVALID_CONFIG` when a member is missing, unknown or wrong. */
export function resolveSlaLimits(limits: SlaTermLimits): SlaTermLimits {
  if (limits === strictTrustPolicy.sla) return limits;
  return checked(slaLimitsSchema, limits, 'limits');
}

/**
 * Completes a policy from {@link strictTrustPolicy}. The result is a copy.
 *
 * @throws `INVALID_CONFIG` when a member is unknown, `undefined` or wrong; `WEIGHTS_INVALID` when the weights do not sum to 1.
 */
export function resolvePolicy(policy: Partial<TrustPolicy> = {}): TrustPolicy {
  if (policy === strictTrustPolicy) return strictTrustPolicy;
  const given = checked(policySchema, policy, 'policy') as Partial<TrustPolicy>;
  const resolved = { ...strictTrustPolicy, ...given };
  checkWeights(resolved.weights);
  return resolved;
}
