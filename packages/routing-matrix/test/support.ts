import type { Measurements, Outcome, PlatformRef } from '../src/index.ts';
import type { StoredMeasurements } from '../src/records.ts';

/** A key for the n-th platform. */
export const key = (n: number) => n.toString(16).padStart(64, '0');

export const platform = (n: number, d = 'main'): PlatformRef => ({ pubkey: key(n), d });

export const verdict = (outcome: Outcome, passRate: number, more: Measurements = {}) => ({
  ...more,
  outcome,
  passRate,
});

export const good = (more: Measurements = {}) =>
  verdict('SUCCESS', 1, { quality: 9, softLimitExceeded: false, ...more });

/** Measurements of work of which nothing was measured. */
export const unmeasured: StoredMeasurements = {
  passRate: null,
  latencyMs: null,
  executionMs: null,
  quality: null,
  softLimitExceeded: null,
  memoryShare: null,
  coverage: null,
  errorKind: null,
  costMsat: null,
};

/** 2026-01-01 */
export const start = 1_767_225_600_000;

/** A clock that is moved by hand. */
export function manualClock(at = start) {
  let now = at;
  const clock = () => now;
  clock.advance = (ms: number) => {
    now += ms;
  };
  return clock;
}
