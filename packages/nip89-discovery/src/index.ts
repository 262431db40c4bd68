/**
 * Finds service platforms on Nostr from their capability cards (NIP-89) and keeps a registry of them.
 * @packageDocumentation
 */
export {
  type AssessOptions,
  assessCardEvent,
  type CardAssessment,
  type CardRejection,
  cardKind,
  maxContentBytes,
  type Rejected,
  staleAfterMs,
} from './assess.ts';
export {
  type BuildCardOptions,
  buildCapabilityCard,
  type CardSpec,
  type PublishedCard,
  publishCard,
} from './build.ts';
export type { CapabilitySet } from './capabilities.ts';
export { type CapabilityCard, type ParseCardOptions, type ParsedCard, parseCapabilityCard } from './card.ts';
export { type DiscoveryConfig, type DiscoveryConfigInput, resolveConfig } from './config.ts';
export type { CardContent, JobParameter, JsonObject, JsonValue, Pricing } from './content.ts';
export { createDiscovery } from './create-discovery.ts';
export { type CardDeletion, readDeletion } from './deletion.ts';
export { type CardDiff, diffCards, type ListDiff } from './diff.ts';
export type {
  Discovery,
  DiscoveryEvents,
  DiscoveryOptions,
  FindQuery,
  FindResult,
  Found,
  Recommended,
  SyncResult,
} from './discovery.ts';
export {
  type AuditRow,
  type AuthorProfile,
  platformName,
  type RegistryEntry,
  type RelayExperience,
  type Sighting,
} from './entry.ts';
export { DiscoveryError, type DiscoveryErrorCode } from './errors.ts';
export { canonicalIdentifier, type PlatformKey, platformLabels } from './identity.ts';
export {
  benchmarkTask,
  type CapabilityMatch,
  defaultSynonyms,
  matchCapability,
  type Synonyms,
} from './match.ts';
export { type RankedRelay, type RelaySource, rankRelays } from './rank-relays.ts';
export {
  type Recommendation,
  type RecommendationSignal,
  type RecommendedHandler,
  readRecommendation,
  recommendationKind,
  strangersWeight,
  weighRecommendations,
} from './recommendation.ts';
export type { EntryChange } from './registry.ts';
export type { RejectedCard, Rejections, RelayStats } from './rejections.ts';
export { maxRelayHints, type RelayHints, readRelayHints, readRelayList } from './relay-hints.ts';
export type { ProbedRelay } from './relay-probe.ts';
export type { RelayRecord } from './relay-record.ts';
export {
  defaultTierPolicy,
  fitTiers,
  nextStanding,
  type RelayObservation,
  type RelayStanding,
  type RelayTier,
  rateObservation,
  type TierPolicy,
} from './relay-tier.ts';
export {
  firstStatus,
  nextStatus,
  type PlatformStatus,
  type StatusCause,
  type StatusState,
  type StatusStep,
  unresponsiveMs,
} from './status.ts';
export {
  type DiscoveryStore,
  type EntryQuery,
  forgettable,
  maxBatch,
  type Page,
  type PlatformLookup,
  type PlatformRecord,
  type TermQuery,
} from './store.ts';
export { createMemoryDiscoveryStore } from './stores/memory.ts';
