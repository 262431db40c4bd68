import { compareUtf8, type PeerEraser } from '@bonafide/internal';
import { isErasable, type QueuedReview, type ReviewStore } from '../store.ts';
import { pageSize, readPosition, requirePreview, requireSubject, reviewPage } from './position.ts';

const isPublished = ({ state }: QueuedReview) => state === 'published' || state === 'disputed';

/** Creates a review store in memory, for tests and for agents without persistence. */
export function createMemoryReviewStore(): ReviewStore & PeerEraser {
  const reviews = new Map<string, QueuedReview>();
  const where = (matches: (review: QueuedReview) => boolean) => [...reviews.values()].filter(matches);
  const copy = <Value>(value: Value): Value => structuredClone(value);

  return {
    async insert(review) {
      if (reviews.has(review.key)) return false;
      reviews.set(review.key, { ...copy(review), revision: 1 });
      return true;
    },
    async get(key) {
      return copy(reviews.get(key) ?? null);
    },
    async update(review) {
      if (reviews.get(review.key)?.revision !== review.revision - 1) return false;
      reviews.set(review.key, copy(review));
      return true;
    },
    async due(now, limit) {
      const found = where(({ dueAt }) => dueAt !== null && dueAt <= now);
      found.sort((one, other) => (one.dueAt ?? 0) - (other.dueAt ?? 0) || compareUtf8(one.key, other.key));
      return copy(found.slice(0, limit));
    },
    async lastPublished(opinion) {
      const found = where((review) => review.opinion === opinion && isPublished(review));
      found.sort((one, other) => other.completedAt - one.completedAt || compareUtf8(other.key, one.key));
      return copy(found[0] ?? null);
    },
    async findByEvent(eventId) {
      return copy(where(({ events }) => events.some(({ id }) => id === eventId))[0] ?? null);
    },
    async list({ state, subject, opinion, limit, cursor }) {
      const size = pageSize(limit);
      const after = readPosition(cursor);
      const found = where(
        (review) =>
          (state === undefined || review.state === state) &&
          (subject === undefined || review.review.subject === subject) &&
          (opinion === undefined || review.opinion === opinion) &&
          (after === null ||
            review.createdAt < after[0] ||
            (review.createdAt === after[0] && compareUtf8(review.key, after[1]) < 0)),
      );
      found.sort((one, other) => other.createdAt - one.createdAt || compareUtf8(other.key, one.key));
      return reviewPage(copy(found.slice(0, size + 1)), size);
    },
    async erasePeer(peer, options) {
      const preview = requirePreview(options);
      const subject = requireSubject(peer);
      const own = where(({ review }) => review.subject === subject);
      const erasable = own.filter(isErasable);
      if (!preview) for (const { key } of erasable) reviews.delete(key);
      return { erased: { reviews: erasable.length }, kept: { reviews: own.length - erasable.length } };
    },
  };
}
