import type { NostrEvent } from '@bonafide/nostr-transport';
import * as z from 'zod';
import { parseInput } from './errors.ts';
import { publicKey } from './review.ts';
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
const reviewEventSchema = z.looseObject({
  id: hex64,
  pubkey: hex64,
  kind: z.int().min(0),
  tags: z.array(z.array(z.string())),
});

/** Reads the event of a review, as far as an objection needs it. Throws `INVALID_INPUT`. */
export function readReviewEvent(event: NostrEvent): NostrEvent {
  parseInput(reviewEventSchema, 'review', event);
  return event;
}
