import { possibleValue, unitFactor } from '@bonafide/internal';
import { createRankTree } from './rank-tree.ts';
import { lowerIsBetter, type SlaGuarantee } from './sla.ts';
import { type Sample, type Segment, timelineOf } from './timeline.ts';

/** A time in which a promise was broken. */
export interface BreachPeriod {
  readonly metric: string;
  /** ms since epoch, of the measurement that broke it. */
  readonly startedAt: number;
  /** ms since epoch, of the first one that did not; null while it lasts. */
  readonly endedAt: number | null;
  /** The value farthest on the wrong side. */
  readonly worst: number;
}

const durationOf = ({ from, to }: Segment): number => to - from;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Returns true for a value beyond the breach threshold. */
export function isBreach(guarantee: SlaGuarantee, value: number): boolean {
  return lowerIsBetter(guarantee) ? value > guarantee.breachThreshold : value < guarantee.breachThreshold;
}

/** Divides the observed time of a promise among its samples, which are sorted by time. */
export function segmentsOf(guarantee: SlaGuarantee, samples: readonly Sample[]): readonly Segment[] {
  const isLower = lowerIsBetter(guarantee);
  return timelineOf(
    samples.map((sample) => ({ ...sample, value: possibleValue(guarantee, sample.value) })),
    {
      isBad: (value) => isBreach(guarantee, value),
      isWorse: (left, right) => (isLower ? left > right : left < right),
    },
  );
}

/** Returns the last `windowMs` of observed time: silence does not push bad values out. */
export function lastWindow(segments: readonly Segment[], windowMs: number): readonly Segment[] {
  let observed = 0;
  let first = segments.length;
  while (first > 0 && observed < windowMs - 1) {
    first -= 1;
    const segment = segments[first];
    observed += segment === undefined ? 0 : durationOf(segment);
  }
  return segments.slice(first);
}

/** Returns observed time in a window, ms. */
export const observedIn = (segments: readonly Segment[]): number => sum(segments.map(durationOf));

/** Returns true for a share of which more is better, such as uptime. */
function isShare(guarantee: SlaGuarantee): boolean {
  const factor = unitFactor(guarantee) ?? 1;
  return !lowerIsBetter(guarantee) && guarantee.target * factor <= 1 && guarantee.breachThreshold >= 0;
}

/** Returns the downtime of a segment in breach, limited to what its value misses, ms. */
function downtimeOfSegment(guarantee: SlaGuarantee, segment: Segment): number {
  if (segment.value >= guarantee.breachThreshold) return 0;
  const share = segment.value * (unitFactor(guarantee) ?? 1);
  return (1 - Math.min(1, Math.max(0, share))) * durationOf(segment);
}

/** Sums the downtime of the segments that are in breach, ms. */
export const downtimeOf = (guarantee: SlaGuarantee, segments: readonly Segment[]): number =>
  sum(segments.map((segment) => downtimeOfSegment(guarantee, segment)));

/** Returns the downtime per window from which on a promise is broken, ms; null unless the metric is a share. */
export function downtimeBudget(guarantee: SlaGuarantee): number | null {
  if (!isShare(guarantee)) return null;
  return (1 - guarantee.target * (unitFactor(guarantee) ?? 1)) * guarantee.measurementWindow;
}

/** Quantile of an aggregate that is one. */
const quantiles = { p99: 0.99, max: 1 } as const;

/** Aggregates values by time, so that many measurements of one moment weigh as much as that moment. */
export function aggregate(kind: SlaGuarantee['aggregate'], segments: readonly Segment[]): number {
  if (kind === 'last') return segments.at(-1)?.value ?? Number.NaN;
  const unit = segments[0] === undefined ? 1 : durationOf(segments[0]);
  const weights = segments.map((segment) => durationOf(segment) / unit);
  if (kind === 'mean')
    return sum(segments.map(({ value }, index) => value * (weights[index] ?? 0))) / sum(weights);
  const sorted = segments
    .map(({ value }, index) => ({ value, weight: weights[index] ?? 0 }))
    .toSorted((left, right) => left.value - right.value);
  const limit = sum(weights) * quantiles[kind] * (1 - 1e-12);
  let passed = 0;
  for (const { value, weight } of sorted) {
    passed += weight;
    if (passed >= limit) return value;
  }
  return sorted.at(-1)?.value ?? Number.NaN;
}

