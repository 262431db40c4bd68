/**
 * The slow second loop of an agent: it reflects on what the ledger recorded, assesses peers within hard bounds, and
 * keeps beliefs for the agent's prompt.
 * @packageDocumentation
 */
export { isBonafideError, type Logger, type PeerErasure, type Unsubscribe } from '@bonafide/internal';
export { type AppliedAssessment, type CycleRecord, cycleRecordSchema } from './audit/cycle-record.ts';
export type { DroppedItem, DropReason, ItemKind } from './audit/dropped-item.ts';
export type { SoulReport } from './audit/soul-report.ts';
export type {
  Belief,
  BeliefChange,
  BeliefLimits,
  BeliefName,
  BeliefRefusal,
  ProposedBelief,
} from './beliefs/beliefs.ts';
export { noteGuide } from './beliefs/model-note.ts';
export { type PeerTemplateName, peerTemplateNames } from './beliefs/templates.ts';
export {
  activeBeliefs,
  applyBeliefs,
  buildInput,
  clampTrust,
  decideTrust,
  estimateCycle,
  evaluateTriggers,
  finishedWork,
  gateAssessment,
  gateEvidence,
  gateHistory,
  isActive,
  isPeerTemplate,
  modelNote,
  parseAnswer,
  renderBeliefs,
  renderConsultation,
  repairJson,
  replayCycle,
  ruleTrust,
  shouldConsult,
  systemText,
  trustBand,
  validateAnswer,
} from './checked.ts';
export type { Commitment, CommitmentInput } from './commitments/commitments.ts';
export { type CortexConfig, type CortexConfigInput, cortexConfigSchema, parseConfig } from './config.ts';
export type { ConsultationQuestion } from './consultation/consult.ts';
export type { ConsultAdvice, ConsultReason } from './consultation/should-consult.ts';
export { type Consultation, consultationSchema } from './consultation/verdict.ts';
export type { Cortex, CortexOptions } from './cortex.ts';
export type { CostDay, CostLimit, CostSkip } from './cost/cost.ts';
export type { CycleEstimate } from './cost/estimate.ts';
export { createCortex } from './create-cortex.ts';
export {
  type Directive,
  type DirectiveKind,
  type DirectiveRegistry,
  directiveKinds,
  type ProposedDirective,
} from './directives/directive.ts';
export type { DirectiveStream } from './directives/directive-stream.ts';
export { CortexError, type CortexErrorCode } from './errors.ts';
export type { AfterAssessEvent, AfterReflectEvent, CortexEvents } from './events.ts';
export type { ActivityFacts, InteractionFacts, PeerFacts } from './facts/facts.ts';
export type { WorkFacts } from './facts/work-facts.ts';
export type { TrustBand } from './guards/band.ts';
export { type GateEvidence, noEvidence, type SourcedRow } from './guards/evidence.ts';
export type { FinishedWork } from './guards/finished-work.ts';
export {
  type DecisionInput,
  defaultGateConfig,
  type GateConfig,
  type GateDecision,
  type GateInput,
  type TrustGuard,
  trustGuards,
} from './guards/gate.ts';
export type { GateHistory, GateRow } from './guards/gate-history.ts';
export type {
  AssessmentSource,
  LedgerAlarm,
  LedgerAssessment,
  LedgerInteraction,
  LedgerOutcome,
  LedgerPage,
  LedgerPeer,
  LedgerPeerSummary,
  LedgerPort,
} from './ledger-port.ts';
export type { CortexStats } from './loop/cortex-stats.ts';
export type { ReflectResult } from './loop/cycle-runner.ts';
export type { ObservedEvent } from './observe/event-buffer.ts';
export type { CortexHooks, ObservedLlmCall, ObservedMessage, ObservedToolCall } from './observe/hooks.ts';
export { erasePeerFromState } from './operator/erase-peer.ts';
export type { BeliefReference } from './operator/operator-verbs.ts';
export type { Replay } from './operator/replay.ts';
export type { Reverted } from './operator/revert.ts';
export type { CycleFacts } from './reflection/cycle-facts.ts';
export type { ParsedAnswer, ParseStep } from './reflection/parse.ts';
export { type BuiltInput, promptVersion } from './reflection/reflection-input.ts';
export type { ReflectAnswer, Reflector, ReflectRequest, ReflectUsage } from './reflection/reflector.ts';
export { createRuleReflector } from './reflection/rule-reflector.ts';
export {
  assessmentItemSchema,
  beliefItemSchema,
  type ReflectionFrame,
  reflectionFrameSchema,
  reflectionOutputSchema,
} from './reflection/schemas.ts';
export type {
  ProposedAssessment,
  ProposedCommitment,
  SoulAlignment,
  ValidatedAnswer,
  ValidateOptions,
} from './reflection/validate.ts';
export type { SharedState, StatePort, StoredText } from './state/state-port.ts';
export { createFileState } from './stores/file.ts';
export { createMemoryState } from './stores/memory.ts';
export {
  type TriggerConfig,
  type TriggerName,
  type TriggerState,
  triggerNames,
} from './triggers/triggers.ts';
