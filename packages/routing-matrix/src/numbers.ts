/** Trust never rises above this: nobody is beyond doubt, and others keep a chance (RTM-4). */
export const trustCeiling = 0.9;
/** Trust of a platform that is not blacklisted never falls below this (RTM-5). */
const trustFloor = 0.1;

/** To nine decimals: sums of hundredths then compare as they read, so that .7 + .1 is .8 and reaches its tier. */
export function round(value: number): number {
  return Math.round(value * 1e9) / 1e9;
}

/** Into .1 … .9. */
export function clampTrust(trust: number): number {
  return round(Math.min(trustCeiling, Math.max(trustFloor, trust)));
}

/** Arithmetic mean; `null` of nothing. */
export function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return round(values.reduce((sum, value) => sum + value, 0) / values.length);
}

/** The nearest-rank quantile of `values` (`q` in 0..1); `null` of nothing. The values need no order. */
export function quantile(values: readonly number[], q: number): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? null;
}

/** The table's own value: a stranger's task type called 'constructor' must not find anything. */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
