import { probabilityAbove } from '@bonafide/internal';
import { npubOf } from './format.ts';
import { type AgentReport, isBadWork, type ReportedWork, wastedMsat } from './report.ts';

/** Number of judged answers and of those that were good. */
export interface Tally {
  readonly good: number;
  readonly judged: number;
}

/**
 * Conduct of a platform, from its judged answers. `attacker`: one of them attacked the judge. `small-only`: good at small work and bad at
 * large work. `large-failed`: the same, with too little large work to tell. `reliable`: at least 95 % were good, and so many that its rate
 * is probably high. `poor`: less than half were good, and so few that its rate is probably low. `uneven`: anything between. `few`: too few
 * answers for any of these. `unknown`: none was judged.
 */
export type Conduct =
  | 'attacker'
  | 'small-only'
  | 'large-failed'
  | 'reliable'
  | 'uneven'
  | 'poor'
  | 'few'
  | 'unknown';

/** The record of one operator's platforms, as an agent has learnt it. */
export interface LearntPlatform {
  /** Sanitized; empty without a name. */
  readonly name: string;
  /** Public key in its readable form. */
  readonly npub: string;
  readonly conduct: Conduct;
  /** Answers that attacked the judge. */
  readonly attacks: number;
  readonly small: Tally;
  readonly large: Tally;
  /** Number of requests other than trials. */
  readonly hired: number;
  /** Status in the routing matrix, of the platform with the most trust; null without a matrix. */
  readonly status: string | null;
}

/** Cost of bad work. */
export interface BadWork {
  readonly answers: number;
  /** Bids, msat. */
  readonly msat: number;
}

/** Contents of a report in a few numbers. */
export interface ReportSummary {
  /** Most hired first. */
  readonly platforms: readonly LearntPlatform[];
  readonly trials: number;
  /** Requests other than trials, and the jobs that they were made for. */
  readonly requests: number;
  readonly jobs: number;
  readonly judged: number;
  /** Bad work in trials and in jobs. */
  readonly bad: BadWork & { readonly inTrials: number; readonly paidMsat: number };
  /**
   * Estimate of the bad work in the same requests without trials, if each had gone to a platform chosen by chance. Null with fewer than
   * two judged platforms.
   */
  readonly byChance: BadWork | null;
}

/** Multiple of the median bid from which work counts as large. */
const largeFactor = 4;
/** Smallest number of answers that say anything, as many as the trials of a platform. */
const leastAnswers = 3;
/** Probability from which a rate is stated: that with which the agent's own thresholds may be changed. */
const confidence = 0.8;
/** Rates above which a platform is reliable, and below which it fails more often than not. */
const rates = { high: 0.8, low: 0.5 };
/** Smallest share of good small answers of a platform that is good at small work only. */
const goodSmallShare = 0.9;
/** Largest share of good answers to large work of such a platform. */
const badLargeShare = 1 / 3;

const isJudged = ({ outcome }: ReportedWork) => outcome !== 'INFRA';
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const shareOf = ({ good, judged }: Tally) => (judged === 0 ? 0 : good / judged);

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

const tally = (work: readonly ReportedWork[]): Tally => ({
  good: work.filter((each) => !isBadWork(each)).length,
  judged: work.length,
});

const chanceAbove = (rate: number, { good, judged }: Tally) => probabilityAbove(rate, good, judged - good);
const isSurelyHigh = (work: Tally) => chanceAbove(rates.high, work) > confidence;
const isSurelyLow = (work: Tally) => 1 - chanceAbove(rates.low, work) > confidence;

function conductOf(attacks: number, small: Tally, large: Tally): Conduct {
  const all = { good: small.good + large.good, judged: small.judged + large.judged };
  if (attacks > 0) return 'attacker';
  if (all.judged === 0) return 'unknown';
  if (all.judged < leastAnswers) return 'few';
  const isGoodAtSmall = small.judged >= leastAnswers && shareOf(small) >= goodSmallShare;
  if (isGoodAtSmall && large.judged > 0 && shareOf(large) <= badLargeShare)
    return isSurelyLow(large) ? 'small-only' : 'large-failed';
  if (shareOf(all) >= 0.95) return isSurelyHigh(all) ? 'reliable' : 'few';
  return shareOf(all) < rates.low && isSurelyLow(all) ? 'poor' : 'uneven';
}

/** Returns what a report says in a few numbers. Pure. */
export function summarizeReport({
  platforms,
  jobs: work,
}: Pick<AgentReport, 'platforms' | 'jobs'>): ReportSummary {
  const judged = work.filter(isJudged);
  const usual = median(judged.map(({ bidMsat }) => bidMsat));
  const isLarge = ({ bidMsat }: ReportedWork) => usual > 0 && bidMsat >= largeFactor * usual;

  const byOperator = Map.groupBy(work, ({ pubkey }) => npubOf(pubkey) ?? pubkey);
  const listed = Map.groupBy(platforms, ({ npub }) => npub);
  const learnt = [...new Set([...listed.keys(), ...byOperator.keys()])].map((npub): LearntPlatform => {
    const own = byOperator.get(npub) ?? [];
    const [entry] = listed.get(npub) ?? [];
    const done = own.filter(isJudged);
    const small = tally(done.filter((each) => !isLarge(each)));
    const large = tally(done.filter(isLarge));
    const attacks = done.filter(({ outcome }) => outcome === 'SECURITY_VIOLATION').length;
    return {
      ...{ npub, attacks, small, large },
      name: entry?.name ?? own[0]?.platform ?? '',
      conduct: conductOf(attacks, small, large),
      hired: own.filter(({ kind }) => kind === 'job').length,
      status: entry?.status ?? null,
    };
  });

  const requests = work.filter(({ kind }) => kind === 'job');
  const bad = judged.filter(isBadWork);
  return {
    platforms: learnt.sort((one, other) => other.hired - one.hired || (one.npub < other.npub ? -1 : 1)),
    trials: work.length - requests.length,
    requests: requests.length,
    jobs: new Set(requests.map(({ order }) => order)).size,
    judged: judged.length,
    bad: {
      answers: bad.length,
      msat: wastedMsat(work),
      inTrials: bad.filter(({ kind }) => kind === 'trial').length,
      paidMsat: sum(bad.map(({ paidMsat }) => paidMsat)),
    },
    byChance: estimateByChance(learnt, requests.filter(isJudged), isLarge),
  };
}

/** Gives each request to every judged platform in equal parts, which fails as often as it did at work of that size. */
function estimateByChance(
  platforms: readonly LearntPlatform[],
  requests: readonly ReportedWork[],
  isLarge: (work: ReportedWork) => boolean,
): BadWork | null {
  const known = platforms.filter(({ small, large }) => small.judged + large.judged > 0);
  if (known.length < 2) return null;
  const badShare = (size: 'small' | 'large') => {
    const shares = known.map(({ small, large, [size]: own }) => {
      const basis =
        own.judged > 0 ? own : { good: small.good + large.good, judged: small.judged + large.judged };
      return 1 - shareOf(basis);
    });
    return sum(shares) / shares.length;
  };
  const shares = { small: badShare('small'), large: badShare('large') };
  const expected = requests.map((each) => {
    const share = isLarge(each) ? shares.large : shares.small;
    return { answers: share, msat: share * each.bidMsat };
  });
  return {
    answers: Math.round(sum(expected.map(({ answers }) => answers))),
    msat: Math.round(sum(expected.map(({ msat }) => msat))),
  };
}
