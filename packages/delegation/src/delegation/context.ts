import type { Emitter, EventNames, Logger, Semaphore } from '@bonafide/internal';
import type { DelegationConfig } from '../config.ts';
import type { Delivery, OrderFailedError } from '../delivery.ts';
import type { DelegationEngine } from '../engine.ts';
import type { OrderEvent } from '../flow/events.ts';
import type { Accept, OrderState } from '../order.ts';
import type { FinishedWork, MatrixView, Receipts } from '../ports.ts';
import type { Timers } from '../timers.ts';
import type { DelegationOptions } from './options.ts';

/** Events of a delegation, each emitted after the change was stored, by the process that stored it. */
export interface DelegationEvents {
  /** A fact changed the state of an order. */
  readonly step: { readonly orderId: string; readonly event: OrderEvent; readonly state: OrderState };
  readonly delivered: Delivery;
  readonly failed: OrderFailedError;
  /** One platform's part of an order or a trial ended and is recorded in the matrix. */
  readonly finished: FinishedWork;
  /** Nothing is left to do for an order. */
  readonly settled: { readonly orderId: string; readonly state: OrderState };
  /** The matrix decided about a platform after trials. */
  readonly qualified: MatrixView;
}

/** The names of all events. */
export const delegationEventNames: EventNames<DelegationEvents> = {
  step: true,
  delivered: true,
  failed: true,
  finished: true,
  settled: true,
  qualified: true,
};

/** Everything that the parts of a delegation share. */
export interface DelegationContext extends Omit<DelegationOptions, 'receipts'> {
  readonly receipts: Receipts | null;
  readonly engine: DelegationEngine;
  readonly clock: () => number;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly settings: DelegationConfig;
  readonly emitter: Emitter<DelegationEvents>;
  /** Limits the answers that are judged at once. */
  readonly judging: Semaphore;
  /** Functions that were passed with orders of this process. */
  readonly acceptors: Map<string, Accept>;
}
