import type { Logger } from '@bonafide/internal';
import type { Filter, NostrEvent, RejectedEvent, Transport } from '@bonafide/nostr-transport';
import type { IntakeQueue } from '../registry/intake-queue.ts';
import { readPages, warnOf } from './paging.ts';

/** Number of relays that are read at a time. */
const relaysAtOnce = 4;

/** The result of a `sync`. */
export interface SyncResult {
  /** Number of events that the relays sent. */
  readonly received: number;
  /** Number of platforms that were new or had a newer card. */
  readonly taken: number;
}

/** Reads stored events of relays. */
export interface StoredEventSync {
  /** @throws DiscoveryError `STORE_FAILED` */
  sync(options: {
    readonly timeoutMs: number;
    /** Requests only events since this second. */
    readonly since?: number;
    /** Skips events that were processed recently. */
    readonly onlyUnknown?: boolean;
    readonly signal?: AbortSignal;
  }): Promise<SyncResult>;
}

export function createStoredEventSync(options: {
  readonly transport: Pick<Transport, 'query'>;
  readonly relays: readonly string[];
  readonly filters: readonly Filter[];
  readonly intake: IntakeQueue;
  /** Returns false if a relay is known to be unreachable. */
  readonly isReachable: (relay: string) => boolean;
  readonly onRefused: (rejected: RejectedEvent) => void;
  readonly logger: Logger;
}): StoredEventSync {
  const { transport, relays, filters, intake, isReachable, onRefused, logger } = options;

  return {
    async sync({ timeoutMs, since, onlyUnknown = false, signal }) {
      let received = 0;
      let taken = 0;
      const reachable = new Set(relays);

      async function readOne(relay: string, filter: Filter): Promise<void> {
        const ask = (page: Filter): Promise<readonly NostrEvent[]> =>
          transport.query([relay], [page], {
            timeoutMs,
            onRejected: onRefused,
            ...(signal === undefined ? {} : { signal }),
          });
        const dated = since === undefined ? filter : { ...filter, since };
        for await (const page of readPages(ask, dated, { until: undefined }, warnOf(logger, relay))) {
          const wanted = onlyUnknown ? page.filter((event) => !intake.isSettled(event, relay)) : page;
          received += wanted.length;
          taken += await intake.takeAll(wanted, relay);
        }
      }

      // Deletions of all relays come first, so that deleted platforms are not announced.
      for (const filter of [...filters].reverse()) {
        const waiting = [...reachable];
        // Relays are read separately, so that every sighting is recorded.
        const readSome = async () => {
          for (let relay = waiting.shift(); relay !== undefined; relay = waiting.shift()) {
            await readOne(relay, filter);
            // An unreachable relay is not asked again.
            if (!isReachable(relay)) reachable.delete(relay);
          }
        };
        await Promise.all(Array.from({ length: relaysAtOnce }, readSome));
      }
      return { received, taken };
    },
  };
}
