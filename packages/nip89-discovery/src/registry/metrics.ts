import type { Emitter } from '@bonafide/internal';
import { metrics } from '@opentelemetry/api';
import type { DiscoveryEvents } from './events.ts';

/**
 * Counts the events of a registry in OpenTelemetry, if the host set it up before. Attributes do not contain
 * platforms or relays, whose number is unbounded.
 */
export function countCards(events: Pick<Emitter<DiscoveryEvents>, 'on'>): void {
  const meter = metrics.getMeter('@bonafide/nip89-discovery');
  const cards = meter.createCounter('bonafide.discovery.cards', {
    description: 'Changes of the registry, by type',
    unit: '{card}',
  });
  const rejections = meter.createCounter('bonafide.discovery.rejections', {
    description: 'Rejected cards, by reason',
    unit: '{card}',
  });
  const tiers = meter.createCounter('bonafide.discovery.tier_changes', {
    description: 'Promotions and demotions of relays',
    unit: '{change}',
  });

  for (const change of ['discovered', 'updated', 'stale', 'archived'] as const)
    events.on(change, () => cards.add(1, { 'bonafide.change': change }));
  events.on('rejected', ({ reason }) => rejections.add(1, { 'bonafide.reason': reason }));
  events.on('tier', ({ before, after }) =>
    tiers.add(1, { 'bonafide.change': after < before ? 'promoted' : 'demoted' }),
  );
}
