import * as z from 'zod';
import { defaultWeights } from './criteria.ts';
import { RoutingError } from './errors.ts';

const share = z.number().min(0).max(1);
const positive = z.number().positive();
const weight = z.number().min(0);
const count = z.int().min(1);

const configSchema = z.strictObject({
  thresholds: z.record(z.string(), z.number().min(0.1).max(0.9)).default({}),
  defaultThreshold: z.number().min(0.1).max(0.9).default(0.5),
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
  evidenceHalfLifeMs: positive.default(30 * 86_400_000),
  loggedCandidates: count.default(32),
});

/**
 * How a matrix behaves. Every field is optional where it is handed in; a field that does not exist is refused.
 * The views are a fold of the log *and* of these numbers: the same log read with another configuration gives
 * other views.
 */
export interface RoutingConfig {
  /** Trust that a platform needs to be given production work, by task type, .1 … .9. @default {} */
  readonly thresholds: Readonly<Record<string, number>>;
  /** For task types without a threshold of their own. @default 0.5 */
  readonly defaultThreshold: number;
  /** A platform below the threshold gets work worth at most this, by exploration only; `null`: no cap. Work of unstated worth counts as above. @default 10000 */
  readonly exposureCapMsat: number | null;
  /** Weights of the criteria (RTM-6), scaled to sum to 1. @default { trust: .40, cost: .25, latency: .20, load: .10, exploration: .05 } */
  readonly weights: {
    readonly trust: number;
    readonly cost: number;
    readonly latency: number;
    readonly load: number;
    readonly exploration: number;
  };
  /** Largest share of a task type's jobs in the window for one platform (RTM-8). @default 0.5 */
  readonly maxShare: number;
  /** The window of `maxShare`, ms. @default 3600000 */
  readonly shareWindowMs: number;
  /** The decision in the window with which `maxShare` begins. @default 7 */
  readonly shareFromDecision: number;
  /** Fewer active platforms than this for a task type raise an alert (RTM-8). @default 3 */
  readonly minActivePlatforms: number;
  /** Attempts of an evaluation (RTM-3). @default 3 */
  readonly attempts: number;
  /** Attempts of an extended evaluation. @default 5 */
  readonly extendedAttempts: number;
  /** What is usual, by task type, until enough was seen. @default {} */
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
  /** Good results of a task type after which the baseline is their median. @default 5 */
  readonly baselineSamples: number;
  /** A job without an outcome stops counting as load after this time, ms. @default 600000 */
  readonly inFlightTtlMs: number;
  /** Evidence loses half its weight in the posterior mean in this time, ms. @default 2592000000 */
  readonly evidenceHalfLifeMs: number;
  /** How many candidates a logged decision names at most; the chosen ones always are. @default 32 */
  readonly loggedCandidates: number;
}

/** {@link RoutingConfig} as it is handed in: everything optional. */
export type RoutingConfigInput = z.input<typeof configSchema>;

/** Fills in the defaults. @throws RoutingError `INVALID_CONFIG`, naming the field. */
export function resolveConfig(input: RoutingConfigInput = {}): RoutingConfig {
  const parsed = configSchema.safeParse(input);
  if (!parsed.success) {
    throw new RoutingError('INVALID_CONFIG', `Routing config: ${z.prettifyError(parsed.error)}`, {
      cause: parsed.error,
    });
  }
  return parsed.data;
}
