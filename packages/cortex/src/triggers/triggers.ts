/** Every trigger. */
export const triggerNames = ['timer', 'count', 'newPeer', 'promise', 'pattern'] as const;

/**
 * Names of the triggers.
 *
 * - `timer`: the interval has passed, and something happened.
 * - `count`: enough messages since the last cycle.
 * - `newPeer`: a peer that was never seen before wrote. Off by default.
 * - `promise`: a commitment is overdue.
 * - `pattern`: a request is far larger than the peer's earlier ones.
 */
export type TriggerName = (typeof triggerNames)[number];

/** Settings of the triggers. */
export interface TriggerConfig {
  /** Interval of the timer since the last cycle, in ms. */
  readonly scheduleMs: number;
  readonly triggers: {
    readonly timer: { readonly enabled: boolean };
    readonly count: { readonly enabled: boolean; readonly interactions: number };
    readonly newPeer: { readonly enabled: boolean; readonly perHour: number };
    readonly promise: { readonly enabled: boolean };
    readonly pattern: { readonly enabled: boolean };
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
  /** Peers that wrote for the first time since the last cycle. */
  readonly newPeers: number;
  /** Cycles that new peers may still cause. */
  readonly newPeerPermits: number;
  /** Commitments whose due time has passed. */
  readonly overdue: number;
  /** Peers with a suspicious jump in the size of a request. */
  readonly jumps: number;
  /** Factors by which tuned triggers are slower (above 1) or faster (below 1). */
  readonly factors: Readonly<Partial<Record<TriggerName, number>>>;
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
  const { timer, count, newPeer, promise, pattern } = config.triggers;
  const { factors } = state;
  const active = state.interactions > 0 || state.peersWaiting > 0;
  const intervalMs = config.scheduleMs * (factors.timer ?? 1);
  const interactions = Math.max(1, Math.round(count.interactions * (factors.count ?? 1)));
  const fires: Readonly<Record<TriggerName, boolean>> = {
    timer: timer.enabled && active && now - state.lastCycleAt >= intervalMs,
    count: count.enabled && state.interactions >= interactions,
    newPeer: newPeer.enabled && state.newPeers > 0 && state.newPeerPermits >= 1,
    promise: promise.enabled && state.overdue > 0,
    pattern: pattern.enabled && state.jumps > 0,
  };
  return triggerNames.filter((name) => fires[name]);
}

/** Permits of cycles that events start, and the time of their last change. */
export interface Permits {
  readonly permits: number;
  readonly at: number;
}

/** Refills permits: `perHour` an hour, at most `perHour`. Pure. */
export function refillPermits(before: Permits | null, perHour: number, now: number): Permits {
  if (before === null) return { permits: perHour, at: now };
  const refill = (Math.max(0, now - before.at) / 3_600_000) * perHour;
  return { permits: Math.min(perHour, before.permits + refill), at: now };
}

/** Bounds of the factors of tuned triggers. */
const slowest = 4;
const fastest = 0.5;

/**
 * Adjusts the factors after a cycle: triggers whose cycle changed nothing fire later, triggers that found something
 * earlier, within ×0.5 and ×4. Pure.
 */
export function tuneTriggers(
  factors: TriggerState['factors'],
  triggers: readonly string[],
  found: boolean,
): Record<string, number> {
  const tuned: Record<string, number> = { ...factors };
  for (const name of ['timer', 'count'] as const) {
    if (!triggers.includes(name)) continue;
    const factor = (tuned[name] ?? 1) * (found ? 0.75 : 1.5);
    tuned[name] = Math.min(slowest, Math.max(fastest, factor));
  }
  return tuned;
}
