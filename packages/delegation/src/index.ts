/**
 * Hands out work to platforms and follows it to a verdict, with every step stored and safe to repeat.
 * @packageDocumentation
 */
export {
  isBonafideError,
  type Logger,
  type Page,
  type PeerEraser,
  type PeerErasure,
} from '@bonafide/internal';
export { cancelOrder } from './cancel-order.ts';
export { createChanceMatrix } from './chance-matrix.ts';
export {
  allOrders,
  committedMsat,
  finishedWork,
  finishedWorkOf,
  isSettled,
  nextStep,
  platformId,
  remainingMsat,
  stepsOf,
} from './checked.ts';
export { type DelegationConfig, type DelegationConfigInput, resolveConfig } from './config.ts';
export type { DelegationEvents } from './delegation/context.ts';
export { createDelegation, type Delegation } from './delegation/create-delegation.ts';
export type {
  ServedWork,
  ServiceLevel,
  ServiceLevelContext,
  Suspension,
} from './delegation/follow-service-level.ts';
export type { BidContext, DelegationOptions } from './delegation/options.ts';
export { type Delivery, OrderFailedError } from './delivery.ts';
export type { DelegationEngine, Handled, WakeHandler } from './engine.ts';
export { createEmbeddedEngine, type EmbeddedEngineOptions } from './engines/embedded.ts';
export { DelegationError, type DelegationErrorCode } from './errors.ts';
export type { ChosenPlatform, OrderEvent, Paid } from './flow/events.ts';
export type { Finished } from './flow/finished.ts';
export type { Next, Step } from './flow/next-step.ts';
export { createJobReceipts, type JobReceiptsOptions } from './job-receipts.ts';
export type { JsonValue } from './json.ts';
export type { Leadership } from './leadership.ts';
export type {
  Accept,
  Check,
  CheckResult,
  Criticality,
  EndReason,
  Exclusion,
  Order,
  OrderFailure,
  OrderInput,
  OrderState,
  OrderStatus,
  RecordTarget,
  Replica,
  ReplicaCost,
  ReplicaStage,
  StoredAnswer,
  StoredOrder,
  Trial,
} from './order.ts';
export type { PlatformRef } from './platform.ts';
export type {
  Answer,
  Benchmarks,
  BenchmarkTask,
  CheckOutcome,
  FinishedWork,
  FoundPlatform,
  JobPayment,
  JobRequest,
  Jobs,
  Journal,
  JournalMessage,
  JournalOutcome,
  Judge,
  JudgeVerdict,
  ListedPlatform,
  Matrix,
  MatrixPick,
  MatrixView,
  ObservedMessage,
  PlatformSource,
  PlatformTraits,
  PublicWord,
  ReceiptJudgment,
  Receipts,
  Reflection,
  RequestedJob,
  Similarity,
  WorkMeasurements,
} from './ports.ts';
export { createPublicWord, type ReviewQueue } from './public-word.ts';
export {
  createSlaServiceLevel,
  type SlaPromise,
  type SlaRules,
  type SlaSample,
  type SlaServiceLevelOptions,
} from './sla-service-level.ts';
export type {
  ClaimedWake,
  DelegationStore,
  Note,
  OrderQuery,
  OrderRecord,
  OrderStore,
  Wake,
  WakeResult,
  WakeStore,
} from './store.ts';
export { createMemoryDelegationStore } from './stores/memory.ts';
export type { Timers } from './timers.ts';
