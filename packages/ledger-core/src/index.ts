/**
 * A private, first-person journal of an agent's peers, interactions and judgments.
 * @packageDocumentation
 */

// Types of the options and results below.
export {
  isBonafideError,
  type Logger,
  type Page,
  type TrajectoryAlarm,
  type TrajectoryOptions,
  type TrajectoryPoint,
  type TrajectoryResult,
  type TrajectoryRow,
  type Unsubscribe,
} from '@bonafide/internal';
export type {
  AggregateInput,
  AggregateOptions,
  PeerAggregates,
} from './aggregates.ts';
export type { AuditFinding } from './assessment-audit.ts';
export type { AssessorReport } from './assessor-report.ts';
export {
  auditAssessments,
  detectBuildThenExploit,
  largestTrustStep,
  reportAssessors,
  trajectorySeries,
} from './checked/reviews.ts';
export {
  computeAggregates,
  discountInfoScore,
  infoScoreOfEvidence,
  outcomeResult,
  successRate,
} from './checked/scores.ts';
export {
  createIds,
  evaluatePolicy,
  messageWords,
  parseNostrKey,
  peerContextSection,
  redactKeys,
  toPeerId,
} from './checked/texts.ts';
export { LedgerError, type LedgerErrorCode } from './errors.ts';
export type { Assessor, LedgerEvents } from './events.ts';
export type { EvidenceBundle, ExportedAssessment } from './export.ts';
export type { HookFailures, HookName, UnkeptHookFailures } from './hook-failures.ts';
export {
  createLedgerHooks,
  type HookFailureTotal,
  type IncomingTurn,
  type LedgerHooks,
  type LedgerHooksOptions,
  type SentMessage,
} from './hooks.ts';
export type {
  DiscountedInfoScore,
  DiscountMessage,
  InfoDiscount,
  InfoDiscountOptions,
} from './info-discount.ts';
export {
  computeInfoScore,
  explainInfoScore,
  type InfoScoreExplanation,
  type InfoScoreInput,
} from './info-score.ts';
export type { AssessmentOptions } from './ledger/assess.ts';
export type { PeerBriefing } from './ledger/briefing.ts';
export type { LedgerConfig } from './ledger/config.ts';
export type { ForgetOptions, ForgottenPeer } from './ledger/correct.ts';
export type { Erasure, ErasureLog } from './ledger/erasure-log.ts';
export type { ExportOptions } from './ledger/export.ts';
export type {
  AssessmentListOptions,
  OutcomePageOptions,
  PageOptions,
  PeerPageOptions,
} from './ledger/lists.ts';
export type { RecordInput, RecordResult } from './ledger/record.ts';
export type { OutcomeOptions } from './ledger/record-outcome.ts';
export type { LargestStepOptions } from './ledger/reports.ts';
export type { SearchOptions } from './ledger/search.ts';
export { createLedger, type Ledger, type LedgerOptions } from './ledger.ts';
export { outcomes } from './outcome.ts';
export type { OverAssessed } from './over-assessment.ts';
export {
  type PeerContextInput,
  type PromptSection,
  peerContextTokens,
} from './peer-context.ts';
export {
  type Bounds,
  type Policy,
  type PolicyConditions,
  type PolicyName,
  type PolicyRule,
  type PolicyVerdict,
  policies,
  type Verdict,
} from './policy.ts';
export type {
  Assessment,
  AssessmentSource,
  Direction,
  Evidence,
  Interaction,
  LedgerSummary,
  Metrics,
  Outcome,
  OutcomeEvent,
  OutcomeResult,
  Peer,
  PeerAssessmentSummary,
  PeerOrder,
  PeerOverview,
  Trend,
} from './records.ts';
export type { Redacted } from './redaction.ts';
export type { Rubric } from './rubric.ts';
export type {
  AssessmentQuery,
  ForgetWrite,
  HistoryQuery,
  InteractionWrite,
  LedgerStore,
  LedgerTotals,
  OutcomeQuery,
  OutcomeWrite,
  PeerQuery,
  Position,
  RecordedInteraction,
  RecordedOutcome,
  SearchQuery,
  StoredPeer,
  ValueWrite,
  VoidedInteraction,
  VoidWrite,
} from './store.ts';
export { createMemoryLedgerStore } from './stores/memory.ts';
export type { ToolAnnotations, ToolDefinition, ToolResult } from './tools.ts';
export type { LedgerTrajectoryPoint } from './trajectory-series.ts';
export type { TrustStep, TrustStepOptions } from './trust-step.ts';
