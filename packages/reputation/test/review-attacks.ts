import { type OwnAssessment, type Review, type WeighInput, weighReviews } from '../src/index.ts';
import { day, start } from './support.ts';

const now = start + day;
const key = (n: number) => n.toString(16).padStart(64, '0');
const observer = key(1);
const subject = key(2);
const friends = [11, 12, 13];

let count = 0;
/** A review without signature, for the pure function. */
function review(n: number, about: string, trustScore: number, rest: Partial<Review> = {}): Review {
  count += 1;
  return {
    ...{ subject: about, reviewer: key(n), trustScore, task: null, summary: `Reason of ${n}.` },
    ...{ createdAt: start, eventId: key(1_000_000 + count), assessment: null, strengths: [], weaknesses: [] },
    ...{ receipts: [], isEstimate: false, expiresAt: null },
    ...rest,
  } as Review;
}

const judged = (n: number, trust: number, infoScore: number): OwnAssessment => ({
  ...{ peer: key(n), trust, infoScore, rationale: 'Own experience.' },
});

/** Three raters that the observer trusts, and five platforms that all of them rate alike. */
const community = (verdict: number) =>
  friends.flatMap((n) => [
    review(n, subject, verdict),
    ...[21, 22, 23, 24, 25].map((platform) => review(n, key(platform), 0.9)),
  ]);
const trusted = friends.map((n) => judged(n, 8, 8));

/** False identities that rate the subject and each other. */
const sybils = (size: number, verdict: number, first = 1_000) =>
  Array.from({ length: size }, (_, n) => [
    review(first + n, subject, verdict, { summary: 'Trust me.' }),
    review(first + n, key(first + ((n + 1) % size)), 1),
    review(first + n, key(first + ((n + 2) % size)), 1),
  ]).flat();

/** A ring of false identities behind one friend that was deceived. */
const ring = (size: number, verdict: number) => [
  review(11, key(1_000), 1),
  ...Array.from({ length: size }, (_, n) => [
    review(1_000, key(1_001 + n), 1),
    review(1_001 + n, subject, verdict),
    review(1_001 + n, key(1_000), 1),
  ]).flat(),
];

/** Friends and subject praise each other. */
const mutual = (verdict: number) => [...community(verdict), ...friends.map((n) => review(2, key(n), 1))];

interface Case {
  readonly attack: string;
  readonly honest: readonly Review[];
  readonly attacked: readonly Review[];
}

const cases: readonly Case[] = [
  {
    attack: '10 strangers praise; 3 friends warn',
    honest: community(0.1),
    attacked: [...community(0.1), ...sybils(10, 1)],
  },
  {
    attack: '1,000 strangers praise; 3 friends warn',
    honest: community(0.1),
    attacked: [...community(0.1), ...sybils(1_000, 1)],
  },
  {
    attack: '1,000 strangers slander; 3 friends praise',
    honest: community(0.9),
    attacked: [...community(0.9), ...sybils(1_000, 0)],
  },
  { attack: '1,000 strangers praise it; no known rater does', honest: [], attacked: sybils(1_000, 1) },
  {
    attack: 'a ring of 300 behind one deceived friend praises; 3 friends warn',
    honest: community(0.1),
    attacked: [...community(0.1), ...ring(300, 1)],
  },
  {
    attack: 'a ring of 300 behind one deceived friend slanders; 3 friends praise',
    honest: community(0.9),
    attacked: [...community(0.9), ...ring(300, 0)],
  },
  { attack: 'the subject praises its 3 raters in return', honest: community(1), attacked: mutual(1) },
];

/** Judgments of the observer's own ledger beside which each attack is tried. */
const experiences: readonly (readonly [trust: number, infoScore: number] | null)[] = [
  null,
  [-6, 3],
  [6, 3],
  [6, 9],
];

const mean = (reviews: readonly Review[]) => {
  const scores = reviews.filter((each) => each.subject === subject).map(({ trustScore }) => trustScore);
  return scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;
};

/** Results of one attack. */
export interface ReviewAttack {
  readonly attack: string;
  /** Plain mean of all reviews of the subject under attack. */
  readonly mean: number | null;
  /** trustScore without and with the attack, per own experience. */
  readonly results: readonly {
    readonly own: readonly [number, number] | null;
    readonly before: number;
    readonly after: number;
  }[];
}

/** Tries every attack beside every own experience. */
export function runReviewAttacks(): readonly ReviewAttack[] {
  return cases.map(({ attack, honest, attacked }) => ({
    attack,
    mean: mean(attacked),
    results: experiences.map((own) => {
      const judgment = own === null ? [] : [judged(2, ...own)];
      const weigh = (reviews: WeighInput['reviews']) =>
        weighReviews({ observer, subject, own: [...trusted, ...judgment], reviews, now }).trustScore;
      return { own, before: weigh(honest), after: weigh(attacked) };
    }),
  }));
}

/** One row of the table in the guide. */
export function attackRow({ attack, mean: plain, results }: ReviewAttack): string {
  const cells = results.map(({ before, after }) => `${before.toFixed(2)} → ${after.toFixed(2)}`);
  return `| ${attack} | ${plain === null ? '–' : plain.toFixed(2)} | ${cells.join(' | ')} |`;
}
