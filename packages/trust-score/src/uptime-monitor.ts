import { requireCount, requireRange } from './errors.ts';
import { uptimeScore } from './factors.ts';

/** One health check. */
export interface HealthCheck {
  /** ms since epoch. */
  readonly at: number;
  readonly ok: boolean;
  /** Human-readable reason of the failure. */
  readonly reason?: string;
  /** Location of the prober. */
  readonly location?: string;
  /**
   * Prober of the check. Checks that an agent makes of itself are ignored by default.
   * @default 'third_party'
   */
  readonly by?: 'third_party' | 'self';
}

/** A time in which an agent was down. */
export interface Incident {
  /** ms since epoch, of the first failed check. */
  readonly startedAt: number;
  /** ms since epoch, of the first check that was well again; null while it lasts. */
  readonly endedAt: number | null;
  /** Different reasons that were given, in order. */
  readonly reasons: readonly string[];
  readonly locations: readonly string[];
  readonly failedChecks: number;
}

/**
 * Immutable state of an uptime monitor. Start with {@link newUptimeMonitor}; {@link recordCheck} returns the
 * next state.
 */
export interface UptimeMonitor {
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  readonly checks: number;
  readonly failedChecks: number;
  /** Checks that came out of order, or that the agent made itself: they count for nothing. */
  readonly ignoredChecks: number;
  /** Failed checks since the last good one. */
  readonly failing: Incident | null;
  /** True when the current run of failed checks exceeds the grace, so that it is an incident. */
  readonly down: boolean;
  /** Incidents that are over, oldest first. */
  readonly incidents: readonly Incident[];
  /** Runs of failed checks within the grace, oldest first. */
  readonly briefOutages: readonly Span[];
  /** Times that checks stand for, oldest first. */
  readonly observed: readonly Span[];
}

/** A span of time, ms since epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Options of {@link recordCheck}. */
export interface UptimeMonitorOptions {
  /** Failed checks in a row that are forgiven. @default 2 */
  readonly graceChecks?: number;
  /** Count checks that the agent made of itself. @default false */
  readonly acceptSelf?: boolean;
  /** Longest time that a check stands for, in milliseconds; a longer silence is not observed. @default 900_000 */
  readonly maxGapMs?: number;
}

/** The initial state of a monitor. */
export const newUptimeMonitor: UptimeMonitor = {
  firstAt: null,
  lastAt: null,
  checks: 0,
  failedChecks: 0,
  ignoredChecks: 0,
  failing: null,
  down: false,
  incidents: [],
  briefOutages: [],
  observed: [],
};

const withNew = (list: readonly string[], one: string | undefined): readonly string[] =>
  one === undefined || list.includes(one) ? list : [...list, one];

/** Appends a span; touching spans become one. */
function extend(spans: readonly Span[], span: Span): readonly Span[] {
  const last = spans.at(-1);
  if (last === undefined || last.to < span.from) return [...spans, span];
  return [...spans.slice(0, -1), { from: last.from, to: Math.max(last.to, span.to) }];
}

/**
 * Returns the monitor after one more check. Two failed checks in a row are forgiven; the third opens an
 * incident, which counts from the first of them. A successful check ends it.
 *
 * @throws `OUT_OF_RANGE` when the time is not finite.
 */
export function recordCheck(
  monitor: UptimeMonitor,
  check: HealthCheck,
  options: UptimeMonitorOptions = {},
): UptimeMonitor {
  const { graceChecks = 2, acceptSelf = false, maxGapMs = 900_000 } = options;
  requireCount('graceChecks', graceChecks);
  requireRange('maxGapMs', maxGapMs, 1);
  requireRange('at', check.at, -Number.MAX_VALUE);
  const { lastAt, firstAt, failing, incidents } = monitor;
  if ((lastAt !== null && check.at < lastAt) || (check.by === 'self' && !acceptSelf))
    return { ...monitor, ignoredChecks: monitor.ignoredChecks + 1 };
  const seen = {
    ...monitor,
    firstAt: firstAt ?? check.at,
    lastAt: check.at,
    checks: monitor.checks + 1,
    observed: extend(monitor.observed, { from: check.at, to: check.at + maxGapMs }),
  };
  if (check.ok) {
    const ended =
      monitor.down && failing !== null ? [...incidents, { ...failing, endedAt: check.at }] : incidents;
    const brief =
      !monitor.down && failing !== null
        ? [...monitor.briefOutages, { from: failing.startedAt, to: check.at }]
        : monitor.briefOutages;
    return { ...seen, failing: null, down: false, incidents: ended, briefOutages: brief };
  }
  const failed: Incident = {
    startedAt: failing?.startedAt ?? check.at,
    endedAt: null,
    reasons: withNew(failing?.reasons ?? [], check.reason),
    locations: withNew(failing?.locations ?? [], check.location),
    failedChecks: (failing?.failedChecks ?? 0) + 1,
  };
  return {
    ...seen,
    failedChecks: monitor.failedChecks + 1,
    failing: failed,
    down: failed.failedChecks > graceChecks,
  };
}

