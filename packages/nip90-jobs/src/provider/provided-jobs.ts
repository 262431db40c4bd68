import { isBonafideError, type Logger } from '@bonafide/internal';
import { JobError } from '../errors.ts';
import { pause, type Timers } from '../timers.ts';
import { advanceProvided, type ProvidedEvent } from './provided-job.ts';
import type { ProvidedJob, ProvidedQuery, ProviderStore } from './provider-store.ts';

/** Access to stored requests: applies events with compare-and-set. */
export interface ProvidedJobs {
  get(requestId: string): Promise<ProvidedJob | null>;
  /** Applies an event and returns the job after it. Throws `JOB_NOT_FOUND` for an unknown request. */
  apply(requestId: string, event: ProvidedEvent): Promise<ProvidedJob>;
  /** Applies an event that nothing will repeat: tries again while the store fails. Throws when the provider closes. */
  insist(requestId: string, event: ProvidedEvent): Promise<ProvidedJob>;
  /** Takes a request over for `holder`. Returns null when another process was first. */
  claim(job: ProvidedJob, holder: string): Promise<ProvidedJob | null>;
  /** Reads all requests of a query, oldest first. */
  list(query: ProvidedQuery): AsyncGenerator<ProvidedJob>;
}

/** Attempts to write a request that other processes write at the same time. */
const maxTries = 50;

/** Delay before a retry when the store fails, in ms. */
export const storeRetryMs = 5_000;

export function createProvidedJobs(
  store: ProviderStore,
  { timers, logger, stop }: { readonly timers: Timers; readonly logger: Logger; readonly stop: AbortSignal },
): ProvidedJobs {
  const jobs: ProvidedJobs = {
    get: (requestId) => store.get(requestId),
    async apply(requestId, event) {
      for (let attempt = 0; attempt < maxTries; attempt += 1) {
        const job = await store.get(requestId);
        if (job === null) throw new JobError('JOB_NOT_FOUND', `There is no request ${requestId}.`);
        const next = advanceProvided(job, event);
        if (next === job || (await store.update(next))) return next;
      }
      throw new JobError('STORE_FAILED', `Request ${requestId} is written by too many processes.`);
    },
    async insist(requestId, event) {
      for (;;) {
        try {
          return await jobs.apply(requestId, event);
        } catch (error) {
          if (isBonafideError(error, 'JOB_NOT_FOUND')) throw error;
          logger.error({ err: error, requestId, type: event.type }, 'Request not stored: the store failed');
          if (!(await pause(timers, storeRetryMs, stop))) throw error;
        }
      }
    },
    async claim(job, holder) {
      const claimed = advanceProvided(job, { type: 'claimed', holder });
      return claimed === job || (await store.update(claimed)) ? claimed : null;
    },
    async *list(query) {
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<ProviderStore['list']>> = await store.list(query, {
          limit: 500,
          ...(cursor ? { cursor } : {}),
        });
        yield* page.items;
        cursor = page.nextCursor;
      } while (cursor !== null);
    },
  };
  return jobs;
}
