import { count, finite, flag, list, listOf, nullable, oneOf, record, text, time } from '../input.ts';
import { appliedPenalty } from './penalties.ts';

const state = oneOf('compliant', 'stale', 'at_risk', 'breached');

/** Throws unless a value is a status that `evaluateSla` returned. */
export const knownStatus = record({
  overall: state,
  guarantees: listOf(
    record({
      metric: text,
      unit: nullable(text),
      target: finite,
      breachThreshold: finite,
      windowMs: finite,
      status: state,
      current: nullable(finite),
      buffer: nullable(finite),
      measurements: count,
      stale: flag,
      observedMs: finite,
      downtimeMs: nullable(finite),
      downtimeBudgetMs: nullable(finite),
      lastBreachAt: nullable(time),
      daysUntilBreach: nullable(finite),
    }),
  ),
  ignoredMeasurements: count,
  termViolations: list,
  recentBreaches: listOf(record({ metric: text, startedAt: time, endedAt: nullable(time), worst: finite })),
  penaltiesApplied: listOf(appliedPenalty),
  trustScoreImpact: finite,
  recommendation: nullable(text),
  evaluatedAt: time,
  refreshAt: time,
});
