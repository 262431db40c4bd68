import { round } from './numbers.ts';
import type { Measurements, Outcome } from './outcome.ts';

/** What a judge says about one benchmark attempt, as far as the matrix needs it. Any judge's verdict can be mapped to it. */
export interface BenchmarkVerdict extends Measurements {
  readonly outcome: Outcome;
  /** Share of the tests that passed, 0..1. */
  readonly passRate: number;
  /** True when a smoke test failed: the rest was not run. */
  readonly smokeFailed?: boolean | null;
}

/** What is usual for a task type. `null`: not known yet. */
export interface Baseline {
  /** Usual latency (median), ms. */
  readonly latencyMs: number | null;
  /** Slow but usual latency (95th percentile), ms. */
  readonly latencyP95Ms: number | null;
  /** Usual running time of the delivered code (median), ms. */
  readonly executionMs: number | null;
}

/** The dimensions of the composite and their weights (RTM-2). */
export const compositeWeights = Object.freeze({
  functional: 0.5,
  performance: 0.25,
  resources: 0.15,
  quality: 0.1,
});

/** One of the dimensions of the composite score (RTM-2). */
export type CompositeDimension = keyof typeof compositeWeights;

/** A composite score taken apart. A dimension that was not measured is `null` and carries no weight. */
export interface CompositeExplanation {
  readonly score: number;
  readonly dimensions: Readonly<Record<CompositeDimension, number | null>>;
  /** Why the weighted sum was not the last word; `null` when it was. */
  readonly cappedBy: 'smoke' | 'security' | 'outcome' | null;
}

/** No work but a success may score as a full partner's. */
const nonSuccessCap = 0.79;

/** {@link compositeScore} with its parts. */
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

/**
 * One number in 0..1 for a judged benchmark attempt (RTM-2): functional .50 (the pass rate), performance .25 (1
 * up to the baseline's running time, falling to 0 at 150 %), resources .15 (1 unless a soft limit was exceeded),
 * quality .10 (1 above 7 of 10, else q/7). What was not measured drops out and the other weights are scaled up.
 * An outcome other than `SUCCESS` caps the score at .79; a failed smoke test or a security violation gives 0.
 */
export function compositeScore(verdict: BenchmarkVerdict, baseline: Pick<Baseline, 'executionMs'>): number {
  return explainComposite(verdict, baseline).score;
}
