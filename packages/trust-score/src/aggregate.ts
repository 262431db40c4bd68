import { requireRange } from './errors.ts';

/** What one rater says about a peer. */
export interface RatedAssessment {
  /** How fairly the rater rates, 0…1; shrink it by how much it rests on first. */
  readonly raterFairness: number;
  /** How well the rater knows the peer, 0…10. */
  readonly infoScore: number;
  /** −10…10. */
  readonly trust: number;
  /** Why. Without one an assessment is not accepted. */
  readonly rationale: string;
  /** Who says so. */
  readonly rater?: string;
}

/** An assessment and how much it counted. */
export interface WeighedAssessment extends RatedAssessment {
  /** Its share in the mean by fairness × infoScore, 0…1; by fairness when nobody knows the peer at all. */
  readonly weight: number;
}

/** What several raters say together. */
export interface AggregateResult {
  /** Mean trust weighted by fairness, −10…10; null when nobody who counts said anything. */
  readonly byFairness: number | null;
  /** Mean trust weighted by fairness × infoScore, −10…10; null when nobody who counts knows the peer. */
  readonly byFairnessAndInfo: number | null;
  /** Every accepted assessment with its rationale, the weightiest first. */
  readonly ranked: readonly WeighedAssessment[];
  /** Assessments that were left out, since they give no reason. */
  readonly withoutRationale: number;
}

/**
 * What several raters say together about a peer (TRU-23): the mean of their trust weighted by how fair they are, and by
 * how fair they are and how well they know the peer; with all rationales, the weightiest first. Never a plain average:
 * that is what a crowd of strangers would decide. An assessment without a rationale is not accepted.
 *
 * @throws `OUT_OF_RANGE` when a fairness, an infoScore or a trust is out of its range.
 */
export function aggregateAssessments(assessments: readonly RatedAssessment[]): AggregateResult {
  const accepted: RatedAssessment[] = [];
  for (const assessment of assessments) {
    requireRange('raterFairness', assessment.raterFairness, 0, 1);
    requireRange('infoScore', assessment.infoScore, 0, 10);
    requireRange('trust', assessment.trust, -10, 10);
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
