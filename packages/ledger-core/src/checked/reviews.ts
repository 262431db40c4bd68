import {
  detectBuildThenExploit as detect,
  type TrajectoryOptions,
  type TrajectoryPoint,
  type TrajectoryResult,
} from '@bonafide/internal';
import * as z from 'zod';
import * as audit from '../assessment-audit.ts';
import * as report from '../assessor-report.ts';
import { checked, eachOf, iterable, parse } from '../parse.ts';
import { sourceSchema } from '../policy-schema.ts';
import type { Assessment } from '../records.ts';
import * as series from '../trajectory-series.ts';
import * as step from '../trust-step.ts';
import { assessment, interaction, outcome } from './rows.ts';

/**
 * Finds assessments that an operator should review. Expects them oldest first, so that the second of two
 * equal texts is reported as the repetition. The heuristic knows English words only.
 *
 * @throws LedgerError `INVALID_INPUT`
 */
export const auditAssessments = checked(audit.auditAssessments, 'auditAssessments', {
  assessments: z.array(assessment),
  outcomes: z.array(outcome.extend({ peerId: z.string() })).optional(),
});

/**
 * Creates one report per assessor from assessments in order of time, in the order of first appearance.
 *
 * @throws LedgerError `INVALID_INPUT`
 */
export const reportAssessors = checked(
  (assessments: Iterable<Assessment>) =>
    report.reportAssessors(eachOf(assessments, assessment, 'reportAssessors.assessments')),
  'reportAssessors',
  { assessments: iterable },
);

/**
 * The furthest that one assessment moved trust, up or down, over assessments in order of time; the latest of several
 * that moved it as far. Null when there is none to look at.
 *
 * @throws LedgerError `INVALID_INPUT`
 */
export const largestTrustStep = checked(
  (assessments: Iterable<Assessment>, options?: step.TrustStepOptions) =>
    step.largestTrustStep(eachOf(assessments, assessment, 'largestTrustStep.assessments'), options),
  'largestTrustStep',
  {
    assessments: iterable,
    options: z
      .strictObject({
        source: sourceSchema.optional(),
        before: z.map(z.string(), z.number()).optional(),
      })
      .optional(),
  },
);

/**
 * Creates the series of a peer's requests and trust scores. A request is the peer's first message of each
 * correlationId, and every message without one. Its size is the first of `metrics.size`, `metrics.costMsat` and the
 * length of the text that all requests have.
 *
 * @throws LedgerError `INVALID_INPUT`
 */
export const trajectorySeries = checked(series.trajectorySeries, 'trajectorySeries', {
  conversation: z.array(interaction.extend({ contentLength: z.number() })),
  assessments: z.array(assessment),
});

/** A number, whose range the function itself checks. */
const number = z.custom<number>((given) => typeof given === 'number', 'Expected a number').optional();
const pointSchema = z.looseObject({ at: number, trust: number, size: number });
const optionsSchema = z.strictObject({
  k: number,
  h: number,
  clip: number,
  sigmaFloor: number,
  baseline: number,
  minAfter: number,
  sizeJump: number,
  sharpFall: number,
});

/**
 * Detects "build, then exploit": trust that was earned with small, good work and spent on a large or a bad one. A single
 * observation (a jump in size, a sharp fall) gives `suspected`; a downward CUSUM of the scores against their baseline
 * gives `confirmed`, from `baseline` + 3 scores on. A baseline with a mean ≤ 0 has nothing to exploit.
 *
 * The CUSUM shows that the scores fell, not why. With σ estimated from five scores, about one in three steady peers is
 * flagged at some time in a long series. Show the evidence with the verdict.
 *
 * @param points - Observations in any order; they are sorted by time, ties in the given order.
 * @throws BonafideError `INVALID_INPUT` for a wrong type or an unknown option; `OUT_OF_RANGE` when a number is not finite or an
 * option is out of range.
 * @see Page: Continuous Inspection Schemes. Biometrika 41, 1954.
 */
export function detectBuildThenExploit<Point extends TrajectoryPoint>(
  points: readonly Point[],
  options: TrajectoryOptions = {},
): TrajectoryResult<Point> {
  parse(z.array(pointSchema), points, 'series');
  parse(optionsSchema, options, 'options');
  return detect(points, options);
}
