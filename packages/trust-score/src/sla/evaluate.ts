import { requireRange } from '../errors.ts';
import { boundSlaTerms, type SlaTermViolation } from '../policy/sla-terms.ts';
import { resolvePolicy, type TrustPolicy } from '../policy/trust-policy.ts';
import { type AppliedPenalty, applyPenalties } from './penalties.ts';
import { lowerIsBetter, parseSla, type SlaGuarantee, type SlaInput } from './sla.ts';

const dayMs = 86_400_000;

/** One measurement of a metric. It stands for the time around it, up to half a day on either side. */
export interface SlaMeasurement {
  readonly metric: string;
  /** ms since epoch. */
  readonly at: number;
  readonly value: number;
}

/**
 * State of a promise, or of all. `at_risk`: below the target and not yet in breach. `stale`: compliant by the last
 * measurements, which are more than a day old.
 */
export type SlaState = 'compliant' | 'stale' | 'at_risk' | 'breached';

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

/** One promise and how it stands. */
export interface GuaranteeStatus {
  readonly metric: string;
  readonly unit: string | null;
  readonly target: number;
  readonly breachThreshold: number;
  readonly windowMs: number;
  readonly status: SlaState;
  /** Of the measurements in the window; null without any, and then the status is `at_risk`. */
  readonly current: number | null;
  /** Distance from the target in the good direction: more than 0 is better than promised. */
  readonly buffer: number | null;
  /** Number of measurements in the window. */
  readonly measurements: number;
  /** True when the newest measurement is more than a day old, or missing. Silence never improves a status. */
  readonly stale: boolean;
  /** Observed time in the window, ms; at most `windowMs`. */
  readonly observedMs: number;
  /** Cumulative downtime in the window, ms: time in breach × the missing share. Null unless the metric is a share. */
  readonly downtimeMs: number | null;
  /** Downtime from which on the promise is broken even if the mean is not, ms: (1 − target) × window. */
  readonly downtimeBudgetMs: number | null;
  /** ms since epoch: when it was last in breach; null when never in the measurements given. */
  readonly lastBreachAt: number | null;
  /** By the straight line through the window; null when flat, improving or unknown, 0 in breach. */
  readonly daysUntilBreach: number | null;
}

/** The result of {@link evaluateSla}. */
export interface SlaStatus {
  /** The worst of all promises. */
  readonly overall: SlaState;
  readonly guarantees: readonly GuaranteeStatus[];
  /** Terms that the policy replaced. Empty without a policy. */
  readonly termViolations: readonly SlaTermViolation[];
  /** In the last 30 days, newest first. */
  readonly recentBreaches: readonly BreachPeriod[];
  readonly penaltiesApplied: readonly AppliedPenalty[];
  /** Share that penalties take from a trust score now, −1…0. */
  readonly trustScoreImpact: number;
  /** Human-readable recommendation; null when there is none. */
  readonly recommendation: string | null;
  /** ms since epoch. */
  readonly evaluatedAt: number;
  /** Time of the next evaluation, ms since epoch. */
  readonly refreshAt: number;
}

/** A measurement and the time that it stands for. */
interface Point {
  readonly at: number;
  readonly value: number;
  /** Milliseconds, more than 0. */
  readonly durationMs: number;
}

/** Longest time that a measurement stands for on either side, ms: a longer silence is unknown. */
const maxHalfMs = dayMs / 2;

/** Gives every measurement the time half way to its neighbours. The ends are as long outwards as inwards. */
function toPoints(measurements: readonly SlaMeasurement[]): readonly Point[] {
  const half = (from: number, to: number): number | null => {
    const [left, right] = [measurements[from], measurements[to]];
    return left === undefined || right === undefined ? null : Math.min(maxHalfMs, (right.at - left.at) / 2);
  };
  return measurements.map(({ at, value }, index) => {
    const before = half(index - 1, index);
    const after = half(index, index + 1);
    const durationMs = (before ?? after ?? maxHalfMs) + (after ?? before ?? maxHalfMs);
    // Measurements of one moment share it evenly.
    return { at, value, durationMs: Math.max(1e-6, durationMs) };
  });
}

