/**
 * Hires and gets hired over Nostr: a NIP-90 job client and provider that survive restarts.
 * @packageDocumentation
 */
export {
  isBonafideError,
  type Logger,
  type Page,
  type PeerEraser,
  type PeerErasure,
  silentLogger,
} from '@bonafide/internal';
export { type BidInput, bidBasis, computeBid, type PastBid } from './bid.ts';
export {
  type BenchmarkSpec,
  benchmarkParams,
  bindTask,
  DEFAULT_BENCHMARK_BID_MSAT,
  type Task,
} from './client/bind-task.ts';
export type { IgnoredReason } from './client/client-context.ts';
export type { JobClientEvents } from './client/client-events.ts';
export type {
  JobClientConfig,
  JobClientOptions,
  JobSpec,
  RequestJobOptions,
} from './client/client-options.ts';
export { type Correlation, correlate, type NoMatch, type OpenJobs } from './client/correlate.ts';
export { createJobClient, type JobClient } from './client/job-client.ts';
export type { JobHandle } from './client/job-handle.ts';
export type { IgnoredCounts } from './client/notifications.ts';
export { type ChooseOffer, cheapestOffer, type Offer } from './client/offers.ts';
export type { Judgment, SentReceipt } from './client/receipts.ts';
export {
  buildEncryptedJobRequest,
  buildFeedback,
  buildJobCancellation,
  buildJobRequest,
  buildJobResult,
  type ContentReference,
  decryptJobRequest,
  type EncryptedJobRequest,
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
export { JobError, type JobErrorCode } from './errors.ts';
export {
  type FailureReason,
  type FinalJobState,
  isClaimable,
  isFinal,
  JOB_STATES,
  type Job,
  type JobState,
  type JobTransition,
  type MatchedBy,
  type StoredFeedback,
  type TimeoutClass,
} from './job.ts';
export { type AcceptResult, JobEndedError, type JobResult, outcomeOf } from './outcome.ts';
export { assessInvoice, type InvoiceAssessment, type InvoiceRefusal } from './payment/assess-invoice.ts';
export { decodeInvoice, type Invoice, type LightningNetwork } from './payment/invoice.ts';
export { createLightningAddressMethod, requestInvoice } from './payment/lightning-address.ts';
export type { PaymentOptions } from './payment/payment-executor.ts';
export {
  createBolt11Method,
  type PaymentDemand,
  type PaymentMethod,
  type PaymentQuote,
  type QuoteResult,
} from './payment/payment-method.ts';
export {
  decidePayment,
  type Expiry,
  type PayClaim,
  type PaymentDecision,
  type WalletObservation,
} from './payment/payment-state.ts';
export type {
  NewPayment,
  Payment,
  PaymentHold,
  PaymentLimit,
  PaymentStatus,
  PaymentStore,
} from './payment/payment-store.ts';
export type { Invoices, PaymentOutcome, Wallet } from './payment/wallet.ts';
export type { JobAnswer, JobContext, JobHandler } from './provider/handler.ts';
export { type Obligation, REFUND_PARAM } from './provider/obligations.ts';
export { advanceProvided, type ProvidedEvent } from './provider/provided-job.ts';
export { createProvider, type Provider } from './provider/provider.ts';
export type { ProviderEvents } from './provider/provider-events.ts';
export type { ProviderConfig, ProviderOptions } from './provider/provider-options.ts';
export type { Charge, ProvidedJob, ProvidedQuery, ProviderStore } from './provider/provider-store.ts';
export type { UnansweredReason } from './provider/request-classifier.ts';
export type { CreateReceipt, ReceiptOutcome, VerifyReceipt } from './receipt.ts';
export type { BlobStore } from './references/blob-store.ts';
export { type BlossomStoreOptions, createBlossomStore } from './references/blossom-store.ts';
export {
  createReferenceFetcher,
  type FetchReference,
  type ReferenceOptions,
} from './references/fetch-reference.ts';
export {
  type Consensus,
  type Criticality,
  canonicalContent,
  consensus,
  type Equivalence,
  REPLICATION_PLANS,
  type ReplicationPlan,
  type Vote,
} from './replication/consensus.ts';
export {
  nextReplicationStep,
  type ReplicaAvailability,
  type ReplicationStep,
} from './replication/next-step.ts';
export type { Replica } from './replication/replica-set.ts';
export {
  NoConsensusError,
  type ReplicatedResult,
  type ReplicationOptions,
  type ReplicationReport,
  requestReplicated,
} from './replication/replicate.ts';
export type { Acceptance } from './replication/vote-counter.ts';
export type { JobHistory, JobQuery, JobStore, JobUpdate, LeaseStore } from './store.ts';
export { createMemoryJobStore, createMemoryProviderStore, type MemoryStoreOptions } from './stores/memory.ts';
export { createMemoryPaymentStore } from './stores/memory-payments.ts';
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
} from './timings.ts';
export { type Advanced, advance, type JobEvent, transition } from './transition.ts';
