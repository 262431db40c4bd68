import { metrics } from '@opentelemetry/api';
import type { PublishOutcome } from '../transport.ts';

/** Takes what happens at the relays of one transport. */
export interface TransportMeter {
  /** An event came: `accepted`, `duplicate`, or why it was turned away. */
  received(result: string): void;
  published(status: PublishOutcome['status']): void;
  /** A connection that was open has ended without having been asked to. */
  lost(): void;
}

/**
 * Measures for a host that has set up OpenTelemetry before it made the transport; for any other this does nothing
 * . Relays are no attributes: there is no bound to their number.
 */
export function createTransportMeter(): TransportMeter {
  const meter = metrics.getMeter('@bonafide/nostr-transport');
  const events = meter.createCounter('bonafide.transport.events', {
    description: 'Events that relays sent, by what became of them',
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
