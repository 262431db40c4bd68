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
    };

/** Events of a matrix, emitted once the cause is durable. Nothing is emitted while a log is replayed. */
export interface RoutingEvents {
  trust: Extract<Change, { type: 'trust' }>;
  status: Extract<Change, { type: 'status' }>;
  decision: DecisionRecord;
  alert: RoutingAlert;
}
