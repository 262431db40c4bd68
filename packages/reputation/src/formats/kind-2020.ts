import type { NostrEvent } from '@bonafide/nostr-transport';
import { normalizeRating, parseDecimal, starsOf } from '../rating.ts';
import type { ReviewStatement } from '../review.ts';
import { documentText, parseDocument } from './document.ts';
import { type EventBody, type FormatCodec, isRejected, type NativeReview } from './format.ts';
import { type RejectedReview, reject } from './rejection.ts';
import { keyTag, singleTag, subjectOf } from './tags.ts';

/** Identifier of the opinion: one per subject, service and task. */
export const identifierOf = ({
  subject,
  service,
  task,
}: Pick<ReviewStatement, 'subject' | 'service' | 'task'>) => `${subject}:${service ?? ''}:${task ?? ''}`;

function build(statement: ReviewStatement): EventBody {
  const { subject, relay, task, trustScore, jobId, expiresAt, alert } = statement;
  return {
    tags: [
      keyTag('subject', subject, relay),
      keyTag('p', subject, relay),
      ['rating', starsOf(trustScore).toFixed(1)],
      ['denom', '5'],
      ...(task === null ? [] : [['task', task]]),
      ...(jobId === null ? [] : [['e', jobId]]),
      ...(expiresAt === null ? [] : [['expiration', String(expiresAt / 1_000)]]),
      ...(alert === null ? [] : [['alert', alert]]),
    ],
    content: documentText(statement),
  };
}

function ratingOf(
  event: NostrEvent,
): { readonly score: number; readonly resolution: number } | RejectedReview {
  const text = singleTag(event, 'rating');
  if (isRejected(text)) return text;
  if (text === undefined) return reject('no-rating', "There is no 'rating' tag.");
  const scales = ['denom', 'max_rating'].map((name) => singleTag(event, name));
  const conflict = scales.find(isRejected);
  if (conflict !== undefined) return conflict;
  const given = scales.filter((scale): scale is string => typeof scale === 'string');
  const [scale] = given;
  if (scale === undefined) return reject('no-scale', "There is no 'denom' or 'max_rating' tag.");
  if (new Set(given).size > 1) return reject('contradictory', "'denom' and 'max_rating' differ.");
  const rating = parseDecimal(text);
  const max = parseDecimal(scale);
  const score = rating === null || max === null ? null : normalizeRating(rating, max);
  if (score === null || max === null)
    return reject(
      'rating-out-of-range',
      `'${text.slice(0, 20)}' of '${scale.slice(0, 20)}' is not a rating.`,
    );
  // Half of the last digit that is written.
  const digits = /\.(\d+)$/u.exec(text)?.[1]?.length ?? 0;
  const span = max === 5 ? 4 : max;
  return { score, resolution: (0.5 * 10 ** -digits) / span };
}

function parse(event: NostrEvent): NativeReview | RejectedReview {
  const about = subjectOf(event, ['subject', 'p']);
  if (isRejected(about)) return about;
  const rating = ratingOf(event);
  if (isRejected(rating)) return rating;
  const task = singleTag(event, 'task');
  if (isRejected(task)) return task;
  const document = parseDocument(event.content);
  if (document === null && event.content.trimStart().startsWith('{'))
    return reject('invalid-content', 'The content is JSON, but not that of a review.');
  return {
    ...about,
    trustScore: rating.score,
    resolution: rating.resolution,
    ...(task === undefined ? {} : { task }),
    // Plain text is a review too.
    ...(document === null ? { summary: event.content } : {}),
    document,
  };
}

/** The proposed kind 2020: an opinion with its reasons. */
export const reviewCodec: FormatCodec = { build, parse };

/** The proposed kind 32020: the current opinion about a subject, service and task. */
export const reviewSetCodec: FormatCodec = {
  build(statement) {
    const { tags, content } = build(statement);
    return { tags: [['d', identifierOf(statement)], ...tags], content };
  },
  parse(event) {
    const native = parse(event);
    if (isRejected(native)) return native;
    const d = singleTag(event, 'd');
    if (isRejected(d)) return d;
    // An identifier of another subject would let one opinion hide behind another.
    if (d === undefined || !d.toLowerCase().startsWith(native.subject))
      return reject('wrong-identifier', "The 'd' tag does not begin with the subject.");
    return native;
  },
};
