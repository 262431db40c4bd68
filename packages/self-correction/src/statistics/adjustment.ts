import { probabilityAbove } from '@bonafide/internal';
import * as z from 'zod';
import { parseInput } from '../errors.ts';
import { likelihoodSum, twoSigmaShift } from './change-detection.ts';

/** One judged piece of work of a task type. */
export interface JudgedOutcome {
  /** True for work above the threshold. @default `outcome` is `SUCCESS`, else `score` at or above the threshold */
  readonly success?: boolean;
  /**
   * Outcome of the judge, in either case: `SUCCESS` counts as success; `PARTIAL`, `FAILURE`, `ERROR` and `SECURITY_VIOLATION` as
   * failure. Pass `success` for work that something else has judged.
   */
  readonly outcome?: string;
  /** Score of the work, 0…1. */
  readonly score?: number;
  /** Time of the outcome, ms since epoch. */
  readonly at?: number;
}

/** The threshold that may be adjusted. */
export interface CurrentThreshold {
  /** 0…1. */
  readonly threshold: number;
  /** Success rate that is expected at this threshold, between 0 and 1. @default the threshold */
  readonly expectedRate?: number;
  /** Earlier changes of the threshold, oldest first. Outcomes up to the time of the last one, ms since epoch, do not count again. */
  readonly changes?: readonly { readonly delta: number; readonly at?: number }[];
}

/** A pattern in a history of outcomes. */
export type AdjustmentPattern = 'sustained success' | 'sustained failure' | 'shift';

/** A proposed change of one threshold, with its statistics. */
export interface AdjustmentProposal {
  readonly pattern: AdjustmentPattern;
  readonly from: number;
  readonly to: number;
  /** to − from. */
  readonly delta: number;
  /** Outcomes in the history. */
  readonly sampleSize: number;
  /** Time of the first and the last outcome of the sample, ms since epoch; null when an outcome has none. */
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  /** Outcomes since the change began. */
  readonly recent: number;
  /** Share of successes since the change began, 0…1. */
  readonly successRate: number;
  readonly expectedRate: number;
  /** Probability that the success rate since the change lies on the move's side of the expected rate, 0…1. */
  readonly confidence: number;
  /** Human-readable reason. */
  readonly justification: string;
  /** True when a person has to look before the change is made. */
  readonly conditional: boolean;
  /** True when the operator has to be warned: the threshold oscillates. */
  readonly alert: boolean;
  /** Changes of direction among the last ten changes of the threshold. */
  readonly reversals: number;
}

/** Outcomes of the judge. */
const outcomes: readonly string[] = ['SUCCESS', 'PARTIAL', 'FAILURE', 'ERROR', 'SECURITY_VIOLATION'];

const outcomeSchema = z
  .looseObject({
    success: z.boolean().optional(),
    outcome: z.string().optional(),
    score: z.number().min(0).max(1).optional(),
    at: z.number().min(0).optional(),
  })
  .refine(
    ({ success, outcome, score }) => success !== undefined || outcome !== undefined || score !== undefined,
    'needs success, outcome or score',
  )
  // Any other word would silently count as a failure.
  .refine(
    ({ success, outcome }) =>
      success !== undefined || outcome === undefined || outcomes.includes(outcome.toUpperCase()),
    `needs an outcome of the judge: ${outcomes.join(', ')}`,
  );
const historySchema = z
  .array(
    z.union(
      [z.boolean().transform((success) => ({ success })), outcomeSchema],
      `must be true, false, { success }, { score }, or { outcome } with one of ${outcomes.join(', ')}`,
    ),
  )
  .max(100_000);
const share = z.number().min(0).max(1);
const currentSchema = z.union(
  [
    share.transform((threshold) => ({ threshold })),
    z.object({
      threshold: share,
      expectedRate: z.number().gt(0).lt(1).optional(),
      changes: z.array(z.object({ delta: z.number(), at: z.number().min(0).optional() })).optional(),
    }),
  ],
  'must be a threshold from 0 to 1, alone or as { threshold }',
);

/** Straight successes, and straight failures, that show a pattern. */
const runs = { success: 10, failure: 5 } as const;
/** Threshold of the CUSUM, in units of the log likelihood ratio. */
const cusumThreshold = 6;
/** Largest probability of a run by chance. */
const chanceLimit = 0.03;
/** Moves in hundredths. */
const moves = { success: 15, failure: -10, shift: 5 } as const;
/** Changes of direction among the newest changes from which a threshold oscillates. */
const reversalLimit = 3;
const window = 10;

/**
 * Counts changes of direction among the last ten changes. Changes below the deadband are noise: their standard deviation, at
 * most 0.05.
 */
function countReversals(changes: readonly { readonly delta: number }[]): number {
  const deltas = changes.slice(-window).map(({ delta }) => delta);
  const mean = deltas.reduce((sum, delta) => sum + delta, 0) / deltas.length;
  const deviation = Math.sqrt(deltas.reduce((sum, delta) => sum + (delta - mean) ** 2, 0) / deltas.length);
  const deadband = Math.min(deviation, 0.05);
  const moved = deltas.filter((delta) => delta !== 0 && Math.abs(delta) >= deadband - 1e-9);
  return moved.filter(
    (delta, index) => index > 0 && Math.sign(delta) !== Math.sign(moved[index - 1] ?? delta),
  ).length;
}

