/**
 * An in-process Nostr relay for tests, demonstrations and development, never for production (NET-3).
 * @packageDocumentation
 */
export { TestRelayError, type TestRelayErrorCode } from './errors.ts';
export { defaultLimits, type RelayLimits } from './limits.ts';
export type { RelayMessage } from './messages.ts';
export {
  type ConnectionInfo,
  type Cut,
  type ReceivedMessage,
  type SentMessage,
  startTestRelay,
  type TestRelay,
  type TestRelayEvents,
  type TestRelayOptions,
} from './relay.ts';