/** Change per day of the straight line through segments (least squares); 0 when they are all of one moment. */
export function slopePerDay(segments: readonly Segment[]): number {
  const mean = (values: readonly number[]) => sum(values) / values.length;
  const at = mean(segments.map((segment) => segment.at));
  const value = mean(segments.map((segment) => segment.value));
  const spread = sum(segments.map((segment) => (segment.at - at) ** 2));
  const together = sum(segments.map((segment) => (segment.at - at) * (segment.value - value)));
  return spread === 0 ? 0 : (together / spread) * 86_400_000;
}

/** Returns a function that gives the aggregate of the segments that were added and not removed. */
function runningAggregate(kind: SlaGuarantee['aggregate'], segments: readonly Segment[]) {
  if (kind === 'mean' || kind === 'last') {
    let weighted = 0;
    let observed = 0;
    let newest = Number.NaN;
    return {
      change(segment: Segment, sign: 1 | -1) {
        weighted += sign * durationOf(segment) * segment.value;
        observed += sign * durationOf(segment);
        if (sign === 1) newest = segment.value;
      },
      value: () => (kind === 'last' ? newest : weighted / observed),
    };
  }
  const values = [...new Set(segments.map(({ value }) => value))].toSorted((left, right) => left - right);
  const ranks = new Map(values.map((value, rank) => [value, rank]));
  const tree = createRankTree(values.length);
  return {
    change: (segment: Segment, sign: 1 | -1) =>
      tree.add(ranks.get(segment.value) ?? 0, sign * durationOf(segment)),
    value: () => values[tree.rankAt(tree.total() * quantiles[kind] * (1 - 1e-12))] ?? Number.NaN,
  };
}

/** Lists the periods in which the value over the window, or the cumulative downtime in it, was in breach. */
export function breachPeriods(
  guarantee: SlaGuarantee,
  segments: readonly Segment[],
): readonly BreachPeriod[] {
  const { metric, measurementWindow: windowMs } = guarantee;
  const periods: { metric: string; startedAt: number; endedAt: number | null; worst: number }[] = [];
  const budget = downtimeBudget(guarantee) ?? Number.POSITIVE_INFINITY;
  const running = runningAggregate(guarantee.aggregate, segments);
  let observed = 0;
  let downtime = 0;
  let first = 0;
  const change = (segment: Segment, sign: 1 | -1): void => {
    running.change(segment, sign);
    observed += sign * durationOf(segment);
    downtime += sign * downtimeOfSegment(guarantee, segment);
  };
  for (const segment of segments) {
    change(segment, 1);
    // The oldest segment leaves when the rest covers the window.
    for (let oldest = segments[first]; oldest !== undefined && oldest !== segment; oldest = segments[first]) {
      if (observed - durationOf(oldest) < windowMs - 1) break;
      change(oldest, -1);
      first += 1;
    }
    const value = running.value();
    const last = periods.at(-1);
    const open = last?.endedAt === null ? last : undefined;
    if (!isBreach(guarantee, value) && downtime <= budget + 1e-3) {
      if (open !== undefined) open.endedAt = segment.at;
    } else if (open === undefined) {
      periods.push({ metric, startedAt: segment.at, endedAt: null, worst: value });
    } else {
      open.worst = lowerIsBetter(guarantee) ? Math.max(open.worst, value) : Math.min(open.worst, value);
    }
  }
  return periods;
}
