import type { NostrEvent } from '@bonafide/nostr-transport';
import { type JobRequest, parseJobCancellation } from '../codec/index.ts';
import type { ProvidedJobs } from './provided-jobs.ts';
import type { ProvidedJob } from './provider-store.ts';

/** Maximum number of stored cancellations that arrived before their request. */
const maxEarly = 1_000;

/** Matches cancellations (NIP-09) to requests. */
export interface Cancellations {
  /** Returns the stored requests that an event cancels; remembers requests that have not arrived yet. */
  read(event: NostrEvent): Promise<readonly ProvidedJob[]>;
  /** Returns true for a request whose cancellation arrived first. */
  cameBefore(request: JobRequest): boolean;
}

export function createCancellations(jobs: Pick<ProvidedJobs, 'get'>): Cancellations {
  /** Request ids with their authors, since strangers may name the same request. */
  const early = new Set<string>();

  const rememberEarly = (requestId: string, customer: string) => {
    early.add(`${requestId} ${customer}`);
    const [oldest] = early;
    if (early.size > maxEarly && oldest !== undefined) early.delete(oldest);
  };

  return {
    async read(event) {
      const cancellation = parseJobCancellation(event);
      if (cancellation === null) return [];
      const { customer, requestIds } = cancellation;
      const dropped: ProvidedJob[] = [];
      for (const requestId of requestIds) {
        const provided = await jobs.get(requestId);
        if (provided === null) rememberEarly(requestId, customer);
        // Only the customer can cancel.
        else if (provided.customer === customer && provided.answer === null && provided.droppedAt === null)
          dropped.push(provided);
      }
      return dropped;
    },
    cameBefore: ({ id, customer }) => early.has(`${id} ${customer}`),
  };
}
