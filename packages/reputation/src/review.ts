import { isBlank, readPublicKey } from '@bonafide/internal';
import type { Receipt } from '@bonafide/trust-score';
import * as z from 'zod';
import { parseInput } from './errors.ts';
import type { Review } from './formats/review-event.ts';
import { trustScoreOf } from './rating.ts';

/** A complete first-person judgment of a ledger: both scores and the reason. */
export interface AssessmentStatement {
  /** −10…10. */
  readonly trust: number;
  /** 0…10. */
  readonly infoScore: number;
  readonly rationale: string;
}

/** The statement of a review, in no particular event format. Every format can hold all of it. */
export interface ReviewStatement {
  /** Public key of the reviewed platform, 64 lower-case hex digits. */
  readonly subject: string;
  /** Relay on which the subject can be found, or null. */
  readonly relay: string | null;
  /** 0…1; five stars are `1 + 4 × trustScore`. */
  readonly trustScore: number;
  /** Task type that was judged, or null for the subject as a whole. */
  readonly task: string | null;
  /** Identifier (`d`) of the service that was judged, or null. */
  readonly service: string | null;
  /** Human-readable summary; '' when only an assessment gives the reason. */
  readonly summary: string;
  readonly strengths: readonly string[];
  readonly weaknesses: readonly string[];
  /** Measured values by name, for example `latency_p50_ms`. */
  readonly metrics: Readonly<Record<string, number>>;
  readonly recommendation: string | null;
  /** Address, content id or hash of what supports the review. */
  readonly evidence: string | null;
  /** The reviewer's own judgment, which is never given without its rationale. */
  readonly assessment: AssessmentStatement | null;
  /** Signed outcomes of jobs that the review rests on. Verify them with {@link checkReceipts}. */
  readonly receipts: readonly Receipt[];
  /** Id of the job request (64 lower-case hex digits), or null. */
  readonly jobId: string | null;
  /** Kind of the job request, or null. */
  readonly jobKind: number | null;
  /** Part that the reviewer had in the job. */
  readonly role: 'customer' | 'provider';
  /** Confidence of the reviewer, 0…1, or null. */
  readonly confidence: number | null;
  /** Time from which the review does not count any more, ms since epoch, or null. */
  readonly expiresAt: number | null;
  /** `security` for a warning of an attack, else null. */
  readonly alert: 'security' | null;
}

const text = (max: number) => z.string().max(max);
const filled = (max: number) => text(max).refine((value) => !isBlank(value), 'must not be blank');
const eventId = z
  .string()
  .regex(/^[0-9a-f]{64}$/iu, 'must be an event id of 64 hex digits')
  .transform((id) => id.toLowerCase());

/** Schema of a public key as hex, npub or nprofile; returns hex. */
export const publicKey = z.string().transform((value, context) => {
  const key = readPublicKey(value);
  if (key !== null) return key;
  context.addIssue({ code: 'custom', message: 'must be a public key: 64 hex digits or an npub' });
  return z.NEVER;
});

/** Schema of a complete assessment. */
export const assessmentSchema = z.object({
  trust: z.int().min(-10).max(10),
  infoScore: z.int().min(0).max(10),
  rationale: filled(4_000),
});

/** Schema of an array of receipts, whose signatures are checked elsewhere. */
export const receiptsSchema = z
  .array(
    z.looseObject({
      id: z.string().max(64),
      pubkey: z.string().max(64),
      created_at: z.int().min(0),
      kind: z.int().min(0),
      tags: z.array(z.array(text(1_000)).max(20)).max(20),
      content: text(16_384),
      sig: z.string().max(128),
    }),
  )
  .max(10);

/** Schema of a review that `parseReview` returned: it is not verified again. */
export const givenReview = z.looseObject({
  eventId: z.string(),
  reviewer: z.string(),
  subject: z.string(),
  createdAt: z.number(),
  trustScore: z.number().min(0).max(1),
  isEstimate: z.boolean(),
  task: z.string().nullable(),
  summary: z.string(),
  strengths: z.array(z.string()),
  weaknesses: z.array(z.string()),
  assessment: z.looseObject({ trust: z.number(), infoScore: z.number(), rationale: z.string() }).nullable(),
  receipts: z.array(z.unknown()),
  expiresAt: z.number().nullable(),
}) as unknown as z.ZodType<Review>;

/** Largest time that a review may state: the seconds have ten digits. */
const maxTime = 9_999_999_999_000;

