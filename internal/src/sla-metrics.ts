// Metrics of service level agreements.

/** The direction in which a metric is better. */
export type MetricDirection = 'higher_is_better' | 'lower_is_better';

/** A metric whose meaning is fixed. */
export interface KnownMetric {
  readonly direction: MetricDirection;
  /** `share`: 0…1. `time`: milliseconds, 0 or more. */
  readonly measure: 'share' | 'time';
}

const goodShare: KnownMetric = { direction: 'higher_is_better', measure: 'share' };
const badShare: KnownMetric = { direction: 'lower_is_better', measure: 'share' };
const time: KnownMetric = { direction: 'lower_is_better', measure: 'time' };

// Objects without calls, so that bundles of packages that do not use them leave them out.
const knownMetrics: Readonly<Record<string, KnownMetric>> = {
  uptime: goodShare,
  availability: goodShare,
  success_rate: goodShare,
  error_rate: badShare,
  latency: time,
  latency_p50: time,
  latency_p90: time,
  latency_p95: time,
  latency_p99: time,
};

/** Returns one spelling of a metric's name: `latencyP99Ms` and `latency_p99_ms` are `latency_p99`. */
export function canonicalMetric(name: string): string {
  return name
    .trim()
    .replaceAll(/([a-z0-9])([A-Z])/gu, '$1_$2')
    .toLowerCase()
    .replace(/_(?:ms|milliseconds)$/u, '');
}

/** Returns what is fixed about a metric; null when its meaning is unknown. */
export function knownMetric(name: string): KnownMetric | null {
  const canonical = canonicalMetric(name);
  return Object.hasOwn(knownMetrics, canonical) ? (knownMetrics[canonical] ?? null) : null;
}

const unitFactors: Readonly<Record<KnownMetric['measure'], Readonly<Record<string, number>>>> = {
  share: { '': 1, ratio: 1, share: 1, fraction: 1, percent: 0.01, '%': 0.01 },
  time: { '': 1, ms: 1, millisecond: 1, milliseconds: 1, s: 1_000, second: 1_000, seconds: 1_000 },
};

/**
 * Returns the factor from a guarantee's unit to shares or milliseconds: 0.01 for percent. It is 1 for an unknown metric, and null
 * for a unit that a known metric does not have.
 */
export function unitFactor({
  metric,
  unit = '',
}: {
  readonly metric: string;
  readonly unit?: string | undefined;
}): number | null {
  const known = knownMetric(metric);
  if (known === null) return 1;
  const factors = unitFactors[known.measure];
  const name = unit.trim().toLowerCase();
  return Object.hasOwn(factors, name) ? (factors[name] ?? null) : null;
}

/** Limits a value to what its metric can have, in the guarantee's unit: one impossible value would outweigh all others. */
export function possibleValue(
  guarantee: { readonly metric: string; readonly unit?: string | undefined },
  value: number,
): number {
  const known = knownMetric(guarantee.metric);
  if (known === null) return value;
  const most = known.measure === 'share' ? 1 / (unitFactor(guarantee) ?? 1) : Number.MAX_VALUE;
  return Math.min(most, Math.max(0, value));
}
