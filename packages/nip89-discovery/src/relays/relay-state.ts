import { readRelayRecords, writeRelayRecords } from '../registry/reader-state.ts';
import type { RelayCounters } from '../registry/rejections.ts';
import type { RelayRecord } from '../registry/relay-record.ts';
import type { DiscoveryStore } from '../registry/store.ts';
import type { RelaySchedule } from './relay-schedule.ts';

/** Keeps relay tiers and counters across restarts. */
export interface RelayState {
  /** Restores them, once. @throws DiscoveryError `STORE_FAILED` */
  restore(): Promise<void>;
  /** Stores them. @throws DiscoveryError `STORE_FAILED` */
  persist(): Promise<void>;
}

export function createRelayState(options: {
  readonly store: Pick<DiscoveryStore, 'getState' | 'putState'>;
  readonly relays: readonly string[];
  readonly schedule: RelaySchedule;
  readonly counters: RelayCounters;
}): RelayState {
  const { store, relays, schedule, counters } = options;
  let restored: Promise<void> | null = null;

  async function restore(): Promise<void> {
    const ours = await readRelayRecords(store, relays);
    for (const record of ours) counters.restore(record);
    schedule.restore(
      new Map(ours.map(({ relay, tier, score, changedAt }) => [relay, { tier, score, changedAt }])),
    );
  }

  return {
    restore() {
      // A later call tries again.
      restored ??= restore().catch((error) => {
        restored = null;
        throw error;
      });
      return restored;
    },

    async persist() {
      // Without restoring first, the stored counters would be overwritten.
      if (restored === null) return;
      const counted = new Map(counters.relays(schedule.standing).map((stats) => [stats.relay, stats]));
      const records = relays.flatMap((relay): RelayRecord[] => {
        const standing = schedule.standing(relay);
        const stats = counted.get(relay);
        if (standing === undefined || stats === undefined) return [];
        const { received, taken, dropped, rejected, lastEventAt } = stats;
        return [{ relay, ...standing, received, taken, dropped, rejected, lastEventAt }];
      });
      await writeRelayRecords(store, records);
    },
  };
}
