/**
 * Changes of an agent's own thresholds, proposed from statistics, within limits, as pull requests.
 * @packageDocumentation
 */
export { isBonafideError } from '@bonafide/internal';
export {
  type AuditEntry,
  type AuditLog,
  createFileAuditLog,
  createMemoryAuditLog,
  type FileAuditLog,
} from './audit/audit-log.ts';
export { constantName } from './edit/definition.ts';
export {
  editThreshold,
  readThreshold,
  type ThresholdEdit,
  type ThresholdLanguage,
} from './edit/edit-threshold.ts';
export { SelfCorrectionError, type SelfCorrectionErrorCode } from './errors.ts';
export type { ForgeFile, ForgePort, ForgeProposal } from './forges/forge.ts';
export { createLocalGitForge, type LocalGitForge, type LocalGitForgeOptions } from './forges/local-git.ts';
export {
  createLocalSelfCorrection,
  type LocalSelfCorrectionOptions,
} from './local-self-correction.ts';
export type { MarkedPull } from './proposal/evidence.ts';
export {
  type AutoMergeInput,
  type CheckState,
  type Condition,
  checkAutoMerge,
  checkLimits,
} from './proposal/limits.ts';
export { type Marker, readMarker, type Trigger } from './proposal/wording.ts';
export type { ThresholdFile } from './pull-requests.ts';
export {
  createSelfCorrection,
  type JudgedWork,
  type MergedChange,
  type ProposalResult,
  type ProposeInput,
  type SelfCorrection,
  type SelfCorrectionOptions,
} from './self-correction.ts';
export {
  type AdjustmentPattern,
  type AdjustmentProposal,
  type CurrentThreshold,
  type JudgedOutcome,
  proposeAdjustment,
} from './statistics/adjustment.ts';
export { createFileProposalStore } from './stores/proposal-files.ts';
export {
  createMemoryProposalStore,
  type ProposalStore,
  type StoredProposal,
} from './stores/proposal-store.ts';
