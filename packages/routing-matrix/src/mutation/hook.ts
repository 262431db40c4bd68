import * as z from 'zod';
import { parseInput } from '../schemas.ts';
import { ownValue } from '../statistics/numbers.ts';
import { type MutationOutcome, mutationOutcome, thresholdCeiling, thresholdFloor } from './adjustment.ts';
import { changeThreshold } from './change.ts';
import { confidenceOf } from './confidence.ts';
import { type ExtendedObservations, extendedMutations, observationsSchema } from './extended.ts';
import { oscillates, type ThresholdChange } from './limits.ts';
import type { MutationProposal, VectorClock } from './proposal.ts';

/** Input of {@link matrixMutationHook}. */
export interface MutationInput {
  /** Current thresholds by task type, .1 … .9. */
  readonly thresholds: Readonly<Record<string, number>>;
  readonly outcome: MutationOutcome | 'FAILURE' | 'INFRA';
  readonly taskType: string;
  /** Id of the platform that did the work. */
  readonly platform: string;
  readonly metrics?: {
    /** Share of passed tests, 0..1. */
    readonly testScore?: number | null;
    readonly latencyMs?: number | null;
    /** 'timeout' and 'cpu' make an `ERROR` a timeout. */
    readonly errorKind?: string | null;
  };
  readonly context: {
    /** ms since epoch */
    readonly now: number;
    /** Earlier changes, oldest first. */
    readonly history?: readonly (ThresholdChange & {
      readonly outcome?: string;
      /** Threshold before the change; needed to take one back. */
      readonly before?: number;
      readonly rolledBack?: boolean;
    })[];
    /** The smoothed value of this task type so far. @default the current threshold */
    readonly ema?: number | null;
    /** Weight of the new value in the smoothing, 0..1. @default 0.3 */
    readonly alpha?: number;
    /** Consecutive successes with this one. @default 1 */
    readonly consecutiveSuccesses?: number;
    readonly baselineMs?: number | null;
    /** Judged jobs of this task type, with this one. @default this one alone */
    readonly observations?: { readonly successes: number; readonly failures: number };
    /** Success rate that counts as normal, 0..1. @default 0.9 */
    readonly expectedRate?: number;
    /** Rollbacks among the last ten changes. @default those in `history` */
    readonly recentRollbacks?: number;
    readonly extended?: ExtendedObservations;
    /** Name of this agent and its logical time. */
    readonly clock?: VectorClock;
  };
}

const unit = z.number().min(0).max(1);
const inputSchema = z.object({
  thresholds: z.record(z.string(), unit),
  outcome: z.enum([
    'SUCCESS',
    'PARTIAL',
    'FAILURE',
    'VALIDATION_FAIL',
    'TIMEOUT',
    'ERROR',
    'SECURITY_VIOLATION',
    'INFRA',
  ]),
  taskType: z.string().min(1).max(128),
  platform: z.string().min(1),
  metrics: z
    .object({
      testScore: unit.nullish(),
      latencyMs: z.number().min(0).nullish(),
      errorKind: z.string().nullish(),
    })
    .default({}),
  context: z.object({
    now: z.number().min(0),
    history: z
      .array(
        z.object({
          at: z.number(),
          taskType: z.string(),
          delta: z.number(),
          outcome: z.string().optional(),
          before: unit.optional(),
          rolledBack: z.boolean().optional(),
        }),
      )
      .default([]),
    ema: unit.nullish(),
    alpha: unit.default(0.3),
    consecutiveSuccesses: z.int().min(1).default(1),
    baselineMs: z.number().min(0).nullish(),
    observations: z.object({ successes: z.int().min(0), failures: z.int().min(0) }).optional(),
    expectedRate: unit.default(0.9),
    recentRollbacks: z.int().min(0).optional(),
    extended: observationsSchema.optional(),
    clock: z.record(z.string(), z.int().min(0)).default({}),
  }),
});

/** Threshold of a task type that has none yet. */
const unknownThreshold = 0.5;
const autoMergeDelta = 0.15;
const autoMergeJobs = 30;
const autoMergeConfidence = 0.8;

/**
 * Proposes new thresholds after a judged job. Pure: the same input gives the same proposal, and no argument is changed.
 * The order is: raw adjustment, test of the floor, smoothing, damping of an oscillation, daily limit, ±.2, range
 * .1 … .9. A success raises the threshold and a failure lowers it, so that the bar follows what the market delivers.
 *
 * @throws RoutingError `INVALID_INPUT`
 */
export function matrixMutationHook(input: MutationInput): MutationProposal {
  const {
    thresholds,
    taskType,
    platform,
    metrics,
    context,
    outcome: given,
  } = parseInput(inputSchema, input, 'matrixMutationHook');
  const outcome = mutationOutcome(given, { errorKind: metrics.errorKind ?? null });
  const extended = extendedMutations(context.extended ?? {});
  const current = ownValue(thresholds, taskType) ?? unknownThreshold;
  const change =
    outcome === null ? null : changeThreshold({ current, outcome, taskType, platform, metrics, ...context });

  const to = change?.to ?? current;
  const newThresholds = { ...thresholds };
  if (change !== null) define(newThresholds, taskType, to);
  const reasons = change?.reasons ?? [`${given}: no change`];
  const confidence = confidenceOf(outcome, context);
  const atBound = change !== null && to !== current && (to <= thresholdFloor || to >= thresholdCeiling);
  const alarming =
    outcome === 'SECURITY_VIOLATION' ||
    change?.suspend === true ||
    (change !== null && oscillates(change.reversals)) ||
    atBound ||
    extended.alert;
  const rollbacks =
    context.recentRollbacks ?? context.history.slice(-10).filter(({ rolledBack }) => rolledBack).length;
  const jobs = (context.observations?.successes ?? 0) + (context.observations?.failures ?? 0);
  const safe =
    Math.abs(to - current) < autoMergeDelta &&
    jobs >= autoMergeJobs &&
    confidence > autoMergeConfidence &&
    rollbacks === 0;

  return Object.freeze({
    newThresholds: Object.freeze(newThresholds),
    extendedMutations: Object.freeze(extended.mutations),
    confidence,
    // Sorted, so that merging a proposal with itself changes nothing.
    rationale: [...new Set([...reasons, ...extended.reasons])].sort().join('\n'),
    recommendedAction: alarming ? 'ALERT' : safe ? 'AUTO_MERGE' : 'REVIEW',
    suspend: change?.suspend === true ? [taskType] : [],
    clock: Object.freeze({ ...context.clock }),
  });
}

/** Sets an own property, also for a task type such as `__proto__`. */
function define(target: Record<string, number>, name: string, value: number): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
