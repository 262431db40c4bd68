/**
 * A private, first-person journal of an agent's peers, interactions and judgments.
 * @packageDocumentation
 */

// Types of the options and results below.
export {
  detectBuildThenExploit,
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
export {
  type AggregateInput,
  type AggregateOptions,
  computeAggregates,
  type PeerAggregates,
} from './aggregates.ts';
export { type AuditFinding, auditAssessments } from './assessment-audit.ts';
export { type AssessorReport, reportAssessors } from './assessor-report.ts';
export { LedgerError, type LedgerErrorCode } from './errors.ts';
export type { Assessor, LedgerEvents } from './events.ts';
export { type EvidenceBundle, type ExportedAssessment, infoScoreOfEvidence } from './export.ts';
export type { HookFailures, HookName, UnkeptHookFailures } from './hook-failures.ts';
export {
  createLedgerHooks,
  type HookFailureTotal,
  type IncomingTurn,
  type LedgerHooks,
  type LedgerHooksOptions,
  type SentMessage,
} from './hooks.ts';
export { createIds } from './ids.ts';
export {
  type DiscountedInfoScore,
  type DiscountMessage,
  discountInfoScore,
  type InfoDiscount,
  type InfoDiscountOptions,
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
export { outcomeResult, outcomes, successRate } from './outcome.ts';
export type { OverAssessed } from './over-assessment.ts';
export {
  type PeerContextInput,
  type PromptSection,
  peerContextSection,
  peerContextTokens,
} from './peer-context.ts';
export { parseNostrKey, toPeerId } from './peer-id.ts';
export {
  type Bounds,
  evaluatePolicy,
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
export { type Redacted, redactKeys } from './redaction.ts';
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
export { messageWords } from './stores/message-words.ts';
export type { ToolAnnotations, ToolDefinition, ToolResult } from './tools.ts';
export { type LedgerTrajectoryPoint, trajectorySeries } from './trajectory-series.ts';
export { largestTrustStep, type TrustStep, type TrustStepOptions } from './trust-step.ts';
