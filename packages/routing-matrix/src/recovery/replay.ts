import type { RoutingConfig } from '../config.ts';
import { applyRecord } from '../fold/apply-record.ts';
import type { RoutingRecord } from '../records.ts';
import { emptyState, type MatrixState } from '../state/state.ts';
import { readSnapshot } from './snapshot.ts';

/** Replays a log: a pure fold over records in order. Log and configuration determine every view. */
export function replay(records: Iterable<RoutingRecord>, config: RoutingConfig): MatrixState {
  let state = emptyState(config);
  for (const record of records) {
    if (record.kind === 'base') state = readSnapshot(record.snapshot, config).state;
    else applyRecord(state, record);
  }
  return state;
}
