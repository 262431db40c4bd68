import { clampTrust, ownValue, round } from './numbers.ts';

/**
 * What became of one piece of work. `INFRA` means that our own judge or network failed: it is kept as
 * evidence and held against nobody.
 */
export type Outcome = 'SUCCESS' | 'PARTIAL' | 'FAILURE' | 'ERROR' | 'SECURITY_VIOLATION' | 'INFRA';

/** What was measured about one piece of work. `null` or absent: not measured, which is never the same as 0. */
export interface Measurements {
  /** Share of the tests that passed, 0..1. */
  readonly passRate?: number | null;
  /** From sending the request to holding the result, ms. */
  readonly latencyMs?: number | null;
  /** How long the delivered code ran, ms. */
  readonly executionMs?: number | null;
  /** Code quality, 0..10. */
  readonly quality?: number | null;
  /** True when the work went over a soft limit (CPU, memory). */
  readonly softLimitExceeded?: boolean | null;
  /** Peak memory as a share of the declared limit, 0.. . */
  readonly memoryShare?: number | null;
  /** Test coverage of the delivered work, 0..1. */
  readonly coverage?: number | null;
  /** Why an `ERROR` could not complete: timeout, cpu, oom, disk, pids, output, crash, protocol … */
  readonly errorKind?: string | null;
  /** What was paid, in millisatoshi. */
  readonly costMsat?: number | null;
}

/**
 * How much an `ERROR` costs, by its kind: the less the platform can have overlooked it, the more. A malformed
 * answer is a nuisance; filling the disk or forking without end endangers the host.
 */
export const errorPenalties: Readonly<Record<string, number>> = Object.freeze({
  protocol: 0.05,
  output: 0.1,
  crash: 0.1,
  timeout: 0.1,
  cpu: 0.1,
  oom: 0.15,
  disk: 0.15,
  pids: 0.2,
});

/** For kinds that are not in {@link errorPenalties}. */
export const defaultErrorPenalty = 0.1;

const within = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/**
 * How far one production outcome moves the trust of a platform in a task type (RTM-5). Pure; in the source's
 * ranges, and where in the range depends on the measurements:
 *
 * | outcome | movement |
 * |---|---|
 * | `SUCCESS` | +.10 … +.15: the upper .05 is earned by the mean of speed (1 at half the baseline or less, 0 at 150 %) and quality (of 10), as far as they were measured |
 * | `PARTIAL` | +.02 … +.08, linear in the pass rate from .80 to 1 |
 * | `FAILURE` | −.10 … −.15, linear in the pass rate from .80 down to 0 |
 * | `ERROR` | −.05 … −.20 by {@link errorPenalties} |
 * | `SECURITY_VIOLATION` | 0 here: its remedy is the blacklist |
 * | `INFRA` | 0 |
 *
 * A measurement that is missing earns nothing and costs nothing beyond the gentle end of the range.
 *
 * @param baselineMs The usual latency of the task type, ms; `null` when unknown.
 */
export function trustMovement(
  outcome: Outcome,
  measurements: Measurements = {},
  baselineMs: number | null = null,
): number {
  const passRate = measurements.passRate ?? null;
  switch (outcome) {
    case 'SUCCESS': {
      const merits: number[] = [];
      const { latencyMs, quality } = measurements;
      if (latencyMs != null && baselineMs !== null && baselineMs > 0) {
        merits.push(within(1.5 - latencyMs / baselineMs, 0, 1));
      }
      if (quality != null) merits.push(within(quality / 10, 0, 1));
      const merit = merits.length === 0 ? 0 : merits.reduce((sum, each) => sum + each, 0) / merits.length;
      return round(0.1 + 0.05 * merit);
    }
    case 'PARTIAL':
      return round(0.02 + 0.06 * within(((passRate ?? 0.8) - 0.8) / 0.2, 0, 1));
    case 'FAILURE':
      return round(-0.1 - 0.05 * within((0.8 - (passRate ?? 0.8)) / 0.8, 0, 1));
    case 'ERROR':
      return -(ownValue(errorPenalties, measurements.errorKind ?? '') ?? defaultErrorPenalty);
    case 'SECURITY_VIOLATION':
    case 'INFRA':
      return 0;
  }
}

/** Trust after one production outcome: {@link trustMovement}, kept in .1 … .9; a violation gives 0 (RTM-5). */
export function moveTrust(
  trust: number,
  outcome: Outcome,
  measurements: Measurements = {},
  baselineMs: number | null = null,
): number {
  if (outcome === 'SECURITY_VIOLATION') return 0;
  if (outcome === 'INFRA') return trust;
  return clampTrust(trust + trustMovement(outcome, measurements, baselineMs));
}
