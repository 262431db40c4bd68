import { clampTrust, ownValue, round } from '../statistics/numbers.ts';

/**
 * Outcome of one work. `INFRA`: our own judge or network failed; it is stored as evidence and has no effect on trust.
 */
export type Outcome = 'SUCCESS' | 'PARTIAL' | 'FAILURE' | 'ERROR' | 'SECURITY_VIOLATION' | 'INFRA';

/** Measurements of one work. `null` or absent: not measured, which differs from 0. */
export interface Measurements {
  /** Share of the tests that passed, 0..1. */
  readonly passRate?: number | null;
  /** Time from sending the request to receiving the result, ms. */
  readonly latencyMs?: number | null;
  /** Running time of the delivered code, ms. */
  readonly executionMs?: number | null;
  /** Code quality, 0..10. */
  readonly quality?: number | null;
  /** True when the work exceeded a soft limit (CPU, memory). */
  readonly softLimitExceeded?: boolean | null;
  /** Peak memory as a share of the declared limit, 0.. . */
  readonly memoryShare?: number | null;
  /** Test coverage of the delivered work, 0..1. */
  readonly coverage?: number | null;
  /** Cause of an `ERROR`: timeout, cpu, oom, disk, pids, output, crash, protocol … */
  readonly errorKind?: string | null;
  /** Amount paid, in millisatoshi. */
  readonly costMsat?: number | null;
}

/**
 * Penalty of an `ERROR` by its kind, in proportion to intent and damage: a malformed answer costs least; filling the
 * disk or forking without limit costs most.
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

/** Penalty of kinds that {@link errorPenalties} does not list. */
export const defaultErrorPenalty = 0.1;

const within = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/** Returns the movement of trust after one production outcome. Arguments are valid. */
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

/** Returns the trust after one production outcome. Arguments are valid. */
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
