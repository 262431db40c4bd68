import type { BenchmarkRecord, OutcomeRecord } from '../records.ts';
import type { EntryState, MatrixState } from '../state/state.ts';
import { type Change, changesSince, condemn, standing } from '../state/status.ts';

/** Blacklists every entry of the operator, for all services and task types. */
export function blacklist(
  state: MatrixState,
  entry: EntryState,
  record: BenchmarkRecord | OutcomeRecord,
): Change[] {
  const { pubkey } = entry.platform;
  if (!state.blacklist.has(pubkey)) state.blacklist.set(pubkey, { at: record.at, recordId: record.id });
  const changed: Change[] = [];
  for (const byPlatform of state.entries.values()) {
    for (const other of byPlatform.values()) {
      if (other.platform.pubkey !== pubkey) continue;
      const before = standing(state, other, record.at);
      condemn(other);
      changed.push(...changesSince(state, other, before, record));
    }
  }
  return changed;
}
