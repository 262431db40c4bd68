import type { Emitter, Logger } from '@bonafide/internal';
import type { AlertLog } from '../alerts/alert-log.ts';
import type { RoutingConfig } from '../config.ts';
import type { RoutingEvents } from '../events.ts';
import type { RoutingLog } from '../log/routing-log.ts';
import type { RoutingRecord } from '../records.ts';
import type { StrategyRunner } from '../selection/strategy-runner.ts';
import type { MatrixState } from '../state/state.ts';
import type { Appended, RoutingStore } from '../store.ts';

/** State and services that the operations of one matrix share. */
export interface MatrixContext {
  readonly store: RoutingStore;
  readonly log: RoutingLog;
  readonly config: RoutingConfig;
  readonly strategy: StrategyRunner;
  readonly alerts: AlertLog;
  readonly emitter: Emitter<RoutingEvents>;
  readonly logger: Logger;
  /** Returns the current time in whole ms since epoch. */
  readonly clock: () => number;
  readonly random: () => number;
  readonly newId: () => string;
  /** Runs an operation after those before it, and raises the alerts that it caused or that a crashed process left. */
  inTurn<Result>(work: (current: MatrixState) => Promise<Result> | Result): Promise<Result>;
  /** Runs an operation on a state with everything that other processes appended. */
  upToDate<Result>(work: (current: MatrixState) => Promise<Result> | Result): Promise<Result>;
  append(current: MatrixState, record: RoutingRecord): Promise<Appended>;
  /** Appends a record that depends on no state, together with those that were called for beside it. */
  appendInBatch<Result>(
    record: RoutingRecord,
    finish: (current: MatrixState, appended: Appended) => Promise<Result> | Result,
  ): Promise<Result>;
}
