import { type AppliedPenalty, parseSla, type SlaMeasurement } from '../src/index.ts';

export const day = 86_400_000;
export const start = Date.UTC(2025, 10, 21);

/** The agreement of the source, word for word. */
export const published = {
  sla: {
    version: '1.0.0',
    effective_date: '2025-11-21',
    guarantees: [
      {
        metric: 'uptime',
        target: 0.99,
        measurement_window: '30 days',
        breach_threshold: 0.95,
        penalty: { type: 'trust_score_reduction', amount: 0.1 },
      },
      {
        metric: 'latency_p99',
        target: 5000,
        unit: 'milliseconds',
        measurement_window: '7 days',
        breach_threshold: 7500,
        penalty: { type: 'trust_score_reduction', amount: 0.05 },
      },
      {
        metric: 'success_rate',
        target: 0.98,
        measurement_window: '30 days',
        breach_threshold: 0.9,
        penalty: { type: 'temporary_suspension', duration: '7 days' },
      },
    ],
    breach_notification: { notify_delegators: true, notify_registry: true, publish_breach_report: true },
    dispute_resolution: { allowed: true, review_period_days: 7, arbitrator: 'steward_protocol_committee' },
  },
};

/** One measurement a day, ending at `start`. */
export const daily = (metric: string, values: readonly number[]): readonly SlaMeasurement[] =>
  values.map((value, i) => ({ metric, value, at: start - (values.length - 1 - i) * day }));
export const flat = (metric: string, value: number, days = 30) =>
  daily(
    metric,
    Array.from({ length: days }, () => value),
  );

export const reductionOf = (amount: number) => ({ type: 'trust_score_reduction', amount });
/** A penalty of the agreement's guarantee of uptime that was applied at `start`. */
export const applied = (penalty: object, more: Partial<AppliedPenalty> = {}): AppliedPenalty => {
  const [guarantee] = parseSla({ guarantees: [{ ...published.sla.guarantees[0], penalty }] }).guarantees;
  if (guarantee === undefined) throw new Error('no guarantee');
  return { breachId: 'b1', metric: 'uptime', penalty: guarantee.penalty, appliedAt: start, ...more };
};
