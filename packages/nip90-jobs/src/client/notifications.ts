import { createEmitter, type Logger, type Unsubscribe } from '@bonafide/internal';
import { JobError } from '../errors.ts';
import { measureJobs } from '../metrics.ts';
import { outcomeOf } from '../outcome.ts';
import type { IgnoredReason, JobNotifications } from './client-context.ts';
import { type JobClientEvents, jobClientEventNames } from './client-events.ts';

/** Number of ignored events by reason. */
export type IgnoredCounts = Readonly<Record<IgnoredReason, number>>;

/** Emits the events of a client, measures its jobs and counts what it ignores. */
export interface Notifications {
  readonly notify: JobNotifications;
  on<Name extends keyof JobClientEvents>(
    name: Name,
    listener: (event: JobClientEvents[Name]) => unknown,
  ): Unsubscribe;
  ignored(): IgnoredCounts;
  /** Removes all listeners. */
  clear(): void;
}

export function createNotifications({ logger }: { readonly logger: Logger }): Notifications {
  const emitter = createEmitter<JobClientEvents>({
    logger,
    names: jobClientEventNames,
    fail: (message) => new JobError('INVALID_INPUT', message),
  });
  measureJobs(emitter);
  const counts: Record<IgnoredReason, number> = {
    malformed: 0,
    uncorrelated: 0,
    'third-party': 0,
    'wrong-kind': 0,
    encrypted: 0,
    plaintext: 0,
    undecryptable: 0,
    flood: 0,
    unavailable: 0,
    unpayable: 0,
    unaccepted: 0,
  };
  const notify: JobNotifications = {
    transition: (job, transition) => emitter.emit('transition', { job, transition }),
    feedback: (job, feedback) => emitter.emit('feedback', { job, feedback }),
    paid: (job, payment) => emitter.emit('paid', { job, payment }),
    lateResult: (job) => {
      const result = outcomeOf(job);
      if (result !== null && !(result instanceof Error)) emitter.emit('late-result', { job, result });
    },
    ignored: (reason, event, job) => {
      counts[reason] += 1;
      logger.debug(
        { reason, eventId: event.id, pubkey: event.pubkey, kind: event.kind },
        'Ignored event: matches no open job',
      );
      emitter.emit('ignored', { reason, event, job });
    },
  };
  return {
    notify,
    on: (name, listener) => emitter.on(name, listener),
    ignored: () => ({ ...counts }),
    clear: emitter.clear,
  };
}
