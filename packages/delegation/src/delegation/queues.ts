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
