import * as z from 'zod';
import { copyDocument } from '../document.ts';
import { parseInput } from '../errors.ts';

const dayMs = 86_400_000;
const unitMs: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: dayMs,
  week: 7 * dayMs,
};

/** A length of time: milliseconds, or words such as '30 days'. */
const duration = z.union(
  [
    z.number().positive(),
    z
      .string()
      .regex(/^\d+(\.\d+)? (second|minute|hour|day|week)s?$/u)
      .transform((text) => {
        const [count = '', unit = ''] = text.split(' ');
        return Number(count) * (unitMs[unit.replace(/s$/u, '')] ?? Number.NaN);
      }),
  ],
  { error: "must be milliseconds, or words like '30 days'" },
);
const share = z.number().min(0).max(1);

const reductionSchema = z.object({
  type: z.literal('trust_score_reduction'),
  /** Share of the score: 0.1 makes .846 of .94. */
  amount: share,
  recovery: z
    .object({
      method: z.literal('gradual').default('gradual'),
      recoveryPeriodDays: z.number().positive().default(30),
      requires: z.literal('sustained_performance_above_target').default('sustained_performance_above_target'),
    })
    .prefault({}),
});

const suspensionSchema = z.object({
  type: z.literal('temporary_suspension'),
  duration,
  scope: z.literal('new_delegations_only').default('new_delegations_only'),
  /** Delegators hear of it so long before. */
  notice: duration.default(dayMs),
  /** Text of the notice to delegators. */
  notification: z.string().optional(),
});

const financialSchema = z.object({
  type: z.literal('financial'),
  /** In units of the currency. */
  amount: z.number().min(0),
  currency: z.string().min(1),
  distributedTo: z.literal('affected_delegators').default('affected_delegators'),
});

const revocationSchema = z.object({
  type: z.literal('badge_revocation'),
  revoke: z.array(z.string().min(1)).min(1),
  reinstatement: z
    .object({
      requires: z.literal('30_days_compliance').default('30_days_compliance'),
      manualReview: z.boolean().default(true),
    })
    .prefault({}),
});

/** The penalty for breaking a promise. */
export const penaltySchema = z.discriminatedUnion('type', [
  reductionSchema,
  suspensionSchema,
  financialSchema,
  revocationSchema,
]);

const guaranteeSchema = z
  .object({
    /** `uptime`, `success_rate`, `latency_p99` or another name. */
    metric: z.string().min(1),
    target: z.number(),
    /** Ratios have none; times `milliseconds`. */
    unit: z.string().optional(),
    measurementWindow: duration,
    /** Above the target when lower is better. */
    breachThreshold: z.number(),
    /** Side on which the metric is better. @default the side of the target away from the threshold */
    direction: z.enum(['higher_is_better', 'lower_is_better']).optional(),
    /** Aggregation of the measurements in the window. */
    aggregate: z.enum(['mean', 'last', 'max', 'p99']).default('mean'),
    penalty: penaltySchema,
  })
  .refine(({ target, breachThreshold, direction }) => direction !== undefined || target !== breachThreshold, {
    error: 'must not equal the target unless the direction is stated: which side is better would be unknown',
    path: ['breachThreshold'],
  })
  .refine(
    ({ target, breachThreshold, direction }) =>
      direction === undefined ||
      (direction === 'lower_is_better' ? breachThreshold >= target : breachThreshold <= target),
    { error: 'must lie on the worse side of the target', path: ['breachThreshold'] },
  );

/** 'breach_threshold' and 'breachThreshold' are the same member. */
function camelKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replaceAll(/_([a-z])/gu, (_, letter: string) => letter.toUpperCase()),
      camelKeys(member),
    ]),
  );
}

/**
 * A service level agreement. Member names may be in camel case or with underscores, as the published
 * documents have them; durations are milliseconds or texts such as '30 days'. Unknown members are kept.
 */
export const slaSchema = z.preprocess(
  camelKeys,
  z.looseObject({
    version: z.string().default('1.0.0'),
    /** A date, e.g. '2025-11-21'. */
    effectiveDate: z.iso.date().optional(),
    guarantees: z.array(guaranteeSchema).min(1),
    breachNotification: z
      .object({
        notifyDelegators: z.boolean().default(true),
        notifyRegistry: z.boolean().default(true),
        publishBreachReport: z.boolean().default(true),
      })
      .prefault({}),
    disputeResolution: z
      .object({
        allowed: z.boolean().default(true),
        /** Days after detection in which a dispute may be filed. */
        filingPeriodDays: z.number().positive().default(7),
        /** Days after filing in which it is decided. */
        reviewPeriodDays: z.number().positive().default(7),
        arbitrator: z.string().min(1).optional(),
      })
      .prefault({}),
    monitoringEndpoint: z.url().optional(),
    metricsEndpoint: z.url().optional(),
    /** Seconds from one evaluation to the next, at most a day. */
    refreshIntervalSeconds: z.number().min(1).max(86_400).default(300),
  }),
);

/** A service level agreement, with every default filled in. */
export type Sla = z.output<typeof slaSchema>;
/** One promise of it. */
export type SlaGuarantee = z.output<typeof guaranteeSchema>;
/** The penalty for breaking a promise. */
export type SlaPenalty = z.output<typeof penaltySchema>;
/** A service level agreement as it may be given: defaults left out, with underscores or without. */
export type SlaInput = Sla | Readonly<Record<string, unknown>>;

/**
 * Parses a service level agreement, also one inside `{ sla: … }`, within limits on depth and size.
 *
 * @throws `INVALID_INPUT`, naming every member that is wrong.
 */
export function parseSla(input: unknown): Sla {
  const copy = copyDocument(input);
  const inner = typeof copy === 'object' && copy !== null && 'sla' in copy ? copy.sla : copy;
  return parseInput(slaSchema, 'SLA', inner);
}

/** Returns true when lower is better: by the stated direction, else when the threshold of a breach lies above the target. */
export const lowerIsBetter = ({ target, breachThreshold, direction }: SlaGuarantee): boolean =>
  direction === undefined ? breachThreshold > target : direction === 'lower_is_better';
