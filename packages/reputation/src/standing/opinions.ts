import { isBlank } from '@bonafide/internal';
import type { Edge } from '@bonafide/trust-score';
import type { Review } from '../formats/review-event.ts';
import { edgeWeightOf } from '../rating.ts';

/** The current reviews of one rater about one subject, joined. */
export interface Opinion {
  readonly reviewer: string;
  readonly subject: string;
  /** The latest review of each task, newest first. */
  readonly reviews: readonly Review[];
  /** Mean over the tasks, 0…1. */
  readonly trustScore: number;
}

/** Returns the text that gives the reason of a review. */
export const reasonOf = ({ summary, assessment, weaknesses, strengths }: Review): string =>
  [summary, assessment?.rationale ?? '', ...strengths, ...weaknesses].find((text) => !isBlank(text)) ?? '';

/**
 * Returns the reviews that count: of each rater, subject and task the latest one. Expired ones and those about oneself are left
 * out.
 */
export function latestReviews(reviews: readonly Review[], now: number): readonly Review[] {
  const latest = new Map<string, Review>();
  for (const review of reviews) {
    const { reviewer, subject, task, expiresAt } = review;
    if (subject === reviewer || (expiresAt !== null && expiresAt <= now)) continue;
    const name = JSON.stringify([reviewer, subject, task]);
    const known = latest.get(name);
    // Several formats state one opinion, so that a number counts before a word of the same date.
    const isLater = known === undefined || review.createdAt > known.createdAt;
    const isExact = known?.createdAt === review.createdAt && known.isEstimate && !review.isEstimate;
    if (isLater || isExact) latest.set(name, review);
  }
  return [...latest.values()];
}

/** Joins reviews into one opinion per rater and subject; tasks count alike. */
export function joinOpinions(latest: readonly Review[]): readonly Opinion[] {
  const pairs = new Map<string, Review[]>();
  for (const review of latest) {
    const name = `${review.reviewer}>${review.subject}`;
    pairs.set(name, [...(pairs.get(name) ?? []), review]);
  }
  return [...pairs.values()].flatMap((all) => {
    const reviews = all.toSorted((one, other) => other.createdAt - one.createdAt);
    const [first] = reviews;
    if (first === undefined) return [];
    const trustScore = reviews.reduce((sum, each) => sum + each.trustScore, 0) / reviews.length;
    return { reviewer: first.reviewer, subject: first.subject, reviews, trustScore };
  });
}

/** The opinions as a graph, one edge per rater and subject. */
export const edgesOf = (opinions: readonly Opinion[]): readonly Edge[] =>
  opinions.map(({ reviewer, subject, trustScore }) => ({
    source: reviewer,
    target: subject,
    weight: edgeWeightOf(trustScore),
  }));