/** Schemas of the members that every format stores in the same way. */
export const members = {
  trustScore: z.number().min(0).max(1),
  task: filled(200),
  service: filled(200),
  summary: text(4_000),
  points: z.array(filled(500)).max(20),
  metrics: z.record(z.string().min(1).max(100), z.number()).refine((all) => Object.keys(all).length <= 50, {
    message: 'has more than 50 entries',
  }),
  recommendation: filled(1_000),
  evidence: filled(1_000),
  jobId: eventId,
  jobKind: z.int().min(0).max(65_535),
  role: z.enum(['customer', 'provider']),
  alert: z.literal('security'),
  confidence: z.number().min(0).max(1),
  // Events hold seconds.
  expiresAt: z
    .int()
    .min(0)
    .max(maxTime)
    .refine((at) => at % 1_000 === 0, 'must be a whole second'),
} as const;

const relay = z
  .string()
  .max(500)
  .regex(/^wss?:\/\/\S+$/u, 'must be a relay address');

const inputSchema = z.strictObject({
  subject: publicKey,
  relay: relay.nullish(),
  trustScore: members.trustScore.nullish(),
  task: members.task.nullish(),
  service: members.service.nullish(),
  summary: members.summary.nullish(),
  strengths: members.points.nullish(),
  weaknesses: members.points.nullish(),
  metrics: members.metrics.nullish(),
  recommendation: members.recommendation.nullish(),
  evidence: members.evidence.nullish(),
  assessment: assessmentSchema.nullish(),
  receipts: receiptsSchema.nullish(),
  jobId: members.jobId.nullish(),
  jobKind: members.jobKind.nullish(),
  role: members.role.nullish(),
  confidence: members.confidence.nullish(),
  expiresAt: members.expiresAt.nullish(),
  alert: members.alert.nullish(),
});

/** The statement of a review as a caller gives it: what is left out has its neutral value. */
export interface ReviewInput {
  /** Public key of the reviewed platform, as hex, npub or nprofile. */
  readonly subject: string;
  readonly relay?: string | null;
  /** 0…1. @default `(assessment.trust + 10) / 20`; required without an assessment */
  readonly trustScore?: number | null;
  readonly task?: string | null;
  readonly service?: string | null;
  /** Required without an assessment: no score is published without a reason. */
  readonly summary?: string | null;
  readonly strengths?: readonly string[] | null;
  readonly weaknesses?: readonly string[] | null;
  readonly metrics?: Readonly<Record<string, number>> | null;
  readonly recommendation?: string | null;
  readonly evidence?: string | null;
  readonly assessment?: AssessmentStatement | null;
  readonly receipts?: readonly Receipt[] | null;
  readonly jobId?: string | null;
  readonly jobKind?: number | null;
  /** @default 'customer' */
  readonly role?: 'customer' | 'provider' | null;
  readonly confidence?: number | null;
  /** ms since epoch, a whole second. */
  readonly expiresAt?: number | null;
  readonly alert?: 'security' | null;
}

/**
 * Completes and validates the statement of a review.
 *
 * @throws ReputationError `INVALID_INPUT` for a missing or invalid member, a review without a score, and a score without
 *   a reason.
 */
export function completeReview(input: ReviewInput): ReviewStatement {
  return parseInput(reviewSchema, 'review', input);
}

const reviewSchema = inputSchema.transform((given, context): ReviewStatement => {
  const { subject, assessment = null, summary } = given;
  const trustScore = given.trustScore ?? (assessment ? trustScoreOf(assessment.trust) : null);
  if (trustScore === null) {
    context.addIssue({
      code: 'custom',
      path: ['trustScore'],
      message: 'is missing, and so is an assessment',
    });
    return z.NEVER;
  }
  if (assessment === null && isBlank(summary ?? '')) {
    context.addIssue({
      code: 'custom',
      path: ['summary'],
      message: 'is missing: a score needs a reason',
    });
    return z.NEVER;
  }
  return {
    subject,
    relay: given.relay ?? null,
    trustScore,
    task: given.task ?? null,
    service: given.service ?? null,
    summary: summary ?? '',
    strengths: given.strengths ?? [],
    weaknesses: given.weaknesses ?? [],
    metrics: given.metrics ?? {},
    recommendation: given.recommendation ?? null,
    evidence: given.evidence ?? null,
    assessment,
    receipts: (given.receipts ?? []) as readonly Receipt[],
    jobId: given.jobId ?? null,
    jobKind: given.jobKind ?? null,
    role: given.role ?? 'customer',
    confidence: given.confidence ?? null,
    expiresAt: given.expiresAt ?? null,
    alert: given.alert ?? null,
  };
});
