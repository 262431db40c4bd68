import type { NostrEvent } from '@bonafide/nostr-transport';
import type { AssessmentStatement, ReviewStatement } from '../review.ts';
import type { ParsedDocument } from './document.ts';
import type { RejectedReview } from './rejection.ts';

/**
 * An event format of reviews.
 *
 * - `review`: proposed kind 2020, one event per opinion.
 * - `review-set`: proposed kind 32020; a newer opinion of the same task replaces the older one.
 * - `job-review`: kind 31117, one to five stars for one job.
 * - `label`: NIP-32, kind 1985, with a complete assessment.
 * - `attestation`: kind 30085, with context, confidence and expiration.
 */
export type ReviewFormat = 'review' | 'review-set' | 'job-review' | 'label' | 'attestation';

/** Tags and content of an event. */
export interface EventBody {
  readonly tags: readonly (readonly string[])[];
  readonly content: string;
}

/** Facts that the fields of a format state, without the document. */
export interface NativeReview {
  readonly subject: string;
  readonly relay: string | null;
  readonly trustScore: number;
  /** Largest difference to the exact score that the format's rounding explains. */
  readonly resolution: number;
  /** True when the format states a word and no number. */
  readonly isEstimate?: boolean;
  readonly task?: string | null;
  readonly service?: string | null;
  readonly summary?: string;
  readonly jobId?: string | null;
  readonly jobKind?: number | null;
  readonly role?: 'customer' | 'provider';
  readonly confidence?: number | null;
  readonly expiresAt?: number | null;
  readonly assessment?: AssessmentStatement | null;
  /** The document that holds the rest; null when the event has none. */
  readonly document: ParsedDocument | null;
}

/** One event format: how a statement is written and read. */
export interface FormatCodec {
  /** @throws ReputationError `INVALID_INPUT` when the format requires a member that the statement lacks */
  build(statement: ReviewStatement, context: BuildContext): EventBody;
  parse(event: NostrEvent, context: ParseContext): NativeReview | RejectedReview;
}

/** Context of building an event. */
export interface BuildContext {
  /** ms since epoch. */
  readonly createdAt: number;
  /** Namespace of labels. */
  readonly namespace: string;
}

/** Context of parsing an event. */
export interface ParseContext {
  /** Namespace of labels. */
  readonly namespace: string;
}

/** Name of the tag that holds the document in formats whose content is plain text. */
export const documentTag = 'review';

/** Returns true for a rejection. */
export const isRejected = (value: object | string | undefined): value is RejectedReview =>
  typeof value === 'object' && 'ok' in value && value.ok === false;
