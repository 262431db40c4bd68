import type { PlatformRef } from './platform.ts';
import type { DecisionRecord } from './records.ts';
import type { Change } from './state.ts';

/** Something an operator should know. */
export type RoutingAlert =
  | {
      readonly type: 'few-platforms';
      readonly taskType: string;
      /** How many may be given work. */
      readonly candidates: number;
      readonly minimum: number;
    }
  | {
      readonly type: 'blacklisted';
      readonly platform: PlatformRef;
      readonly taskType: string;
      readonly recordId: string;
    };

/** What a matrix emits, once the cause is durable. Nothing is emitted while a log is read back. */
export interface RoutingEvents {
  trust: Extract<Change, { type: 'trust' }>;
  status: Extract<Change, { type: 'status' }>;
  decision: DecisionRecord;
  alert: RoutingAlert;
}
