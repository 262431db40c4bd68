import type { NostrEvent } from '@bonafide/nostr-transport';
import { openSqlite } from '@bonafide/storage';
import { onTestFinished } from 'vitest';
import {
  createDiscovery,
  createMemoryDiscoveryStore,
  type DiscoveryOptions,
  type DiscoveryStore,
} from '../src/index.ts';
import {
  createKyselyDiscoveryStore,
  type DiscoveryTables,
  type KyselyDiscoveryStoreOptions,
  migrateDiscovery,
} from '../src/stores/kysely.ts';
import { manualClock } from './support.ts';

/** The only relay of {@link registryOver}. */
export const onlyRelay = 'wss://relay.example.com';

/** A registry over a transport whose relay has the given events, before its first sync. */
export function registryOver(
  events: readonly NostrEvent[],
  store: DiscoveryStore = createMemoryDiscoveryStore(),
  options: Partial<DiscoveryOptions> = {},
) {
  const clock = manualClock();
  const discovery = createDiscovery({
    transport: {
      subscribe: () => ({ close() {} }),
      publish: async () => [],
      query: async (_relays, [filter]) => {
        const until = filter?.until ?? Number.POSITIVE_INFINITY;
        return events
          .filter(({ kind, created_at }) => filter?.kinds?.includes(kind) && created_at <= until)
          .sort((a, b) => b.created_at - a.created_at)
          .slice(0, filter?.limit);
      },
    },
    store,
    relays: [onlyRelay],
    clock,
    ...options,
  });
  onTestFinished(() => discovery.close());
  return { discovery, clock };
}

/** A store in a new SQLite database. */
export async function sqliteStore(options: KyselyDiscoveryStoreOptions = {}) {
  const db = openSqlite<DiscoveryTables>({ path: ':memory:' });
  onTestFinished(() => db.destroy());
  await migrateDiscovery(db);
  return { db, store: createKyselyDiscoveryStore(db, options) };
}
