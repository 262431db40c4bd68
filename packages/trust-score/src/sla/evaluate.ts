import { requireRange, requireTime } from '../errors.ts';
import { canonicalId } from '../identity.ts';
import { anything, list, listOf, optional, optionsOf, record, text, time, within } from '../input.ts';
import { boundSlaTerms, type SlaTermViolation } from '../policy/sla-terms.ts';
import { resolvePolicy, type TrustPolicy } from '../policy/trust-policy.ts';
import { type AppliedPenalty, applyPenalties } from './penalties.ts';
import { lowerIsBetter, parseSla, type SlaGuarantee, type SlaInput } from './sla.ts';
import type { Sample, Segment } from './timeline.ts';
import {
  aggregate,
  type BreachPeriod,
  breachPeriods,
  downtimeBudget,
  downtimeOf,
  isBreach,
  lastWindow,
  observedIn,
  segmentsOf,
  slopePerDay,
} from './windows.ts';

export type { BreachPeriod } from './windows.ts';

const dayMs = 86_400_000;

/**
 * One measurement of a metric. It stands for the time around it, half way to the prober's next ones and up to half a day on
 * either side; a value in breach stands for half of the prober's usual gap at least.
 */
export interface SlaMeasurement {
  readonly metric: string;
  /** ms since epoch. */
  readonly at: number;
  /** A share is limited to 0…1, a time to 0 or more. */
  readonly value: number;
  /** Id or public key of the prober that measured. @default the verifier itself */
  readonly prober?: string;
}

/**
 * State of a promise, or of all. `at_risk`: below the target and not yet in breach. `stale`: compliant by the last
 * measurements, which are more than a day old.
 */
export type SlaState = 'compliant' | 'stale' | 'at_risk' | 'breached';

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
  /** Number of measurements that do not count: of the subject itself, or of probers that the policy does not know. */
  readonly ignoredMeasurements: number;
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

