import { hasMethods } from '@bonafide/internal';
import { copyDocument } from '../document.ts';
import { parseInput, TrustScoreError } from '../errors.ts';
import type { EndorsementOptions } from '../factors.ts';
import {
  anything,
  callable,
  list,
  listOf,
  notNegative,
  nullable,
  optional,
  optionsOf,
  reading,
  record,
  such,
  text,
  time,
} from '../input.ts';
import { evaluateReceipts, jointSuccessRate } from '../policy/receipt-evidence.ts';
import { resolvePolicy, type TrustPolicy } from '../policy/trust-policy.ts';
import type { Receipt } from '../receipt.ts';
import { type TrustEvidence, trustEvidenceSchema } from '../schemas.ts';
import type { EventSigner } from '../signing/nostr-event.ts';
import { parseSla } from '../sla/sla.ts';
import type { TierEvidence } from '../tier.ts';
import { tierMetrics } from '../tier.ts';
import { computeTrustScore, type FactorWeights, scoreFactors } from '../trust-score.ts';
import { isAgreement } from './evidence.ts';
import { judgeReport, limitSuccessRate } from './judge.ts';
import { parseTrustReport, type TrustReport, type UnsignedTrustReport } from './schema.ts';
import { signReport } from './sign-report.ts';

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
  /** Receipts of customers, from `createReceipt`. */
  readonly receipts?: readonly Receipt[];
  /** Weights that differ from the policy's. An audit by another policy lists them as disagreements. @default the policy's */
  readonly weights?: FactorWeights;
  /** @default the policy's */
  readonly endorsementOptions?: EndorsementOptions;
  /** The policy by which the report states its score and tier. @default strictTrustPolicy */
  readonly policy?: Partial<TrustPolicy>;
  /** Address at which the report can be verified. */
  readonly verificationUrl?: string;
  /** ms since epoch. @default Date.now */
  readonly clock?: () => number;
}

const reportInput = optionsOf({
  agentId: text,
  version: optional(text),
  // The parts that are checked where they are used.
  evidence: record({}),
  policy: anything,
  receipts: optional(list),
  weights: optional(record({})),
  endorsementOptions: optional(record({})),
  tierEvidence: tierMetrics,
  tests: optional(record({ ciUrl: optional(text), lastRunAt: optional(time) })),
  incidents: optional(
    listOf(
      record({
        startedAt: time,
        endedAt: nullable(time),
        durationHours: notNegative,
        reasons: listOf(text),
      }),
    ),
  ),
  lastAttestationAt: optional(time),
  verificationUrl: optional(text),
  clock: optional(callable),
});
const reportSigner = such('a signer', hasMethods('getPublicKey', 'signEvent'));

const iso = (at: number): string => {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) throw new TrustScoreError('OUT_OF_RANGE', `${at} is not a time`);
  return date.toISOString();
};

/** Builds a report without its verification part; the tier is stated as if the report were signed by `signedBy`. */
function buildReport(input: TrustReportInput, now: number, signedBy: string): UnsignedTrustReport {
  const evidence = parseInput(trustEvidenceSchema, 'evidence', input.evidence);
  const policy = resolvePolicy(input.policy);
  const { tests = {}, incidents, tierEvidence, receipts } = input;
  // A wrong agreement is the author's mistake here; in the report of another it is evidence against that one.
  if (isAgreement(tierEvidence.sla)) parseSla(tierEvidence.sla);
  const endorsementOptions = {
    endorsementCurve: policy.endorsementCurve,
    endorsementBase: policy.endorsementBase,
    ...input.endorsementOptions,
  };
  const { testCoverage, uptime, successRate, endorsements, attestationFreshness } = evidence;
  const receiptEvidence = evaluateReceipts(receipts ?? [], { provider: signedBy, at: now, policy });
  const jointRate = jointSuccessRate(
    { successes: successRate.successful, failures: successRate.failed },
    receiptEvidence,
    policy,
  );
  const score = computeTrustScore(limitSuccessRate(scoreFactors(evidence, endorsementOptions), jointRate), {
    clock: () => now,
    weights: input.weights ?? policy.weights,
  });
  const part = (name: keyof typeof score.factors) => ({
    score: score.factors[name].value,
    weight: score.weights[name],
    contribution: score.contributions[name],
    insufficient_data: score.factors[name].insufficientData,
  });
  const report: UnsignedTrustReport = {
    agent_id: input.agentId,
    version: input.version ?? '',
    report_date: iso(now),
    trust_score: score.value,
    tier: 'unverified',
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
          ...(uptime.coverage === undefined ? {} : { coverage: uptime.coverage }),
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
          endorsement_curve: endorsementOptions.endorsementCurve,
          endorsement_base: endorsementOptions.endorsementBase,
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
      ...(tierEvidence.sla === undefined ? {} : { sla: tierEvidence.sla }),
    },
    ...(receipts === undefined ? {} : { receipts: receipts.map((one) => ({ ...one })) }),
  };
  const { tier } = judgeReport(report, {
    ...{ policy, signedBy, at: now, stated: score },
    receipts: receiptEvidence,
  });
  return { ...report, tier };
}

/**
 * Computes a score from evidence and signs a report of it. The document holds all inputs of the score, so
 * that `auditTrustScore` can recompute it, and a digest of every value, so that `verifyTrustReport` can name
 * changed values.
 *
 * @throws `INVALID_INPUT` or `OUT_OF_RANGE` when the evidence is wrong; errors of the signer pass through.
 */
export async function createTrustReport(input: TrustReportInput, signer: EventSigner): Promise<TrustReport> {
  reportInput('input', input);
  reading('signer', () => reportSigner('signer', signer));
  const now = (input.clock ?? Date.now)();
  const signedBy = await signer.getPublicKey();
  // A copy, since an agreement in the evidence may come from outside and is signed as it is.
  const report = buildReport(input, now, signedBy);
  const plain = copyDocument(report) as UnsignedTrustReport;
  return parseTrustReport(await signReport(plain, signer, signedBy, now, input.verificationUrl));
}
