import type { RoutingRecord, TaskFeatures } from '../records.ts';
import type { MatrixState } from './state.ts';

/** Returns the features of the job that a record is about; `null` when no decision for it is remembered. */
export function featuresOf(state: MatrixState, record: RoutingRecord): TaskFeatures | null {
  if (record.kind === 'outcome') return state.jobs.get(record.jobId) ?? null;
  if (record.kind !== 'decision') return null;
  const { taskType, valueMsat, size, deadlineMs, difficulty } = record;
  return { taskType, valueMsat, size, deadlineMs, difficulty };
}