function statusOf(
  guarantee: SlaGuarantee,
  found: {
    readonly samples: readonly Sample[];
    readonly segments: readonly Segment[];
    readonly periods: readonly BreachPeriod[];
  },
  now: number,
): GuaranteeStatus {
  const { metric, target, breachThreshold, measurementWindow: windowMs } = guarantee;
  const { samples, segments, periods } = found;
  const inWindow = lastWindow(segments, windowMs);
  const begin = inWindow[0]?.from ?? Number.POSITIVE_INFINITY;
  const lastPeriod = periods.at(-1);
  const newest = samples.at(-1);
  const budget = downtimeBudget(guarantee);
  const downtime = budget === null ? null : downtimeOf(guarantee, inWindow);
  const known = {
    ...{ metric, unit: guarantee.unit ?? null, target, breachThreshold, windowMs },
    measurements: samples.filter(({ at }) => at >= begin).length,
    stale: newest === undefined || now - newest.at > dayMs,
    observedMs: Math.min(windowMs, observedIn(inWindow)),
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

const givenMeasurements = listOf(
  record({ metric: text, at: time, value: within(-1e100, 1e100), prober: optional(text) }),
);
// The policy and the penalties are checked where they are used.
const judgeOptions = { policy: anything, subject: optional(text) };
const evaluationOptions = optionsOf({ ...judgeOptions, penalties: optional(list) });
const performanceOptions = optionsOf(judgeOptions);

interface JudgeOptions {
  /** Rules of the verifier. Terms beyond them are replaced, and measurements of unknown probers do not count. */
  readonly policy?: Partial<TrustPolicy>;
  /** Agent that made the promises: it cannot be its own arbitrator, and its own measurements do not count. */
  readonly subject?: string;
}

/** Parses an agreement, bounds its terms by a policy when there is one, and returns the measurements that count by time. */
function judgedBy(
  sla: SlaInput,
  measurements: readonly SlaMeasurement[],
  { policy, subject }: JudgeOptions,
): {
  readonly sla: ReturnType<typeof parseSla>;
  readonly violations: readonly SlaTermViolation[];
  readonly samples: readonly (Sample & { readonly metric: string })[];
} {
  givenMeasurements('measurements', measurements);
  const rules = policy === undefined ? null : resolvePolicy(policy);
  const known = rules === null ? null : new Set(rules.knownProbers.map(canonicalId));
  const self = subject === undefined ? null : canonicalId(subject);
  const names = new Map(
    [...new Set(measurements.map(({ prober = '' }) => prober))].map((name) => [name, canonicalId(name)]),
  );
  const samples = measurements
    .map(({ metric, at, value, prober = '' }) => ({ metric, at, value, prober: names.get(prober) ?? '' }))
    .filter(({ prober }) => prober === '' || (prober !== self && (known === null || known.has(prober))))
    .toSorted((left, right) => left.at - right.at);
  if (rules === null) return { sla: parseSla(sla), violations: [], samples };
  return { ...boundSlaTerms(sla, rules.sla, subject === undefined ? [] : [subject]), samples };
}

/**
 * Evaluates an agreement: every promise against the measurements in its window; the overall state is the
 * worst of them. Values are weighted by time. Silence is unknown: it lowers a compliant promise to `stale` after a day, and bad
 * values stay until as much observed time has replaced them. Of several probers the median counts at every moment, of an even
 * number the worse middle one. Measurements may be in any order; those after `now` are left out.
 *
 * @param now ms since epoch.
 * @param options.penalties Active penalties, for `penaltiesApplied` and `trustScoreImpact`.
 * @param options.policy Rules of the verifier. Terms beyond them are replaced and listed in `termViolations`; measurements that
 *   name a prober count only when the policy knows it.
 * @param options.subject Agent that made the promises: it cannot be its own arbitrator, and its own measurements do not count.
 * @throws `INVALID_INPUT` when the agreement is wrong, `OUT_OF_RANGE` when a measurement is not a finite
 *   number or its time is not a date.
 */
export function evaluateSla(
  sla: SlaInput,
  measurements: readonly SlaMeasurement[],
  now: number,
  options: JudgeOptions & { readonly penalties?: readonly AppliedPenalty[] } = {},
): SlaStatus {
  requireTime('now', now);
  evaluationOptions('options', options);
  const { sla: agreement, violations, samples } = judgedBy(sla, measurements, options);
  const known = samples.filter(({ at }) => at <= now);
  const judged = agreement.guarantees.map((guarantee) => {
    const own = known.filter(({ metric }) => metric === guarantee.metric);
    const segments = segmentsOf(guarantee, own);
    const periods = breachPeriods(guarantee, segments);
    return { periods, status: statusOf(guarantee, { samples: own, segments, periods }, now) };
  });
  const guarantees = judged.map(({ status }) => status);
  const { penalties = [] } = options;
  return {
    overall: worseFirst.find((state) => guarantees.some(({ status }) => status === state)) ?? 'compliant',
    guarantees,
    ignoredMeasurements: measurements.length - samples.length,
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
 * Lists the days since `since` and whether a promise was kept above its target on each: what recovery from a penalty runs on.
 * One entry per day, at its end. A day without measurements is not above target.
 *
 * @param options Rules and subject as for {@link evaluateSla}, so that a penalty ends on the terms by which it began.
 * @throws `INVALID_INPUT`, `OUT_OF_RANGE` as {@link evaluateSla}, and for more than 36,500 days.
 */
export function performanceByDay(
  sla: SlaInput,
  metric: string,
  measurements: readonly SlaMeasurement[],
  since: number,
  now: number,
  options: JudgeOptions = {},
): readonly { readonly at: number; readonly aboveTarget: boolean }[] {
  requireTime('since', since);
  requireTime('now', now);
  text('metric', metric);
  performanceOptions('options', options);
  const { sla: agreement, samples } = judgedBy(sla, measurements, options);
  const days = Math.max(0, Math.floor((now - since) / dayMs));
  requireRange('days', days, 0, 36_500);
  const found = agreement.guarantees.find((one) => one.metric === metric);
  const byDay = new Map<number, Sample[]>();
  for (const sample of samples) {
    if (sample.metric !== metric) continue;
    // A day begins just after its first moment, which is the end of the day before.
    const day = Math.ceil((sample.at - since) / dayMs) - 1;
    const own = byDay.get(day) ?? [];
    own.push(sample);
    byDay.set(day, own);
  }
  return Array.from({ length: days }, (_, day) => {
    const at = since + (day + 1) * dayMs;
    const own = byDay.get(day);
    if (found === undefined || own === undefined) return { at, aboveTarget: false };
    const value = aggregate(found.aggregate, segmentsOf(found, own));
    return { at, aboveTarget: lowerIsBetter(found) ? value <= found.target : value >= found.target };
  });
}