/**
 * Proposes a change of a threshold from the judged outcomes of its task type, oldest first; null without a pattern. Pure.
 *
 * - At least 10 straight successes that chance does not explain: +0.15. At least 5 straight failures: −0.10. Chance does not
 *   explain a run when the Bernoulli CUSUM against the expected rate is at least 6, or when such a run has a probability of at
 *   most 3 %.
 * - Otherwise a shift of the last 10 outcomes by more than two sigma: ±0.05, conditional on a person.
 * - Three changes of direction among the last 10 changes of the threshold halve the move and raise an alert.
 *
 * The limits for pull requests are checked separately, by `checkLimits`.
 *
 * @throws SelfCorrectionError `INVALID_INPUT`
 */
export function proposeAdjustment(
  history: readonly (JudgedOutcome | boolean)[],
  current: CurrentThreshold | number,
): AdjustmentProposal | null {
  const given = parseInput(currentSchema, 'current', current) as CurrentThreshold;
  const { threshold, changes = [] } = given;
  const changedAt = changes.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  const outcomes = (parseInput(historySchema, 'history', history) as readonly JudgedOutcome[]).filter(
    ({ at = Number.POSITIVE_INFINITY }) => at > changedAt,
  );
  const expectedRate = Math.min(0.99, Math.max(0.01, given.expectedRate ?? threshold));
  const successes = outcomes.map(({ success, outcome, score }) => {
    if (success !== undefined) return success;
    return outcome === undefined ? (score ?? 0) >= threshold : outcome.toUpperCase() === 'SUCCESS';
  });
  const found = findSustained(successes, expectedRate) ?? findShift(successes);
  if (found === null) return null;
  const { pattern, since, hundredths, reason } = found;
  const recent = successes.slice(since);
  const succeeded = recent.filter(Boolean).length;
  const above = probabilityAbove(expectedRate, succeeded, recent.length - succeeded);
  const reversals = changes.length < 2 ? 0 : countReversals(changes);
  const alert = reversals >= reversalLimit;
  const move = alert ? Math.trunc(hundredths / 2) : hundredths;
  const from = Math.round(threshold * 100);
  return {
    pattern,
    from: from / 100,
    to: (from + move) / 100,
    delta: move / 100,
    sampleSize: successes.length,
    ...periodOf(outcomes),
    recent: recent.length,
    successRate: succeeded / recent.length,
    expectedRate,
    confidence: move > 0 ? above : 1 - above,
    justification: alert
      ? `${reason} The move is halved: ${reversals} reversals in the last ${window} changes.`
      : reason,
    conditional: pattern === 'shift',
    alert,
    reversals,
  };
}

/** The time that the outcomes cover; nulls when one of them has no time. */
function periodOf(outcomes: readonly JudgedOutcome[]): Pick<AdjustmentProposal, 'firstAt' | 'lastAt'> {
  const times = outcomes.flatMap(({ at }) => at ?? []);
  if (times.length < outcomes.length) return { firstAt: null, lastAt: null };
  return {
    firstAt: times.reduce((one, other) => Math.min(one, other)),
    lastAt: times.reduce((one, other) => Math.max(one, other)),
  };
}

interface Found {
  readonly pattern: AdjustmentPattern;
  /** Index of the first outcome of the change. */
  readonly since: number;
  readonly hundredths: number;
  readonly reason: string;
}

function findSustained(successes: readonly boolean[], expectedRate: number): Found | null {
  const isSuccess = successes.at(-1) === true;
  const run = successes.length - 1 - successes.findLastIndex((success) => success !== isSuccess);
  if (run < (isSuccess ? runs.success : runs.failure)) return null;
  const rate = isSuccess ? expectedRate : 1 - expectedRate;
  const hits = successes.map((success) => success === isSuccess);
  const { sum, since } = likelihoodSum(hits, rate);
  const chance = rate ** run;
  if (sum < cusumThreshold && chance > chanceLimit) return null;
  const what = isSuccess ? 'successes' : 'failures';
  const percent = (rate * 100).toFixed(0);
  return {
    pattern: isSuccess ? 'sustained success' : 'sustained failure',
    since: Math.min(since, successes.length - run),
    hundredths: isSuccess ? moves.success : moves.failure,
    reason: `${run} straight ${what} where ${percent} % were expected (CUSUM ${sum.toFixed(2)}, by chance ${(chance * 100).toPrecision(2)} %).`,
  };
}

function findShift(successes: readonly boolean[]): Found | null {
  const shift = twoSigmaShift(successes, window);
  if (shift === null) return null;
  const { before, after, sigma } = shift;
  const percent = (value: number) => `${(value * 100).toFixed(0)} %`;
  return {
    pattern: 'shift',
    since: successes.length - window,
    hundredths: Math.sign(after - before) * moves.shift,
    reason: `The last ${window} outcomes shifted from ${percent(before)} to ${percent(after)}, by more than two sigma (${sigma.toFixed(3)} each). Investigate first.`,
  };
}
