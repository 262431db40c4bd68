/**
 * Stage of a qualified platform in a task type. `warning`: suspected of degradation, full allocation, twice as many
 * probes. `reduced`: half the allocation. `suspended`: no work. `half-open`: back from a suspension with a growing share.
 * `removed`: out until it is discovered again.
 */
export type Stage = 'normal' | 'warning' | 'reduced' | 'suspended' | 'half-open' | 'removed';

/**
 * Sign of degradation. `success-rate`: too few successes in seven days; `latency`: the 95th percentile is above twice the
 * baseline's; `timeouts`: several in a row; `cusum`: its success rate fell below what it used to be; `severe`: an error
 * that did damage, which suspends at once.
 */
export type Signal = 'success-rate' | 'latency' | 'timeouts' | 'cusum' | 'severe';

/** Durations and limits of the stages. */
export interface LifecycleConfig {
  /** Time without judged work after which a probe is due, ms. @default 86400000 */
  readonly silenceMs: number;
  /** Time between two benchmarks of a qualified platform, ms. @default 604800000 */
  readonly heartbeatMs: number;
  /** Success rate of seven days below which a platform is suspected, 0..1. @default 0.95 */
  readonly minSuccessRate: number;
  /** Factor on the baseline's 95th percentile of latency above which a platform is suspected. @default 2 */
  readonly slowFactor: number;
  /** Number of consecutive timeouts at which a platform is suspected. @default 3 */
  readonly straightTimeouts: number;
  /** Number of judged works from which rates and percentiles count. @default 10 */
  readonly minOutcomes: number;
  /** Level of the CUSUM statistic that reduces the allocation. @default 4 */
  readonly cusumReduce: number;
  /** Level of the CUSUM statistic that asks for another threshold. @default 6 */
  readonly cusumPropose: number;
  /** Drop of the success rate that the CUSUM statistic looks for. @default 0.15 */
  readonly cusumDrop: number;
  /** Time in `warning` after which the allocation is reduced, ms. @default 86400000 */
  readonly warningMs: number;
  /** Time without a signal, and with a success, that takes one step back, ms. @default 86400000 */
  readonly cleanIntervalMs: number;
  /** Length of a suspension, ms. @default 2592000000 */
  readonly suspensionMs: number;
  /** Number of suspensions, less clean intervals between them, at which a platform is removed. @default 3 */
  readonly removeAfter: number;
}

/** Stage of a platform with its history. Immutable. */
export interface Lifecycle {
  readonly stage: Stage;
  readonly sinceAt: number;
  readonly reason: string;
  /** Signals since it left `normal`. */
  readonly signals: readonly Signal[];
  readonly lastSignalAt: number;
  readonly lastSuccessAt: number;
  /** End of the suspension; `null` without one. */
  readonly untilAt: number | null;
  /** Suspensions, less one for each clean interval after a return. */
  readonly suspensions: number;
  /** Successes since it is half-open. */
  readonly ramp: number;
}

/** Share of its normal work by successes since the return. */
const rampShares = [0.05, 0.25, 0.5];

/** Returns the life cycle of a platform that nothing is held against. */
export const normalLifecycle = (at = 0): Lifecycle => ({
  stage: 'normal',
  sinceAt: at,
  reason: '',
  signals: [],
  lastSignalAt: 0,
  lastSuccessAt: 0,
  untilAt: null,
  suspensions: 0,
  ramp: 0,
});

/** Returns the share of its normal work that a platform gets, 0..1. */
export function allocationOf({ stage, ramp }: Lifecycle): number {
  if (stage === 'reduced') return 0.5;
  if (stage === 'half-open') return rampShares[ramp] ?? 1;
  return stage === 'suspended' || stage === 'removed' ? 0 : 1;
}

/** Returns the life cycle at `now`: stages also change by time alone. */
export function lifecycleAt(life: Lifecycle, now: number, config: LifecycleConfig): Lifecycle {
  const { stage, sinceAt, untilAt } = life;
  if (stage === 'warning' && now >= sinceAt + config.warningMs) {
    const since = sinceAt + config.warningMs;
    return lifecycleAt(to(life, 'reduced', since, 'suspected for too long'), now, config);
  }
  if (stage === 'suspended' && untilAt !== null && now >= untilAt) {
    return { ...to(life, 'half-open', untilAt, 'the suspension ended'), ramp: 0, signals: [] };
  }
  const cleanSince = Math.max(life.lastSignalAt, sinceAt);
  if (
    stage === 'reduced' &&
    life.lastSuccessAt > cleanSince &&
    life.lastSuccessAt >= cleanSince + config.cleanIntervalMs
  ) {
    return to(life, 'warning', life.lastSuccessAt, 'no sign of degradation for some time');
  }
  if (stage === 'normal' && life.suspensions > 0) {
    const steps = Math.floor((now - cleanSince) / config.cleanIntervalMs);
    if (steps < 1) return life;
    return {
      ...life,
      suspensions: Math.max(0, life.suspensions - steps),
      sinceAt: cleanSince + steps * config.cleanIntervalMs,
    };
  }
  return life;
}

