/**
 * Explainable trust scores: pure functions in which every number comes back with the parts that it was made of.
 * @packageDocumentation
 */
export { isBonafideError } from '@bonafide/internal';
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
export { type TrustEvidence, trustEvidenceSchema } from './schemas.ts';
export {
  classifyTier,
  type FailedRequirement,
  type TierDefinition,
  type TierEvidence,
  type TierName,
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
