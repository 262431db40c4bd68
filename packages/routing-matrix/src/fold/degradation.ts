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

/** Tells whether enough platforms of the task type would be left without this one: three, and half of them. */
function enoughWithout(state: MatrixState, entry: EntryState, at: number): boolean {
  let [working, suspended] = [0, 1];
  for (const other of state.entries.get(entry.taskType)?.values() ?? []) {
    if (other === entry || other.trust === null || other.status === 'BLACKLISTED') continue;
    const { stage } = lifecycleAt(other.lifecycle, at, state.config.lifecycle);
    if (stage === 'suspended') suspended += 1;
    else if (stage !== 'removed') working += 1;
  }
  return working >= state.config.minActivePlatforms && working >= suspended;
}
