/** Names of the triggers. */
export type TriggerName = 'timer' | 'count';

/** Settings of the triggers. */
export interface TriggerConfig {
  /** Interval of the timer since the last cycle, in ms. */
  readonly scheduleMs: number;
  readonly triggers: {
    readonly timer: { readonly enabled: boolean };
    readonly count: { readonly enabled: boolean; readonly interactions: number };
  };
}

/** Input of the triggers, from memory only, so that an evaluation takes microseconds. */
export interface TriggerState {
  /** Start of the last cycle; before the first one, start of the cortex; ms since epoch. */
  readonly lastCycleAt: number;
  /** Messages in and out since the last completed cycle. */
  readonly interactions: number;
  /** Number of active peers that no cycle has reflected on. */
  readonly peersWaiting: number;
}

/**
 * Returns the triggers that fire now; several start one cycle. The timer needs activity: without any, no cycle
 * starts. The count fires after `interactions` messages.
 */
export function evaluateTriggers(
  state: TriggerState,
  config: TriggerConfig,
  now: number,
): readonly TriggerName[] {
  const { timer, count } = config.triggers;
  const fired: TriggerName[] = [];
  const active = state.interactions > 0 || state.peersWaiting > 0;
  if (timer.enabled && active && now - state.lastCycleAt >= config.scheduleMs) fired.push('timer');
  if (count.enabled && state.interactions >= count.interactions) fired.push('count');
  return fired;
}
