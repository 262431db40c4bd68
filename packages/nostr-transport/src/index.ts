/**
 * One relay port for Nostr: verified, deduplicated, resumable subscriptions and per-relay publish outcomes.
 * @packageDocumentation
 */
export type { EventTemplate, Filter, NostrEvent } from './event.ts';
export type { Signer } from './signer.ts';
export type {
  PublishOutcome,
  RelayStatus,
  SubscribeHandlers,
  Subscription,
  Transport,
  Watermarks,
} from './transport.ts';
