/** The direction in which a metric is better. */
export type MetricDirection = 'higher_is_better' | 'lower_is_better';

/** A metric whose meaning is fixed. */
export interface KnownMetric {
  readonly direction: MetricDirection;
  /** `share`: 0…1. `time`: milliseconds, 0 or more. */
  readonly measure: 'share' | 'time';
}

const share = (direction: MetricDirection): KnownMetric => ({ direction, measure: 'share' });
const time: KnownMetric = { direction: 'lower_is_better', measure: 'time' };

const knownMetrics: ReadonlyMap<string, KnownMetric> = new Map([
  ['uptime', share('higher_is_better')],
  ['availability', share('higher_is_better')],
  ['success_rate', share('higher_is_better')],
  ['error_rate', share('lower_is_better')],
  ...['latency', 'latency_p50', 'latency_p90', 'latency_p95', 'latency_p99'].map(
    (name) => [name, time] as const,
  ),
]);

/** Returns one spelling of a metric's name: `latencyP99Ms` and `latency_p99_ms` are `latency_p99`. */
export function canonicalMetric(name: string): string {
  return name
    .trim()
    .replaceAll(/([a-z0-9])([A-Z])/gu, '$1_$2')
    .toLowerCase()
    .replace(/_(?:ms|milliseconds)$/u, '');
}

/** Returns what is fixed about a metric; null when its meaning is unknown. */
export const knownMetric = (name: string): KnownMetric | null =>
  knownMetrics.get(canonicalMetric(name)) ?? null;

const unitFactors: Readonly<Record<KnownMetric['measure'], ReadonlyMap<string, number>>> = {
  share: new Map([
    ['', 1],
    ['ratio', 1],
    ['share', 1],
    ['fraction', 1],
    ['percent', 0.01],
    ['%', 0.01],
  ]),
  time: new Map([
    ['', 1],
    ['ms', 1],
    ['millisecond', 1],
    ['milliseconds', 1],
    ['s', 1_000],
    ['second', 1_000],
    ['seconds', 1_000],
  ]),
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
  return known === null ? 1 : (unitFactors[known.measure].get(unit.trim().toLowerCase()) ?? null);
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
