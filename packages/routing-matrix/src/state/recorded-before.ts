import { sha256Hex } from '@bonafide/internal';
import { platformId } from '../platform.ts';
import type { RoutingRecord } from '../records.ts';
import type { MatrixState } from './state.ts';

/** Returns the short name of a record's id: enough to recognize a repetition, without the keys and job ids in it. */
export const recordName = (id: string): string => sha256Hex(id).slice(0, 12);

/**
 * Tells whether evidence is contained in the state of another log with which this log begins. The store does not know such a record,
 * so it would count twice.
 */
export function isRecordedBefore(state: MatrixState, record: RoutingRecord): boolean {
  if (state.recordedBefore.size === 0) return false;
  if (record.kind !== 'outcome' && record.kind !== 'benchmark') return false;
  const known = state.entries.get(record.taskType)?.has(platformId(record.platform)) === true;
  return known && state.recordedBefore.has(recordName(record.id));
}
