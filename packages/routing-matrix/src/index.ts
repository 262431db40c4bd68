/**
 * A matrix of platforms and task types that learns from judged outcomes and decides which platform gets a job.
 * @packageDocumentation
 */
export { isBonafideError } from '@bonafide/internal';
export type { BudgetInput, Budgets, BudgetView, ReservationInput, ReservationView } from './budget/api.ts';
export type { ReservationState } from './budget/book.ts';
export type { Budget, EnvelopeView } from './budget/envelope.ts';
export {
  type Baseline,
  type BenchmarkVerdict,
  type CompositeDimension,
  type CompositeExplanation,
  compositeScore,
  compositeWeights,
  explainComposite,
} from './composite.ts';
export { type RoutingConfig, type RoutingConfigInput, resolveConfig } from './config.ts';
export {
  type CandidateFigures,
  type CandidateScore,
  type CriteriaWeights,
  type Criterion,
  type CriterionScore,
  defaultWeights,
  scoreCandidates,
} from './criteria.ts';
export { entryView, entryViews, type MatrixEntry } from './entry.ts';
export { RoutingError, type RoutingErrorCode } from './errors.ts';
export { type Estimate, evaluateStrategy, type OffPolicyResult } from './evaluation/off-policy.ts';
export type { RoutingAlert, RoutingEvents } from './events.ts';
export { afterBenchmarkSuccess, type BenchmarkResult, initialTrust, successGain } from './initial-trust.ts';
export { nextCusum } from './lifecycle/cusum.ts';
export type { DueProbe, ProbeReason } from './lifecycle/probes.ts';
export {
  afterWork,
  allocationOf,
  type Lifecycle,
  type LifecycleConfig,
  type LifecycleEvent,
  lifecycleAt,
  normalLifecycle,
  type Signal,
  type Stage,
} from './lifecycle/stage.ts';
export {
  type BenchmarkInput,
  createRoutingMatrix,
  type DecisionPage,
  type DirectiveInput,
  type OutcomeInput,
  type Recorded,
  type Registration,
  type RoutingMatrix,
  type RoutingMatrixOptions,
  type SelectOptions,
  type TaskRequest,
} from './matrix.ts';
export { type MutationOutcome, taskMultipliers } from './mutation/adjustment.ts';
export type { ExtendedMutations, ExtendedObservations } from './mutation/extended.ts';
export { type MutationInput, matrixMutationHook } from './mutation/hook.ts';
export type { ThresholdChange } from './mutation/limits.ts';
export {
  type ClockOrder,
  compareClocks,
  mergeMutations,
  resolveProposals,
} from './mutation/merge.ts';
export type { MutationProposal, RecommendedAction, VectorClock } from './mutation/proposal.ts';
export type { AppliedChange } from './mutation/thresholds.ts';
export type { Maintenance } from './mutation/variables.ts';
export type { ChangeView, ThresholdsView } from './mutation/views.ts';
export {
  defaultErrorPenalty,
  errorPenalties,
  type Measurements,
  moveTrust,
  type Outcome,
  trustMovement,
} from './outcome.ts';
export {
  type Annotation,
  annotate,
  type PerformanceFigures,
  type PerformanceTier,
  performanceTier,
} from './performance.ts';
export { type PlatformRef, platformId } from './platform.ts';
export {
  type Attempt,
  cooldownMs,
  type Qualification,
  type QualificationPlan,
  qualify,
} from './qualification.ts';
export type {
  AlertRecord,
  BaseRecord,
  BenchmarkRecord,
  BudgetRecord,
  DecisionCandidate,
  DecisionPick,
  DecisionRecord,
  DirectiveAction,
  DirectiveRecord,
  DirectiveSource,
  ExclusionReason,
  MutationRecord,
  MutationSource,
  OutcomeRecord,
  PlatformRecord,
  ReservationRecord,
  RoutingRecord,
  SettlementRecord,
  StoredMeasurements,
} from './records.ts';
export {
  type BackupOptions,
  type BackupSink,
  createBackup,
  type MatrixBackup,
  type RestoredBackup,
  restoreBackup,
} from './recovery/backup.ts';
export { replay } from './recovery/replay.ts';
export type { SnapshotStore } from './recovery/snapshot.ts';
export type { QuarantinedRecord } from './routing-log.ts';
export { decodeRecord, encodeRecord } from './schemas.ts';
export {
  applyRecord,
  type Change,
  type EntryStatus,
  type MatrixState,
  type QualificationStatus,
} from './state.ts';
export type { Appended, JsonValue, LogPage, LogRecord, RoutingStore, StoredRecord } from './store.ts';
export { createMemoryRoutingStore } from './stores/memory.ts';
export { type LearnedOptions, learnedStrategy } from './strategies/learned/learned.ts';
export { type TieredOptions, tieredStrategy } from './strategies/tiered.ts';
export {
  drawIndex,
  type ObservedRecord,
  powerOfTwoChoices,
  type SelectionStrategy,
  type StrategyCandidate,
  type StrategyContext,
  type StrategyShare,
  type StrategyTask,
  type TaskFeatures,
} from './strategy.ts';
export {
  defaultTierShares,
  handOnShares,
  minimumTrust,
  type Tier,
  type TierShares,
  tierOf,
} from './tiers.ts';
