import { metrics } from '@opentelemetry/api';
import type { PublishOutcome } from '../transport.ts';

/** Counters of one transport. */
export interface TransportMeter {
  /** Counts a received event: `accepted`, `duplicate`, or the reason for rejection. */
  received(result: string): void;
  published(status: PublishOutcome['status']): void;
  /** Counts an open connection that ended without a request to close it. */
  lost(): void;
}

/**
 * Creates OpenTelemetry counters. They do nothing unless the host has set up OpenTelemetry before. Relay
 * addresses are not attributes, because their number is unbounded.
 */
export function createTransportMeter(): TransportMeter {
  const meter = metrics.getMeter('@bonafide/nostr-transport');
  const events = meter.createCounter('bonafide.transport.events', {
    description: 'Events that relays sent, by result',
    unit: '{event}',
  });
  const publishes = meter.createCounter('bonafide.transport.publishes', {
    description: 'Events handed to relays, by what each relay made of them',
    unit: '{event}',
  });
  const losses = meter.createCounter('bonafide.transport.lost_connections', {
    description: 'Connections that ended without having been asked to',
    unit: '{connection}',
  });

  return {
    received: (result) => events.add(1, { 'bonafide.result': result }),
    published: (status) => publishes.add(1, { 'bonafide.status': status }),
    lost: () => losses.add(1),
  };
}
