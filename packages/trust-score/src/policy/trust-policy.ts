import { parseOrThrow } from '@bonafide/internal';
import * as z from 'zod';
import { TrustScoreError } from '../errors.ts';
import type { EndorsementOptions } from '../factors.ts';
import type { Receipt } from '../receipt.ts';
import { signedEventSchema } from '../signing/nostr-event.ts';
import type { TierName } from '../tier.ts';
import { checkWeights, defaultWeights, type FactorWeights, factorNames } from '../trust-score.ts';

const dayMs = 86_400_000;

/** Floors and ceilings for the terms of a service level agreement. */
export interface SlaTermLimits {
  /** Lowest breach threshold of a metric for which higher is better, by metric; `*` for every other metric. */
  readonly minBreachThreshold: Readonly<Record<string, number>>;
  /** Largest distance from target to breach threshold, as a share of the target: below it when higher is better. */
  readonly maxBreachMargin: { readonly higherIsBetter: number; readonly lowerIsBetter: number };
  /** Smallest `trust_score_reduction`, as a share of the score. */
  readonly minReduction: number;
  /** Shortest recovery from a reduction, in days. */
  readonly minRecoveryDays: number;
  /** Shortest suspension and longest notice before it, in milliseconds. */
  readonly minSuspensionMs: number;
  readonly maxNoticeMs: number;
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
  /** Largest share of the proof that one customer can contribute, 0…1. */
  readonly maxCustomerShare: number;
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
export const strictTrustPolicy: TrustPolicy = {
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
    minBreachThreshold: { uptime: 0.85, success_rate: 0.75, successRate: 0.75, '*': 0 },
    maxBreachMargin: { higherIsBetter: 0.1, lowerIsBetter: 1 },
    minReduction: 0.05,
    minRecoveryDays: 14,
    minSuspensionMs: dayMs,
    maxNoticeMs: 7 * dayMs,
    minWindowMs: dayMs,
    maxWindowMs: 90 * dayMs,
    maxFilingPeriodDays: 14,
    maxReviewPeriodDays: 14,
  },
  proof: {
    trusted: { successes: 101, customers: 10 },
    highly_trusted: { successes: 1_001, customers: 50 },
  },
  knownCustomers: {},
  maxCustomerShare: 0.2,
  maxReceiptAgeMs: 365 * dayMs,
  maxReceipts: 2_000,
  ownReceipts: [],
};

const share = z.number().min(0).max(1);
const amount = z.number().min(0);
const count = z.int().min(0);
const proof = z.strictObject({ successes: count, customers: count });
const publicKey = z.string().regex(/^[0-9a-f]{64}$/u, 'must be a public key of 64 lower-case hex digits');

/** Members that are not listed are refused: a misspelled rule would silently not hold. */
const policySchema = z
  .strictObject({
    name: z.string(),
    weights: z.strictObject(Object.fromEntries(factorNames.map((name) => [name, share]))),
    endorsementCurve: z.enum(['log', 'table']),
    endorsementBase: z.enum(['total', 'unique']),
    maxValidityHours: amount.positive(),
    maxReportAgeMs: amount,
    clockSkewMs: amount,
    algorithmVersions: z.array(z.string()),
    requireOwnSignature: z.boolean(),
    minTests: count,
    requireSla: z.boolean(),
    sla: z.strictObject({
      minBreachThreshold: z.record(z.string(), z.number()),
      maxBreachMargin: z.strictObject({ higherIsBetter: amount, lowerIsBetter: amount }),
      minReduction: share,
      minRecoveryDays: amount,
      minSuspensionMs: amount,
      maxNoticeMs: amount,
      minWindowMs: amount,
      maxWindowMs: amount,
      maxFilingPeriodDays: amount,
      maxReviewPeriodDays: amount,
    }),
    proof: z.partialRecord(z.enum(['unverified', 'verified', 'trusted', 'highly_trusted']), proof),
    knownCustomers: z.record(publicKey, share),
    maxCustomerShare: share,
    maxReceiptAgeMs: amount,
    maxReceipts: count,
    ownReceipts: z.array(signedEventSchema),
  })
  .partial();

/**
 * Completes a policy from {@link strictTrustPolicy}.
 *
 * @throws `INVALID_CONFIG` when a member is unknown or wrong; `WEIGHTS_INVALID` when the weights do not sum to 1.
 */
export function resolvePolicy(policy: Partial<TrustPolicy> = {}): TrustPolicy {
  if (policy === strictTrustPolicy) return strictTrustPolicy;
  parseOrThrow(
    policySchema,
    policy,
    'policy',
    (message, options) => new TrustScoreError('INVALID_CONFIG', message, options),
  );
  const resolved = { ...strictTrustPolicy, ...policy };
  checkWeights(resolved.weights);
  return resolved;
}
