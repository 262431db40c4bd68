import type { Baseline } from '../evidence/composite.ts';
import { nextCusum, rateAfterDrop, rateOf } from '../lifecycle/cusum.ts';
import { afterWork, lifecycleAt } from '../lifecycle/stage.ts';
import type { BenchmarkRecord, OutcomeRecord } from '../records.ts';
import type { EntryState, MatrixState } from '../state/state.ts';
import type { Change } from '../state/status.ts';
import { signalsOf } from './signals.ts';

/** Moves a qualified platform along its life cycle. */
export function moveLifecycle(
  state: MatrixState,
  entry: EntryState,
  record: BenchmarkRecord | OutcomeRecord,
  baseline: Baseline,
  suspend = false,
): Change[] {
  const config = state.config.lifecycle;
  const { outcome, measurements, at, kind } = record;
  const success = outcome === 'SUCCESS';
  const timeout = outcome === 'ERROR' && measurements.errorKind === 'timeout';
  entry.timeoutRun = timeout ? entry.timeoutRun + 1 : 0;
  if (kind === 'outcome' && entry.good + entry.bad >= config.minOutcomes) {
    entry.cusum = nextCusum(entry.cusum, success, rateOf(entry.usual), config.cusumDrop);
  }
  const { stage } = entry.lifecycle;
  entry.lifecycle = afterWork(
    entry.lifecycle,
    {
      at,
      kind,
      success,
      signals: suspend ? ['severe'] : signalsOf(entry, { outcome, measurements, at }, baseline, config),
      maySuspend: () => enoughWithout(state, entry, at),
    },
    config,
  );
  if (entry.lifecycle.stage === 'normal' && stage !== 'normal') entry.cusum = 0;
  if (entry.cusum < config.cusumPropose) return [];
  entry.cusum = 0;
  entry.usual = rateAfterDrop(entry.usual, config.cusumDrop);
  const { platform, taskType } = entry;
  return [{ type: 'success-fell', platform, taskType, recordId: record.id }];
}

/**
 * Tells whether enough would be left of a task type without this platform: three platforms, of three operators where there are as
 * many, and half of the capacity. Every operator has the same capacity, which its services share: a further service costs it nothing,
 * so it must neither keep its other services in work nor make those of others dispensable.
 */
function enoughWithout(state: MatrixState, entry: EntryState, at: number): boolean {
  const { minActivePlatforms: minimum, lifecycle } = state.config;
  let platforms = 0;
  const operators = new Map<string, { working: number; suspended: number }>();
  for (const other of state.entries.get(entry.taskType)?.values() ?? []) {
    if (other.trust === null || other.status === 'BLACKLISTED') continue;
    const stage = other === entry ? 'suspended' : lifecycleAt(other.lifecycle, at, lifecycle).stage;
    if (stage === 'removed') continue;
    const { pubkey } = other.platform;
    const services = operators.get(pubkey) ?? { working: 0, suspended: 0 };
    operators.set(pubkey, services);
    if (stage === 'suspended') {
      services.suspended += 1;
    } else {
      services.working += 1;
      platforms += 1;
    }
  }
  let [left, capacity, lost] = [0, 0, 0];
  for (const { working, suspended } of operators.values()) {
    if (working > 0) left += 1;
    capacity += working / (working + suspended);
    lost += suspended / (working + suspended);
  }
  return (
    platforms >= minimum && left >= Math.min(minimum, operators.size) && capacity >= lost - roundingError
  );
}

/** Shares of operators are sums of fractions. */
const roundingError = 1e-9;
