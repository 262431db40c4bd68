import type { Logger } from '@bonafide/internal';
import type { EntryWriter } from './entry-writer.ts';
import type { DiscoveryStore } from './store.ts';
import { callStore } from './store-access.ts';

/** Limits the number of entries, since keys cost nothing and could fill the disk. */
export interface CapacityLimit {
  /** Counts a new platform, and enforces the capacity after every tenth of it. */
  added(): void;
  /** Evicts entries beyond the capacity. @throws DiscoveryError `STORE_FAILED` */
  enforce(): Promise<void>;
}

/**
 * Creates a capacity limit. @param options.capacity number of platforms, which may be exceeded by a tenth
 * between evictions
 */
export function createCapacityLimit(options: {
  readonly store: Pick<DiscoveryStore, 'evict'>;
  readonly writer: EntryWriter;
  readonly capacity: number;
  readonly logger: Logger;
}): CapacityLimit {
  const { store, writer, capacity, logger } = options;
  const slack = Math.max(1, Math.floor(capacity / 10));
  let since = 0;

  async function enforce(): Promise<void> {
    since = 0;
    const evicted = await writer.exclusive(() => callStore(() => store.evict(capacity)));
    if (evicted > 0)
      logger.info({ evicted, capacity }, 'Platforms evicted: the registry reached its capacity');
  }

  return {
    added() {
      since += 1;
      if (since < slack) return;
      enforce().catch((error) => logger.error({ err: error }, 'Evicting platforms failed'));
    },
    enforce,
  };
}
