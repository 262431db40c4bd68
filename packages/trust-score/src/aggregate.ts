import { type Check, listOf, optional, record, text, within } from './input.ts';

/** One rater's assessment of a peer. */
export interface RatedAssessment {
  /** Fairness of the rater, 0…1. Shrink it first by the number of ratings that it rests on. */
  readonly raterFairness: number;
  /** The rater's knowledge of the peer, 0…10. */
  readonly infoScore: number;
  /** −10…10. */
  readonly trust: number;
  /** Reason for the score. An assessment without one is rejected. */
  readonly rationale: string;
  /** Name or id of the rater. */
  readonly rater?: string;
}

/** An assessment and how much it counted. */
export interface WeighedAssessment extends RatedAssessment {
  /** Share in the mean by fairness × infoScore, 0…1; in the mean by fairness when every infoScore is 0. */
  readonly weight: number;
}

/** The weighted means of several assessments. */
export interface AggregateResult {
  /** Mean trust weighted by fairness, −10…10; null when all weights are 0. */
  readonly byFairness: number | null;
  /** Mean trust weighted by fairness × infoScore, −10…10; null when all weights are 0. */
  readonly byFairnessAndInfo: number | null;
  /** Every accepted assessment with its rationale, the weightiest first. */
  readonly ranked: readonly WeighedAssessment[];
  /** Assessments that were left out, since they give no reason. */
  readonly withoutRationale: number;
}

const trustRange: Check = within(-10, 10);
const ratedAssessments: Check = listOf(
  record({
    raterFairness: within(0, 1),
    infoScore: within(0, 10),
    trust: trustRange,
    rater: optional(text),
  }),
);

/**
 * Aggregates several assessments of a peer: the mean trust weighted by the raters' fairness, and by fairness
 * × knowledge, with all rationales, largest weight first. There is no unweighted mean, since a crowd of
 * unknown raters would decide it. Assessments without a rationale are rejected and counted.
 *
 * @throws `OUT_OF_RANGE` when a fairness, an infoScore or a trust is out of its range.
 */
export function aggregateAssessments(assessments: readonly RatedAssessment[]): AggregateResult {
  const accepted: RatedAssessment[] = [];
  ratedAssessments('assessments', assessments);
  for (const assessment of assessments) {
    if (typeof assessment.rationale === 'string' && assessment.rationale.trim() !== '')
      accepted.push(assessment);
  }
  const weigh = (weightOf: (assessment: RatedAssessment) => number) => {
    const total = accepted.reduce((sum, assessment) => sum + weightOf(assessment), 0);
    const share = (assessment: RatedAssessment) => (total === 0 ? 0 : weightOf(assessment) / total);
    const mean = accepted.reduce((sum, one) => sum + weightOf(one) * one.trust, 0) / total;
    return { mean: total === 0 ? null : mean, share };
  };
  const fairness = weigh(({ raterFairness }) => raterFairness);
  const both = weigh(({ raterFairness, infoScore }) => raterFairness * infoScore);
  const { share } = both.mean === null ? fairness : both;
  return {
    byFairness: fairness.mean,
    byFairnessAndInfo: both.mean,
    ranked: accepted
      .map((assessment) => ({ ...assessment, weight: share(assessment) }))
      .toSorted((left, right) => right.weight - left.weight),
    withoutRationale: assessments.length - accepted.length,
  };
}
