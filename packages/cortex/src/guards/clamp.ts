/** Range of trust. */
const trustRange = { min: -10, max: 10 } as const;

/**
 * Limits one change of trust to `maxDelta` from the last value, and to −10…+10. A peer without a last value starts at
 * 0, so that a first assessment is never extreme.
 *
 * `clampTrust(7, 0)` is 3; once 3 is the last value, `clampTrust(7, 3)` is 6; `clampTrust(10, 5)` is 8.
 *
 * @param proposed - Trust that the reflector proposes. A value that is not finite changes nothing.
 * @param last - The newest trust in the ledger, null without one.
 * @param maxDelta - Largest change per cycle, ≥ 0.
 */
export function clampTrust(proposed: number, last: number | null, maxDelta = 3): number {
  const base = last ?? 0;
  const wanted = Number.isFinite(proposed) ? Math.round(proposed) : base;
  const low = Math.max(trustRange.min, base - maxDelta);
  const high = Math.min(trustRange.max, base + maxDelta);
  // `+ 0` turns the −0 that rounding can leave into 0.
  return Math.min(high, Math.max(low, wanted)) + 0;
}
