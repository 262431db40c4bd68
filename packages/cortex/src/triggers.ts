/** What makes the cortex reflect: facts, no judgment. */
export type TriggerName = 'timer' | 'count';

/** Settings of the triggers. */
export interface TriggerConfig {
  /** How long after the last cycle the timer fires, in ms. */
  readonly scheduleMs: number;
  readonly triggers: {
    readonly timer: { readonly enabled: boolean };
    readonly count: { readonly enabled: boolean; readonly interactions: number };
  };
}

/** What the triggers look at: memory only, so that it takes microseconds (layer 1). */
export interface TriggerState {
  /** When the last cycle began; before the first one, when the cortex was started. */
  readonly lastCycleAt: number;
  /** Messages in and out since the last completed cycle. */
  readonly interactions: number;
  /** Peers that nobody has reflected on since they were active. */
  readonly peersWaiting: number;
}

/**
 * The triggers that fire now; several make one cycle. The timer has an activity gate (CTX-2): nothing
 * happened, no cycle, no token. The count fires after `interactions` messages (CTX-3).
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
