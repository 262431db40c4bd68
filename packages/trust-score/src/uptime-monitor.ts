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
}

/** Options of {@link recordCheck}. */
export interface UptimeMonitorOptions {
  /** Failed checks in a row that are forgiven. @default 2 */
  readonly graceChecks?: number;
  /** Count what the agent says about itself. @default false */
  readonly acceptSelf?: boolean;
}

/** A monitor that has seen nothing. */
export const newUptimeMonitor: UptimeMonitor = {
  firstAt: null,
  lastAt: null,
  checks: 0,
  failedChecks: 0,
  ignoredChecks: 0,
  failing: null,
  down: false,
  incidents: [],
};

const withNew = (list: readonly string[], one: string | undefined): readonly string[] =>
  one === undefined || list.includes(one) ? list : [...list, one];

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
  const { graceChecks = 2, acceptSelf = false } = options;
  requireCount('graceChecks', graceChecks);
  requireRange('at', check.at, -Number.MAX_VALUE);
  const { lastAt, firstAt, failing, incidents } = monitor;
  if ((lastAt !== null && check.at < lastAt) || (check.by === 'self' && !acceptSelf))
    return { ...monitor, ignoredChecks: monitor.ignoredChecks + 1 };
  const seen = { ...monitor, firstAt: firstAt ?? check.at, lastAt: check.at, checks: monitor.checks + 1 };
  if (check.ok) {
    const ended =
      monitor.down && failing !== null ? [...incidents, { ...failing, endedAt: check.at }] : incidents;
    return { ...seen, failing: null, down: false, incidents: ended };
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

/** Uptime of a period. */
export interface UptimeReport {
  /** 0…1, after penalties. */
  readonly score: number;
  readonly periodHours: number;
  readonly downtimeHours: number;
  /** Those of the period, the open one last, with how long they lasted in it. */
  readonly incidents: readonly (Incident & { readonly durationHours: number })[];
  /** Deduction for failed checks, 0…1. */
  readonly penalty: number;
}

const hourMs = 3_600_000;

/**
 * Computes the uptime of the period that ends `now`: of the last 30 days, or since the first check.
 *
 * @param options.penaltyPerFailedCheck Deduction for each failed check in the monitor's whole life. The
 *   STEWARD trust model has 0.05; default 0.
 * @throws `OUT_OF_RANGE` when an option is out of range.
 */
export function uptimeReport(
  monitor: UptimeMonitor,
  now: number,
  options: { readonly periodMs?: number; readonly penaltyPerFailedCheck?: number } = {},
): UptimeReport {
  const { periodMs = 30 * 24 * hourMs, penaltyPerFailedCheck = 0 } = options;
  requireRange('periodMs', periodMs, Number.MIN_VALUE);
  requireRange('penaltyPerFailedCheck', penaltyPerFailedCheck, 0, 1);
  const { firstAt, failing, down } = monitor;
  const from = Math.max(now - periodMs, firstAt ?? now);
  if (firstAt === null || now <= from)
    return { score: 0, periodHours: 0, downtimeHours: 0, incidents: [], penalty: 0 };
  const open = down && failing !== null ? [failing] : [];
  const incidents = [...monitor.incidents, ...open].flatMap((incident) => {
    const until = Math.min(now, incident.endedAt ?? now);
    const lasted = until - Math.max(from, incident.startedAt);
    return lasted > 0 ? [{ ...incident, durationHours: lasted / hourMs }] : [];
  });
  const periodHours = (now - from) / hourMs;
  const downtimeHours = incidents.reduce((sum, { durationHours }) => sum + durationHours, 0);
  const penalty = Math.min(1, penaltyPerFailedCheck * monitor.failedChecks);
  const score = Math.max(0, uptimeScore(periodHours, downtimeHours) - penalty);
  return { score, periodHours, downtimeHours, incidents, penalty };
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
