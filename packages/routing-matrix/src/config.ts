import { parseOrThrow } from '@bonafide/internal';
import * as z from 'zod';
import { RoutingError } from './errors.ts';
import type { LifecycleConfig } from './lifecycle/stage.ts';
import { defaultWeights } from './scoring/criteria.ts';
import { ownValue } from './statistics/numbers.ts';

const share = z.number().min(0).max(1);
const positive = z.number().positive();
const weight = z.number().min(0);
const count = z.int().min(1);
const dayMs = 86_400_000;

/** Settings as input, without those that have defaults. */
export const configSchema = z.strictObject({
  thresholds: z.record(z.string(), z.number().min(0.1).max(0.9)).default({}),
  defaultThreshold: z.number().min(0.1).max(0.9).default(0.5),
  adaptiveThresholds: z.boolean().default(false),
  maxInFlight: count.nullable().default(null),
  exposureCapMsat: z.int().min(0).nullable().default(10_000),
  weights: z
    .strictObject({
      trust: weight.default(defaultWeights.trust),
      cost: weight.default(defaultWeights.cost),
      latency: weight.default(defaultWeights.latency),
      load: weight.default(defaultWeights.load),
      exploration: weight.default(defaultWeights.exploration),
    })
    .refine((weights) => Object.values(weights).some((each) => each > 0), 'One weight must be above 0')
    .prefault({}),
  maxShare: share.default(0.5),
  shareWindowMs: positive.default(3_600_000),
  shareFromDecision: count.default(7),
  minActivePlatforms: z.int().min(0).default(3),
  attempts: count.default(3),
  extendedAttempts: count.default(5),
  baselines: z
    .record(
      z.string(),
      z.strictObject({
        latencyMs: positive.nullable().default(null),
        latencyP95Ms: positive.nullable().default(null),
        executionMs: positive.nullable().default(null),
      }),
    )
    .default({}),
  baselineSamples: count.default(5),
  inFlightTtlMs: positive.default(600_000),
  evidenceHalfLifeMs: positive.default(30 * dayMs),
  loggedCandidates: count.default(32),
  lifecycle: z
    .strictObject({
      silenceMs: positive.default(dayMs),
      heartbeatMs: positive.default(7 * dayMs),
      minSuccessRate: share.default(0.95),
      slowFactor: positive.default(2),
      straightTimeouts: count.default(3),
      minOutcomes: count.default(10),
      cusumReduce: positive.default(4),
      cusumPropose: positive.default(6),
      cusumDrop: share.default(0.15),
      warningMs: positive.default(dayMs),
      cleanIntervalMs: positive.default(dayMs),
      suspensionMs: positive.default(30 * dayMs),
      removeAfter: count.default(3),
    })
    .prefault({}),
});

/**
 * Settings of a matrix. As input every field is optional; unknown fields are rejected. The views are a fold over the
 * log and depend on these settings.
 */
export interface RoutingConfig {
  /** Trust that a platform needs for production work, by task type, .1 … .9. @default {} */
  readonly thresholds: Readonly<Record<string, number>>;
  /** Threshold of task types that `thresholds` does not list. @default 0.5 */
  readonly defaultThreshold: number;
  /**
   * True to move thresholds with the outcomes of jobs, and to suspend a platform whose failure brings one to .1. In the
   * package's simulation this costs regret. @default false
   */
  readonly adaptiveThresholds: boolean;
  /** Largest number of open jobs of a platform; `null`: no limit. @default null */
  readonly maxInFlight: number | null;
  /**
   * Largest value of the open jobs of an operator whose platforms are below the threshold, reached by exploration only;
   * `null`: no limit. Work of unknown value exceeds it. @default 10000
   */
  readonly exposureCapMsat: number | null;
  /** Weights of the criteria, scaled to sum to 1. @default { trust: .40, cost: .25, latency: .20, load: .10, exploration: .05 } */
  readonly weights: {
    readonly trust: number;
    readonly cost: number;
    readonly latency: number;
    readonly load: number;
    readonly exploration: number;
  };
  /**
   * Largest share of a task type's jobs in the window for the services of one operator together, while another one could do them as
   * well: one with enough trust for the job that is not just back from a suspension. @default 0.5
   */
  readonly maxShare: number;
  /** Length of the window of `maxShare`, ms. @default 3600000 */
  readonly shareWindowMs: number;
  /** Number of the decision in the window from which `maxShare` applies. @default 7 */
  readonly shareFromDecision: number;
  /** Lower limit of active platforms per task type, each of another operator; fewer raise an alert. @default 3 */
  readonly minActivePlatforms: number;
  /** Number of attempts of an evaluation. @default 3 */
  readonly attempts: number;
  /** Number of attempts of an extended evaluation. @default 5 */
  readonly extendedAttempts: number;
  /** Baselines by task type until enough results were recorded. @default {} */
  readonly baselines: Readonly<
    Record<
      string,
      {
        readonly latencyMs: number | null;
        readonly latencyP95Ms: number | null;
        readonly executionMs: number | null;
      }
    >
  >;
  /** Number of good results of a task type from which the baseline is their median. @default 5 */
  readonly baselineSamples: number;
  /** Time after which a job without an outcome no longer counts as load, ms. @default 600000 */
  readonly inFlightTtlMs: number;
  /** Half-life of evidence in the posterior mean, ms. @default 2592000000 */
  readonly evidenceHalfLifeMs: number;
  /** Largest number of candidates in a logged decision; chosen ones are always included. @default 32 */
  readonly loggedCandidates: number;
  /** Signs of degradation and their consequences. */
  readonly lifecycle: LifecycleConfig;
}

/** {@link RoutingConfig} as input: every field is optional. */
export type RoutingConfigInput = z.input<typeof configSchema>;

/**
 * Validates settings and applies defaults.
 *
 * @throws RoutingError `INVALID_CONFIG`, naming the field.
 */
export function resolveConfig(input: RoutingConfigInput = {}): RoutingConfig {
  return parseOrThrow(
    configSchema,
    input,
    'config',
    (message, options) => new RoutingError('INVALID_CONFIG', message, options),
  );
}

/** Returns the configured threshold of a task type. */
export function configuredThreshold(config: RoutingConfig, taskType: string): number {
  return ownValue(config.thresholds, taskType) ?? config.defaultThreshold;
}
