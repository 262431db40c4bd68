import * as z from 'zod';
import * as composite from '../evidence/composite.ts';
import * as initial from '../evidence/initial-trust.ts';
import * as movement from '../evidence/outcome.ts';
import * as performance from '../evidence/performance.ts';
import * as qualification from '../evidence/qualification.ts';
import { nextCusum as next } from '../lifecycle/cusum.ts';
import { checked, measurementsSchema, notNegative, outcomeSchema as outcome, unit } from '../schemas.ts';
import { verdict } from './arguments.ts';

const known = notNegative.nullable();
const baseline = z.object({ executionMs: known });
const measurements = measurementsSchema.prefault({});
const baselineMs = known.default(null);

/** Computes {@link compositeScore} and returns its parts. */
export const explainComposite = checked(composite.explainComposite, 'explainComposite', {
  verdict,
  baseline,
});

/**
 * Computes the composite score, 0..1, of a judged benchmark attempt: functional .50 (pass rate), performance .25 (1
 * up to the baseline's running time, falling to 0 at 150 %), resources .15 (1 unless a soft limit was exceeded),
 * quality .10 (1 above 7 of 10, else q/7). Dimensions without a measurement are omitted and the other weights are
 * rescaled. An outcome other than `SUCCESS` caps the score at .79; a failed smoke test or a security violation gives
 * 0.
 *
 * @throws RoutingError `INVALID_INPUT`
 */
export const compositeScore = checked(composite.compositeScore, 'compositeScore', { verdict, baseline });

/**
 * Returns the first trust of a qualified platform: .75 for a score of .95 or more at less than half the baseline's
 * latency, .60 from .8, .45 from .6, `null` (no entry) below. Without a latency or a baseline the highest result is
 * .60.
 *
 * @throws RoutingError `INVALID_INPUT`
 */
export const initialTrust = checked(initial.initialTrust, 'initialTrust', {
  benchmark: z.object({ score: unit, latencyMs: known, baselineMs: known }),
});

/**
 * Returns the gain of the k-th further benchmark success, k from 0: `min(max(.15 − .05 k, .1 (.9 − trust)), (.9 −
 * trust) / 2)`. In a run of successes gains never increase, and .9 is approached but never reached.
 *
 * @throws RoutingError `INVALID_INPUT`
 */
export const successGain = checked(initial.successGain, 'successGain', { trust: unit, k: notNegative });

/** Returns the trust after the k-th further benchmark success. @throws RoutingError `INVALID_INPUT` */
export const afterBenchmarkSuccess = checked(initial.afterBenchmarkSuccess, 'afterBenchmarkSuccess', {
  trust: unit,
  k: notNegative,
});

/**
 * Returns the movement of a platform's trust in a task type after one production outcome. Pure. Measurements decide
 * the value within each range:
 *
 * | outcome | movement |
 * |---|---|
 * | `SUCCESS` | +.10 … +.15: the upper .05 is the mean of speed (1 at half the baseline or less, 0 at 150 %) and quality (of 10), as far as measured |
 * | `PARTIAL` | +.02 … +.08, linear in the pass rate from .80 to 1 |
 * | `FAILURE` | −.10 … −.15, linear in the pass rate from .80 down to 0 |
 * | `ERROR` | −.05 … −.20 by {@link errorPenalties} |
 * | `SECURITY_VIOLATION` | 0 here: the operator is blacklisted |
 * | `INFRA` | 0 |
 *
 * A missing measurement counts as the mildest value of the range. `baselineMs` is the typical latency of the task type,
 * ms; `null` when unknown.
 *
 * @throws RoutingError `INVALID_INPUT`
 */
export const trustMovement = checked(movement.trustMovement, 'trustMovement', {
  outcome,
  measurements,
  baselineMs,
});

/**
 * Returns the trust after one production outcome: {@link trustMovement}, clamped to .1 … .9; 0 after a violation.
 *
 * @throws RoutingError `INVALID_INPUT`
 */
export const moveTrust = checked(movement.moveTrust, 'moveTrust', {
  trust: unit,
  outcome,
  measurements,
  baselineMs,
});

/**
 * Returns `FAST` below 75 % of the baseline's median latency, `STANDARD` up to 150 %, else `SLOW`; `null` when either
 * is unknown.
 *
 * @throws RoutingError `INVALID_INPUT`
 */
export const performanceTier = checked(performance.performanceTier, 'performanceTier', {
  p50Ms: known,
  baselineMs: known,
});

/**
 * Returns the strengths of a platform. `fast`: median latency below 75 % of the baseline; `reliable`: 95th percentile
 * below the baseline's; `efficient`: peak memory below 80 % of the limit; `thorough`: coverage above 90 %.
 *
 * @throws RoutingError `INVALID_INPUT`
 */
export const annotate = checked(performance.annotate, 'annotate', {
  figures: z.object({
    p50Ms: known,
    p95Ms: known,
    baselineP50Ms: known,
    baselineP95Ms: known,
    memoryShare: known,
    coverage: unit.nullable(),
  }),
});

/**
 * Decides an evaluation from its attempts, in order. With the default plan: three successes → `ACTIVE` at once; three
 * failures → `REJECTED`; two successes and a partial → five attempts; one success and two failures → `CONDITIONAL`;
 * any other pattern, and the end of five attempts, by the mean composite (≥ .8 `ACTIVE`, ≥ .6 `CONDITIONAL`, else
 * `REJECTED`). A security violation ends it at once. `INFRA` does not count as an attempt.
 *
 * @throws RoutingError `INVALID_INPUT`
 */
export const qualify = checked(qualification.qualify, 'qualify', {
  attempts: z.array(z.object({ outcome, score: unit })),
  plan: z
    .strictObject({ attempts: z.int().min(1).optional(), extendedAttempts: z.int().min(1).optional() })
    .default({}),
});

/**
 * Returns the cooldown of a rejected platform in ms: 1, 3, 7, then 30 days by the number of failed evaluations,
 * including this one; 30 days when every attempt of the evaluation failed.
 *
 * @throws RoutingError `INVALID_INPUT`
 */
export const cooldownMs = checked(qualification.cooldownMs, 'cooldownMs', {
  failedEvaluations: z.int().min(0),
  straightFailures: z.boolean(),
});

/**
 * Returns the next level of a Bernoulli CUSUM statistic that looks for a drop of a success rate: the log-likelihood ratio
 * of the lower rate against the usual one, summed and never below 0. With a usual rate of .9 and a drop of .15, a level
 * of 4 is reached by chance about every 1,000 works, and about 37 works after a drop. `success` says whether the work
 * succeeded, or to which share, 0..1, and `rate` is the usual success rate, 0..1.
 *
 * @throws RoutingError `INVALID_INPUT`
 */
export const nextCusum = checked(next, 'nextCusum', {
  level: notNegative,
  success: z.union([z.boolean(), unit]),
  rate: unit,
  drop: unit,
});
