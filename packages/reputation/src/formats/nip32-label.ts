import type { EventTemplate, NostrEvent } from '@bonafide/nostr-transport';
import * as z from 'zod';
import { parseInput, ReputationError } from '../errors.ts';
import { trustScoreOf } from '../rating.ts';
import { assessmentSchema, completeReview, publicKey, type ReviewStatement } from '../review.ts';
import { documentText, parseDocument } from './document.ts';
import { documentTag, type EventBody, type FormatCodec, isRejected, type NativeReview } from './format.ts';
import { type RejectedReview, reject } from './rejection.ts';
import { keyTag, singleTag, subjectOf, tagValues } from './tags.ts';

/** Kind of a label (NIP-32). */
const labelKind = 1985;
/** Default namespace of the labels of assessments. */
export const defaultNamespace = 'bonafide.trust';
/** Namespace of the labels of other agents, which state a word and no number. */
export const wotNamespace = 'ai.wot';

/** Word that stands for a judgment in a label. NIP-32 allows no numbers there. */
export type TrustBucket = 'trusted' | 'positive' | 'neutral' | 'caution' | 'warning';

/** Returns the word for a judgment from −10 to 10: `trusted` from 5, `warning` from −5 downwards. */
function bucketOf(trust: number): TrustBucket {
  if (trust >= 5) return 'trusted';
  if (trust > 0) return 'positive';
  if (trust === 0) return 'neutral';
  return trust > -5 ? 'caution' : 'warning';
}

/** Score that a word of another agent stands for. */
const wotScores: Readonly<Record<string, number>> = {
  'service-quality': 0.75,
  'general-trust': 0.75,
  'work-completed': 0.75,
  warning: 0.1,
  dispute: 0.25,
};

function body(statement: ReviewStatement, namespace: string): EventBody {
  const { subject, relay, assessment, jobId, expiresAt } = statement;
  if (assessment === null)
    throw new ReputationError('INVALID_INPUT', 'A label needs `assessment`: trust, infoScore and rationale.');
  return {
    tags: [
      ['L', namespace],
      ['l', bucketOf(assessment.trust), namespace],
      keyTag('p', subject, relay),
      ['trust', String(assessment.trust)],
      ['info_score', String(assessment.infoScore)],
      ...(jobId === null ? [] : [['e', jobId]]),
      ...(expiresAt === null ? [] : [['expiration', String(expiresAt / 1_000)]]),
    ],
    content: assessment.rationale,
  };
}

function readOwn(event: NostrEvent, namespace: string): NativeReview | RejectedReview {
  const about = subjectOf(event, ['p']);
  if (isRejected(about)) return about;
  const [trust, infoScore, score, details] = ['trust', 'info_score', 'trust_score', documentTag].map((name) =>
    singleTag(event, name),
  );
  for (const value of [trust, infoScore, score, details]) if (isRejected(value)) return value;
  const isInteger = (text: unknown): text is string => typeof text === 'string' && /^-?\d{1,2}$/u.test(text);
  const parsed = assessmentSchema.safeParse({
    trust: isInteger(trust) ? Number(trust) : null,
    infoScore: isInteger(infoScore) ? Number(infoScore) : null,
    rationale: event.content,
  });
  if (!parsed.success)
    return reject('incomplete-assessment', "A label needs 'trust', 'info_score' and a rationale as content.");
  const buckets = event.tags.flatMap(([name, value, mark]) =>
    name === 'l' && mark === namespace ? [value] : [],
  );
  if (buckets.length !== 1 || buckets[0] !== bucketOf(parsed.data.trust))
    return reject('contradictory', 'The label is not the one of its score.');
  // A review may have a score from other sources beside the assessment.
  const trustScore = typeof score === 'string' ? parseScore(score) : trustScoreOf(parsed.data.trust);
  if (trustScore === null) return reject('rating-out-of-range', "'trust_score' is not a number from 0 to 1.");
  const document = typeof details === 'string' ? parseDocument(details) : null;
  if (document === null && details !== undefined)
    return reject('invalid-content', `The '${documentTag}' tag is not the document of a review.`);
  return {
    ...about,
    trustScore,
    resolution: 1e-9,
    assessment: parsed.data,
    document,
  };
}

function parseScore(text: string): number | null {
  const score = text.length <= 30 && text.trim() !== '' ? Number(text) : Number.NaN;
  return score >= 0 && score <= 1 ? score : null;
}

function readForeign(event: NostrEvent): NativeReview | RejectedReview {
  const about = subjectOf(event, ['p']);
  if (isRejected(about)) return about;
  const words = event.tags.flatMap(([name, value = '', mark]) =>
    name === 'l' && mark === wotNamespace && value in wotScores ? [value] : [],
  );
  const scores = new Set(words.map((word) => wotScores[word] ?? 0));
  const [score] = scores;
  if (score === undefined)
    return reject('no-rating', 'No label of the event states an opinion about its subject.');
  if (scores.size > 1) return reject('contradictory', 'The labels contradict each other.');
  return {
    ...about,
    trustScore: score,
    resolution: 1e-9,
    isEstimate: true,
    summary: event.content.slice(0, 4_000),
    document: null,
  };
}

/** Labels (NIP-32, kind 1985): a word for the judgment, and both scores in tags. */
export const labelCodec: FormatCodec = {
  build(statement, { namespace }) {
    const { tags, content } = body(statement, namespace);
    const score = ['trust_score', String(statement.trustScore)];
    return { tags: [...tags, score, [documentTag, documentText(statement)]], content };
  },
  parse(event, { namespace }) {
    const namespaces = tagValues(event, 'L');
    if (namespaces.includes(namespace)) return readOwn(event, namespace);
    if (namespaces.includes(wotNamespace)) return readForeign(event);
    return reject('no-rating', `There is no label of the namespace '${namespace}'.`);
  },
};

/** A complete assessment, as a ledger exports it. */
export interface LedgerAssessment {
  /** Public key of the assessor; unused, because the signature states it. */
  readonly source?: string;
  /** Public key of the assessed peer, as hex, npub or nprofile. */
  readonly target: string;
  /** −10…10. */
  readonly trust: number;
  /** 0…10. */
  readonly infoScore: number;
  readonly rationale: string;
  /** ms since epoch. */
  readonly at: number;
}

const labelOptions = z.strictObject({
  namespace: z.string().min(1).max(100).default(defaultNamespace),
  relay: z.string().optional(),
});
const ledgerAssessmentSchema = z.object({
  source: z.string().optional(),
  target: publicKey,
  trust: z.int().min(-10).max(10),
  infoScore: z.int().min(0).max(10),
  rationale: z.string(),
  at: z.int().min(0).max(9_999_999_999_000),
});

/**
 * Builds the label of a first-person assessment (NIP-32, kind 1985): `p` is the assessed peer, `l` a word for the judgment,
 * both scores have tags, and the content is the rationale.
 *
 * @throws ReputationError `INVALID_INPUT` when the target, a score, the rationale or the time is missing or invalid
 */
export function buildAssessmentLabel(
  assessment: LedgerAssessment,
  options: { readonly namespace?: string; readonly relay?: string } = {},
): EventTemplate {
  const { namespace, relay } = parseInput(labelOptions, 'options', options);
  const { target, trust, infoScore, rationale, at } = parseInput(
    ledgerAssessmentSchema,
    'assessment',
    assessment,
  );
  const statement = completeReview({
    subject: target,
    assessment: { trust, infoScore, rationale },
    ...(relay === undefined ? {} : { relay }),
  });
  return { kind: labelKind, created_at: Math.floor(at / 1_000), ...body(statement, namespace) };
}
