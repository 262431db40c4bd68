import type { Baseline } from '../evidence/composite.ts';
import type { Outcome } from '../evidence/outcome.ts';
import type { LifecycleConfig, Signal } from '../lifecycle/stage.ts';
import type { StoredMeasurements } from '../records.ts';
import type { EntryState } from '../state/state.ts';

/** Kinds of errors that did damage. */
const severeErrors: ReadonlySet<string> = new Set(['disk', 'oom', 'pids']);
const dayMs = 86_400_000;
const rateDays = 7;

/** Returns the signs of degradation in an entry right after a work was added to it. */
export function signalsOf(
  entry: EntryState,
  work: { readonly outcome: Outcome; readonly measurements: StoredMeasurements; readonly at: number },
  baseline: Baseline,
  config: LifecycleConfig,
): Signal[] {
  const signals: Signal[] = [];
  const { outcome, measurements, at } = work;
  const success = outcome === 'SUCCESS';
  if (outcome === 'ERROR' && severeErrors.has(measurements.errorKind ?? '')) signals.push('severe');
  // A success is no sign of too few successes, though the rate may still be low.
  if (!success && belowRate(entry, at, config)) signals.push('success-rate');
  const p95 = entry.latency.quantile(0.95);
  const usual = baseline.latencyP95Ms;
  if (
    measurements.latencyMs !== null &&
    p95 !== null &&
    usual !== null &&
    entry.latency.count >= config.minOutcomes &&
    measurements.latencyMs > usual &&
    p95 > config.slowFactor * usual
  ) {
    signals.push('latency');
  }
  if (entry.timeoutRun >= config.straightTimeouts) signals.push('timeouts');
  if (!success && entry.cusum >= config.cusumReduce) signals.push('cusum');
  return signals;
}

function belowRate(entry: EntryState, at: number, config: LifecycleConfig): boolean {
  const today = Math.floor(at / dayMs);
  let [successes, total] = [0, 0];
  for (const [day, seen] of entry.days) {
    if (day <= today - rateDays || day > today) continue;
    successes += seen.successes;
    total += seen.total;
  }
  return total >= config.minOutcomes && successes / total < config.minSuccessRate;
}
