import type { EventComparison, Filter, Transport } from '@bonafide/nostr-transport';
import type { IntakeQueue } from '../registry/intake-queue.ts';
import { type DiscoveryStore, maxBatch } from '../registry/store.ts';
import { iterateEntries } from '../registry/store-access.ts';

/** Compares the registry's cards with those of relays (NIP-77), so that a sync transfers only new ones. */
export interface CardComparison {
  /**
   * Returns the difference between a relay and the registry. Returns null if the relay has to be read page by page: it does
   * not offer NIP-77, most of its cards are new, or the registry is empty or too large to compare.
   *
   * @throws DiscoveryError `STORE_FAILED`
   */
  compare(
    relay: string,
    filter: Filter,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<EventComparison | null>;
  /** Records that a relay has these cards of the registry. @throws DiscoveryError `STORE_FAILED` */
  recordSightings(relay: string, eventIds: readonly string[]): Promise<void>;
}

/** Largest number of cards that are compared. More are read page by page, which needs constant memory. */
const maxCompared = 100_000;

/** A relay with more new cards for each known one is read page by page, since ids cost bytes too. */
const maxNewForEachKnown = 4;

/** Creates the comparison for one sync. Reads the registry once. */
export function createCardComparison(options: {
  readonly transport: Partial<Pick<Transport, 'reconcile'>>;
  readonly store: Pick<DiscoveryStore, 'list'>;
  readonly intake: Pick<IntakeQueue, 'takeAll'>;
}): CardComparison {
  const { transport, store, intake } = options;
  let reading: Promise<readonly { readonly id: string; readonly created_at: number }[]> | null = null;

  async function readKnown() {
    const known: { readonly id: string; readonly created_at: number }[] = [];
    for await (const { event } of iterateEntries(store, {})) {
      if (known.length === maxCompared) return [];
      known.push({ id: event.id, created_at: event.created_at });
    }
    return known;
  }

  return {
    async compare(relay, filter, request) {
      if (transport.reconcile === undefined) return null;
      reading ??= readKnown();
      const known = await reading;
      if (known.length === 0) return null;
      const comparison = await transport.reconcile(relay, filter, known, request);
      if (comparison === null) return null;
      const { missing, shared } = comparison;
      return missing.length > maxNewForEachKnown * shared.length ? null : comparison;
    },

    async recordSightings(relay, eventIds) {
      const seen = new Set(eventIds);
      let batch = [];
      for await (const { event, sightings } of iterateEntries(store, {})) {
        if (!seen.has(event.id) || sightings.some((sighting) => sighting.relay === relay)) continue;
        batch.push(event);
        if (batch.length < maxBatch) continue;
        await intake.takeAll(batch, relay);
        batch = [];
      }
      await intake.takeAll(batch, relay);
    },
  };
}
