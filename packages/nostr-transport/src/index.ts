/**
 * One relay port for Nostr: verified, deduplicated, resumable subscriptions and per-relay publish outcomes.
 * @packageDocumentation
 */
export { isBonafideError, type Lookup, type LookupAddress, type LookupOptions } from '@bonafide/internal';
export {
  type AddressGuard,
  type AddressGuardOptions,
  createAddressGuard,
  type Resolve,
} from './address-guard.ts';
export type { RejectionReason } from './admission.ts';
export {
  type BackoffPolicy,
  type DisconnectCause,
  reconnectDelayMs,
} from './backoff.ts';
export { type BunkerSigner, type BunkerSignerOptions, createBunkerSigner } from './bunker-signer.ts';
export {
  createTransport,
  defaultLimits,
  type TransportLimits,
  type TransportOptions,
} from './create-transport.ts';
export { TransportError, type TransportErrorCode } from './errors.ts';
export type { EventTemplate, Filter, NostrEvent } from './event.ts';
export { checkEventShape, type EventCaps, type EventCheck, eventId, isExpired } from './event-check.ts';
export { filterKey, matchesFilter } from './filter.ts';
export { createKeySigner } from './key-signer.ts';
export type { FetchRelayInfo, RelayInfo } from './relay-info.ts';
export {
  type AddressPolicy,
  assessAddress,
  assessRelayUrl,
  normalizeRelayUrl,
  type RelayUrlAssessment,
  type RelayUrlFault,
} from './relay-url.ts';
export { loadSecretKey, SecretKey, type SecretKeySources } from './secret-key.ts';
export type { Signer } from './signer.ts';
export type { RelaySocket, SocketEvent, SocketFactory, SocketOptions } from './socket.ts';
export type {
  PublishOutcome,
  RejectedEvent,
  RelayStatus,
  SubscribeHandlers,
  Subscription,
  Transport,
  Watermarks,
} from './transport.ts';
export {
  createNostrWasmVerifier,
  createPureVerifier,
  createTinySecpVerifier,
  type NostrWasmEvent,
  type NostrWasmLibrary,
  selectVerifier,
  type TinySecpLibrary,
  type Verifier,
  type VerifierName,
} from './verifier.ts';
