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
} from './address/address-guard.ts';
export {
  type AddressPolicy,
  assessAddress,
  assessRelayUrl,
  normalizeRelayUrl,
  type RelayUrlAssessment,
  type RelayUrlFault,
  relayHosts,
} from './address/relay-url.ts';
export {
  createTransport,
  defaultLimits,
  type TransportLimits,
  type TransportOptions,
} from './create-transport.ts';
export { TransportError, type TransportErrorCode } from './errors.ts';
export type { RejectionReason } from './event/admission.ts';
export { eventId, isExpired, matchesFilter } from './event/checked-events.ts';
export type { EventTemplate, Filter, NostrEvent } from './event/event.ts';
export { checkEventShape, type EventCaps, type EventCheck } from './event/event-check.ts';
export { filterKey } from './event/filter.ts';
export { createThreadedVerifier, serveVerifier, type ThreadPort } from './event/threaded-verifier.ts';
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
} from './event/verifier.ts';
export type { AssemblyLimits, LostMessage } from './private/message-parts.ts';
export { buildInboxRelayList, findInboxRelays } from './private/nip17-inbox-relays.ts';
export {
  type PrivateMessage,
  type PrivateRejection,
  type ReceivePrivateOptions,
  receivePrivate,
} from './private/nip17-receive.ts';
export { type PrivateDelivery, type SendPrivateOptions, sendPrivate } from './private/nip17-send.ts';
export type { GiftWrapFault } from './private/nip59-gift-wrap.ts';
export type { OverlapPolicy } from './reading/watermark.ts';
export {
  type BackoffPolicy,
  type DisconnectCause,
  reconnectDelayMs,
} from './relay/backoff.ts';
export type { FetchRelayInfo, RelayInfo } from './relay/nip11-info.ts';
export type { RelaySocket, SocketEvent, SocketFactory, SocketOptions } from './relay/socket.ts';
export {
  createKeySigner,
  type KeySignerOptions,
  type TinySecpSigningLibrary,
} from './signers/key-signer.ts';
export { type BunkerSigner, type BunkerSignerOptions, createBunkerSigner } from './signers/nip46-signer.ts';
export { loadSecretKey, SecretKey, type SecretKeySources } from './signers/secret-key.ts';
export type { Signer } from './signers/signer.ts';
export type {
  EventComparison,
  PublishOutcome,
  RejectedEvent,
  RelayReadResult,
  RelayReadStatus,
  RelayStatus,
  SubscribeHandlers,
  Subscription,
  Transport,
  Watermarks,
} from './transport.ts';
