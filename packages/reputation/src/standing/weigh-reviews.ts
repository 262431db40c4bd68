import { isBlank, sanitizePromptText } from '@bonafide/internal';
import { type Edge, fairnessGoodness, personalTrust } from '@bonafide/trust-score';
import * as z from 'zod';
import { parseInput } from '../errors.ts';
import type { Review } from '../formats/review-event.ts';
import { edgeWeightOf } from '../rating.ts';
import { checkReceipts } from '../receipts.ts';

/** A judgment of the observer's own ledger about a peer. */
export interface OwnAssessment {
  /** Public key of the peer, 64 lower-case hex digits. */
  readonly peer: string;
  /** −10…10. */
  readonly trust: number;
  /** 0…10. */
  readonly infoScore: number;
  readonly rationale: string;
}

/** Input of {@link weighReviews}. */
export interface WeighInput {
  /** Public key of the agent that asks, 64 lower-case hex digits. */
  readonly observer: string;
  /** Public key of the agent in question. */
  readonly subject: string;
  /** Only opinions about this task type, and about the subject as a whole. @default all */
  readonly task?: string;
  /** Reviews of any subjects: those of other subjects tell how the raters rate. */
  readonly reviews: readonly Review[];
  /** The observer's own judgments of all peers that it knows. */
  readonly own: readonly OwnAssessment[];
  /** ms since epoch. */
  readonly now: number;
}

/** One rater's opinion and how much it counts. */
export interface WeighedOpinion {
  /** Public key of the rater. */
  readonly reviewer: string;
  /** 0…1. */
  readonly trustScore: number;
  /** Reason, as one line of text without markup. It is remote text: data, never an instruction. */
  readonly rationale: string;
  /** Share in the sum of all weights, 0…1. */
  readonly share: number;
  /** True when a path of positive judgments leads from the observer to the rater. */
  readonly isKnown: boolean;
  /** Fairness of the rater, shrunk by the number of its ratings, 0…1. */
  readonly fairness: number;
  /** Jobs with a valid receipt that the opinion rests on. */
  readonly receipts: number;
  /** True when rater and subject praise each other, which halves the weight. */
  readonly isMutual: boolean;
  /** Date of the latest review, ms since epoch. */
  readonly createdAt: number;
  readonly eventId: string;
}

/** One observer's view of a subject. */
export interface Standing {
  readonly subject: string;
  /** 0…1: own experience first, hearsay beside it; 0.5 without either. */
  readonly trustScore: number;
  /** Sources of `trustScore`. */
  readonly basis: 'own' | 'own and hearsay' | 'hearsay' | 'nothing';
  /** The observer's own judgment; null without one. */
  readonly own: OwnAssessment | null;
  readonly hearsay: {
    /** 0…1; 0.5 without weight. */
    readonly trustScore: number;
    /** Sum of the weights of known raters. */
    readonly evidence: number;
    /** Largest change of `trustScore` that any number of false identities can cause, 0…1. */
    readonly bound: number;
    readonly knownRaters: number;
    readonly unknownRaters: number;
  };
  /** Every opinion with its rationale and its author, the weightiest first. */
  readonly opinions: readonly WeighedOpinion[];
  /** Raters whose opinion has no weight, since they give no reason. */
  readonly withoutRationale: number;
}

const key = z.string().regex(/^[0-9a-f]{64}$/u, 'must be 64 lower-case hex digits');
const inputSchema = z.object({
  observer: key,
  subject: key,
  task: z.string().optional(),
  now: z.number().min(0),
  own: z.array(
    z.object({
      peer: z.string().min(1),
      trust: z.number().min(-10).max(10),
      infoScore: z.number().min(0).max(10),
      rationale: z.string(),
    }),
  ),
});

/** Mass at which trust reaches half of the raters' opinion. */
const kappa = 0.002;
/** Number of ratings at which half of a rater's fairness counts. */
const fairnessPrior = 2;
/** Age at which an opinion has half of its weight, ms. */
const halfLifeMs = 180 * 86_400_000;
/** Factor of opinions without a valid receipt, of mutual praise, and of all strangers together. */
const weak = 0.5;
/** Largest share of hearsay beside own experience. */
const maxHearsay = 0.3;

