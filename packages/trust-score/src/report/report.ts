import * as z from 'zod';
import { parseInput, TrustScoreError } from '../errors.ts';
import type { EndorsementOptions } from '../factors.ts';
import { type TrustEvidence, trustEvidenceSchema } from '../schemas.ts';
import type { EventSigner } from '../signing/nostr-event.ts';
import { classifyTier, type TierEvidence, type TierOptions } from '../tier.ts';
import { computeTrustScore, type FactorWeights, scoreFactors } from '../trust-score.ts';
import { sealReport } from './sign-report.ts';

const share = z.number().min(0).max(1);
const count = z.int().min(0);
const moment = z.iso.datetime();
const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`, 'u'));

const factor = <Evidence extends z.ZodType>(evidence: Evidence) =>
  z.looseObject({
    score: share,
    weight: share,
    contribution: share,
    insufficient_data: z.boolean().optional(),
    evidence,
  });

const incident = z.looseObject({
  start: moment,
  end: moment.nullable(),
  duration_hours: z.number().min(0),
  reason: z.string().optional(),
});

/**
 * A trust report as it is published, with the field names of the STEWARD trust model. Unknown members are
 * kept and signed with the rest.
 */
export const trustReportSchema = z.looseObject({
  agent_id: z.string().min(1),
  /** Of the agent. */
  version: z.string(),
  report_date: moment,
  trust_score: share,
  tier: z.enum(['unverified', 'verified', 'trusted', 'highly_trusted']),
  algorithm_version: z.string(),
  factors: z.looseObject({
    test_coverage: factor(
      z.looseObject({
        total_tests: count,
        passing_tests: count,
        last_run: moment.optional(),
        ci_url: z.url().optional(),
      }),
    ),
    uptime: factor(
      z.looseObject({
        total_hours: z.number().positive(),
        downtime_hours: z.number(),
        downtime_incidents: z.array(incident).optional(),
      }),
    ),
    success_rate: factor(z.looseObject({ successful: count, failed: count, rejected: count.optional() })),
    endorsements: factor(
      z.looseObject({
        total_endorsements: count,
        unique_endorsers: count,
        endorser_trust_avg: share,
        /** Multiplier by the gaming detectors, 0…1. */
        gaming_multiplier: share.optional(),
        endorsement_curve: z.enum(['log', 'table']).optional(),
        endorsement_base: z.enum(['total', 'unique']).optional(),
      }),
    ),
    attestation_freshness: factor(
      z.looseObject({
        hours_since: z.number(),
        validity_period_hours: z.number().positive(),
        last_attestation: moment.optional(),
      }),
    ),
  }),
  /** Values that the tier's requirements were compared with; ratios 0…1. */
  tier_evidence: z.looseObject({
    uptime_7d: share.nullable(),
    uptime_30d: share.nullable(),
    uptime_90d: share.nullable(),
    test_coverage: share.nullable(),
    endorsements: count.nullable(),
    successful_delegations: count.nullable(),
    sla: z.unknown().optional(),
  }),
  verification: z.looseObject({
    /** BIP-340, 128 hex digits. */
    signature: hex(128),
    /** Public key, 64 hex digits. */
    signed_by: hex(64),
    /** Seconds since epoch. */
    signed_at: z.int().min(0),
    /** Signed message: the id of the signed Nostr event. */
    event_id: hex(64),
    /** SHA-256 of the canonical JSON of everything but `verification`. */
    sha256: hex(64),
    /** First 16 digits of the SHA-256 of each value, by path. They identify changed values. */
    digests: z.record(z.string(), hex(16)),
    verification_url: z.url().optional(),
  }),
});

/** A signed trust report. */
export type TrustReport = z.output<typeof trustReportSchema>;
/** A trust report before it is signed. */
export type UnsignedTrustReport = Omit<TrustReport, 'verification'>;

/** Input of {@link createTrustReport}. */
export interface TrustReportInput {
  readonly agentId: string;
  /** Of the agent. @default '' */
  readonly version?: string;
  readonly evidence: TrustEvidence;
  readonly tierEvidence: TierEvidence;
  /** CI run of the tests. */
  readonly tests?: { readonly ciUrl?: string; readonly lastRunAt?: number };
  /** Times in which it was down, ms since epoch: `uptimeReport` gives them. */
  readonly incidents?: readonly {
    readonly startedAt: number;
    readonly endedAt: number | null;
    readonly durationHours: number;
    readonly reasons: readonly string[];
  }[];
  /** ms since epoch. */
  readonly lastAttestationAt?: number;
  /** @default defaultWeights */
  readonly weights?: FactorWeights;
  readonly endorsementOptions?: EndorsementOptions;
  readonly tierOptions?: TierOptions;
  /** Address at which the report can be verified. */
  readonly verificationUrl?: string;
  /** ms since epoch. @default Date.now */
  readonly clock?: () => number;
}

const iso = (at: number): string => {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) throw new TrustScoreError('OUT_OF_RANGE', `${at} is no time`);
  return date.toISOString();
};

/** The document without its signature. */
function buildReport(input: TrustReportInput, now: number): UnsignedTrustReport {
  const evidence = parseInput(trustEvidenceSchema, 'evidence', input.evidence);
  const { tests = {}, incidents, tierEvidence, endorsementOptions = {} } = input;
  const score = computeTrustScore(scoreFactors(evidence, endorsementOptions), {
    clock: () => now,
    ...(input.weights === undefined ? {} : { weights: input.weights }),
  });
  const { tier } = classifyTier(score.value, tierEvidence, input.tierOptions);
  const part = (name: keyof typeof score.factors) => ({
    score: score.factors[name].value,
    weight: score.weights[name],
    contribution: score.contributions[name],
    insufficient_data: score.factors[name].insufficientData,
  });
  const { testCoverage, uptime, successRate, endorsements, attestationFreshness } = evidence;
  return {
    agent_id: input.agentId,
    version: input.version ?? '',
    report_date: iso(now),
    trust_score: score.value,
    tier,
    algorithm_version: score.algorithmVersion,
    factors: {
      test_coverage: {
        ...part('testCoverage'),
        evidence: {
          total_tests: testCoverage.total,
          passing_tests: testCoverage.passing,
          ...(tests.lastRunAt === undefined ? {} : { last_run: iso(tests.lastRunAt) }),
          ...(tests.ciUrl === undefined ? {} : { ci_url: tests.ciUrl }),
        },
      },
      uptime: {
        ...part('uptime'),
        evidence: {
          total_hours: uptime.periodHours,
          downtime_hours: uptime.downtimeHours,
          ...(incidents === undefined
            ? {}
            : {
                downtime_incidents: incidents.map(({ startedAt, endedAt, durationHours, reasons }) => ({
                  start: iso(startedAt),
                  end: endedAt === null ? null : iso(endedAt),
                  duration_hours: durationHours,
                  reason: reasons.join('; '),
                })),
              }),
        },
      },
      success_rate: { ...part('successRate'), evidence: { ...successRate } },
      endorsements: {
        ...part('endorsements'),
        evidence: {
          total_endorsements: endorsements.total,
          unique_endorsers: endorsements.unique,
          endorser_trust_avg: endorsements.endorserTrustAvg,
          ...(endorsements.gamingMultiplier === undefined
            ? {}
            : { gaming_multiplier: endorsements.gamingMultiplier }),
          endorsement_curve: endorsementOptions.endorsementCurve ?? 'log',
          endorsement_base: endorsementOptions.endorsementBase ?? 'total',
        },
      },
      attestation_freshness: {
        ...part('attestationFreshness'),
        evidence: {
          hours_since: attestationFreshness.hours,
          validity_period_hours: attestationFreshness.validityHours ?? 24,
          ...(input.lastAttestationAt === undefined
            ? {}
            : { last_attestation: iso(input.lastAttestationAt) }),
        },
      },
    },
    tier_evidence: {
      uptime_7d: tierEvidence.uptime7d ?? null,
      uptime_30d: tierEvidence.uptime30d ?? null,
      uptime_90d: tierEvidence.uptime90d ?? null,
      test_coverage: tierEvidence.testCoverage ?? null,
      endorsements: tierEvidence.endorsements ?? null,
      successful_delegations: tierEvidence.successfulDelegations ?? null,
      // JSON has no undefined: an agreement that is not looked at is left out.
      ...(tierEvidence.sla === undefined || input.tierOptions?.requireSla === false
        ? {}
        : { sla: tierEvidence.sla }),
    },
  };
}

/**
 * Computes a score from evidence and signs a report of it. The document holds all inputs of the score, so
 * that `auditTrustScore` can recompute it, and a digest of every value, so that `verifyTrustReport` can name
 * changed values.
 *
 * @throws `INVALID_INPUT` or `OUT_OF_RANGE` when the evidence is wrong; errors of the signer pass through.
 */
export async function createTrustReport(input: TrustReportInput, signer: EventSigner): Promise<TrustReport> {
  const now = (input.clock ?? Date.now)();
  const report = buildReport(input, now);
  const sealed = await sealReport(report, signer, now, input.verificationUrl);
  return parseInput(trustReportSchema, 'report', sealed);
}

/** Returns the tier evidence of a report under the names that `classifyTier` takes. */
export function tierEvidenceOf({ tier_evidence: evidence }: TrustReport): TierEvidence {
  const { sla } = evidence;
  return {
    uptime7d: evidence.uptime_7d,
    uptime30d: evidence.uptime_30d,
    uptime90d: evidence.uptime_90d,
    testCoverage: evidence.test_coverage,
    endorsements: evidence.endorsements,
    successfulDelegations: evidence.successful_delegations,
    ...(typeof sla === 'object' ? { sla: sla as NonNullable<TierEvidence['sla']> | null } : {}),
  };
}

/** Reads a report, also one inside `{ trust_report: … }`. Throws `INVALID_INPUT`, naming every member that is wrong. */
export function parseTrustReport(input: unknown): TrustReport {
  const wrapped = typeof input === 'object' && input !== null && 'trust_report' in input;
  return parseInput(trustReportSchema, 'report', wrapped ? input.trust_report : input);
}
