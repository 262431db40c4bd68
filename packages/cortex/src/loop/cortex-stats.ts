/** Counters since the cortex was created. */
export interface CortexStats {
  readonly cyclesApplied: number;
  readonly cyclesFailed: number;
  /** Triggers that fired during a cycle, of this process or another one. */
  readonly skippedBusy: number;
  /** Triggers that found no due peer. */
  readonly skippedIdle: number;
  /** Triggers that fired during the backoff after a failure. */
  readonly skippedBackoff: number;
  /** Triggers of events that the rate of cycles prevented. */
  readonly skippedForRate: number;
  /** Cycles that a limit of the budget prevented. */
  readonly skippedForCost: number;
  /** Items of answers that were dropped. */
  readonly itemsDropped: number;
  /** Events that exceeded the buffer's capacity. */
  readonly eventsDropped: number;
  /** Events that could not be recorded. */
  readonly hookFailures: number;
  /** Failed reads and writes of the state. */
  readonly stateFailures: number;
}

/** The counters that this process keeps. */
export type Counters = { -readonly [Name in keyof CortexStats]: number };

/** Creates counters at 0. */
export function newCounters(): Counters {
  return {
    ...{ cyclesApplied: 0, cyclesFailed: 0, skippedBusy: 0, skippedIdle: 0, skippedBackoff: 0 },
    ...{ skippedForRate: 0, skippedForCost: 0, itemsDropped: 0, eventsDropped: 0, hookFailures: 0 },
    stateFailures: 0,
  };
}
