/**
 * An in-process Nostr relay for tests, demonstrations and development, never for production.
 * @packageDocumentation
 */
export { TestRelayError, type TestRelayErrorCode } from './errors.ts';
export { fastestKeySigner } from './fastest-signer.ts';
export { fastestVerifier } from './fastest-verifier.ts';
export type {
  Cut,
  DropFault,
  FaultSwitches,
  FloodFault,
  ForgeFault,
  GarbageFault,
  GarbageKind,
  RelayFaults,
} from './faults.ts';
export { defaultLimits, type RelayLimits } from './limits.ts';
export type { RelayMessage } from './messages.ts';
export { startTestRelay } from './relay.ts';
export type {
  ConnectionInfo,
  ReceivedMessage,
  SentMessage,
  TestRelay,
  TestRelayEvents,
  TestRelayOptions,
} from './types.ts';
