/**
 * Reviews of platforms in public, with reasons and consent, and the weighing of what others publish.
 * @packageDocumentation
 */
export { isBonafideError } from '@bonafide/internal';
export { ReputationError, type ReputationErrorCode } from './errors.ts';
export type { ReviewFormat } from './formats/format.ts';
export {
  buildAssessmentLabel,
  type LedgerAssessment,
} from './formats/nip32-label.ts';
export type { RejectedReview, ReviewRejection } from './formats/rejection.ts';
export {
  type BuildReviewOptions,
  buildReview,
  defaultKinds,
  type FormatOptions,
  type ParsedReview,
  type ParseReviewOptions,
  parseReview,
  type Review,
  type ReviewKinds,
} from './formats/review-event.ts';
export {
  type AssessmentStatement,
  completeReview,
  type ReviewInput,
  type ReviewStatement,
} from './review.ts';
