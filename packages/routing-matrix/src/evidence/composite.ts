import { round } from '../statistics/numbers.ts';
import type { Measurements, Outcome } from './outcome.ts';

/** A judged benchmark attempt. Verdicts of any judge can be mapped to it. */
export interface BenchmarkVerdict extends Measurements {
  readonly outcome: Outcome;
  /** Share of the tests that passed, 0..1. */
  readonly passRate: number;
  /** True when a smoke test failed and the remaining tests did not run. */
  readonly smokeFailed?: boolean | null;
}

/** Typical figures of a task type; `null`: unknown. */
export interface Baseline {
  /** Median latency, ms. */
  readonly latencyMs: number | null;
  /** 95th percentile of the latency, ms. */
  readonly latencyP95Ms: number | null;
  /** Median running time of the delivered code, ms. */
  readonly executionMs: number | null;
}

/** Dimensions of the composite score and their weights. */
export const compositeWeights = Object.freeze({
  functional: 0.5,
  performance: 0.25,
  resources: 0.15,
  quality: 0.1,
});

/** A dimension of the composite score. */
export type CompositeDimension = keyof typeof compositeWeights;

/** A composite score with its parts. A dimension without a measurement is `null` and has no weight. */
export interface CompositeExplanation {
  readonly score: number;
  readonly dimensions: Readonly<Record<CompositeDimension, number | null>>;
  /** The cap that replaced the weighted sum; `null` without one. */
  readonly cappedBy: 'smoke' | 'security' | 'outcome' | null;
}

/** Upper limit of the score for every outcome other than a success. */
const nonSuccessCap = 0.79;

/** Computes {@link compositeScore} and returns its parts. Arguments are valid. */
export function explainComposite(
  verdict: BenchmarkVerdict,
  baseline: Pick<Baseline, 'executionMs'>,
): CompositeExplanation {
  const { executionMs, softLimitExceeded, quality } = verdict;
  const usual = baseline.executionMs;
  const dimensions = {
    functional: verdict.passRate,
    performance:
      executionMs == null || usual === null || usual <= 0
        ? null
        : round(Math.min(1, Math.max(0, (1.5 - executionMs / usual) / 0.5))),
    resources: softLimitExceeded == null ? null : softLimitExceeded ? 0 : 1,
    quality: quality == null ? null : quality > 7 ? 1 : round(quality / 7),
  };
  let sum = 0;
  let weight = 0;
  for (const name of Object.keys(compositeWeights) as CompositeDimension[]) {
    const value = dimensions[name];
    if (value === null) continue;
    sum += compositeWeights[name] * value;
    weight += compositeWeights[name];
  }
  const score = round(sum / weight);
  if (verdict.smokeFailed) return { score: 0, dimensions, cappedBy: 'smoke' };
  if (verdict.outcome === 'SECURITY_VIOLATION') return { score: 0, dimensions, cappedBy: 'security' };
  if (verdict.outcome !== 'SUCCESS' && score > nonSuccessCap) {
    return { score: nonSuccessCap, dimensions, cappedBy: 'outcome' };
  }
  return { score, dimensions, cappedBy: null };
}

/** Computes the composite score of a judged benchmark attempt. Arguments are valid. */
export function compositeScore(verdict: BenchmarkVerdict, baseline: Pick<Baseline, 'executionMs'>): number {
  return explainComposite(verdict, baseline).score;
}