/** Returns the points of the last `windowMs` of observed time up to `last`: silence does not push bad values out. */
function windowOf(points: readonly Point[], last: number, windowMs: number): readonly Point[] {
  let observed = 0;
  let first = last + 1;
  while (first > 0 && observed < windowMs - 1) {
    first -= 1;
    observed += points[first]?.durationMs ?? 0;
  }
  return points.slice(first, last + 1);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Aggregates values by time, so that many measurements of one moment weigh as much as that moment. */
function aggregate(kind: SlaGuarantee['aggregate'], points: readonly Point[]): number {
  const unit = points[0]?.durationMs ?? 1;
  const weights = points.map(({ durationMs }) => durationMs / unit);
  if (kind === 'last') return points.at(-1)?.value ?? Number.NaN;
  if (kind === 'max') return Math.max(...points.map(({ value }) => value));
  if (kind === 'p99') {
    const sorted = points
      .map(({ value }, index) => ({ value, weight: weights[index] ?? 0 }))
      .toSorted((left, right) => left.value - right.value);
    const limit = sum(weights) * 0.99 - 1e-9;
    let passed = 0;
    for (const { value, weight } of sorted) {
      passed += weight;
      if (passed >= limit) return value;
    }
    return sorted.at(-1)?.value ?? Number.NaN;
  }
  return sum(points.map(({ value }, index) => value * (weights[index] ?? 0))) / sum(weights);
}

/** Returns true for a share of which more is better, such as uptime. */
const isShare = (guarantee: SlaGuarantee): boolean =>
  !lowerIsBetter(guarantee) && guarantee.target <= 1 && guarantee.breachThreshold >= 0;

/** Sums the downtime of the points that are in breach, each limited to what its value misses. */
const downtimeOf = ({ breachThreshold }: SlaGuarantee, points: readonly Point[]): number =>
  sum(
    points.map(({ value, durationMs }) =>
      value < breachThreshold ? (1 - Math.min(1, Math.max(0, value))) * durationMs : 0,
    ),
  );

/** Returns the downtime per window from which on a promise is broken; null unless the metric is a share. */
export function downtimeBudget(guarantee: SlaGuarantee): number | null {
  return isShare(guarantee) ? (1 - guarantee.target) * guarantee.measurementWindow : null;
}

/** Returns true for a value beyond the breach threshold. */
export function isBreach(guarantee: SlaGuarantee, value: number): boolean {
  return lowerIsBetter(guarantee) ? value > guarantee.breachThreshold : value < guarantee.breachThreshold;
}

/** Change per day of the straight line through points (least squares); 0 when they are all of one moment. */
function slopePerDay(points: readonly Point[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const at = mean(points.map((point) => point.at));
  const value = mean(points.map((point) => point.value));
  const spread = points.reduce((sum, point) => sum + (point.at - at) ** 2, 0);
  const together = points.reduce((sum, point) => sum + (point.at - at) * (point.value - value), 0);
  return spread === 0 ? 0 : (together / spread) * dayMs;
}

/** Lists the periods in which the value over the window, or the cumulative downtime in it, was in breach. */
function breachPeriods(guarantee: SlaGuarantee, points: readonly Point[]): readonly BreachPeriod[] {
  const { metric, measurementWindow: windowMs } = guarantee;
  const periods: { metric: string; startedAt: number; endedAt: number | null; worst: number }[] = [];
  const budget = downtimeBudget(guarantee) ?? Number.POSITIVE_INFINITY;
  const running = runningWindow(guarantee, points, windowMs);
  for (const [index, { at }] of points.entries()) {
    const { value, downtime } = running(index);
    const last = periods.at(-1);
    const open = last?.endedAt === null ? last : undefined;
    if (!isBreach(guarantee, value) && downtime <= budget) {
      if (open !== undefined) open.endedAt = at;
    } else if (open === undefined) {
      periods.push({ metric, startedAt: at, endedAt: null, worst: value });
    } else {
      open.worst = lowerIsBetter(guarantee) ? Math.max(open.worst, value) : Math.min(open.worst, value);
    }
  }
  return periods;
}

/** Returns value and downtime over the window that ends at a point; to be called with growing positions. */
function runningWindow(guarantee: SlaGuarantee, points: readonly Point[], windowMs: number) {
  let first = 0;
  let observed = 0;
  let weighted = 0;
  let downtime = 0;
  const add = (point: Point | undefined, sign: 1 | -1): void => {
    if (point === undefined) return;
    observed += sign * point.durationMs;
    weighted += sign * point.durationMs * point.value;
    downtime += sign * downtimeOf(guarantee, [point]);
  };
  return (last: number): { readonly value: number; readonly downtime: number } => {
    add(points[last], 1);
    // The oldest point leaves when the rest covers the window.
    while (first < last && observed - (points[first]?.durationMs ?? 0) >= windowMs - 1) {
      add(points[first], -1);
      first += 1;
    }
    if (guarantee.aggregate === 'mean') return { value: weighted / observed, downtime };
    return { value: aggregate(guarantee.aggregate, points.slice(first, last + 1)), downtime };
  };
}

function statusOf(
  guarantee: SlaGuarantee,
  points: readonly Point[],
  periods: readonly BreachPeriod[],
  now: number,
): GuaranteeStatus {
  const { metric, target, breachThreshold, measurementWindow: windowMs } = guarantee;
  const inWindow = windowOf(points, points.length - 1, windowMs);
  const lastPeriod = periods.at(-1);
  const newest = inWindow.at(-1);
  const budget = downtimeBudget(guarantee);
  const downtime = budget === null ? null : downtimeOf(guarantee, inWindow);
  const known = {
    ...{ metric, unit: guarantee.unit ?? null, target, breachThreshold, windowMs },
    measurements: inWindow.length,
    stale: newest === undefined || now - newest.at > dayMs,
    observedMs: Math.min(windowMs, sum(inWindow.map(({ durationMs }) => durationMs))),
    downtimeMs: downtime,
    downtimeBudgetMs: budget,
    lastBreachAt: lastPeriod?.endedAt ?? lastPeriod?.startedAt ?? null,
  };
  if (newest === undefined)
    return { ...known, status: 'at_risk', current: null, buffer: null, daysUntilBreach: null };
  const current = aggregate(guarantee.aggregate, inWindow);
  const sign = lowerIsBetter(guarantee) ? -1 : 1;
  const buffer = sign * (current - target);
  const breached = isBreach(guarantee, current) || (downtime ?? 0) > (budget ?? Number.POSITIVE_INFINITY);
  // A line through rounding errors falls too: what takes longer than a century is flat.
  const falling = -sign * slopePerDay(inWindow);
  const days = (sign * (current - breachThreshold)) / falling;
  const daysUntilBreach = falling > 0 && days < 36_500 ? days : null;
  const kept = known.stale ? 'stale' : 'compliant';
  return {
    ...known,
    status: breached ? 'breached' : buffer < 0 ? 'at_risk' : kept,
    current,
    buffer,
    lastBreachAt: breached ? newest.at : known.lastBreachAt,
    daysUntilBreach: breached ? 0 : daysUntilBreach,
  };
}

const worseFirst: readonly SlaState[] = ['breached', 'at_risk', 'stale', 'compliant'];

function recommend(guarantees: readonly GuaranteeStatus[]): string | null {
  const said = guarantees.flatMap(({ metric, status, current, daysUntilBreach }) => {
    if (status === 'breached')
      return [`${metric} is in breach. Correct it, or file a dispute if the cause was outside your control.`];
    if (current === null) return [`${metric} is not measured. Send measurements.`];
    if (status === 'stale') return [`${metric} was not measured in the last day. Send measurements.`];
    if (daysUntilBreach !== null && daysUntilBreach <= 30)
      return [
        `${metric} gets worse and will be in breach in ${daysUntilBreach.toFixed(1)} days. Review recent failures.`,
      ];
    return status === 'at_risk' ? [`${metric} is below its target. Review recent failures.`] : [];
  });
  return said.length === 0 ? null : said.join(' ');
}

/** Parses an agreement and bounds its terms by a policy, when there is one. */
function termsOf(sla: SlaInput, policy: Partial<TrustPolicy> | undefined, subject: string | undefined) {
  if (policy === undefined) return { sla: parseSla(sla), violations: [] };
  return boundSlaTerms(sla, resolvePolicy(policy).sla, subject === undefined ? [] : [subject]);
}

/**
 * Evaluates an agreement: every promise against the measurements in its window; the overall state is the
 * worst of them. Values are weighted by time. Silence is unknown: it lowers a compliant promise to `stale` after a day, and bad values stay until
 * as much observed time has replaced them. Measurements may be in any order; those after `now` are left out.
 *
 * @param now ms since epoch.
 * @param options.penalties Active penalties, for `penaltiesApplied` and `trustScoreImpact`.
 * @param options.policy Rules of the verifier. Terms beyond them are replaced and listed in `termViolations`.
 * @param options.subject Agent that made the promises, which cannot be its own arbitrator.
 * @throws `INVALID_INPUT` when the agreement is wrong, `OUT_OF_RANGE` when a measurement is not a finite
 *   number.
 */
export function evaluateSla(
  sla: SlaInput,
  measurements: readonly SlaMeasurement[],
  now: number,
  options: {
    readonly penalties?: readonly AppliedPenalty[];
    readonly policy?: Partial<TrustPolicy>;
    readonly subject?: string;
  } = {},
): SlaStatus {
  requireRange('now', now, -Number.MAX_VALUE);
  for (const { at, value } of measurements) {
    requireRange('at', at, -Number.MAX_VALUE);
    requireRange('value', value, -Number.MAX_VALUE);
  }
  const { sla: agreement, violations } = termsOf(sla, options.policy, options.subject);
  const known = measurements.filter(({ at }) => at <= now).toSorted((left, right) => left.at - right.at);
  const judged = agreement.guarantees.map((guarantee) => {
    const points = toPoints(known.filter(({ metric }) => metric === guarantee.metric));
    const periods = breachPeriods(guarantee, points);
    return { periods, status: statusOf(guarantee, points, periods, now) };
  });
  const guarantees = judged.map(({ status }) => status);
  const { penalties = [] } = options;
  return {
    overall: worseFirst.find((state) => guarantees.some(({ status }) => status === state)) ?? 'compliant',
    guarantees,
    termViolations: violations,
    recentBreaches: judged
      .flatMap(({ periods }) => periods)
      .filter(({ endedAt }) => endedAt === null || endedAt > now - 30 * dayMs)
      .toSorted((left, right) => right.startedAt - left.startedAt),
    penaltiesApplied: penalties,
    trustScoreImpact: applyPenalties(1, penalties, now).score - 1,
    recommendation: recommend(guarantees),
    evaluatedAt: now,
    refreshAt: now + agreement.refreshIntervalSeconds * 1_000,
  };
}

/**
 * On which days since `since` a promise was kept above its target: what recovery from a penalty runs on. One entry per
 * day, at its end.
 *
 * @throws `INVALID_INPUT`, `OUT_OF_RANGE` as {@link evaluateSla}.
 */
export function performanceByDay(
  sla: SlaInput,
  metric: string,
  measurements: readonly SlaMeasurement[],
  since: number,
  now: number,
): readonly { readonly at: number; readonly aboveTarget: boolean }[] {
  const agreement = parseSla(sla);
  const days = Math.max(0, Math.floor((now - since) / dayMs));
  return Array.from({ length: days }, (_, day) => {
    const at = since + (day + 1) * dayMs;
    const found = agreement.guarantees.find((one) => one.metric === metric);
    const points = toPoints(
      measurements
        .filter((point) => point.metric === metric && point.at > at - dayMs && point.at <= at)
        .toSorted((left, right) => left.at - right.at),
    );
    if (found === undefined || points.length === 0) return { at, aboveTarget: false };
    const value = aggregate(found.aggregate, points);
    return { at, aboveTarget: lowerIsBetter(found) ? value <= found.target : value >= found.target };
  });
}
