/**
 * A matrix of platforms and task types that learns from judged outcomes and decides which platform gets a job.
 * @packageDocumentation
 */
export { isBonafideError, type PeerEraser, type PeerErasure } from '@bonafide/internal';
export type { ReservationState } from './budget/book.ts';
export type { Budget, EnvelopeView } from './budget/envelope.ts';
export { type RoutingConfig, type RoutingConfigInput, resolveConfig } from './config.ts';
export { RoutingError, type RoutingErrorCode } from './errors.ts';
export { type Estimate, evaluateStrategy, type OffPolicyResult } from './evaluation/off-policy.ts';
export type { RoutingAlert, RoutingEvents } from './events.ts';
export {
  type Baseline,
  type BenchmarkVerdict,
  type CompositeDimension,
  type CompositeExplanation,
  compositeScore,
  compositeWeights,
  explainComposite,
} from './evidence/composite.ts';
export {
  afterBenchmarkSuccess,
  type BenchmarkResult,
  initialTrust,
  successGain,
} from './evidence/initial-trust.ts';
export {
  defaultErrorPenalty,
  errorPenalties,
  type Measurements,
  moveTrust,
  type Outcome,
  trustMovement,
} from './evidence/outcome.ts';
export {
  type Annotation,
  annotate,
  type PerformanceFigures,
  type PerformanceTier,
  performanceTier,
} from './evidence/performance.ts';
export {
  type Attempt,
  cooldownMs,
  type Qualification,
  type QualificationPlan,
  qualify,
} from './evidence/qualification.ts';
export { applyRecord } from './fold/apply-record.ts';
export { nextCusum } from './lifecycle/cusum.ts';
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
export { decodeRecord, encodeRecord } from './log/record-codec.ts';
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
export {
  type ClockOrder,
  compareClocks,
  mergeMutations,
  resolveProposals,
} from './mutation/merge.ts';
export type { MutationProposal, RecommendedAction, VectorClock } from './mutation/proposal.ts';
export type { AppliedChange } from './mutation/thresholds.ts';
export { type PlatformRef, platformId } from './platform.ts';
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
export { replay } from './recovery/replay.ts';
export type { SnapshotStore } from './recovery/snapshot.ts';
export {
  type CandidateFigures,
  type CandidateScore,
  type CriteriaScale,
  type CriteriaWeights,
  type Criterion,
  type CriterionScore,
  defaultWeights,
  scoreCandidates,
} from './scoring/criteria.ts';
export {
  defaultTierShares,
  handOnShares,
  minimumTrust,
  type Tier,
  type TierShares,
  tierOf,
} from './scoring/tiers.ts';
export { type PlatformTraits, platformSimilarity } from './selection/platform-similarity.ts';
export {
  drawIndex,
  type ObservedRecord,
  powerOfTwoChoices,
  type SelectionStrategy,
  type StrategyCandidate,
  type StrategyContext,
  type StrategyShare,
  type StrategyTask,
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
export { entryView, entryViews, type MatrixEntry } from './views/entry.ts';
export type { DueProbe, ProbeReason } from './views/probes.ts';
export type { ChangeView, ThresholdsView } from './views/thresholds.ts';
