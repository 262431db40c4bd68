import type { Step } from '../flow/next-step.ts';
import type { RecordTarget } from '../order.ts';

/**
 * Name of a queue. `orders`: choices and records; `jobs`: requests, answers and everything that only the process with the job
 * client does; `judging`: checks.
 */
export type QueueName = 'orders' | 'jobs' | 'judging';

/** Distribution of the steps among queues. */
export interface QueueLayout {
  readonly queues: readonly QueueName[];
  /** Queues other than this one. */
  others(queue: QueueName): readonly QueueName[];
  belongsTo(step: Step, queue: QueueName): boolean;
  /** Returns the first of these places that the queue records in, up to one that it does not. */
  targetsFor(queue: QueueName, targets: readonly RecordTarget[]): readonly RecordTarget[];
  /** Returns true for the queue that watches deadlines. */
  decides(queue: QueueName): boolean;
  /** Returns true for the queue that watches jobs. */
  follows(queue: QueueName): boolean;
}

/** One queue for everything: one process does all. */
export const singleLayout: QueueLayout = {
  queues: ['orders'],
  others: () => [],
  belongsTo: () => true,
  targetsFor: (_queue, targets) => targets,
  decides: () => true,
  follows: () => true,
};

/** Places that only the process with the job client records in. */
const jobTargets: ReadonlySet<RecordTarget> = new Set(['request', 'reflection', 'review', 'receipt']);

const queueOfTarget = (target: RecordTarget | undefined): QueueName =>
  target === undefined || !jobTargets.has(target) ? 'orders' : 'jobs';

function queueOf(step: Step): QueueName {
  switch (step.type) {
    case 'choose':
      return 'orders';
    case 'check':
      return 'judging';
    case 'record':
      // Places are recorded in their order, so that a queue waits for the places before its own.
      return queueOfTarget(step.targets[0]);
    default:
      return 'jobs';
  }
}

/** Three queues for many processes: all work on `orders` and `judging`, the elected one on `jobs`. */
export const sharedLayout: QueueLayout = {
  queues: ['orders', 'jobs', 'judging'],
  others: (queue) => sharedLayout.queues.filter((other) => other !== queue),
  belongsTo: (step, queue) => queueOf(step) === queue,
  targetsFor(queue, targets) {
    const end = targets.findIndex((target) => queueOfTarget(target) !== queue);
    return end === -1 ? targets : targets.slice(0, end);
  },
  decides: (queue) => queue === 'orders',
  follows: (queue) => queue === 'jobs',
};
