import type { Logger } from '@bonafide/internal';
import type { EntryWriter } from './entry-writer.ts';
import type { DiscoveryStore } from './store.ts';
import { callStore } from './store-access.ts';

/** Keeps the registry within bounds: keys cost nothing, and whoever has many could fill the disk (DIS-15). */
export interface CapacityLimit {
  /** One more platform is there. */
  added(): void;
  /** Makes room now, in turn. @throws DiscoveryError `STORE_FAILED` */
  enforce(): Promise<void>;
}

/** @param options.capacity platforms; a tenth more may be there for a moment */
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
    const forgotten = await writer.exclusive(() => callStore(() => store.evict(capacity)));
    if (forgotten > 0) logger.info({ forgotten, capacity }, 'Platforms least worth keeping were forgotten');
  }

  return {
    added() {
      since += 1;
      if (since < slack) return;
      enforce().catch((error) =>
        logger.error({ err: error }, 'The registry could not be kept within bounds'),
      );
    },
    enforce,
  };
}
