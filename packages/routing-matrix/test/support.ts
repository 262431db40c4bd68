import type { Measurements, Outcome, PlatformRef } from '../src/index.ts';

/** A small repeatable generator (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

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
