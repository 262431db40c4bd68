/**
 * NIP-90 codec: builds and parses job requests, results, feedback and cancellations, without state.
 * @packageDocumentation
 */
export { buildJobCancellation, parseJobCancellation } from './cancellation.ts';
export { MAX_EVENT_BYTES, signedBytes, type WireProblem } from './event.ts';
export {
  buildFeedback,
  FEEDBACK_STATUSES,
  type FeedbackRejection,
  type FeedbackSpec,
  type FeedbackStatus,
  type JobFeedback,
  type ParsedFeedback,
  parseFeedback,
} from './feedback.ts';
export { answerFilters, requestFilters } from './filters.ts';
export { fingerprintOf } from './fingerprint.ts';
export {
  DELETION_KIND,
  FEEDBACK_KIND,
  isRequestKind,
  isResultKind,
  RECEIPT_KIND,
  resultKindOf,
} from './kinds.ts';
export { readPublicKey } from './public-key.ts';
export type { ContentReference } from './reference.ts';
export {
  buildEncryptedJobRequest,
  buildJobRequest,
  decryptJobRequest,
  type EncryptedJobRequest,
  isEncryptedRequest,
  type JobInputSpec,
  type JobRequest,
  type JobRequestRejection,
  type JobRequestSpec,
  type Json,
  jobParam,
  type ParsedJobRequest,
  parseJobRequest,
} from './request.ts';
export {
  buildJobResult,
  type JobResultSpec,
  type ParsedJobResult,
  type ParsedResult,
  parseJobResult,
  withContent,
} from './result.ts';
export type { Encryption, JobAmount, JobInput, JobOutput } from './tags.ts';
export { isNip44Payload, MAX_INDEXED_VALUE_BYTES } from './tags.ts';
