import type { NostrEvent } from '@bonafide/nostr-transport';
import { ReputationError } from '../errors.ts';
import { normalizeRating, starsOf } from '../rating.ts';
import { documentText, parseDocument } from './document.ts';
import { documentTag, type FormatCodec, isRejected } from './format.ts';
import { reject } from './rejection.ts';
import { keyTag, singleTag, subjectOf, tagValues } from './tags.ts';

const isEventId = (text: string) => /^[0-9a-f]{64}$/iu.test(text);

/** Job reviews (kind 31117): an integer from 1 to 5 for one job. */
export const jobReviewCodec: FormatCodec = {
  build(statement) {
    const { subject, relay, jobId, jobKind, role, trustScore, summary, expiresAt } = statement;
    if (jobId === null)
      throw new ReputationError('INVALID_INPUT', 'A job review needs `jobId`, the id of the job request.');
    return {
      tags: [
        ['d', jobId],
        ['e', jobId],
        keyTag('p', subject, relay),
        ['rating', String(Math.round(starsOf(trustScore)))],
        ['role', role],
        ...(jobKind === null ? [] : [['k', String(jobKind)]]),
        ...(expiresAt === null ? [] : [['expiration', String(expiresAt / 1_000)]]),
        [documentTag, documentText(statement)],
      ],
      content: summary === '' ? (statement.assessment?.rationale ?? '') : summary,
    };
  },

  parse(event: NostrEvent) {
    const about = subjectOf(event, ['p']);
    if (isRejected(about)) return about;
    const [d, rating, role, details] = ['d', 'rating', 'role', documentTag].map((name) =>
      singleTag(event, name),
    );
    for (const value of [d, rating, role, details]) if (isRejected(value)) return value;
    if (typeof d !== 'string' || d === '')
      return reject('wrong-identifier', "There is no 'd' tag with the job.");
    const jobs = tagValues(event, 'e');
    if (jobs.length > 0 && !jobs.some((job) => job.toLowerCase() === d.toLowerCase()))
      return reject('contradictory', "'d' and 'e' name different jobs.");
    if (typeof rating !== 'string') return reject('no-rating', "There is no 'rating' tag.");
    const trustScore = /^[1-5]$/u.test(rating) ? normalizeRating(Number(rating), 5) : null;
    if (trustScore === null)
      return reject('rating-out-of-range', `'${rating.slice(0, 20)}' is not one of 1 to 5.`);
    const kind = [...tagValues(event, 'k'), ...tagValues(event, 'kind')].find((text) =>
      /^\d{1,5}$/u.test(text),
    );
    const document = typeof details === 'string' ? parseDocument(details) : null;
    if (document === null && details !== undefined)
      return reject('invalid-content', `The '${documentTag}' tag is not the document of a review.`);
    const stated = document && (document.part.summary ?? document.part.assessment?.rationale ?? '');
    if (stated !== null && stated !== event.content)
      return reject('contradictory', 'The text and the document state different reasons.');
    return {
      ...about,
      trustScore,
      resolution: 0.125,
      ...(isEventId(d) ? { jobId: d.toLowerCase() } : {}),
      ...(kind === undefined ? {} : { jobKind: Number(kind) }),
      ...(role === 'provider' || role === 'customer' ? { role } : {}),
      ...(document === null ? { summary: event.content } : {}),
      document,
    };
  },
};