/** A judged work as the life cycle sees it. */
export interface LifecycleEvent {
  readonly at: number;
  readonly kind: 'outcome' | 'benchmark';
  readonly success: boolean;
  readonly signals: readonly Signal[];
  /** False while a suspension would leave too few platforms. */
  readonly maySuspend: () => boolean;
}

/** Returns the life cycle after a judged work. */
export function afterWork(before: Lifecycle, event: LifecycleEvent, config: LifecycleConfig): Lifecycle {
  const { at, success, signals } = event;
  let life = lifecycleAt(before, at, config);
  if (life.stage === 'removed') return life;
  if (success) life = { ...life, lastSuccessAt: Math.max(life.lastSuccessAt, at) };
  if (signals.some((signal) => isNews(life, signal))) {
    life = { ...life, lastSignalAt: Math.max(life.lastSignalAt, at) };
  }

  if (life.stage === 'suspended') return life;
  if (signals.includes('severe')) return suspend(life, event, 'a severe failure', config);
  if (life.stage === 'half-open') {
    if (!success) return suspend(life, event, 'it failed after its return', config);
    const ramp = event.kind === 'benchmark' ? rampShares.length : life.ramp + 1;
    return ramp < rampShares.length ? { ...life, ramp } : to({ ...life, ramp: 0 }, 'normal', at, 'returned');
  }
  const fresh = signals.filter((signal) => !life.signals.includes(signal));
  if (fresh.length === 0) return recovered(lifecycleAt(life, at, config), event);

  life = { ...life, signals: [...life.signals, ...fresh] };
  const reason = `signs of degradation: ${life.signals.join(', ')}`;
  const steps = life.signals.length;
  if (steps >= 3) return suspend(life, event, reason, config);
  if (steps === 2 || fresh.includes('cusum')) {
    return life.stage === 'reduced' ? { ...life, reason } : to(life, 'reduced', at, reason);
  }
  return life.stage === 'normal' ? to(life, 'warning', at, reason) : { ...life, reason };
}

/** Tells whether a signal says something new: what holds for days (a rate, a percentile) is news once. */
const isNews = ({ signals }: Lifecycle, signal: Signal): boolean =>
  (signal !== 'success-rate' && signal !== 'latency') || !signals.includes(signal);

/** A success ends a warning, a benchmark also a reduced allocation. */
function recovered(life: Lifecycle, { at, kind, success, signals }: LifecycleEvent): Lifecycle {
  if (!success || signals.length > 0) return life;
  const back = life.stage === 'warning' || (life.stage === 'reduced' && kind === 'benchmark');
  return back ? to({ ...life, signals: [] }, 'normal', at, 'works again') : life;
}

function suspend(
  life: Lifecycle,
  { at, maySuspend }: LifecycleEvent,
  reason: string,
  config: LifecycleConfig,
): Lifecycle {
  if (!maySuspend()) {
    const kept = `${reason}; not suspended, because too few platforms would be left`;
    return life.stage === 'reduced' ? { ...life, reason: kept } : to(life, 'reduced', at, kept);
  }
  const suspensions = life.suspensions + 1;
  if (suspensions >= config.removeAfter) {
    return to({ ...life, suspensions }, 'removed', at, `${reason}, for the ${suspensions}. time`);
  }
  // A second suspension never ends before the first would have.
  const untilAt = Math.max(life.untilAt ?? 0, at + config.suspensionMs);
  return { ...to(life, 'suspended', at, reason), suspensions, untilAt, ramp: 0 };
}

/** Returns the life cycle after an operator let a platform return. */
export function afterReadmission(life: Lifecycle, at: number): Lifecycle {
  if (life.stage === 'removed') return normalLifecycle(at);
  if (life.stage === 'normal') return life;
  return { ...to(life, 'half-open', at, 'readmitted by the operator'), ramp: 0, signals: [], untilAt: null };
}

/** Returns the life cycle after an operator removed a platform. */
export const afterRemoval = (life: Lifecycle, at: number, reason: string): Lifecycle =>
  to(life, 'removed', at, reason);

function to(life: Lifecycle, stage: Stage, at: number, reason: string): Lifecycle {
  return { ...life, stage, sinceAt: at, reason };
}
