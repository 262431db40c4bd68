import { canonicalJson } from '@bonafide/internal';
import type { NostrEvent } from '@bonafide/nostr-transport';
import * as z from 'zod';
import { normalizeRating, starsOf } from '../rating.ts';
import { documentOf, parseObject, readDocument } from './document.ts';
import { type FormatCodec, isRejected } from './format.ts';
import { reject } from './rejection.ts';
import { keyTag, singleTag, subjectOf } from './tags.ts';

/** Context of an attestation about the subject as a whole. */
const generalContext = 'general';
/** Validity of an attestation whose statement has no expiration, ms. */
const defaultValidityMs = 90 * 86_400_000;

const contentSchema = z.looseObject({
  subject: z.string(),
  context: z.string().min(1).max(200),
  rating: z.number(),
  confidence: z.number().min(0).max(1),
  evidence: z.unknown().optional(),
  review: z.record(z.string(), z.unknown()).optional(),
});

/** Attestations (kind 30085): a rating from 1 to 5 in a context, with confidence and a mandatory expiration. */
export const attestationCodec: FormatCodec = {
  build(statement, { createdAt }) {
    const { subject, relay, task, trustScore, evidence, assessment } = statement;
    const context = task ?? generalContext;
    const confidence = statement.confidence ?? (assessment === null ? 0.5 : assessment.infoScore / 10);
    const expiresAt = statement.expiresAt ?? Math.floor((createdAt + defaultValidityMs) / 1_000) * 1_000;
    const content = {
      subject,
      context,
      rating: Math.round(starsOf(trustScore)),
      confidence,
      ...(evidence === null ? {} : { evidence: [{ type: 'free_text', data: evidence }] }),
      review: documentOf(statement),
    };
    return {
      tags: [
        ['d', `${subject}:${context}`],
        keyTag('p', subject, relay),
        ['t', context],
        ['expiration', String(expiresAt / 1_000)],
        ['commitment_class', 'self_assertion'],
      ],
      content: canonicalJson(content),
    };
  },

  parse(event: NostrEvent) {
    const about = subjectOf(event, ['p']);
    if (isRejected(about)) return about;
    const d = singleTag(event, 'd');
    if (isRejected(d)) return d;
    const expiration = singleTag(event, 'expiration');
    if (isRejected(expiration)) return expiration;
    if (expiration === undefined || !/^\d{1,10}$/u.test(expiration))
      return reject('invalid-content', "An attestation needs an 'expiration' tag.");
    const value = parseObject(event.content);
    const content = value === null ? null : contentSchema.safeParse(value);
    if (!content?.success) return reject('invalid-content', 'The content is not the JSON of an attestation.');
    const { subject, context, rating, confidence, review } = content.data;
    if (subject !== about.subject) return reject('conflicting-subject', 'The content names another subject.');
    if (d !== `${subject}:${context}`)
      return reject('wrong-identifier', "The 'd' tag is not subject and context.");
    // A second draft of the kind rates from −1 to 1; integers from 1 on are stars in both.
    const isSigned = rating < 1;
    const trustScore = isSigned ? normalizeRating(rating + 1, 2) : normalizeRating(rating, 5);
    if (trustScore === null) return reject('rating-out-of-range', `${rating} is neither 1 to 5 nor -1 to 1.`);
    const document = review === undefined ? null : readDocument(review);
    if (document === null && review !== undefined)
      return reject('invalid-content', 'The review in the content is not the document of a review.');
    const native = {
      ...about,
      trustScore,
      resolution: Number.isInteger(rating) && !isSigned ? 0.125 : 1e-9,
      ...(context === generalContext ? {} : { task: context }),
      document,
    };
    if (document !== null) return native;
    const evidence = z
      .array(z.object({ data: z.string().max(1_000) }))
      .safeParse(content.data.evidence)
      .data?.map(({ data }) => data)
      .join('; ');
    const summary = typeof content.data.comment === 'string' ? content.data.comment : evidence;
    return {
      ...native,
      confidence,
      expiresAt: Number(expiration) * 1_000,
      ...(summary === undefined || summary === '' ? {} : { summary: summary.slice(0, 4_000) }),
    };
  },
};
