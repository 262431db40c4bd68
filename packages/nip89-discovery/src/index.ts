/**
 * Finds service platforms on Nostr from their capability cards (NIP-89) and keeps a registry of them.
 * @packageDocumentation
 */
export { isBonafideError, type Page, type PeerEraser, type PeerErasure } from '@bonafide/internal';
export {
  type AssessOptions,
  assessCardEvent,
  type CardAssessment,
  type CardRejection,
  cardKind,
  maxContentBytes,
  type Rejected,
  staleAfterMs,
} from './card/assess.ts';
export {
  type BuildCardOptions,
  buildCapabilityCard,
  type CardSpec,
  type PublishedCard,
  type PublishedCardSpec,
  publishCard,
} from './card/build.ts';
export type { CapabilitySet } from './card/capabilities.ts';
export {
  type CapabilityCard,
  type ParseCardOptions,
  type ParsedCard,
  parseCapabilityCard,
} from './card/card.ts';
export { type Concept, concepts } from './card/concepts.ts';
export type { CardContent, JobParameter, JsonObject, JsonValue, Pricing } from './card/content.ts';
export type { CardDeletion } from './card/deletion.ts';
export type { CardDiff, ListDiff } from './card/diff.ts';
export type { SearchableCard } from './card/evidence.ts';
export type { PlatformKey } from './card/identity.ts';
export {
  benchmarkTask,
  type CapabilityMatch,
  defaultMinConfidence,
  defaultSynonyms,
  type Synonyms,
} from './card/match.ts';
export {
  type Recommendation,
  type RecommendationSignal,
  type RecommendedHandler,
  recommendationKind,
  unknownRecommendersWeight,
} from './card/recommendation.ts';
export {
  maxRelayHints,
  type RelayHints,
} from './card/relay-hints.ts';
export {
  canonicalIdentifier,
  diffCards,
  kindName,
  matchCapability,
  platformLabels,
  readDeletion,
  readRecommendation,
  readRelayHints,
  readRelayList,
  readWriteRelays,
  weighRecommendations,
} from './checked/cards.ts';
export {
  evictionClassOf,
  firstStatus,
  fitTiers,
  nextStanding,
  nextStatus,
  platformName,
  rankOf,
  rankRelays,
  rateObservation,
  searchableCard,
} from './checked/standing.ts';
export { type DiscoveryConfig, type DiscoveryConfigInput, resolveConfig } from './config.ts';
export type { DiscoveryOptions } from './context.ts';
export { createDiscovery } from './create-discovery.ts';
export type { Discovery } from './discovery.ts';
export { DiscoveryError, type DiscoveryErrorCode } from './errors.ts';
export type {
  AuditRow,
  AuthorProfile,
  AuthorRelays,
  RegistryEntry,
  RelayExperience,
  Sighting,
} from './registry/entry.ts';
export type { EntryChange } from './registry/entry-changes.ts';
export type { DiscoveryEvents } from './registry/events.ts';
export type { FindQuery, FindResult, Found } from './registry/find.ts';
export type { StatusCommands } from './registry/known-platforms.ts';
export type { Recommended, RegistryQueries } from './registry/queries.ts';
export type { RankedEntry } from './registry/rank.ts';
export type { RejectedCard, Rejections, RelayStats } from './registry/rejections.ts';
export type { RelayRecord } from './registry/relay-record.ts';
export {
  defaultTierPolicy,
  type RelayObservation,
  type RelayStanding,
  type RelayTier,
  type TierPolicy,
} from './registry/relay-tier.ts';
export {
  type PlatformStatus,
  type StatusCause,
  type StatusState,
  type StatusStep,
  unresponsiveMs,
} from './registry/status.ts';
export {
  type DiscoveryStore,
  type EntryQuery,
  type EvictionClass,
  maxBatch,
  type PlatformLookup,
  type PlatformRecord,
  type TermQuery,
} from './registry/store.ts';
export type { PlatformRelays } from './relays/platform-relays.ts';
export type { RankedRelay, RelaySource } from './relays/rank-relays.ts';
export type { ProbedRelay } from './relays/relay-probe.ts';
export type { RelaySync, SyncResult } from './relays/sync.ts';
export { createMemoryDiscoveryStore, type MemoryDiscoveryStoreOptions } from './stores/memory.ts';
