import { canonicalMetric, unitFactor } from '@bonafide/internal';
import type { ServedWork, ServiceLevel, Suspension } from './delegation/follow-service-level.ts';
import type { PlatformRef } from './platform.ts';
import { successShares } from './success-share.ts';

/** One promise of a service level agreement. */
export interface SlaPromise {
  readonly metric: string;
  readonly unit?: string | undefined;
  readonly target: number;
  /** A penalty of the type `temporary_suspension` has a duration, ms. */
  readonly penalty: { readonly type: string; readonly duration?: unknown };
}

/** A measurement for a promise. */
export interface SlaSample {
  readonly metric: string;
  /** ms since epoch. */
  readonly at: number;
  /** In the unit of the promise. */
  readonly value: number;
}

/** Evaluates agreements. `parseSla` and `evaluateSla` of `@bonafide/trust-score` satisfy it. */
export interface SlaRules<Sla extends { readonly guarantees: readonly SlaPromise[] }> {
  /** Parses an agreement, with its promises in the order in which `evaluateSla` answers. */
  parseSla(terms: unknown): Sla;
  evaluateSla(
    sla: Sla,
    measurements: readonly SlaSample[],
    now: number,
  ): {
    readonly guarantees: readonly {
      readonly status: string;
      readonly current: number | null;
      readonly measurements: number;
      /** ms since epoch. */
      readonly lastBreachAt: number | null;
    }[];
  };
}

/** Options of {@link createSlaServiceLevel}. */
export interface SlaServiceLevelOptions<Sla extends { readonly guarantees: readonly SlaPromise[] }> {
  /** `{ parseSla, evaluateSla }` of `@bonafide/trust-score`. */
  readonly rules: SlaRules<Sla>;
  /** Returns the agreement with a platform, as its document; null without one. */
  readonly termsOf: (platform: PlatformRef, taskType: string) => unknown;
  /** Number of measurements from which on a promise counts as broken, at least 1. @default 5 */
  readonly minMeasurements?: number;
}

/** Returns what a piece of work measures of a metric, as a share or in ms; null when nothing. */
function measured(metric: string, { outcome, latencyMs, isAnswered }: ServedWork): number | null {
  switch (metric) {
    case 'success_rate':
      return successShares[outcome];
    case 'error_rate':
      return 1 - successShares[outcome];
    case 'uptime':
    case 'availability':
      return isAnswered === null ? null : Number(isAnswered);
    default:
      return metric.startsWith('latency') ? latencyMs : null;
  }
}

function samplesOf({ metric, unit }: SlaPromise, works: readonly ServedWork[]): readonly SlaSample[] {
  const factor = unitFactor({ metric, unit });
  if (factor === null) return [];
  return works.flatMap((work) => {
    const value = measured(canonicalMetric(metric), work);
    return value === null ? [] : [{ metric, at: work.at, value: value / factor }];
  });
}

/**
 * Creates a service level that follows agreements: the works of a platform are measurements of the success rate, the error rate, the
 * uptime and the latency that it promised. While a promise with the penalty `temporary_suspension` is broken, the platform is suspended
 * from its last breach for the duration of the penalty. Works from before the end of a suspension do not count again.
 */
export function createSlaServiceLevel<Sla extends { readonly guarantees: readonly SlaPromise[] }>(
  options: SlaServiceLevelOptions<Sla>,
): ServiceLevel {
  const { rules, termsOf, minMeasurements = 5 } = options;

  return (works, { platform, taskType, now, suspendedUntilAt }) => {
    if (suspendedUntilAt !== null && now < suspendedUntilAt) return null;
    const terms = termsOf(platform, taskType) ?? null;
    if (terms === null) return null;
    const sla = rules.parseSla(terms);
    const counted = works.filter(({ at }) => at >= (suspendedUntilAt ?? Number.NEGATIVE_INFINITY));
    const byMetric = new Map(sla.guarantees.map((promise) => [promise.metric, promise]));
    const samples = [...byMetric.values()].flatMap((promise) => samplesOf(promise, counted));
    const suspensions = rules
      .evaluateSla(sla, samples, now)
      .guarantees.flatMap((status, index): Suspension[] => {
        const promise = sla.guarantees[index];
        const duration = promise?.penalty.type === 'temporary_suspension' ? promise.penalty.duration : null;
        if (promise === undefined || typeof duration !== 'number') return [];
        if (status.status !== 'breached' || status.measurements < minMeasurements) return [];
        const reason = `It broke its promise: ${promise.metric} is ${status.current}, and ${promise.target} was agreed.`;
        return [{ untilAt: Math.ceil((status.lastBreachAt ?? now) + duration), reason }];
      });
    return suspensions.toSorted((a, b) => b.untilAt - a.untilAt)[0] ?? null;
  };
}
