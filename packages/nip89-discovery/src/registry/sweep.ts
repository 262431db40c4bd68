import { isStale } from '../card/assess.ts';
import type { RegistryEntry } from './entry.ts';
import { changeStatus } from './entry-changes.ts';
import type { EntryWriter } from './entry-writer.ts';
import type { PlatformStatus, StatusCause } from './status.ts';
import type { DiscoveryStore } from './store.ts';
import { iterateEntries } from './store-access.ts';

const living: readonly PlatformStatus[] = [
  'discovered',
  'candidate',
  'evaluating',
  'partner',
  'rejected',
  'quarantined',
];

/** Quarantines platforms with stale cards and ends expired quarantines. */
export async function sweepRegistry(
  store: DiscoveryStore,
  writer: EntryWriter,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const step = (entry: RegistryEntry) => {
    const cause: StatusCause = isStale(entry.card.createdAt, now)
      ? { type: 'stale' }
      : { type: 'quarantine-over' };
    return changeStatus(entry, cause, { now });
  };
  for await (const entry of iterateEntries(store, { statuses: living })) {
    if (signal.aborted) return;
    // Most entries do not change and need no second read.
    if (step(entry) === null) continue;
    await writer.exclusive(() =>
      writer.update<{ readonly refused: string }>(entry.pubkey, entry.canonicalD, (current) =>
        current === null ? null : step(current),
      ),
    );
  }
}
