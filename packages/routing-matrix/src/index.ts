/**
 * A matrix of platforms and task types that learns from judged outcomes and decides which platform gets a job.
 * @packageDocumentation
 */
export { isBonafideError, type PeerEraser, type PeerErasure } from '@bonafide/internal';
export type { ReservationState } from './budget/book.ts';
export type { Budget, EnvelopeView } from './budget/envelope.ts';
export {
  afterBenchmarkSuccess,
  annotate,
  compositeScore,
  cooldownMs,
  explainComposite,
  initialTrust,
  moveTrust,
  nextCusum,
  performanceTier,
  qualify,
  successGain,
  trustMovement,
} from './checked/evidence.ts';
export { afterWork, allocationOf, lifecycleAt, normalLifecycle } from './checked/lifecycle.ts';
export { applyRecord, decodeRecord, encodeRecord, evaluateStrategy, replay } from './checked/log.ts';
export { compareClocks, mergeMutations, resolveProposals } from './checked/mutation.ts';
export { drawIndex, handOnShares, powerOfTwoChoices, scoreCandidates, tierOf } from './checked/scoring.ts';
export { entryView, entryViews, platformId } from './checked/views.ts';
export { type RoutingConfig, type RoutingConfigInput, resolveConfig } from './config.ts';
export { RoutingError, type RoutingErrorCode } from './errors.ts';
export type { Estimate, OffPolicyResult } from './evaluation/off-policy.ts';
export type { RoutingAlert, RoutingEvents } from './events.ts';
export {
  type Baseline,
  type BenchmarkVerdict,
  type CompositeDimension,
  type CompositeExplanation,
  compositeWeights,
} from './evidence/composite.ts';
export type { BenchmarkResult } from './evidence/initial-trust.ts';
export {
  defaultErrorPenalty,
  errorPenalties,
  type Measurements,
  type Outcome,
} from './evidence/outcome.ts';
export type { Annotation, PerformanceFigures, PerformanceTier } from './evidence/performance.ts';
export type { Attempt, Qualification, QualificationPlan } from './evidence/qualification.ts';
export type { Lifecycle, LifecycleConfig, LifecycleEvent, Signal, Stage } from './lifecycle/stage.ts';
export type { QuarantinedRecord } from './log/routing-log.ts';
export type {
  BudgetInput,
  Budgets,
  BudgetView,
  ReservationInput,
  ReservationView,
} from './matrix/budgets.ts';
export { createRoutingMatrix } from './matrix/create-routing-matrix.ts';
export type {
  BenchmarkInput,
  DecisionPage,
  DirectiveInput,
  OutcomeInput,
  Recorded,
  Registration,
  RoutingMatrix,
  RoutingMatrixOptions,
  SelectOptions,
  TaskRequest,
} from './matrix/matrix.ts';
export type { Maintenance } from './matrix/propose-variables.ts';
export { type MutationOutcome, taskMultipliers } from './mutation/adjustment.ts';
export type { ExtendedMutations, ExtendedObservations } from './mutation/extended.ts';
export { type MutationInput, matrixMutationHook } from './mutation/hook.ts';
export type { ThresholdChange } from './mutation/limits.ts';
export type { ClockOrder } from './mutation/merge.ts';
export type { MutationProposal, RecommendedAction, VectorClock } from './mutation/proposal.ts';
export type { AppliedChange } from './mutation/thresholds.ts';
export type { PlatformRef } from './platform.ts';
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
  TaskFeatures,
} from './records.ts';
export {
  type BackupOptions,
  type BackupSink,
  createBackup,
  type MatrixBackup,
  type RestoredBackup,
  restoreBackup,
} from './recovery/backup.ts';
export type { SnapshotStore } from './recovery/snapshot.ts';
export {
  type CandidateFigures,
  type CandidateScore,
  type CriteriaScale,
  type CriteriaWeights,
  type Criterion,
  type CriterionScore,
  defaultWeights,
} from './scoring/criteria.ts';
export {
  defaultTierShares,
  minimumTrust,
  type Tier,
  type TierShares,
} from './scoring/tiers.ts';
export { type PlatformTraits, platformSimilarity } from './selection/platform-similarity.ts';
export type {
  ObservedRecord,
  SelectionStrategy,
  StrategyCandidate,
  StrategyContext,
  StrategyShare,
  StrategyTask,
} from './selection/strategy.ts';
export type { ActiveDirective } from './state/directives.ts';
export type { MatrixState, QualificationStatus } from './state/state.ts';
export type { Change, EntryStatus } from './state/status.ts';
export type { Appended, JsonValue, LogPage, LogRecord, RoutingStore, StoredRecord } from './store.ts';
export { createMemoryRoutingStore } from './stores/memory.ts';
export { type DiscountedUcbOptions, discountedUcbStrategy } from './strategies/discounted-ucb.ts';
export { type LearnedOptions, learnedStrategy } from './strategies/learned/learned.ts';
export { type ThompsonOptions, thompsonStrategy } from './strategies/thompson.ts';
export { type TieredOptions, tieredStrategy } from './strategies/tiered.ts';
export type { MatrixEntry } from './views/entry.ts';
export type { DueProbe, ProbeReason } from './views/probes.ts';
export type { ChangeView, ThresholdsView } from './views/thresholds.ts';
