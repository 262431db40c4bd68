import type { Emitter } from '@bonafide/internal';
import { metrics } from '@opentelemetry/api';
import type { RoutingEvents } from '../events.ts';

/**
 * Counts the events of a matrix for a host that set up OpenTelemetry before creating it; a no-op otherwise. Platforms
 * are not attributes, because their number is unbounded.
 */
export function countEvents(events: Pick<Emitter<RoutingEvents>, 'on'>): void {
  const meter = metrics.getMeter('@bonafide/routing-matrix');
  const decisions = meter.createCounter('bonafide.routing.decisions', {
    description: 'Choices of platforms for a job, by how many of those asked for were found',
    unit: '{decision}',
  });
  const changes = meter.createCounter('bonafide.routing.status_changes', {
    description: 'Moves of a platform from one status to another',
    unit: '{change}',
  });
  const alerts = meter.createCounter('bonafide.routing.alerts', {
    description: 'Alerts to the operator',
    unit: '{alert}',
  });

  events.on('decision', ({ taskType, picks, wanted }) => {
    const found = picks.length === 0 ? 'none' : picks.length < wanted ? 'some' : 'all';
    decisions.add(1, { 'bonafide.task_type': taskType, 'bonafide.found': found });
  });
  events.on('status', ({ taskType, before, after }) =>
    changes.add(1, {
      'bonafide.task_type': taskType,
      'bonafide.status.before': before,
      'bonafide.status.after': after,
    }),
  );
  events.on('alert', (alert) =>
    alerts.add(1, {
      ...('taskType' in alert ? { 'bonafide.task_type': alert.taskType } : {}),
      'bonafide.alert': alert.type,
    }),
  );
}
