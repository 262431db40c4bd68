import * as z from 'zod';
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

/** Scores candidates relative to each other, in the given order. Arguments are valid. */
export function scoreCandidates(
  candidates: readonly CandidateFigures[],
  weights: CriteriaWeights = defaultWeights,
): CandidateScore[] {
  const { score, criteria } = createScorer(scaleOf(candidates, weights));
  return candidates.map((candidate) => ({ score: score(candidate), criteria: criteria(candidate) }));
}

const weight = z.number().min(0);
const least = z.number().min(0).nullable();

/** Schema of {@link CriteriaWeights}. */
export const weightsSchema = z
  .object({ trust: weight, cost: weight, latency: weight, load: weight, exploration: weight })
  .refine((weights) => Object.values(weights).some((each) => each > 0), 'One weight must be above 0');

/** Schema of a {@link CriteriaScale}. */
export const scaleSchema = z.object({
  weights: weightsSchema,
  leastCostMsat: least,
  leastLatencyMs: least,
});

/** What the criteria of a decision are relative to. Together with a candidate's figures it determines them. */
export interface CriteriaScale {
  readonly weights: CriteriaWeights;
  /** Lowest expected price, msat; `null` when none is known. */
  readonly leastCostMsat: number | null;
  /** Lowest predicted latency, ms; `null` when none is known. */
  readonly leastLatencyMs: number | null;
}

/** Returns the scale of candidates that are scored together. */
export function scaleOf(
  candidates: readonly CandidateFigures[],
  weights: CriteriaWeights = defaultWeights,
): CriteriaScale {
  let leastCostMsat: number | null = null;
  let leastLatencyMs: number | null = null;
  for (const { costMsat, latencyMs } of candidates) {
    if (costMsat !== null && (leastCostMsat === null || costMsat < leastCostMsat)) leastCostMsat = costMsat;
    if (latencyMs !== null && (leastLatencyMs === null || latencyMs < leastLatencyMs))
      leastLatencyMs = latencyMs;
  }
  return { weights, leastCostMsat, leastLatencyMs };
}

/** Criteria of a candidate at the last decision: what did not change since is not computed again. */
export interface KnownCriteria {
  criteria: CandidateScore['criteria'] | null;
  scale: CriteriaScale | null;
}

/** Returns what is known before the first decision. */
export const noKnownCriteria = (): KnownCriteria => ({ criteria: null, scale: null });

/** Scores candidates one by one; explaining costs more and is done for those that are logged. */
export interface Scorer {
  readonly scale: CriteriaScale;
  score(candidate: CandidateFigures): number;
  /** Returns the criteria. */
  criteria(candidate: CandidateFigures): CandidateScore['criteria'];
  /** Returns the criteria, frozen. Updates `known`, which belongs to this candidate and to one set of weights. */
  explain(candidate: CandidateFigures, known: KnownCriteria): CandidateScore['criteria'];
}

/** Creates the scorer of {@link scoreCandidates}. */
export function createScorer(scale: CriteriaScale): Scorer {
  const { weights, leastCostMsat, leastLatencyMs } = scale;
  const totalWeight = weights.trust + weights.cost + weights.latency + weights.load + weights.exploration;
  const relative = (own: number | null, best: number | null) => {
    if (own === null || best === null) return unknown;
    return own <= best ? 1 : best / own;
  };
  const part = (raw: number | null, value: number, weight: number): CriterionScore => ({
    raw,
    value: round(value),
    contribution: round((value * weight) / totalWeight),
  });
  const loadOf = (inFlight: number) => 1 / (1 + inFlight);
  const explorationOf = (observations: number) => 1 / Math.sqrt(1 + observations);
  return {
    scale,

    score(candidate) {
      return round(
        ((candidate.trust / trustCeiling) * weights.trust +
          relative(candidate.costMsat, leastCostMsat) * weights.cost +
          relative(candidate.latencyMs, leastLatencyMs) * weights.latency +
          loadOf(candidate.inFlight) * weights.load +
          explorationOf(candidate.observations) * weights.exploration) /
          totalWeight,
      );
    },

    criteria: ({ trust, costMsat, latencyMs, inFlight, observations }) => ({
      trust: part(trust, trust / trustCeiling, weights.trust),
      cost: part(costMsat, relative(costMsat, leastCostMsat), weights.cost),
      latency: part(latencyMs, relative(latencyMs, leastLatencyMs), weights.latency),
      load: part(inFlight, loadOf(inFlight), weights.load),
      exploration: part(observations, explorationOf(observations), weights.exploration),
    }),

    explain({ trust, costMsat, latencyMs, inFlight, observations }, known) {
      const before = known.criteria;
      const isCost = before?.cost.raw === costMsat && known.scale?.leastCostMsat === leastCostMsat;
      const isLatency = before?.latency.raw === latencyMs && known.scale?.leastLatencyMs === leastLatencyMs;
      const isTrust = before?.trust.raw === trust;
      const isLoad = before?.load.raw === inFlight;
      const isExploration = before?.exploration.raw === observations;
      if (isTrust && isCost && isLatency && isLoad && isExploration) return before;
      const frozen = (raw: number | null, value: number, weight: number) =>
        Object.freeze(part(raw, value, weight));
      known.scale = scale;
      known.criteria = Object.freeze({
        trust: isTrust ? before.trust : frozen(trust, trust / trustCeiling, weights.trust),
        cost: isCost ? before.cost : frozen(costMsat, relative(costMsat, leastCostMsat), weights.cost),
        latency: isLatency
          ? before.latency
          : frozen(latencyMs, relative(latencyMs, leastLatencyMs), weights.latency),
        load: isLoad ? before.load : frozen(inFlight, loadOf(inFlight), weights.load),
        exploration: isExploration
          ? before.exploration
          : frozen(observations, explorationOf(observations), weights.exploration),
      });
      return known.criteria;
    },
  };
}
