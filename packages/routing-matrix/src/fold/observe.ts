import type { Outcome } from '../evidence/outcome.ts';
import type { StoredMeasurements } from '../records.ts';
import { ensureTask } from '../state/ensure.ts';
import type { EntryState, MatrixState } from '../state/state.ts';

const dayMs = 86_400_000;

/** Records observations that are independent of the decision. */
export function observe(
  state: MatrixState,
  entry: EntryState,
  outcome: Outcome,
  measurements: StoredMeasurements,
  at: number,
  size = 1,
): void {
  const good = outcome === 'SUCCESS' ? 1 : outcome === 'PARTIAL' ? 0.5 : 0;
  const fade = 0.5 ** (Math.max(0, at - entry.evidenceAt) / state.config.evidenceHalfLifeMs);
  entry.good = entry.good * fade + good;
  entry.bad = entry.bad * fade + (1 - good);
  const { expected, good: goodSince, all } = entry.usual;
  entry.usual = { expected, good: goodSince * fade + good, all: all * fade + 1 };
  entry.evidenceAt = Math.max(entry.evidenceAt, at);
  entry.lastVerifiedAt = Math.max(entry.lastVerifiedAt ?? 0, at);

  const today = Math.floor(at / dayMs);
  const day = entry.days.get(today) ?? { successes: 0, total: 0 };
  day.successes += outcome === 'SUCCESS' ? 1 : 0;
  day.total += 1;
  entry.days.set(today, day);
  if (entry.days.size > 64) {
    for (const old of entry.days.keys()) if (old < today - 31) entry.days.delete(old);
  }

  const { latencyMs, executionMs, memoryShare, coverage, costMsat } = measurements;
  if (costMsat !== null) entry.cost.push(costMsat / size);
  if (memoryShare !== null) entry.memory.push(memoryShare);
  if (coverage !== null) entry.coverage.push(coverage);
  if (latencyMs !== null) entry.latency.push(latencyMs);
  // Only good work counts: a fast failure must not make correct work look slow.
  if (outcome !== 'SUCCESS' && outcome !== 'PARTIAL') return;
  const task = ensureTask(state, entry.taskType);
  if (latencyMs !== null) task.latency.push(latencyMs);
  if (executionMs !== null) task.execution.push(executionMs);
}
