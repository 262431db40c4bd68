import type { NostrEvent } from '@bonafide/nostr-transport';
import * as z from 'zod';
import { parseInput } from './errors.ts';
import { callable, port, signalSchema } from './ports.ts';
import type { WatchHandlers } from './reading/review-reader.ts';
import { givenReview, publicKey } from './review.ts';
import type { ReviewQuery } from './store.ts';

const querySchema = z.strictObject({
  state: z
    .enum(['queued', 'signed', 'published', 'disputed', 'skipped', 'superseded', 'withdrawn'])
    .optional(),
  subject: publicKey.optional(),
  opinion: z.string().optional(),
  limit: z.int().min(1).max(500).default(50),
  cursor: z
    .string()
    .nullish()
    .transform((cursor) => cursor ?? undefined),
});

/** Reads the query of a list of reviews. Throws `INVALID_INPUT`, also for a name that does not exist. */
export function readReviewQuery(query: Partial<ReviewQuery>): ReviewQuery {
  return parseInput(querySchema, 'query', query) as ReviewQuery;
}

/** Options of calls that can be aborted. */
export const waitSchema = z.strictObject({ signal: signalSchema }).default({});

const readFields = { signal: signalSchema, timeoutMs: z.number().positive().optional() };
/** Options of reading. */
export const readSchema = z.strictObject(readFields).default({});

/** Options of `standing`. */
export const standingSchema = z
  .strictObject({ ...readFields, task: z.string().optional(), heard: z.array(givenReview).default([]) })
  .prefault({});

/** Options of `object`. */
export const objectSchema = z
  .strictObject({ signal: signalSchema, evidence: z.array(z.string()).default([]) })
  .prefault({});

/** Handlers of `watch`. */
export const handlersSchema = z.strictObject({
  onReview: callable<WatchHandlers['onReview']>(),
  onRejected: callable<NonNullable<WatchHandlers['onRejected']>>().optional(),
  onEose: callable<NonNullable<WatchHandlers['onEose']>>().optional(),
  signal: signalSchema,
  watermarks: port<NonNullable<WatchHandlers['watermarks']>>('get', 'set').optional(),
});

/** Shape of the key of a review. */
export const reviewKeySchema = z.string().min(1).max(200);

/** Shape of a reason that a person gives. */
export const reasonSchema = z.string().max(10_000);

/** Shape of a decision about a dispute. */
export const decisionSchema = z.strictObject({
  outcome: z.enum(['upheld', 'excused']),
  reason: reasonSchema,
  arbitrator: z.string().min(1),
});

/** Shape of what a stream of reviews is about. */
export const watchSchema = z.strictObject({
  subject: publicKey.optional(),
  reviewer: publicKey.optional(),
});

const hex64 = z.string().regex(/^[0-9a-f]{64}$/u, 'must be 64 hex digits');
/** Shape of the event of a review, as far as an objection needs it. */
export const reviewEventSchema = z.looseObject({
  id: hex64,
  pubkey: hex64,
  kind: z.int().min(0),
  tags: z.array(z.array(z.string())),
});

/** Reads the event of a review, as far as an objection needs it. Throws `INVALID_INPUT`. */
export function readReviewEvent(event: NostrEvent): NostrEvent {
  return parseInput(reviewEventSchema, 'review', event) as unknown as NostrEvent;
}
