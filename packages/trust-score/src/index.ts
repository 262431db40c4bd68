/**
 * Explainable trust scores: pure functions in which every number comes back with the parts that it was made of.
 * @packageDocumentation
 */
export {
  detectBuildThenExploit,
  isBonafideError,
  type TrajectoryAlarm,
  type TrajectoryOptions,
  type TrajectoryPoint,
  type TrajectoryResult,
  type TrajectoryRow,
} from '@bonafide/internal';
export {
  type AggregateResult,
  aggregateAssessments,
  type RatedAssessment,
  type WeighedAssessment,
} from './aggregate.ts';
export { type AverageRunLengthOptions, averageRunLength } from './change/average-run-length.ts';
export {
  type BernoulliCusumOptions,
  type BernoulliCusumResult,
  bernoulliCusum,
  type CusumAlarm,
  type CusumOptions,
  type CusumResult,
  cusum,
} from './change/cusum.ts';
export {
  type ReceivedRating,
  type ScanOptions,
  scanTrajectories,
  type TimedRating,
  type TrajectoryScan,
} from './change/negative-mass.ts';
export {
  type OscillationResult,
  oscillation,
  type ShiftOptions,
  type ShiftResult,
  twoSigmaShift,
} from './change/shift.ts';
export { TrustScoreError, type TrustScoreErrorCode } from './errors.ts';
export {
  attestationFreshnessScore,
  type DelegatedTask,
  type EndorsementOptions,
  endorsementScore,
  type SuccessRateOptions,
  successRateScore,
  type TaskSuccessRate,
  taskSuccessRate,
  testCoverageScore,
  uptimeScore,
} from './factors.ts';
export {
  detectEndorsementGaming,
  type Endorsement,
  type GamingFlag,
  type GamingFlagName,
  type GamingOptions,
  type GamingResult,
} from './gaming/endorsement-gaming.ts';
export {
  detectTestGaming,
  type TestFinding,
  type TestGamingResult,
  type TestRecord,
  type TestRun,
  type TestSuiteRecord,
} from './gaming/test-gaming.ts';
export { type BehaviorPriorOptions, behaviorPriors } from './graph/behavior-priors.ts';
export { createEdgeTable, type Edge, type Edges, type EdgeTable } from './graph/edge-table.ts';
export {
  type FairnessGoodness,
  type FairnessGoodnessColumns,
  type FairnessGoodnessOptions,
  fairnessGoodness,
  fairnessGoodnessColumns,
  type NodeEvidence,
} from './graph/fairness-goodness.ts';
export {
  createFairnessGoodnessTracker,
  type FairnessGoodnessTracker,
  type NodeStanding,
  type TrackerOptions,
  type UpdateCost,
} from './graph/incremental.ts';
export {
  type Convergence,
  type EigenTrustOptions,
  type EigenTrustResult,
  eigenTrust,
  type PageRankOptions,
  pageRank,
  type RankResult,
} from './graph/page-rank.ts';
export {
  type PersonalOpinion,
  type PersonalRater,
  type PersonalTrust,
  type PersonalViewOptions,
  personalTrust,
  personalView,
} from './graph/personal-view.ts';
export { type BehaviorPriors, type Rev2Options, type Rev2Result, rev2 } from './graph/rev2.ts';
export {
  getTrust,
  indexRatings,
  type RatingIndex,
  type RatingRefusal,
  refuseRating,
  type TrustPaths,
} from './graph/trust-paths.ts';
export type { RejectedReceipt } from './policy/receipt-evidence.ts';
export { boundSlaTerms, type SlaTermViolation } from './policy/sla-terms.ts';
export {
  type SlaTermLimits,
  strictTrustPolicy,
  type TierProof,
  type TrustPolicy,
} from './policy/trust-policy.ts';
export {
  createReceipt,
  type Receipt,
  type ReceiptOutcome,
  type ReceiptVerification,
  receiptOutcomeSchema,
  type VerifyReceiptOptions,
  verifyReceipt,
} from './receipt.ts';
export { auditTrustScore, type EvidenceSource, type TrustAudit } from './report/audit.ts';
export { renderTrustReport } from './report/render.ts';
export { createTrustReport, type TrustReportInput } from './report/report.ts';
export { trustReportEvent } from './report/report-event.ts';
export { parseTrustReport, type TrustReport, trustReportSchema } from './report/schema.ts';
export type { Disagreement } from './report/terms.ts';
export { type ReportVerification, type VerifyOptions, verifyTrustReport } from './report/verify.ts';
export { type TrustEvidence, trustEvidenceSchema } from './schemas.ts';
export type { EventSigner, EventTemplate, SignedEvent } from './signing/nostr-event.ts';
export {
  activePenalties,
  advanceBreach,
  type Breach,
  type BreachEvent,
  type BreachNotice,
  type BreachState,
  type BreachStep,
  breachTransitions,
  checkForceMajeure,
  type Dispute,
  type DisputeClaim,
  detectBreach,
  type ForceMajeure,
} from './sla/breach.ts';
export { parseBreach } from './sla/breach-document.ts';
export {
  type BreachPeriod,
  evaluateSla,
  type GuaranteeStatus,
  performanceByDay,
  type SlaMeasurement,
  type SlaState,
  type SlaStatus,
} from './sla/evaluate.ts';
export {
  type AppliedPenalty,
  applyPenalties,
  type PenaltyEffect,
  type ReductionEffect,
} from './sla/penalties.ts';
export { type SlaPromises, slaPromises } from './sla/promises.ts';
export { renderSlaStatus } from './sla/render.ts';
export {
  parseSla,
  type Sla,
  type SlaGuarantee,
  type SlaInput,
  type SlaPenalty,
  slaSchema,
} from './sla/sla.ts';
export { createSlaStatusHandler, slaStatusDocument } from './sla/status-document.ts';
export {
  classifyTier,
  type FailedRequirement,
  type MinimumSla,
  type TierDefinition,
  type TierEvidence,
  type TierMetric,
  type TierName,
  type TierOptions,
  type TierRequirement,
  type TierResult,
  tiers,
} from './tier.ts';
export { timeDecayedAverage } from './time-decay.ts';
export {
  algorithmVersion,
  checkWeights,
  computeTrustScore,
  defaultWeights,
  type FactorName,
  type FactorScore,
  type FactorWeights,
  factorNames,
  type Provenance,
  scoreFactors,
  type TrustFactors,
  type TrustFactorsInput,
  type TrustScore,
  type TrustScoreOptions,
} from './trust-score.ts';
export {
  type HealthCheck,
  type Incident,
  newUptimeMonitor,
  nextCheckAt,
  type ProberRecord,
  recordCheck,
  type Span,
  type UptimeMonitor,
  type UptimeMonitorOptions,
  type UptimeReport,
  uptimeReport,
} from './uptime-monitor.ts';
export {
  type CheckOutcome,
  evidenceFromWork,
  type JudgedTask,
  type WorkEvidenceOptions,
} from './work-evidence.ts';
