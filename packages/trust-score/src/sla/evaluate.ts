import { requireRange } from '../errors.ts';
import { type AppliedPenalty, applyPenalties } from './penalties.ts';
import { lowerIsBetter, parseSla, type Sla, type SlaGuarantee, type SlaInput } from './sla.ts';

const dayMs = 86_400_000;

/** One measurement of a metric over a short period; all of a metric's periods are about equally long. */
export interface SlaMeasurement {
  readonly metric: string;
  /** ms since epoch. */
  readonly at: number;
  readonly value: number;
}

/** State of a promise, or of all. `at_risk`: below the target and not yet in breach. */
export type SlaState = 'compliant' | 'at_risk' | 'breached';

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
  readonly measurements: number;
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

function aggregate(kind: SlaGuarantee['aggregate'], values: readonly number[]): number {
  if (kind === 'last') return values.at(-1) ?? Number.NaN;
  if (kind === 'max') return Math.max(...values);
  if (kind === 'p99') {
    const sorted = values.toSorted((left, right) => left - right);
    return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
  }
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function isBreach(guarantee: SlaGuarantee, value: number): boolean {
  return lowerIsBetter(guarantee) ? value > guarantee.breachThreshold : value < guarantee.breachThreshold;
}

/** Change per day of the straight line through points (least squares); 0 when they are all of one moment. */
function slopePerDay(points: readonly SlaMeasurement[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const at = mean(points.map((point) => point.at));
  const value = mean(points.map((point) => point.value));
  const spread = points.reduce((sum, point) => sum + (point.at - at) ** 2, 0);
  const together = points.reduce((sum, point) => sum + (point.at - at) * (point.value - value), 0);
  return spread === 0 ? 0 : (together / spread) * dayMs;
}

/** Lists the periods in which the value over the window was in breach. */
function breachPeriods(guarantee: SlaGuarantee, points: readonly SlaMeasurement[]): readonly BreachPeriod[] {
  const periods: { metric: string; startedAt: number; endedAt: number | null; worst: number }[] = [];
  let first = 0;
  for (const [index, { at }] of points.entries()) {
    while ((points[first]?.at ?? at) <= at - guarantee.measurementWindow) first += 1;
    const values = points.slice(first, index + 1).map((point) => point.value);
    const value = aggregate(guarantee.aggregate, values);
    const last = periods.at(-1);
    const open = last?.endedAt === null ? last : undefined;
    if (!isBreach(guarantee, value)) {
      if (open !== undefined) open.endedAt = at;
    } else if (open === undefined) {
      periods.push({ metric: guarantee.metric, startedAt: at, endedAt: null, worst: value });
    } else {
      open.worst = lowerIsBetter(guarantee) ? Math.max(open.worst, value) : Math.min(open.worst, value);
    }
  }
  return periods;
}

function statusOf(
  guarantee: SlaGuarantee,
  points: readonly SlaMeasurement[],
  periods: readonly BreachPeriod[],
  now: number,
): GuaranteeStatus {
  const { metric, target, breachThreshold, measurementWindow: windowMs } = guarantee;
  const inWindow = points.filter(({ at }) => at > now - windowMs);
  const lastPeriod = periods.at(-1);
  const known = { metric, unit: guarantee.unit ?? null, target, breachThreshold, windowMs };
  const values = inWindow.map(({ value }) => value);
  const measured = {
    measurements: values.length,
    lastBreachAt: lastPeriod?.endedAt ?? lastPeriod?.startedAt ?? null,
  };
  if (values.length === 0)
    return { ...known, ...measured, status: 'at_risk', current: null, buffer: null, daysUntilBreach: null };
  const current = aggregate(guarantee.aggregate, values);
  const sign = lowerIsBetter(guarantee) ? -1 : 1;
  const buffer = sign * (current - target);
  const breached = isBreach(guarantee, current);
  // A line through rounding errors falls too: what takes longer than a century is flat.
  const falling = -sign * slopePerDay(inWindow);
  const days = (sign * (current - breachThreshold)) / falling;
  const daysUntilBreach = falling > 0 && days < 36_500 ? days : null;
  const status = buffer < 0 ? 'at_risk' : 'compliant';
  return {
    ...known,
    ...measured,
    status: breached ? 'breached' : status,
    current,
    buffer,
    lastBreachAt: breached ? (inWindow.at(-1)?.at ?? null) : measured.lastBreachAt,
    daysUntilBreach: breached ? 0 : daysUntilBreach,
  };
}

const worseFirst: readonly SlaState[] = ['breached', 'at_risk', 'compliant'];

function recommend(guarantees: readonly GuaranteeStatus[]): string | null {
  const said = guarantees.flatMap(({ metric, status, current, daysUntilBreach }) => {
    if (status === 'breached')
      return [`${metric} is in breach. Mend it, or file a dispute if it was not your doing.`];
    if (current === null) return [`${metric} is not measured. Send measurements.`];
    if (daysUntilBreach !== null && daysUntilBreach <= 30)
      return [
        `${metric} gets worse and will be in breach in ${daysUntilBreach.toFixed(1)} days. Review recent failures.`,
      ];
    return status === 'at_risk' ? [`${metric} is below its target. Review recent failures.`] : [];
  });
  return said.length === 0 ? null : said.join(' ');
}

/**
 * Evaluates an agreement: every promise against the measurements in its window; the overall state is the
 * worst of them. Measurements may be in any order; those after `now` are left out.
 *
 * @param now ms since epoch.
 * @param options.penalties Active penalties, for `penaltiesApplied` and `trustScoreImpact`.
 * @throws `INVALID_INPUT` when the agreement is wrong, `OUT_OF_RANGE` when a measurement is not a finite
 *   number.
 */
export function evaluateSla(
  sla: SlaInput,
  measurements: readonly SlaMeasurement[],
  now: number,
  options: { readonly penalties?: readonly AppliedPenalty[] } = {},
): SlaStatus {
  requireRange('now', now, -Number.MAX_VALUE);
  for (const { at, value } of measurements) {
    requireRange('at', at, -Number.MAX_VALUE);
    requireRange('value', value, -Number.MAX_VALUE);
  }
  const agreement: Sla = parseSla(sla);
  const known = measurements.filter(({ at }) => at <= now).toSorted((left, right) => left.at - right.at);
  const judged = agreement.guarantees.map((guarantee) => {
    const points = known.filter(({ metric }) => metric === guarantee.metric);
    const periods = breachPeriods(guarantee, points);
    return { periods, status: statusOf(guarantee, points, periods, now) };
  });
  const guarantees = judged.map(({ status }) => status);
  const { penalties = [] } = options;
  return {
    overall: worseFirst.find((state) => guarantees.some(({ status }) => status === state)) ?? 'compliant',
    guarantees,
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
    const values = measurements
      .filter((point) => point.metric === metric && point.at > at - dayMs && point.at <= at)
      .map(({ value }) => value);
    if (found === undefined || values.length === 0) return { at, aboveTarget: false };
    const value = aggregate(found.aggregate, values);
    return { at, aboveTarget: lowerIsBetter(found) ? value <= found.target : value >= found.target };
  });
}
