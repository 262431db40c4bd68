import { reserve, setBudget, settle } from '../budget/book.ts';
import { configuredThreshold } from '../config.ts';
import { applyMutation } from '../mutation/thresholds.ts';
import type { AlertRecord, PlatformRecord, RoutingRecord } from '../records.ts';
import { ensureEntry, ensurePlatform, ensureTask } from '../state/ensure.ts';
import type { MatrixState } from '../state/state.ts';
import type { Change } from '../state/status.ts';
import { applyBenchmark } from './apply-benchmark.ts';
import { applyDecision } from './apply-decision.ts';
import { applyDirective } from './apply-directive.ts';
import { applyOutcome } from './apply-outcome.ts';

const rememberedAlerts = 10_000;

/** Applies one record. Mutates `state`, so that a million records fold in seconds. */
export function applyRecord(state: MatrixState, record: RoutingRecord): Change[] {
  switch (record.kind) {
    case 'platform':
      return applyPlatform(state, record);
    case 'benchmark':
      return applyBenchmark(state, record);
    case 'outcome':
      return applyOutcome(state, record);
    case 'directive':
      return applyDirective(state, record);
    case 'decision':
      return applyDecision(state, record);
    case 'budget':
      setBudget(state.budgets, record);
      return [];
    case 'reservation':
      reserve(state.budgets, record);
      return [];
    case 'settlement':
      settle(state.budgets, record);
      return [];
    case 'mutation':
      applyMutation(state.mutations, record, (taskType) => configuredThreshold(state.config, taskType));
      for (const taskType of Object.keys(
        record.proposal.extendedMutations.TIMEOUT_CONFIGURATION?.byTaskType ?? {},
      )) {
        Object.assign(ensureTask(state, taskType).timing, { early: 0, near: 0, silent: 0 });
      }
      return [];
    case 'alert':
      return applyAlert(state, record);
    case 'base':
      // The reader of the log replaces the state by that of the snapshot: see `openRoutingLog` and `replay`.
      return [];
  }
}

function applyPlatform(state: MatrixState, record: PlatformRecord): Change[] {
  const platform = ensurePlatform(state, record.platform, record.at);
  platform.registration = record;
  platform.registrations += 1;
  // The registry lists it again. A quarantine by an operator stays.
  const ofRegistry = platform.directives.get('policy');
  if (ofRegistry !== undefined) ofRegistry.quarantined = false;
  for (const taskType of record.taskTypes) ensureEntry(state, record.platform, taskType, record.at);
  return [];
}

function applyAlert(state: MatrixState, { key, raised, at, alert }: AlertRecord): Change[] {
  const changes = (state.alerts.get(key)?.changes ?? 0) + 1;
  state.alerts.delete(key);
  state.alerts.set(key, { changes, raised, at, alert });
  const oldest = state.alerts.keys().next();
  if (state.alerts.size > rememberedAlerts && !oldest.done) state.alerts.delete(oldest.value);
  return [];
}