interface Opinion {
  readonly reviewer: string;
  readonly latest: Review;
  readonly trustScore: number;
  readonly receipts: number;
}

/** Text that gives the reason of a review. */
const reasonOf = ({ summary, assessment, weaknesses, strengths }: Review) =>
  [summary, assessment?.rationale ?? '', ...strengths, ...weaknesses].find((text) => !isBlank(text)) ?? '';

/** Joins the reviews of each rater about one subject: the latest of each task counts, and tasks count alike. */
function opinionsAbout(
  subject: string,
  reviews: readonly Review[],
  now: number,
): ReadonlyMap<string, Opinion> {
  const byRater = new Map<string, Map<string, Review>>();
  for (const review of reviews) {
    if (review.subject !== subject || review.reviewer === subject) continue;
    const tasks = byRater.get(review.reviewer) ?? new Map<string, Review>();
    byRater.set(review.reviewer, tasks);
    const known = tasks.get(review.task ?? '');
    // Several formats state one opinion, so that a number counts before a word of the same date.
    const isLater = known === undefined || review.createdAt > known.createdAt;
    const isExact = known?.createdAt === review.createdAt && known.isEstimate && !review.isEstimate;
    if (isLater || isExact) tasks.set(review.task ?? '', review);
  }
  const opinions = new Map<string, Opinion>();
  for (const [reviewer, tasks] of byRater) {
    const all = [...tasks.values()].toSorted((one, other) => other.createdAt - one.createdAt);
    const [latest] = all;
    if (latest === undefined) continue;
    const trustScore = all.reduce((sum, review) => sum + review.trustScore, 0) / all.length;
    const receipts = all.reduce((sum, review) => sum + checkReceipts(review, { now }).valid.length, 0);
    opinions.set(reviewer, { reviewer, latest, trustScore, receipts });
  }
  return opinions;
}

/** The ratings of all raters as a graph: one edge per pair, and the observer's own judgments instead of its reviews. */
function edgesOf({ observer, reviews, own }: WeighInput): readonly Edge[] {
  const sums = new Map<string, { source: string; target: string; sum: number; count: number }>();
  for (const { reviewer, subject, trustScore } of reviews) {
    if (reviewer === observer || reviewer === subject) continue;
    const id = `${reviewer}>${subject}`;
    const pair = sums.get(id) ?? { source: reviewer, target: subject, sum: 0, count: 0 };
    sums.set(id, pair);
    pair.sum += edgeWeightOf(trustScore);
    pair.count += 1;
  }
  const heard = [...sums.values()].map(({ source, target, sum, count }) => ({
    source,
    target,
    weight: sum / count,
  }));
  const judged = own
    .filter(({ peer }) => peer !== observer)
    .map(({ peer, trust }) => ({ source: observer, target: peer, weight: trust / 10 }));
  return [...heard, ...judged];
}

/**
 * Weighs what others say about a subject, from the view of one observer. Pure.
 *
 * A rater weighs as much as a random walk along positive judgments from the observer reaches it (personalized PageRank), times its
 * fairness shrunk by the number of its ratings, times the age of its opinion; half without a receipt, half for mutual praise. All
 * raters without a path together weigh half as much as the least of the known ones, so that their number has no effect.
 *
 * The observer's own judgment outranks all of it: hearsay moves it by at most 30 % of the difference, less the more the
 * observer knows, and never upwards from a negative judgment.
 *
 * @throws ReputationError `INVALID_INPUT`
 */
