import { callable, optional, optionsOf } from '../input.ts';
import type { SlaStatus } from './evaluate.ts';
import { knownStatus } from './known-status.ts';

const handlerOptions = optionsOf({ status: callable, clock: optional(callable) });

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** A status under the names in which monitoring endpoints publish it. */
export function slaStatusDocument(status: SlaStatus): Readonly<Record<string, unknown>> {
  knownStatus('status', status);
  return {
    sla_status: {
      overall_status: status.overall,
      guarantees: status.guarantees.map((one) => ({
        metric: one.metric,
        unit: one.unit,
        target: one.target,
        current: one.current,
        status: one.status,
        buffer: one.buffer,
        breach_threshold: one.breachThreshold,
        measurement_window_seconds: one.windowMs / 1_000,
        measurements: one.measurements,
        stale: one.stale,
        observed_seconds: one.observedMs / 1_000,
        downtime_seconds: one.downtimeMs === null ? null : one.downtimeMs / 1_000,
        downtime_budget_seconds: one.downtimeBudgetMs === null ? null : one.downtimeBudgetMs / 1_000,
        last_breach: iso(one.lastBreachAt),
        days_until_breach: one.daysUntilBreach,
      })),
      recent_breaches: status.recentBreaches.map(({ metric, startedAt, endedAt, worst }) => ({
        metric,
        started_at: iso(startedAt),
        ended_at: iso(endedAt),
        worst,
      })),
      penalties_applied: status.penaltiesApplied.map(({ breachId, metric, penalty, appliedAt }) => ({
        breach_id: breachId,
        metric,
        type: penalty.type,
        applied_at: iso(appliedAt),
      })),
      trust_score_impact: status.trustScoreImpact,
      recommendation: status.recommendation,
      term_violations: status.termViolations,
      ignored_measurements: status.ignoredMeasurements,
      evaluated_at: iso(status.evaluatedAt),
    },
  };
}

/**
 * Creates a handler that serves a status as JSON, for any server that uses `Request` and `Response`. It
 * requests a new status when the last one is past its `refreshAt`, 300 seconds by default.
 */
export function createSlaStatusHandler(options: {
  readonly status: () => SlaStatus | Promise<SlaStatus>;
  readonly clock?: () => number;
}): (request: Request) => Promise<Response> {
  handlerOptions('options', options);
  const { status, clock = Date.now } = options;
  let last: SlaStatus | null = null;
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } });
    if (last === null || clock() >= last.refreshAt) last = await status();
    const seconds = Math.max(0, Math.ceil((last.refreshAt - clock()) / 1_000));
    const body = request.method === 'HEAD' ? null : JSON.stringify(slaStatusDocument(last));
    return new Response(body, {
      headers: { 'content-type': 'application/json', 'cache-control': `max-age=${seconds}` },
    });
  };
}
