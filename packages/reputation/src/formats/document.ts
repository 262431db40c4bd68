import { canonicalJson } from '@bonafide/internal';
import type { Receipt } from '@bonafide/trust-score';
import * as z from 'zod';
import { assessmentSchema, members, type ReviewStatement, receiptsSchema } from '../review.ts';

/** Largest JSON document of a review, in characters. */
const maxDocumentChars = 100_000;

/** The JSON document that every format carries, in its content or in a tag, so that no format loses anything. */
const documentSchema = z.looseObject({
  trust_score: members.trustScore.optional(),
  task: members.task.optional(),
  service: members.service.optional(),
  summary: members.summary.optional(),
  strengths: members.points.optional(),
  weaknesses: members.points.optional(),
  metrics: members.metrics.optional(),
  recommendation: members.recommendation.optional(),
  evidence: members.evidence.optional(),
  evidence_cid: members.evidence.optional(),
  assessment: z
    .object({ trust: z.unknown(), info_score: z.unknown(), rationale: z.unknown() })
    .transform(({ trust, info_score, rationale }) => ({ trust, infoScore: info_score, rationale }))
    .pipe(assessmentSchema)
    .optional(),
  receipts: receiptsSchema.optional(),
  job_id: members.jobId.optional(),
  job_kind: members.jobKind.optional(),
  role: members.role.optional(),
  confidence: members.confidence.optional(),
  expires_at: members.expiresAt.optional(),
  alert: members.alert.optional(),
});

/** The members of a statement that a document holds; those that it does not hold are undefined. */
export type DocumentPart = Partial<Omit<ReviewStatement, 'subject' | 'relay'>>;

/** A parsed document: what it says of the review, and members of other software. */
export interface ParsedDocument {
  readonly part: DocumentPart;
  /** Members that this package does not know. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Builds the document of a statement. Neutral values are left out. */
export function documentOf(statement: ReviewStatement): Readonly<Record<string, unknown>> {
  const { assessment, strengths, weaknesses, metrics, receipts, role } = statement;
  const document = {
    trust_score: statement.trustScore,
    task: statement.task,
    service: statement.service,
    summary: statement.summary === '' ? null : statement.summary,
    strengths: strengths.length === 0 ? null : strengths,
    weaknesses: weaknesses.length === 0 ? null : weaknesses,
    metrics: Object.keys(metrics).length === 0 ? null : metrics,
    recommendation: statement.recommendation,
    evidence: statement.evidence,
    assessment:
      assessment === null
        ? null
        : { trust: assessment.trust, info_score: assessment.infoScore, rationale: assessment.rationale },
    receipts: receipts.length === 0 ? null : receipts,
    job_id: statement.jobId,
    job_kind: statement.jobKind,
    role: role === 'customer' ? null : role,
    confidence: statement.confidence,
    expires_at: statement.expiresAt,
    alert: statement.alert,
  };
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null));
}

/** Serializes the document of a statement as canonical JSON. */
export const documentText = (statement: ReviewStatement): string => canonicalJson(documentOf(statement));

/** Parses a document; null for text that is not a JSON object, or when a member has the wrong form. */
export function parseDocument(text: string): ParsedDocument | null {
  const value = parseObject(text);
  return value === null ? null : readDocument(value);
}

/** Parses the JSON object in a text; null for other text, and for text over the limit. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  if (text.length > maxDocumentChars || !text.trimStart().startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Reads a document that is JSON already; null when a member has the wrong form. */
export function readDocument(value: Readonly<Record<string, unknown>>): ParsedDocument | null {
  const parsed = documentSchema.safeParse(value);
  if (!parsed.success) return null;
  const { trust_score, job_id, job_kind, expires_at, evidence_cid, receipts, assessment, ...rest } =
    parsed.data;
  const {
    task,
    service,
    summary,
    strengths,
    weaknesses,
    metrics,
    recommendation,
    evidence,
    role,
    confidence,
    alert,
    ...extra
  } = rest;
  const part = {
    trustScore: trust_score,
    task,
    service,
    summary,
    strengths,
    weaknesses,
    metrics,
    recommendation,
    evidence: evidence ?? evidence_cid,
    assessment,
    receipts: receipts as readonly Receipt[] | undefined,
    jobId: job_id,
    jobKind: job_kind,
    role,
    confidence,
    expiresAt: expires_at,
    alert,
  };
  const present = Object.entries(part).filter(([, member]) => member !== undefined);
  return { part: Object.fromEntries(present) as DocumentPart, extra };
}
