/** Upper limit of trust, below 1 so that other platforms keep a chance. */
export const trustCeiling = 0.9;
/** Lower limit of trust of a platform that is not blacklisted. */
const trustFloor = 0.1;

/** Rounds to nine decimals, so that .7 + .1 equals .8. */
export function round(value: number): number {
  return Math.round(value * 1e9) / 1e9;
}

/** Clamps trust to .1 … .9. */
export function clampTrust(trust: number): number {
  return round(Math.min(trustCeiling, Math.max(trustFloor, trust)));
}

/** Returns the arithmetic mean; `null` without values. */
export function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return round(values.reduce((sum, value) => sum + value, 0) / values.length);
}

/** Returns the nearest-rank quantile of ascending values (`q` in 0..1); `null` without values. */
export function quantileOfSorted(sorted: readonly number[], q: number): number | null {
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? null;
}

/** Returns an own property only, so that a task type such as 'constructor' finds nothing. */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
