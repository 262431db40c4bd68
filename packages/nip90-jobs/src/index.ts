/**
 * Hires and gets hired over Nostr: a NIP-90 job client and provider that survive restarts.
 * @packageDocumentation
 */
export { type Logger, silentLogger } from '@bonafide/internal';
export { type BidInput, computeBid } from './bid.ts';
export {
  createJobClient,
  type IgnoredCounts,
  type JobClient,
  type JobClientConfig,
  type JobClientEvents,
  type JobClientOptions,
  type JobSpec,
  type RequestJobOptions,
} from './client.ts';
export {
  buildFeedback,
  buildJobCancellation,
  buildJobRequest,
  buildJobResult,
  type Encryption,
  type FeedbackRejection,
  type FeedbackSpec,
  type FeedbackStatus,
  isRequestKind,
  isResultKind,
  type JobAmount,
  type JobFeedback,
  type JobInput,
  type JobInputSpec,
  type JobOutput,
  type JobRequest,
  type JobRequestRejection,
  type JobRequestSpec,
  type JobResultSpec,
  jobParam,
  type ParsedFeedback,
  type ParsedJobRequest,
  type ParsedJobResult,
  type ParsedResult,
  parseFeedback,
  parseJobCancellation,
  parseJobRequest,
  parseJobResult,
  resultKindOf,
  type WireProblem,
} from './codec/index.ts';
export { type Correlation, correlate, type NoMatch } from './correlate.ts';
export { JobError, type JobErrorCode } from './errors.ts';
export type { IgnoredReason } from './follow.ts';
export type { JobHandle } from './handle.ts';
export {
  type FailureReason,
  type FinalJobState,
  isFinal,
  JOB_STATES,
  type Job,
  type JobState,
  type JobTransition,
  type StoredFeedback,
  type TimeoutClass,
} from './job.ts';
export { JobEndedError, type JobResult, outcomeOf } from './outcome.ts';
export {
  createProvider,
  type JobAnswer,
  type JobContext,
  type JobHandler,
  type Provider,
  type ProviderConfig,
  type ProviderEvents,
  type ProviderOptions,
  type UnansweredReason,
} from './provider.ts';
export type { JobQuery, JobStore, JobUpdate, Page, ProvidedJob, ProviderStore } from './store.ts';
export { createMemoryJobStore, createMemoryProviderStore } from './stores/memory.ts';
export type { Timers } from './timers.ts';
export {
  DEFAULT_TIMINGS,
  type Deadline,
  type DeliveryStage,
  deadline,
  deliveryRound,
  type JobTimings,
  type RelayRecord,
  retryDelayMs,
} from './timetable.ts';
export { advance, type JobEvent, transition } from './transition.ts';
