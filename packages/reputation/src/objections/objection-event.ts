import { isBlank, truncate } from '@bonafide/internal';
import type { EventTemplate, NostrEvent } from '@bonafide/nostr-transport';
import * as z from 'zod';
import { reviewEventSchema } from '../call-options.ts';
import { parseInput } from '../errors.ts';
import { addressOf } from '../formats/review-event.ts';

/** Kind of a comment (NIP-22). */
const commentKind = 1111;
/** Kinds of replies that count as an objection: comments, and text notes (NIP-10). */
export const replyKinds: readonly number[] = [commentKind, 1];
/** Longest claim, in bytes. */
const maxClaimBytes = 2_000;

/** An objection of the subject to a review. */
export interface ObjectionInput {
  /** The signed event of the review. */
  readonly review: NostrEvent;
  /** Claim of what is wrong, at most 2,000 characters. */
  readonly claim: string;
  /** Addresses of evidence. */
  readonly evidence?: readonly string[];
  /** ms since epoch. @default the clock */
  readonly createdAt?: number;
}

const inputSchema = z.object({
  review: reviewEventSchema,
  claim: z
    .string()
    .max(maxClaimBytes)
    .refine((text) => !isBlank(text), 'must not be blank'),
  evidence: z.array(z.string().min(1).max(1_000)).max(10).default([]),
  createdAt: z.number().min(0).max(9_999_999_999_999).optional(),
});

/**
 * Builds an objection: a comment (NIP-22) on the event of a review. It has an effect only when the subject of the review
 * signs it.
 *
 * @throws ReputationError `INVALID_INPUT`
 */
export function buildObjection(input: ObjectionInput): EventTemplate {
  const { review, claim, evidence, createdAt } = parseInput(inputSchema, 'objection', input);
  const address = addressOf(review);
  const root = address === null ? [] : [['A', address]];
  const parent = address === null ? [] : [['a', address]];
  return {
    kind: commentKind,
    created_at: Math.floor((createdAt ?? Date.now()) / 1_000),
    tags: [
      ...root,
      ['E', review.id, '', review.pubkey],
      ['K', String(review.kind)],
      ['P', review.pubkey],
      ...parent,
      ['e', review.id, '', review.pubkey],
      ['k', String(review.kind)],
      ['p', review.pubkey],
      ...evidence.map((address) => ['evidence', address]),
    ],
    content: claim,
  };
}

/** Reads the claim and the evidence of a reply; null for a reply without text. */
export function readObjection(
  event: NostrEvent,
): { readonly claim: string; readonly evidence: readonly string[] } | null {
  if (isBlank(event.content)) return null;
  const given = event.tags.flatMap(([name, value]) =>
    name === 'evidence' && value ? [value.slice(0, 1_000)] : [],
  );
  return {
    claim: truncate(event.content, maxClaimBytes),
    evidence: [`nostr:${event.id}`, ...given.slice(0, 10)],
  };
}
