import { clampTrust, round, trustCeiling } from '../statistics/numbers.ts';

/** The result of a platform's qualification for one task type. */
export interface BenchmarkResult {
  /** Composite score, 0..1 ({@link compositeScore}). */
  readonly score: number;
  /** Its latency, ms; `null` when not measured. */
  readonly latencyMs: number | null;
  /** Typical latency of the task type, ms; `null` when unknown. */
  readonly baselineMs: number | null;
}

/** Composite score from which a platform is `ACTIVE`. */
export const activeScore = 0.8;
/** Composite score from which a platform is `CONDITIONAL`. */
export const conditionalScore = 0.6;

/** Returns the first trust of a platform after its qualification. Arguments are valid. */
export function initialTrust(benchmark: BenchmarkResult): number | null {
  const { score, latencyMs, baselineMs } = benchmark;
  const swift = latencyMs != null && baselineMs != null && latencyMs < 0.5 * baselineMs;
  if (score >= 0.95 && swift) return 0.75;
  if (score >= activeScore) return 0.6;
  if (score >= conditionalScore) return 0.45;
  return null;
}

/** Returns the gain of the k-th further benchmark success. Arguments are valid. */
export function successGain(trust: number, k: number): number {
  const headroom = Math.max(0, trustCeiling - trust);
  return Math.min(Math.max(0.15 - 0.05 * k, 0.1 * headroom), headroom / 2);
}

/** Returns the trust after the k-th further benchmark success. Arguments are valid. */
export function afterBenchmarkSuccess(trust: number, k: number): number {
  return clampTrust(round(trust + successGain(trust, k)));
}
