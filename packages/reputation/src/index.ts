/**
 * Reviews of platforms in public, with reasons and consent, and the weighing of what others publish.
 * @packageDocumentation
 */
export { isBonafideError, type PeerEraser, type PeerErasure } from '@bonafide/internal';
export {
  type Assertion,
  type AssertionPublisher,
  buildAssertion,
  createAssertionPublisher,
  parseAssertion,
} from './assertions/nip85-assertion.ts';
export type { ReputationConfig } from './config.ts';
export { ReputationError, type ReputationErrorCode } from './errors.ts';
export type { ReputationEvents } from './events.ts';
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
  createInquiries,
  type Inquiries,
  type InquiryOptions,
  type InquiryVerdict,
  type PeerAnswer,
  type UnansweredReason,
} from './inquiries/inquiries.ts';
export { buildObjection, type ObjectionInput } from './objections/objection-event.ts';
export type { DisputeDecision, ObjectionsRead } from './objections/objections.ts';
export {
  decidePublication,
  type PublicationDecision,
  type PublicationEvent,
  type PublicationInput,
  type PublicationRules,
} from './publication/decide-publication.ts';
export type { ReviewOffer, ReviewPreview } from './publication/review-queue.ts';
export type { RejectionCounts } from './reading/current-reviews.ts';
export type { ReadOptions, ReviewsRead, WatchHandlers } from './reading/review-reader.ts';
export { type CheckedReceipts, checkReceipts } from './receipts.ts';
export {
  createReputation,
  type LedgerPort,
  type Reputation,
  type ReputationOptions,
} from './reputation.ts';
export {
  type AssessmentStatement,
  completeReview,
  type ReviewInput,
  type ReviewStatement,
} from './review.ts';
export {
  type OwnAssessment,
  type Standing,
  type WeighedOpinion,
  type WeighInput,
  weighReviews,
} from './standing/weigh-reviews.ts';
export type { Objection, QueuedReview, QueueState, ReviewQuery, ReviewStore } from './store.ts';
export { createMemoryReviewStore } from './stores/memory.ts';
