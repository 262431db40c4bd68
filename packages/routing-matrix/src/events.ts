import type { PlatformRef } from './platform.ts';
import type { DecisionRecord } from './records.ts';
import type { Change } from './state/status.ts';

/** A condition for the operator's attention. */
export type RoutingAlert =
  | {
      readonly type: 'few-platforms';
      readonly taskType: string;
      /** Number of operators with an eligible platform: a further service of the same one is no alternative. */
      readonly candidates: number;
      readonly minimum: number;
    }
  | {
      readonly type: 'blacklisted';
      readonly platform: PlatformRef;
      readonly taskType: string;
      readonly recordId: string;
    }
  | {
      /** A record of the log cannot be parsed and is left out of every view. */
      readonly type: 'record-quarantined';
      readonly seq: number;
      readonly recordId: string;
      readonly reason: string;
    }
  | {
      /** The strategy threw on a record; its later choices may be worse. Emitted for the first failure only. */
      readonly type: 'strategy-failed';
      readonly strategy: string;
      readonly seq: number;
      readonly reason: string;
    }
  | {
      /** A platform degraded so far that it gets less work. */
      readonly type: 'degraded';
      readonly platform: PlatformRef;
      readonly taskType: string;
      readonly status: 'REDUCED' | 'SUSPENDED' | 'REMOVED';
      readonly reason: string;
    }
  | {
      /** The success rate of a platform fell clearly: the threshold of the task type should be looked at. */
      readonly type: 'success-fell';
      readonly platform: PlatformRef;
      readonly taskType: string;
      readonly recordId: string;
    }
  | {
      /** Every platform of a task type is suspended. */
      readonly type: 'all-suspended';
      readonly taskType: string;
    }
  | {
      /** More than ten thresholds changed within an hour. */
      readonly type: 'mutation-rate';
      readonly limit: number;
    }
  | {
      /** A threshold changed direction three times in ten changes. */
      readonly type: 'oscillation';
      readonly taskType: string;
    }
  | {
      /** More than half of the moved thresholds are at .1 or .9. */
      readonly type: 'thresholds-at-bound';
      readonly atBound: number;
      readonly thresholds: number;
    }
  | {
      /** No threshold changed for more than seven days, although jobs were judged. */
      readonly type: 'mutations-stalled';
      readonly lastChangeAt: number;
    }
  | {
      /** The median confidence in the changes of the last 24 hours is below one half. */
      readonly type: 'low-confidence';
      readonly median: number;
    };

/**
 * Events of a matrix, emitted once the cause is durable. Nothing is emitted while a log is replayed. An alert is emitted by
 * one process among all that share the log, once until its condition ended; `record-quarantined` and `strategy-failed`
 * concern the process itself.
 */
export interface RoutingEvents {
  trust: Extract<Change, { type: 'trust' }>;
  status: Extract<Change, { type: 'status' }>;
  decision: DecisionRecord;
  alert: RoutingAlert;
}