/** The result of {@link uptimeReport}. */
export interface UptimeReport {
  /** Share of the observed time without downtime, 0…1, after penalties; at most `coverage` when that is below 0.9. */
  readonly score: number;
  readonly periodHours: number;
  /** Time that checks stand for, and incidents. */
  readonly observedHours: number;
  /** Observed share of the period, 0…1. */
  readonly coverage: number;
  /** Incidents, and brief outages beyond one in 24 hours. */
  readonly downtimeHours: number;
  /** Those of the period, the open one last, with how long they lasted in it. */
  readonly incidents: readonly (Incident & { readonly durationHours: number })[];
  /** Deduction for failed checks, 0…1. */
  readonly penalty: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Coverage below which the score is capped. */
const minCoverage = 0.9;

/** Sums the part of some spans that lies in a period; overlaps count once. */
function lengthWithin(spans: readonly Span[], period: Span): number {
  let reached = period.from;
  let total = 0;
  for (const { from, to } of spans.toSorted((left, right) => left.from - right.from)) {
    const begin = Math.max(from, reached);
    const end = Math.min(to, period.to);
    if (end <= begin) continue;
    total += end - begin;
    reached = end;
  }
  return total;
}

/** Returns the brief outages that the grace does not forgive: all but one in 24 hours. */
function repeatedOutages(outages: readonly Span[]): readonly Span[] {
  let forgiven = Number.NEGATIVE_INFINITY;
  return outages.filter(({ from }) => {
    if (from - forgiven < dayMs) return true;
    forgiven = from;
    return false;
  });
}

/**
 * Computes the uptime of the period that ends `now`: of the last 30 days, or since the first check. Only observed time counts.
 * Silence is not uptime: an incident lasts until the next successful check, and below 90 % coverage the score is at most
 * the coverage.
 *
 * @param options.penaltyPerFailedCheck Deduction for each failed check in the monitor's whole life. The STEWARD trust
 * model has 0.05; default 0.
 * @throws `OUT_OF_RANGE` when an option is out of range.
 */
export function uptimeReport(
  monitor: UptimeMonitor,
  now: number,
  options: { readonly periodMs?: number; readonly penaltyPerFailedCheck?: number } = {},
): UptimeReport {
  const { periodMs = 30 * dayMs, penaltyPerFailedCheck = 0 } = options;
  requireRange('periodMs', periodMs, Number.MIN_VALUE);
  requireRange('penaltyPerFailedCheck', penaltyPerFailedCheck, 0, 1);
  const { firstAt, failing, down } = monitor;
  const from = Math.max(now - periodMs, firstAt ?? now);
  const none = { score: 0, periodHours: 0, observedHours: 0, coverage: 0, downtimeHours: 0 };
  if (firstAt === null || now <= from) return { ...none, incidents: [], penalty: 0 };
  const period = { from, to: now };
  const open = down && failing !== null ? [failing] : [];
  const incidents = [...monitor.incidents, ...open].flatMap((incident) => {
    const until = Math.min(now, incident.endedAt ?? now);
    const lasted = until - Math.max(from, incident.startedAt);
    return lasted > 0 ? [{ ...incident, durationHours: lasted / hourMs }] : [];
  });
  const downSpans = [
    ...incidents.map(({ startedAt, endedAt }) => ({ from: startedAt, to: endedAt ?? now })),
    ...repeatedOutages(monitor.briefOutages),
  ];
  const downtimeHours = lengthWithin(downSpans, period) / hourMs;
  const periodHours = (now - from) / hourMs;
  const observedHours = lengthWithin([...monitor.observed, ...downSpans], period) / hourMs;
  const coverage = observedHours / periodHours;
  const penalty = Math.min(1, penaltyPerFailedCheck * monitor.failedChecks);
  const uptime = observedHours === 0 ? 0 : uptimeScore(observedHours, downtimeHours);
  const score = Math.max(0, capByCoverage(uptime, coverage) - penalty);
  return { score, periodHours, observedHours, coverage, downtimeHours, incidents, penalty };
}

/** Limits an uptime to its coverage, when less than 90 % of the period was observed. */
export function capByCoverage(uptime: number, coverage: number): number {
  return coverage < minCoverage ? Math.min(uptime, coverage) : uptime;
}

/**
 * Returns the time of the next check: every five minutes, with random jitter, so that an agent cannot be up
 * for the checks alone.
 *
 * @param options.jitter Maximum deviation as a share of the interval, 0…1. Default 0.5.
 */
export function nextCheckAt(
  lastAt: number,
  options: { readonly intervalMs?: number; readonly jitter?: number; readonly random?: () => number } = {},
): number {
  const { intervalMs = 300_000, jitter = 0.5, random = Math.random } = options;
  requireRange('intervalMs', intervalMs, 1);
  requireRange('jitter', jitter, 0, 1);
  return lastAt + intervalMs * (1 + jitter * (2 * random() - 1));
}
