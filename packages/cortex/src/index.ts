/**
 * The slow second loop of an agent: it reflects on what the ledger recorded, assesses peers within hard bounds, and
 * keeps beliefs for the agent's prompt.
 * @packageDocumentation
 */
export { isBonafideError, type Logger, type Unsubscribe } from '@bonafide/internal';
export {
  activeBeliefs,
  applyBeliefs,
  type Belief,
  type BeliefChange,
  type BeliefLimits,
  isActive,
  type ProposedBelief,
  renderBeliefs,
} from './beliefs.ts';
export { clampTrust } from './clamp.ts';
export { type CortexConfig, type CortexConfigInput, cortexConfigSchema, parseConfig } from './config.ts';
export {
  type Cortex,
  type CortexOptions,
  type CortexStats,
  createCortex,
  type ReflectResult,
} from './cortex.ts';
export { CortexError, type CortexErrorCode } from './errors.ts';
export type { ObservedEvent } from './event-buffer.ts';
export type { AfterAssessEvent, AfterReflectEvent, CortexEvents } from './events.ts';
export type { ActivityFacts, CycleFacts, InteractionFacts, PeerFacts } from './facts.ts';
export {
  defaultGateConfig,
  type GateConfig,
  type GateDecision,
  type GateInput,
  type GateRow,
  gateAssessment,
  type TrustGuard,
} from './gate.ts';
export { type AppliedAssessment, type CycleRecord, cycleRecordSchema } from './history.ts';
export type { CortexHooks, ObservedLlmCall, ObservedMessage, ObservedToolCall } from './hooks.ts';
export type {
  AssessmentSource,
  LedgerAssessment,
  LedgerInteraction,
  LedgerOutcome,
  LedgerPage,
  LedgerPeer,
  LedgerPeerSummary,
  LedgerPort,
} from './ledger-port.ts';
export { type ParsedAnswer, type ParseStep, parseAnswer, repairJson } from './parse.ts';
export { type BuiltInput, buildInput, promptVersion, systemText } from './reflection-input.ts';
export type { ReflectAnswer, Reflector, ReflectRequest, ReflectUsage } from './reflector.ts';
export { createRuleReflector, ruleTrust } from './rule-reflector.ts';
export {
  assessmentItemSchema,
  beliefItemSchema,
  type ReflectionFrame,
  reflectionFrameSchema,
  reflectionOutputSchema,
} from './schemas.ts';
export type { StatePort } from './state-port.ts';
export { createFileState } from './stores/file.ts';
export { createMemoryState } from './stores/memory.ts';
export { evaluateTriggers, type TriggerConfig, type TriggerName, type TriggerState } from './triggers.ts';
export {
  type DroppedItem,
  type DropReason,
  type ProposedAssessment,
  type ValidatedAnswer,
  validateAnswer,
} from './validate.ts';
export type { WorkFacts } from './work-facts.ts';
