import type { Emitter } from '@bonafide/internal';
import { type Counter, metrics } from '@opentelemetry/api';
import type { LedgerEvents } from './events.ts';
import type { HookName } from './hook-failures.ts';

// No-ops unless the host set up OpenTelemetry before it created the ledger or its hooks. Peers are not attributes, because
// their number is unbounded.
const meter = () => metrics.getMeter('@bonafide/ledger-core');

/** Counts what a ledger announces. */
export function countRecords(events: Pick<Emitter<LedgerEvents>, 'on'>): void {
  const interactions = meter().createCounter('bonafide.ledger.interactions', {
    description: 'Messages that were recorded',
    unit: '{message}',
  });
  const assessments = meter().createCounter('bonafide.ledger.assessments', {
    description: 'Assessments that were recorded',
    unit: '{assessment}',
  });

  const clamped = meter().createCounter('bonafide.ledger.clamped_times', {
    description: 'Messages and outcomes whose claimed time was out of range',
    unit: '{time}',
  });

  events.on('afterClamp', () => clamped.add(1));
  events.on('afterRecord', ({ direction }) => interactions.add(1, { 'bonafide.direction': direction }));
  events.on('afterAssess', ({ source }) => assessments.add(1, { 'bonafide.source': source }));
}

/** A counter of failed hooks. */
export function createHookFailureCounter(): Counter<{ 'bonafide.hook': HookName }> {
  return meter().createCounter('bonafide.ledger.hook_failures', {
    description: 'Failures of hooks, which never reach the loop that called them',
    unit: '{failure}',
  });
}
