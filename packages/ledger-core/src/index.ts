/**
 * An agent's private, first-person journal of whom it dealt with, what happened and what it makes of them.
 * @packageDocumentation
 */

// What the options and results below are made of.
export { isBonafideError, type Logger, type Unsubscribe } from '@bonafide/internal';
export { LedgerError, type LedgerErrorCode } from './errors.ts';
export {
  createLedgerHooks,
  type IncomingTurn,
  type LedgerHooks,
  type LedgerHooksOptions,
  type SentMessage,
} from './hooks.ts';
export { createIds } from './ids.ts';
export {
  computeInfoScore,
  explainInfoScore,
  type InfoScoreExplanation,
  type InfoScoreInput,
} from './info-score.ts';
export {
  type AssessmentOptions,
  createLedger,
  type Ledger,
  type LedgerConfig,
  type LedgerEvents,
  type LedgerOptions,
  type OutcomeOptions,
  type PageOptions,
  type PeerBriefing,
  type PeerPageOptions,
  type RecordInput,
  type RecordResult,
} from './ledger.ts';
export { outcomeResult, outcomes, successRate } from './outcome.ts';
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
  Page,
  Peer,
  PeerAssessmentSummary,
  PeerOrder,
  PeerOverview,
} from './records.ts';
export { type Redacted, redactKeys } from './redaction.ts';
export type {
  HistoryQuery,
  InteractionWrite,
  LedgerStore,
  LedgerTotals,
  OutcomeWrite,
  PeerQuery,
  Position,
  RecordedInteraction,
  RecordedOutcome,
  StoredPeer,
} from './store.ts';
export { createMemoryLedgerStore } from './stores/memory.ts';
