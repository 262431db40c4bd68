import type { PlatformRef } from './platform.ts';
import type { DecisionRecord } from './records.ts';
import type { Change } from './state.ts';

/** A condition for the operator's attention. */
export type RoutingAlert =
  | {
      readonly type: 'few-platforms';
      readonly taskType: string;
      /** Number of eligible platforms. */
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
    };

/** Events of a matrix, emitted once the cause is durable. Nothing is emitted while a log is replayed. */
export interface RoutingEvents {
  trust: Extract<Change, { type: 'trust' }>;
  status: Extract<Change, { type: 'status' }>;
  decision: DecisionRecord;
  alert: RoutingAlert;
}
