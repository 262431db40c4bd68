import { canonicalMetric, unitFactor } from '@bonafide/internal';
import * as z from 'zod';
import type { ServedWork, ServiceLevel, Suspension } from './delegation/follow-service-level.ts';
import { callable, parseConfig, port } from './host-options.ts';
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
  /** Returns the agreement that you demand of a platform, as its document; null without one. @default none is demanded */
  readonly termsOf?: (platform: PlatformRef, taskType: string) => unknown;
  /** True to hold platforms to the agreements on their cards as well. @default true */
  readonly cards?: boolean;
  /** Number of measurements from which on a promise counts as broken, at least 1. @default 5 */
  readonly minMeasurements?: number;
}

const optionsSchema = z.strictObject({
  rules: port('parseSla', 'evaluateSla'),
  termsOf: callable().optional(),
  cards: z.boolean().default(true),
  minMeasurements: z.int().min(1).default(5),
});

/** Returns what a piece of work measures, as a share or in ms; null when nothing. */
type Measure = (work: ServedWork) => number | null;

const isAnswered: Measure = (work) => (work.isAnswered === null ? null : Number(work.isAnswered));

const measures: Readonly<Record<string, Measure>> = {
  success_rate: ({ outcome }) => successShares[outcome],
  error_rate: ({ outcome }) => 1 - successShares[outcome],
  uptime: isAnswered,
  availability: isAnswered,
};

/** What a latency may be called: a platform writes it on its card, and the reason of a suspension names it. */
const latencyName = /^latency(?:_\w{1,20})?$/u;

/** Returns how works measure a metric; null when they do not. */
function measureOf(metric: string): Measure | null {
  const name = canonicalMetric(metric);
  if (Object.hasOwn(measures, name)) return measures[name] ?? null;
  return latencyName.test(name) ? ({ latencyMs }) => latencyMs : null;
}

function samplesOf({ metric, unit }: SlaPromise, works: readonly ServedWork[]): readonly SlaSample[] {
  const [factor, measure] = [unitFactor({ metric, unit }), measureOf(metric)];
  if (factor === null || measure === null) return [];
  return works.flatMap((work) => {
    const value = measure(work);
    return value === null ? [] : [{ metric, at: work.at, value: value / factor }];
  });
}

/** Longest suspension for a promise, ms. Times beyond it are no dates. */
const longestMs = 3_650 * 86_400_000;
/** Number of promises of a card that are measured. */
const maxCardPromises = 16;

/** Returns the duration of the suspension for a broken promise, ms; null for another penalty. */
function suspensionMs({ penalty: { type, duration } }: SlaPromise): number | null {
  return type === 'temporary_suspension' && typeof duration === 'number'
    ? Math.min(duration, longestMs)
    : null;
}

/** Returns an agreement with those of its promises that works can break with a suspension. */
function suspendingPart<Sla extends { readonly guarantees: readonly SlaPromise[] }>(sla: Sla): Sla {
  const guarantees = sla.guarantees.filter(
    (promise) =>
      suspensionMs(promise) !== null && measureOf(promise.metric) !== null && unitFactor(promise) !== null,
  );
  return { ...sla, guarantees };
}

/**
 * Creates a service level that follows agreements: the works of a platform are measurements of the success rate, the error rate, the
 * uptime and the latency that were agreed. While a promise with the penalty `temporary_suspension` is broken, the platform is suspended
 * from its last breach for the duration of the penalty, at most ten years. Works from before the end of a suspension do not count again.
 *
 * The agreement on a card holds in addition to the demanded one, and replaces none of its terms: a platform gains nothing by a soft one, by
 * one that is invalid or absurd, or by one that suspends it for a moment so that its past is forgotten. A suspension for a card lasts as
 * long as the longest that is demanded at least. The first 16 promises of a card that can suspend are measured.
 */
export function createSlaServiceLevel<Sla extends { readonly guarantees: readonly SlaPromise[] }>(
  options: SlaServiceLevelOptions<Sla>,
): ServiceLevel {
  const { rules, termsOf, cards, minMeasurements } = parseConfig(
    optionsSchema,
    options,
    'options',
  ) as Required<Pick<SlaServiceLevelOptions<Sla>, 'rules' | 'cards' | 'minMeasurements'>> &
    Pick<SlaServiceLevelOptions<Sla>, 'termsOf'>;

  const parse = (terms: unknown): Sla | null =>
    terms === null || terms === undefined ? null : suspendingPart(rules.parseSla(terms));

  /** Returns the suspensions for the broken promises of an agreement. */
  const suspensionsBy = (
    sla: Sla | null,
    works: readonly ServedWork[],
    now: number,
    { leastMs, text }: { readonly leastMs: number; readonly text: string },
  ): readonly Suspension[] => {
    if (sla === null || sla.guarantees.length === 0) return [];
    const byMetric = new Map(sla.guarantees.map((promise) => [promise.metric, promise]));
    const samples = [...byMetric.values()].flatMap((promise) => samplesOf(promise, works));
    return rules.evaluateSla(sla, samples, now).guarantees.flatMap((status, index): Suspension[] => {
      const promise = sla.guarantees[index];
      const duration = promise && suspensionMs(promise);
      if (promise === undefined || duration == null) return [];
      if (status.status !== 'breached' || status.measurements < minMeasurements) return [];
      const untilAt = Math.ceil((status.lastBreachAt ?? now) + Math.max(duration, leastMs));
      return [
        {
          untilAt,
          reason: `${text}: ${promise.metric.trim()} is ${status.current}, and ${promise.target} was agreed.`,
        },
      ];
    });
  };

  /** Returns the suspensions for what a platform published. Its document may be anything: what fails counts as no agreement. */
  const suspensionsByCard = (
    agreement: unknown,
    works: readonly ServedWork[],
    now: number,
    leastMs: number,
  ): readonly Suspension[] => {
    try {
      const sla = cards ? parse(agreement) : null;
      const part = sla && { ...sla, guarantees: sla.guarantees.slice(0, maxCardPromises) };
      return suspensionsBy(part, works, now, { leastMs, text: 'It broke the promise on its card' });
    } catch {
      return [];
    }
  };

  return (works, { platform, taskType, now, suspendedUntilAt, agreement }) => {
    if (suspendedUntilAt !== null && now < suspendedUntilAt) return null;
    const counted = works.filter(({ at }) => at >= (suspendedUntilAt ?? Number.NEGATIVE_INFINITY));
    const demanded = parse(termsOf?.(platform, taskType));
    const leastMs = Math.max(0, ...(demanded?.guarantees ?? []).map((promise) => suspensionMs(promise) ?? 0));
    const suspensions = [
      ...suspensionsBy(demanded, counted, now, { leastMs: 0, text: 'It broke its promise' }),
      ...suspensionsByCard(agreement, counted, now, leastMs),
    ];
    return suspensions.toSorted((a, b) => b.untilAt - a.untilAt)[0] ?? null;
  };
}
