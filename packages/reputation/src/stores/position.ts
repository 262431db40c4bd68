import {
  decodeCursor,
  encodeCursor,
  isPreview,
  type Page,
  pageOf,
  requirePublicKey,
} from '@bonafide/internal';
import { ReputationError } from '../errors.ts';
import type { QueuedReview } from '../store.ts';

/** Returns the page size, 1–500, or throws `INVALID_INPUT`. */
export function pageSize(limit: number): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= 500) return limit;
  throw new ReputationError('INVALID_INPUT', `A page holds 1 to 500 reviews, not ${limit}.`);
}

/** Creates a page from up to `limit + 1` reviews. */
export function reviewPage(reviews: readonly QueuedReview[], limit: number): Page<QueuedReview> {
  return pageOf(reviews, limit, ({ createdAt, key }) => encodeCursor('reviews', [createdAt, key]));
}

/** Decodes a cursor; null for the first page. Throws `INVALID_INPUT` for a cursor of another list. */
export function readPosition(cursor: string | undefined): readonly [number, string] | null {
  if (cursor === undefined) return null;
  const position = decodeCursor('reviews', cursor, ['integer', 'string']);
  if (position !== null) return position;
  throw new ReputationError(
    'INVALID_INPUT',
    'The cursor is not of a list of reviews. Pass `nextCursor` unchanged.',
  );
}

/** Returns whether the options of `erasePeer` ask for a preview, or throws `INVALID_INPUT`. */
export function requirePreview(options: unknown): boolean {
  return isPreview(options, (message, cause) => new ReputationError('INVALID_INPUT', message, cause));
}

/** Returns the key of a subject as hex, or throws `INVALID_INPUT`. */
export function requireSubject(peer: string): string {
  return requirePublicKey(peer, (message) => new ReputationError('INVALID_INPUT', message));
}
