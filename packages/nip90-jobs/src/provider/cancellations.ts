import type { NostrEvent } from '@bonafide/nostr-transport';
import { type JobRequest, parseJobCancellation } from '../codec/index.ts';
import type { ProvidedJob, ProviderStore } from '../store.ts';

/** Cancellations that are remembered because they came before their request. */
const maxEarly = 1_000;

/** Takes requests back whose customer says so (NIP-09). */
export interface Cancellations {
  /** Which stored requests an event takes back; those that are not there yet are remembered. */
  read(event: NostrEvent): Promise<readonly ProvidedJob[]>;
  /** True for a request that was taken back before it came. */
  cameBefore(request: JobRequest): boolean;
}

export function createCancellations(store: Pick<ProviderStore, 'getProvided'>): Cancellations {
  /** Customers by request. */
  const early = new Map<string, string>();

  const rememberEarly = (requestId: string, customer: string) => {
    early.set(requestId, customer);
    const [oldest] = early.keys();
    if (early.size > maxEarly && oldest !== undefined) early.delete(oldest);
  };

  return {
    async read(event) {
      const cancellation = parseJobCancellation(event);
      if (cancellation === null) return [];
      const { customer, requestIds } = cancellation;
      const dropped: ProvidedJob[] = [];
      for (const requestId of requestIds) {
        const provided = await store.getProvided(requestId);
        if (provided === null) rememberEarly(requestId, customer);
        // Only who asked can take it back.
        else if (provided.customer === customer && provided.answer === null && provided.droppedAt === null)
          dropped.push(provided);
      }
      return dropped;
    },
    cameBefore: ({ id, customer }) => early.get(id) === customer,
  };
}
