import { requireTime } from './errors.ts';
import { uptimeScore } from './factors.ts';
import { canonicalId } from './identity.ts';
import {
  type Check,
  callable,
  count,
  flag,
  list,
  listOf,
  notNegative,
  nullable,
  oneOf,
  optional,
  optionsOf,
  record,
  recordOf,
  share,
  text,
  time,
  within,
} from './input.ts';
import { leastShare, usualGap } from './sla/timeline.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** One health check. */
export interface HealthCheck {
  /** ms since epoch. */
  readonly at: number;
  readonly ok: boolean;
  /** Human-readable reason of the failure. */
  readonly reason?: string;
  /** Location of the prober. */
  readonly location?: string;
  /** Id or public key of the prober. Each prober's checks are judged on their own. @default '' */
  readonly prober?: string;
  /**
   * Kind of the prober. Checks that an agent makes of itself are ignored by default.
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

/** State of the checks of one prober. */
export interface ProberRecord {
  /** Time of the newest check, ms since epoch. */
  readonly lastAt: number | null;
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
  /** Gaps between the newest checks, ms, at most nine. */
  readonly gaps: readonly number[];
  /** A check more than a day later than the one before it: it counts when another follows it, since its date may be wrong. */
  readonly held: { readonly check: HealthCheck; readonly record: ProberRecord } | null;
}

/**
 * Immutable state of an uptime monitor. Start with {@link newUptimeMonitor}; {@link recordCheck} returns the
 * next state. Its own record is that of checks without a prober.
 */
export interface UptimeMonitor extends ProberRecord {
  readonly checks: number;
  readonly failedChecks: number;
  /** Checks that came out of order or from the future, or that the agent made itself: they count for nothing. */
  readonly ignoredChecks: number;
  /** Records of checks that name their prober, by its id. */
  readonly probers: Readonly<Record<string, ProberRecord>>;
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
  /** Time of arrival, ms since epoch: checks dated more than 10 minutes later are ignored. @default not checked */
  readonly now?: number;
  /** Probers whose checks count; those of others are ignored. Checks without a prober count always. @default all */
  readonly probers?: readonly string[];
}

const checkOptions = optionsOf({
  graceChecks: optional(count),
  acceptSelf: optional(flag),
  maxGapMs: optional(within(1)),
  now: optional(time),
  probers: optional(listOf(text)),
});
const reportOptions = optionsOf({
  periodMs: optional(within(Number.MIN_VALUE)),
  penaltyPerFailedCheck: optional(share),
});
const nextOptions = optionsOf({
  intervalMs: optional(within(1)),
  jitter: optional(share),
  random: optional(callable),
});
const healthCheck = record({
  at: time,
  ok: flag,
  reason: optional(text),
  location: optional(text),
  prober: optional(text),
  by: optional(oneOf('third_party', 'self')),
});
const incident = record({
  startedAt: time,
  endedAt: nullable(time),
  reasons: listOf(text),
  locations: listOf(text),
  failedChecks: count,
});
const spans = listOf(record({ from: time, to: time }));
const proberFields = {
  lastAt: nullable(time),
  failing: nullable(incident),
  down: flag,
  incidents: listOf(incident),
  briefOutages: spans,
  observed: spans,
  gaps: listOf(notNegative),
};
const proberRecord = record({
  ...proberFields,
  held: nullable(record({ check: healthCheck, record: record(proberFields) })),
});
/** The form of a monitor without its lists, which grow with every check. */
const monitorShape = record({
  lastAt: nullable(time),
  failing: nullable(incident),
  down: flag,
  incidents: list,
  briefOutages: list,
  observed: list,
  gaps: list,
  held: nullable(record({ check: healthCheck, record: record({}) })),
  checks: count,
  failedChecks: count,
  ignoredChecks: count,
  probers: recordOf(record({})),
});
const monitorState: Check = (name, value) => {
  proberRecord(name, value);
  monitorFields(name, value);
};
const monitorFields = record({
  checks: count,
  failedChecks: count,
  ignoredChecks: count,
  probers: recordOf(proberRecord),
});

const newRecord: ProberRecord = {
  lastAt: null,
  failing: null,
  down: false,
  incidents: [],
  briefOutages: [],
  observed: [],
  gaps: [],
  held: null,
};

/** The initial state of a monitor. */
export const newUptimeMonitor: UptimeMonitor = {
  ...newRecord,
  checks: 0,
  failedChecks: 0,
  ignoredChecks: 0,
  probers: {},
};

const clockSkewMs = 600_000;

const withNew = (list: readonly string[], one: string | undefined): readonly string[] =>
  one === undefined || list.includes(one) ? list : [...list, one];

/** Appends a span; touching spans become one. */
function extend(spans: readonly Span[], span: Span): readonly Span[] {
  const last = spans.at(-1);
  if (last === undefined || last.to < span.from) return [...spans, span];
  return [...spans.slice(0, -1), { from: last.from, to: Math.max(last.to, span.to) }];
}

/** Number of gaps that the usual one is taken from. */
const maxGaps = 9;

/** Returns the record of a prober after one more check, which is not earlier than the last one. */
function addCheck(
  record: ProberRecord,
  check: HealthCheck,
  { graceChecks, maxGapMs }: Required<Pick<UptimeMonitorOptions, 'graceChecks' | 'maxGapMs'>>,
): ProberRecord {
  const { failing, incidents, briefOutages, lastAt } = record;
  const gaps =
    lastAt === null ? record.gaps : [...record.gaps, Math.min(maxGapMs, check.at - lastAt)].slice(-maxGaps);
  const seen = {
    ...record,
    held: null,
    gaps,
    lastAt: check.at,
    observed: extend(record.observed, { from: check.at, to: check.at + maxGapMs }),
  };
  if (!check.ok) {
    const failed: Incident = {
      startedAt: failing?.startedAt ?? check.at,
      endedAt: null,
      reasons: withNew(failing?.reasons ?? [], check.reason),
      locations: withNew(failing?.locations ?? [], check.location),
      failedChecks: (failing?.failedChecks ?? 0) + 1,
    };
    return { ...seen, failing: failed, down: failed.failedChecks > graceChecks };
  }
  if (failing === null) return seen;
  // A good check just after a failed one does not undo it.
  const endedAt = Math.max(check.at, (lastAt ?? check.at) + leastShare * usualGap(gaps));
  return {
    ...seen,
    failing: null,
    down: false,
    incidents: record.down ? [...incidents, { ...failing, endedAt }] : incidents,
    briefOutages: record.down ? briefOutages : [...briefOutages, { from: failing.startedAt, to: endedAt }],
  };
}

/**
 * Returns the monitor after one more check. Two failed checks of one prober in a row are forgiven; the third opens an
 * incident, which counts from the first of them. A successful check of the same prober ends it.
 *
 * @throws `OUT_OF_RANGE` when a time is not one, or an option is out of range.
 */
export function recordCheck(
  monitor: UptimeMonitor,
  check: HealthCheck,
  options: UptimeMonitorOptions = {},
): UptimeMonitor {
  checkOptions('options', options);
  healthCheck('check', check);
  monitorShape('monitor', monitor);
  const { graceChecks = 2, acceptSelf = false, maxGapMs = 900_000, now, probers } = options;
  const prober = check.prober === undefined ? '' : canonicalId(check.prober);
  const record =
    prober === '' ? monitor : Object.hasOwn(monitor.probers, prober) ? monitor.probers[prober] : newRecord;
  const isKnown =
    prober === '' || probers === undefined || probers.some((one) => canonicalId(one) === prober);
  const isFuture = now !== undefined && check.at > now + clockSkewMs;
  const ignored = { ...monitor, ignoredChecks: monitor.ignoredChecks + 1 };
  if (record === undefined || !isKnown || isFuture || (check.by === 'self' && !acceptSelf)) return ignored;
  const { lastAt, held } = record;
  if (lastAt !== null && check.at < lastAt) return ignored;
  const settings = { graceChecks, maxGapMs };
  const isHeldWrong = held !== null && check.at < held.check.at;
  const before = held === null || isHeldWrong ? { ...record, held: null } : held.record;
  const isJump = before.lastAt !== null && check.at - before.lastAt > dayMs;
  const next = addCheck(before, check, settings);
  const after = isJump ? { ...before, held: { check, record: next } } : next;
  const taken = [...(held === null || isHeldWrong ? [] : [held.check]), ...(isJump ? [] : [check])];
  const counts = {
    checks: monitor.checks + taken.length,
    failedChecks: monitor.failedChecks + taken.filter(({ ok }) => !ok).length,
    ignoredChecks: monitor.ignoredChecks + (isHeldWrong ? 1 : 0),
  };
  if (prober === '') return { ...monitor, ...after, ...counts, probers: monitor.probers };
  return { ...monitor, ...counts, probers: { ...monitor.probers, [prober]: after } };
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

/** Coverage below which the score is capped. */
const minCoverage = 0.9;

/** Joins overlapping and touching spans, oldest first. */
function joined(spans: readonly Span[]): readonly Span[] {
  return spans
    .toSorted((left, right) => left.from - right.from)
    .reduce<readonly Span[]>((found, span) => extend(found, span), []);
}

/** Sums the part of joined spans that lies in a period. */
const lengthWithin = (spans: readonly Span[], period: Span): number =>
  spans.reduce(
    (total, { from, to }) => total + Math.max(0, Math.min(to, period.to) - Math.max(from, period.from)),
    0,
  );

/** Returns the brief outages that the grace does not forgive: all but one in 24 hours. */
function repeatedOutages(outages: readonly Span[]): readonly Span[] {
  let forgiven = Number.NEGATIVE_INFINITY;
  return outages.filter(({ from }) => {
    if (from - forgiven < dayMs) return true;
    forgiven = from;
    return false;
  });
}

/** One prober's view of a period. */
interface ProberView {
  readonly incidents: readonly Incident[];
  readonly down: readonly Span[];
  readonly observed: readonly Span[];
}

function viewOf(record: ProberRecord, now: number): ProberView {
  const open = record.down && record.failing !== null ? [record.failing] : [];
  const incidents = [...record.incidents, ...open];
  const down = joined([
    ...incidents.map(({ startedAt, endedAt }) => ({ from: startedAt, to: endedAt ?? now })),
    ...repeatedOutages(record.briefOutages),
  ]);
  return { incidents, down, observed: joined([...record.observed, ...down]) };
}

/** Returns the times at which at least half of the probers that observe say that the agent is down. */
function downByMost(views: readonly ProberView[]): readonly Span[] {
  if (views.length === 1) return views[0]?.down ?? [];
  const events = views
    .flatMap(({ down, observed }) => [
      ...observed.flatMap(({ from, to }) => [
        { at: from, seen: 1, failed: 0 },
        { at: to, seen: -1, failed: 0 },
      ]),
      ...down.flatMap(({ from, to }) => [
        { at: from, seen: 0, failed: 1 },
        { at: to, seen: 0, failed: -1 },
      ]),
    ])
    .toSorted((left, right) => left.at - right.at);
  let seen = 0;
  let failed = 0;
  const spans: Span[] = [];
  for (const [index, event] of events.entries()) {
    seen += event.seen;
    failed += event.failed;
    const until = events[index + 1]?.at ?? event.at;
    if (until > event.at && failed > 0 && 2 * failed >= seen) spans.push({ from: event.at, to: until });
  }
  return joined(spans);
}

/** Lists the incidents of a period. Those of several probers are cut to the times at which most of them agree. */
function incidentsOf(
  views: readonly ProberView[],
  down: readonly Span[],
  period: Span,
): UptimeReport['incidents'] {
  const all = views.flatMap(({ incidents }) => incidents);
  const agreed =
    views.length === 1
      ? all
      : down.flatMap(({ from, to }): readonly Incident[] => {
          const own = all.filter(({ startedAt, endedAt }) => startedAt < to && (endedAt ?? period.to) > from);
          if (own.length === 0) return [];
          return [
            {
              startedAt: from,
              endedAt: to >= period.to && own.some(({ endedAt }) => endedAt === null) ? null : to,
              reasons: [...new Set(own.flatMap(({ reasons }) => reasons))],
              locations: [...new Set(own.flatMap(({ locations }) => locations))],
              failedChecks: own.reduce((sum, { failedChecks }) => sum + failedChecks, 0),
            },
          ];
        });
  return agreed.flatMap((incident) => {
    const until = Math.min(period.to, incident.endedAt ?? period.to);
    const lasted = until - Math.max(period.from, incident.startedAt);
    return lasted > 0 ? [{ ...incident, durationHours: lasted / hourMs }] : [];
  });
}

/**
 * Computes the uptime of the period that ends `now`: of the last 30 days, or since the first check. Only observed time counts.
 * Silence is not uptime: an incident lasts until the next successful check of its prober, and below 90 % coverage the score is at
 * most the coverage. Of several probers at least half of those that observe must see an outage.
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
  reportOptions('options', options);
  monitorState('monitor', monitor);
  const { periodMs = 30 * dayMs, penaltyPerFailedCheck = 0 } = options;
  requireTime('now', now);
  const views = [monitor, ...Object.values(monitor.probers)]
    .filter(({ lastAt }) => lastAt !== null)
    .map((record) => {
      const { held } = record;
      return viewOf(held !== null && held.check.at <= now ? held.record : record, now);
    });
  const firstAt = Math.min(...views.map(({ observed }) => observed[0]?.from ?? now));
  const period = { from: Math.max(now - periodMs, firstAt), to: now };
  const none = { score: 0, periodHours: 0, observedHours: 0, coverage: 0, downtimeHours: 0 };
  if (views.length === 0 || now <= period.from) return { ...none, incidents: [], penalty: 0 };
  const down = downByMost(views);
  const downtimeHours = lengthWithin(down, period) / hourMs;
  const periodHours = (period.to - period.from) / hourMs;
  const observed = joined(views.flatMap((view) => view.observed));
  const observedHours = lengthWithin(observed, period) / hourMs;
  const coverage = observedHours / periodHours;
  const penalty = Math.min(1, penaltyPerFailedCheck * monitor.failedChecks);
  const uptime = observedHours === 0 ? 0 : uptimeScore(observedHours, downtimeHours);
  const score = Math.max(0, capByCoverage(uptime, coverage) - penalty);
  const incidents = incidentsOf(views, down, period);
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
  nextOptions('options', options);
  requireTime('lastAt', lastAt);
  const { intervalMs = 300_000, jitter = 0.5, random = Math.random } = options;
  return lastAt + intervalMs * (1 + jitter * (2 * random() - 1));
}
