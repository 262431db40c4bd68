import type { Emitter } from '@bonafide/internal';
import { metrics } from '@opentelemetry/api';
import type { RoutingEvents } from './events.ts';

/**
 * Counts what a matrix announces, for a host that has set up OpenTelemetry before it made the matrix; for any other
 * this does nothing. Platforms are no attributes: there is no bound to their number.
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
  events.on('alert', ({ type, taskType }) =>
    alerts.add(1, { 'bonafide.task_type': taskType, 'bonafide.alert': type }),
  );
}
