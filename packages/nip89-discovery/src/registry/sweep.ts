import { isStale } from '../card/assess.ts';
import type { RegistryEntry } from './entry.ts';
import { changeStatus, markStale } from './entry-changes.ts';
import type { EntryWriter } from './entry-writer.ts';
import type { ProfileLookup } from './profile-lookup.ts';
import type { RecommendationSignals } from './recommendations.ts';
import type { PlatformStatus } from './status.ts';
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

/** Archives platforms with expired cards, marks stale cards, ends quarantines, and requests profiles that are still missing. */
export async function sweepRegistry(
  store: DiscoveryStore,
  writer: EntryWriter,
  signals: RecommendationSignals,
  profiles: Pick<ProfileLookup, 'request'>,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const step = (entry: RegistryEntry) => {
    const { createdAt, expiresAt } = entry.card;
    if (expiresAt !== null && expiresAt <= now) return changeStatus(entry, { type: 'expired' }, { now });
    const released = changeStatus(entry, { type: 'quarantine-over' }, { now });
    // The next sweep marks an entry that changes its status in this one.
    return released ?? (isStale(createdAt, now) ? markStale(entry, now) : null);
  };
  for await (const entry of iterateEntries(store, { statuses: living })) {
    if (signal.aborted) return;
    profiles.request(entry);
    // The standing of recommenders changes, and recommendations are revoked.
    if (entry.recommendation > 0) {
      await writer.exclusive(() => signals.refresh(entry.pubkey, entry.canonicalD));
    }
    // Most entries do not change and need no second read.
    if (step(entry) === null) continue;
    await writer.exclusive(() =>
      writer.update<{ readonly refused: string }>(entry.pubkey, entry.canonicalD, (current) =>
        current === null ? null : step(current),
      ),
    );
  }
}
