import type { NostrEvent } from '@bonafide/nostr-transport';
import { type RejectedReview, type ReviewRejection, reject } from '../formats/rejection.ts';
import type { Review } from '../formats/review-event.ts';

/** Number of rejected events by reason. */
export type RejectionCounts = Readonly<Partial<Record<ReviewRejection, number>>>;

/** Deletions (NIP-09) that concern reviews, by author. */
export interface Deletions {
  /** Returns true when the author of the review has deleted it. */
  covers(review: Review): boolean;
}

/** Reads deletions. Those of other authors than the review's have no effect. */
export function readDeletions(events: readonly NostrEvent[]): Deletions {
  const ids = new Set<string>();
  const addresses = new Map<string, number>();
  for (const { pubkey, tags, created_at } of events) {
    for (const [name, written = ''] of tags) {
      // Ids and keys are lower-case in events (NIP-01); some software writes them otherwise.
      const value = written.replace(/^(\d+:)?[0-9a-f]{64}/iu, (id) => id.toLowerCase());
      if (name === 'e') ids.add(`${pubkey}:${value}`);
      // `kind:pubkey:d`: an identifier may contain any key, and often has that of the subject.
      const [, author] = value.split(':', 2);
      if (name !== 'a' || author !== pubkey) continue;
      addresses.set(value, Math.max(created_at, addresses.get(value) ?? 0));
    }
  }
  return {
    covers({ reviewer, eventId, address, createdAt }) {
      if (ids.has(`${reviewer}:${eventId}`)) return true;
      const deletedAt = address === null ? undefined : addresses.get(address);
      return deletedAt !== undefined && createdAt <= deletedAt * 1_000;
    },
  };
}

/** Returns true when `one` replaces `other`: it is newer, or of the same second with the lower id (NIP-01). */
export function replaces(
  one: Pick<Review, 'createdAt' | 'eventId'>,
  other: Pick<Review, 'createdAt' | 'eventId'>,
): boolean {
  return (
    one.createdAt > other.createdAt || (one.createdAt === other.createdAt && one.eventId < other.eventId)
  );
}

/**
 * Returns the reviews that count: not deleted, of each address only the newest, at most `maxPerReviewer` of one author. Newest
 * first.
 */
export function currentReviews(
  reviews: readonly Review[],
  options: {
    readonly deletions: Deletions;
    readonly maxPerReviewer: number;
    readonly onRejected: (rejected: RejectedReview, review: Review) => void;
  },
): readonly Review[] {
  const { deletions, maxPerReviewer, onRejected } = options;
  const newest = [...new Map(reviews.map((review) => [review.eventId, review])).values()].toSorted(
    (one, other) => (replaces(one, other) ? -1 : 1),
  );
  const addresses = new Set<string>();
  const counts = new Map<string, number>();
  return newest.filter((review) => {
    const { address, reviewer } = review;
    const refuse = (rejected: RejectedReview) => {
      onRejected(rejected, review);
      return false;
    };
    if (address !== null && addresses.has(address))
      return refuse(reject('superseded', 'A newer review of the same address exists.'));
    // A deletion ends an address: what it replaced does not come back.
    if (address !== null) addresses.add(address);
    if (deletions.covers(review)) return refuse(reject('deleted', 'The author deleted the review.'));
    const count = (counts.get(reviewer) ?? 0) + 1;
    counts.set(reviewer, count);
    return (
      count <= maxPerReviewer ||
      refuse(reject('too-many', `The author has more than ${maxPerReviewer} reviews.`))
    );
  });
}
