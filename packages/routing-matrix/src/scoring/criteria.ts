import { round, trustCeiling } from '../statistics/numbers.ts';

/** Criteria for the choice between platforms. */
export type Criterion = 'trust' | 'cost' | 'latency' | 'load' | 'exploration';

/** Weight of each criterion, ≥ 0; scaled to sum to 1. */
export type CriteriaWeights = Readonly<Record<Criterion, number>>;

/** Default weights: trust 40 %, cost 25 %, predicted latency 20 %, load 10 %, exploration 5 %. */
export const defaultWeights: CriteriaWeights = Object.freeze({
  trust: 0.4,
  cost: 0.25,
  latency: 0.2,
  load: 0.1,
  exploration: 0.05,
});

/** Figures of a candidate at the time of scoring; `null`: unknown. */
export interface CandidateFigures {
  /** 0..0.9 */
  readonly trust: number;
  /** Expected price of one job, msat. */
  readonly costMsat: number | null;
  /** Predicted latency, ms. */
  readonly latencyMs: number | null;
  /** Number of its open jobs. */
  readonly inFlight: number;
  /** Benchmarks and outcomes seen so far. */
  readonly observations: number;
}

/** One criterion of one candidate: the figure, its value in 0..1 and what it added to the score. */
export interface CriterionScore {
  readonly raw: number | null;
  readonly value: number;
  readonly contribution: number;
}

/** A candidate's score, 0..1, and its parts. */
export interface CandidateScore {
  readonly score: number;
  readonly criteria: Readonly<Record<Criterion, CriterionScore>>;
}

/** Value of an unknown figure: neutral. */
const unknown = 0.5;

/**
 * Scores candidates relative to each other, in the given order. Each criterion is in 0..1: trust as a share of the
 * ceiling .9; cost and latency as best ÷ own, so that double the cost gives half the value; load as 1 ÷ (1 + open
 * jobs); exploration as 1 ÷ √(1 + observations). An unknown cost or latency counts .5. The weights are scaled to sum
 * to 1.
 */
export function scoreCandidates(
  candidates: readonly CandidateFigures[],
  weights: CriteriaWeights = defaultWeights,
): CandidateScore[] {
  const { score, explain } = createScorer(candidates, weights);
  return candidates.map((candidate) => ({
    score: score(candidate),
    criteria: explain(candidate, noKnownCriteria()),
  }));
}

/** Criteria of a candidate at the last decision: what did not change since is not computed again. */
export interface KnownCriteria {
  criteria: CandidateScore['criteria'] | null;
  /** The best figures that they are relative to. */
  leastCost: number;
  leastLatency: number;
}

/** Returns what is known before the first decision. */
export const noKnownCriteria = (): KnownCriteria => ({ criteria: null, leastCost: 0, leastLatency: 0 });

/** Scores candidates one by one; explaining costs more and is done for those that are logged. */
export interface Scorer {
  score(candidate: CandidateFigures): number;
  /** Returns the criteria, frozen. Updates `known`, which belongs to this candidate and to one set of weights. */
  explain(candidate: CandidateFigures, known: KnownCriteria): CandidateScore['criteria'];
}

/** Creates the scorer of {@link scoreCandidates}. */
export function createScorer(
  candidates: readonly CandidateFigures[],
  weights: CriteriaWeights = defaultWeights,
): Scorer {
  const totalWeight = weights.trust + weights.cost + weights.latency + weights.load + weights.exploration;
  let leastCost = Number.POSITIVE_INFINITY;
  let leastLatency = Number.POSITIVE_INFINITY;
  for (const { costMsat, latencyMs } of candidates) {
    if (costMsat !== null && costMsat < leastCost) leastCost = costMsat;
    if (latencyMs !== null && latencyMs < leastLatency) leastLatency = latencyMs;
  }
  const relative = (own: number | null, best: number) => {
    if (own === null) return unknown;
    return own <= best ? 1 : best / own;
  };
  const part = (raw: number | null, value: number, weight: number): CriterionScore =>
    Object.freeze({ raw, value: round(value), contribution: round((value * weight) / totalWeight) });
  return {
    score(candidate) {
      return round(
        ((candidate.trust / trustCeiling) * weights.trust +
          relative(candidate.costMsat, leastCost) * weights.cost +
          relative(candidate.latencyMs, leastLatency) * weights.latency +
          (1 / (1 + candidate.inFlight)) * weights.load +
          (1 / Math.sqrt(1 + candidate.observations)) * weights.exploration) /
          totalWeight,
      );
    },
    explain({ trust, costMsat, latencyMs, inFlight, observations }, known) {
      const before = known.criteria;
      const isCost = known.leastCost === leastCost && before?.cost.raw === costMsat;
      const isLatency = known.leastLatency === leastLatency && before?.latency.raw === latencyMs;
      const isTrust = before?.trust.raw === trust;
      const isLoad = before?.load.raw === inFlight;
      const isExploration = before?.exploration.raw === observations;
      if (before !== null && isTrust && isCost && isLatency && isLoad && isExploration) return before;
      const exploration = 1 / Math.sqrt(1 + observations);
      const criteria = Object.freeze({
        trust: isTrust ? before.trust : part(trust, trust / trustCeiling, weights.trust),
        cost: isCost ? before.cost : part(costMsat, relative(costMsat, leastCost), weights.cost),
        latency: isLatency
          ? before.latency
          : part(latencyMs, relative(latencyMs, leastLatency), weights.latency),
        load: isLoad ? before.load : part(inFlight, 1 / (1 + inFlight), weights.load),
        exploration: isExploration
          ? before.exploration
          : part(observations, exploration, weights.exploration),
      });
      known.criteria = criteria;
      known.leastCost = leastCost;
      known.leastLatency = leastLatency;
      return criteria;
    },
  };
}
