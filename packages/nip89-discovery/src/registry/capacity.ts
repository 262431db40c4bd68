import type { Logger } from '@bonafide/internal';
import type { EntryWriter } from './entry-writer.ts';
import type { DiscoveryStore } from './store.ts';
import { callStore } from './store-access.ts';

/** Keeps the registry within bounds: keys cost nothing, and whoever has many could fill the disk (DIS-15). */
export interface Room {
  /** One more platform is there. */
  taken(): void;
  /** Makes room now, in turn. @throws DiscoveryError `STORE_FAILED` */
  make(): Promise<void>;
}

/** @param options.most platforms; a tenth more may be there for a moment */
export function createCapacityLimit(options: {
  readonly store: Pick<DiscoveryStore, 'evict'>;
  readonly register: EntryWriter;
  readonly most: number;
  readonly logger: Logger;
}): Room {
  const { store, register, most, logger } = options;
  const slack = Math.max(1, Math.floor(most / 10));
  let since = 0;

  async function make(): Promise<void> {
    since = 0;
    const forgotten = await register.inTurn(() => callStore(() => store.evict(most)));
    if (forgotten > 0) logger.info({ forgotten, most }, 'Platforms least worth keeping were forgotten');
  }

  return {
    taken() {
      since += 1;
      if (since < slack) return;
      make().catch((error) => logger.error({ err: error }, 'The registry could not be kept within bounds'));
    },
    make,
  };
}
