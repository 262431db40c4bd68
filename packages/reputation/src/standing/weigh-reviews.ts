import { isBlank, readPublicKey, sanitizePromptText } from '@bonafide/internal';
import {
  fairnessGoodness,
  type PersonalTrust,
  personalTrust,
  type ReceiptOutcome,
} from '@bonafide/trust-score';
import * as z from 'zod';
import { parseInput } from '../errors.ts';
import type { Review } from '../formats/review-event.ts';
import { edgeWeightOf } from '../rating.ts';
import { checkAt, type ReceiptChecker, type ShownReceipt, supportOf } from '../receipts.ts';
import { givenReview, publicKey } from '../review.ts';
import { edgesOf, joinOpinions, latestReviews, type Opinion, reasonOf } from './opinions.ts';

/** A judgment of the observer's own ledger about a peer. */
export interface OwnAssessment {
  /** Public key of the peer, as hex or npub. */
  readonly peer: string;
  /** −10…10. */
  readonly trust: number;
  /** 0…10. */
  readonly infoScore: number;
  readonly rationale: string;
}

/** Input of {@link weighReviews}. */
export interface WeighInput {
  /** Public key of the agent that asks, as hex or npub. */
  readonly observer: string;
  /** Public key of the agent in question, as hex or npub. */
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
  /** Jobs with a valid receipt whose outcome agrees with the opinion. */
  readonly receipts: number;
  /** Jobs with a valid receipt whose outcome contradicts the opinion. */
  readonly contradicted: number;
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

const inputSchema = z.object({
  observer: publicKey,
  subject: publicKey,
  task: z.string().optional(),
  now: z.number().min(0),
  reviews: z.array(givenReview),
  own: z.array(
    z.object({
      peer: z
        .string()
        .min(1)
        .transform((peer) => readPublicKey(peer) ?? peer),
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
/** Factor of opinions that receipts do not support, of mutual praise, and of all strangers together. */
const weak = 0.5;
/** Largest share of hearsay beside own experience. */
const maxHearsay = 0.3;

/** Receipts that are verified per rater, and of all strangers together. */
const maxReceiptsPerRater = 10;
const maxReceiptsOfStrangers = 100;
/** Receipts that are verified in all: without a pause, and with pauses. */
const maxReceipts = { atOnce: 100, inTurns: 500 } as const;

/** An opinion with its weight before receipts are counted. */
interface Rated {
  readonly opinion: Opinion;
  readonly latest: Review;
  readonly fairness: number;
  readonly isMutual: boolean;
  /** Mass of the random walk; 0 for strangers. */
  readonly walk: number;
  /** Fairness, age and mutual praise as one factor. */
  readonly factor: number;
}

interface Prepared {
  readonly input: z.output<typeof inputSchema>;
  readonly personal: PersonalTrust | null;
  /** Opinions about the subject, those of the raters that the observer knows best first. */
  readonly rated: readonly Rated[];
  readonly withoutRationale: number;
}

/** Computes everything that needs no receipt. */
function prepare(input: WeighInput): Prepared {
  const parsed = parseInput(inputSchema, 'input', input);
  const { observer, subject, task, now, own } = parsed;
  const latest = latestReviews(parsed.reviews, now).filter(({ reviewer }) => reviewer !== observer);
  const isReasoned = (review: Review) => !isBlank(reasonOf(review));
  const relevant = latest.filter(
    (review) =>
      review.subject !== subject || task === undefined || review.task === null || review.task === task,
  );
  // Fairness, paths and opinions rest on the same reviews, so that none of them can be had for others.
  const opinions = joinOpinions(relevant.filter(isReasoned));
  const judged = own
    .filter(({ peer }) => peer !== observer)
    .map(({ peer, trust }) => ({ source: observer, target: peer, weight: trust / 10 }));
  const edges = [...edgesOf(opinions), ...judged];
  const { fairness } = fairnessGoodness(edges, { dropSelfRatings: true });
  const given = new Map<string, number>();
  for (const { source } of edges) given.set(source, (given.get(source) ?? 0) + 1);
  const personal = observer === subject ? null : personalTrust(edges, observer, subject, { kappa });
  const mass = new Map(personal?.raters.map((each) => [each.rater, each.mass]) ?? []);
  // One task praised is praise, whatever is said about others.
  const praise = new Set(
    latest.flatMap((review) => (review.trustScore > 0.5 ? [`${review.reviewer}>${review.subject}`] : [])),
  );
  const rated = opinions.flatMap((opinion): readonly Rated[] => {
    const { reviewer, reviews } = opinion;
    const [newest] = reviews;
    if (opinion.subject !== subject || newest === undefined) return [];
    const ratings = given.get(reviewer) ?? 0;
    const shrunk = ((fairness.get(reviewer) ?? 0) * ratings) / (ratings + fairnessPrior);
    const isMutual = praise.has(`${reviewer}>${subject}`) && praise.has(`${subject}>${reviewer}`);
    const age = Math.max(0, now - newest.createdAt);
    const factor = shrunk * 2 ** (-age / halfLifeMs) * (isMutual ? weak : 1);
    const walk = mass.get(reviewer) ?? 0;
    return [{ opinion, latest: newest, fairness: shrunk, isMutual, walk, factor }];
  });
  const raters = new Set(
    relevant.filter((review) => review.subject === subject).map((each) => each.reviewer),
  );
  return {
    input: parsed,
    personal,
    rated: rated.toSorted((one, other) => other.walk - one.walk || other.factor - one.factor),
    withoutRationale: raters.size - rated.length,
  };
}

/** Chooses the receipts that are verified: few of each rater and of strangers, those of the best known raters first. */
function receiptsOf({ rated }: Prepared, limit: number): readonly ShownReceipt[] {
  const chosen: ShownReceipt[] = [];
  let strangers = 0;
  for (const { opinion, walk } of rated) {
    const { reviewer, subject, reviews } = opinion;
    const left = walk > 0 ? limit : maxReceiptsOfStrangers - strangers;
    const shown = reviews
      .flatMap(({ receipts }) => receipts)
      .slice(0, Math.min(maxReceiptsPerRater, left, limit - chosen.length));
    if (walk === 0) strangers += shown.length;
    chosen.push(...shown.map((receipt) => ({ receipt, reviewer, subject })));
  }
  return chosen;
}

/**
 * Weighs what others say about a subject, from the view of one observer. Pure.
 *
 * A rater weighs as much as a random walk along positive judgments from the observer reaches it (personalized PageRank), times its
 * fairness shrunk by the number of its ratings, times the age of its opinion; half unless most of its receipts agree with its
 * opinion, half for mutual praise. All raters without a path together weigh half as much as the least of the known ones, so
 * that their number has no effect. Fairness, paths and opinions rest on the same reviews: of each task the latest with a reason.
 * Ten receipts of a rater and 100 in all are verified, those of the best known raters first.
 *
 * The observer's own judgment outranks all of it: hearsay moves it by at most 30 % of the difference, less the more the
 * observer knows, and never upwards from a negative judgment.
 *
 * @throws ReputationError `INVALID_INPUT`
 */
export function weighReviews(input: WeighInput): Standing {
  const prepared = prepare(input);
  const shown = receiptsOf(prepared, maxReceipts.atOnce);
  return weigh(prepared, shown, shown.map(checkAt(prepared.input.now)));
}

/**
 * Weighs reviews as {@link weighReviews} does, with up to 500 receipts, between whose signatures other work runs.
 *
 * @throws ReputationError `INVALID_INPUT`; the reason of the signal
 */
export async function weighReviewsInTurns(
  input: WeighInput,
  checker: ReceiptChecker,
  signal?: AbortSignal,
): Promise<Standing> {
  const prepared = prepare(input);
  const shown = receiptsOf(prepared, maxReceipts.inTurns);
  const options = { now: prepared.input.now, ...(signal === undefined ? {} : { signal }) };
  return weigh(prepared, shown, await checker.check(shown, options));
}

function weigh(
  { input, personal, rated, withoutRationale }: Prepared,
  shown: readonly ShownReceipt[],
  outcomes: readonly (ReceiptOutcome | null)[],
): Standing {
  const { subject } = input;
  const byRater = Map.groupBy(shown.entries(), ([, { reviewer }]) => reviewer);
  const weighed = rated.map((each) => {
    const { opinion, walk, factor } = each;
    const valid = (byRater.get(opinion.reviewer) ?? []).flatMap(([index]) => outcomes[index] ?? []);
    const support = supportOf(valid, opinion.trustScore);
    const supported = factor * (support.agreeing > support.contradicting ? 1 : weak);
    return { ...each, support, weight: walk > 0 ? walk * supported : supported };
  });
  const known = weighed.filter(({ walk }) => walk > 0);
  const unknown = weighed.filter(({ walk }) => walk === 0);
  const unknownTotal = unknown.reduce((sum, { weight }) => sum + weight, 0);
  // Among strangers only, a crowd moves the score by a fifth of the scale at most.
  const allowance = known.length === 0 ? kappa / 4 : weak * Math.min(...known.map(({ weight }) => weight));
  const scale = unknownTotal === 0 ? 0 : Math.min(1, allowance / unknownTotal);
  const final = weighed.map((each) => ({
    ...each,
    weight: each.walk > 0 ? each.weight : each.weight * scale,
  }));

  const evidence = known.reduce((sum, { weight }) => sum + weight, 0);
  const total = final.reduce((sum, { weight }) => sum + weight, 0);
  const heard =
    final.reduce((sum, { weight, opinion }) => sum + weight * edgeWeightOf(opinion.trustScore), 0) /
    (total + kappa);
  const own = input.own.find(({ peer }) => peer === subject) ?? null;
  const opinions = final
    .map(({ opinion, latest, weight, walk, fairness, support, isMutual }) => ({
      reviewer: opinion.reviewer,
      trustScore: opinion.trustScore,
      rationale: sanitizePromptText(reasonOf(latest), 400),
      share: total === 0 ? 0 : weight / total,
      isKnown: walk > 0,
      fairness,
      receipts: support.agreeing,
      contradicted: support.contradicting,
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
    withoutRationale,
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