export function weighReviews(input: WeighInput): Standing {
  const { observer, subject, task, now } = parseInput(inputSchema, 'input', input);
  const relevant = input.reviews.filter(
    (review) =>
      review.reviewer !== observer && (task === undefined || review.task === null || review.task === task),
  );
  const edges = edgesOf(input);
  const { fairness } = fairnessGoodness(edges, { dropSelfRatings: true });
  const given = new Map<string, number>();
  for (const { source } of edges) given.set(source, (given.get(source) ?? 0) + 1);
  const personal = observer === subject ? null : personalTrust(edges, observer, subject, { kappa });
  const mass = new Map(personal?.raters.map((each) => [each.rater, each.mass]) ?? []);
  const praised = new Set(
    edges.filter((edge) => edge.source === subject && edge.weight > 0).map(({ target }) => target),
  );

  const all = [...opinionsAbout(subject, relevant, now).values()];
  const reasoned = all.filter(({ latest }) => !isBlank(reasonOf(latest)));
  const weighed = reasoned.map((opinion) => {
    const { reviewer, latest, trustScore, receipts } = opinion;
    const ratings = given.get(reviewer) ?? 0;
    const shrunk = ((fairness.get(reviewer) ?? 0) * ratings) / (ratings + fairnessPrior);
    const isMutual = trustScore > 0.5 && praised.has(reviewer);
    const age = Math.max(0, now - latest.createdAt);
    const factor = shrunk * 2 ** (-age / halfLifeMs) * (receipts > 0 ? 1 : weak) * (isMutual ? weak : 1);
    const walk = mass.get(reviewer) ?? 0;
    return { ...opinion, shrunk, isMutual, isKnown: walk > 0, weight: walk > 0 ? walk * factor : factor };
  });
  const known = weighed.filter(({ isKnown }) => isKnown);
  const unknown = weighed.filter(({ isKnown }) => !isKnown);
  const unknownTotal = unknown.reduce((sum, { weight }) => sum + weight, 0);
  // Among strangers only, a crowd moves the score by a fifth of the scale at most.
  const allowance = known.length === 0 ? kappa / 4 : weak * Math.min(...known.map(({ weight }) => weight));
  const scale = unknownTotal === 0 ? 0 : Math.min(1, allowance / unknownTotal);
  const final = weighed.map((each) => ({
    ...each,
    weight: each.isKnown ? each.weight : each.weight * scale,
  }));

  const evidence = known.reduce((sum, { weight }) => sum + weight, 0);
  const total = final.reduce((sum, { weight }) => sum + weight, 0);
  const heard =
    final.reduce((sum, { weight, trustScore }) => sum + weight * edgeWeightOf(trustScore), 0) /
    (total + kappa);
  const own = input.own.find(({ peer }) => peer === subject) ?? null;
  const opinions = final
    .map(({ reviewer, trustScore, latest, weight, isKnown, shrunk, receipts, isMutual }) => ({
      reviewer,
      trustScore,
      rationale: sanitizePromptText(reasonOf(latest), 400),
      share: total === 0 ? 0 : weight / total,
      isKnown,
      fairness: shrunk,
      receipts,
      isMutual,
      createdAt: latest.createdAt,
      eventId: latest.eventId,
    }))
    .toSorted((one, other) => other.share - one.share || (one.reviewer < other.reviewer ? -1 : 1));
  const hasHearsay = total > 0;
  const combined = combine(own, hasHearsay ? heard : null);
  return {
    subject,
    trustScore: (combined + 1) / 2,
    basis: own === null ? (hasHearsay ? 'hearsay' : 'nothing') : hasHearsay ? 'own and hearsay' : 'own',
    own,
    hearsay: {
      trustScore: (heard + 1) / 2,
      evidence,
      bound: boundOf(personal, evidence, allowance) / 2,
      knownRaters: known.length,
      unknownRaters: unknown.length,
    },
    opinions,
    withoutRationale: all.length - reasoned.length,
  };
}

/** Joins own experience and hearsay, both −1…1. */
function combine(own: OwnAssessment | null, hearsay: number | null): number {
  if (own === null) return hearsay ?? 0;
  const judged = own.trust / 10;
  if (hearsay === null) return judged;
  const moved = judged + maxHearsay * (1 - own.infoScore / 10) * (hearsay - judged);
  // Praise of others excuses nothing that the observer saw, and their blame makes no good experience bad.
  return judged < 0 ? Math.min(judged, moved) : Math.max(0, moved);
}

/**
 * The largest change on the scale −1…1. The flow behind false identities follows from the bound of the personal view, whose
 * weights are the walks alone; here it stands against the weights after all factors, with what strangers weigh in all.
 */
function boundOf(
  personal: { readonly bound: number; readonly evidence: number; readonly trust: number } | null,
  evidence: number,
  allowance: number,
): number {
  if (personal === null) return 0;
  const { bound, evidence: walks, trust } = personal;
  if (bound >= 1 + Math.abs(trust)) return 2;
  const flow = (bound * (kappa + walks)) / (2 + bound) + allowance;
  return Math.min(2, (2 * flow) / (kappa + Math.max(0, evidence - flow)));
}
