import { isBonafideError } from '@bonafide/internal';
import { type ParsedResult, withContent } from '../codec/index.ts';
import { JobError } from '../errors.ts';
import { isClaimable, isFinal } from '../job.ts';
import {
  createReferenceFetcher,
  type FetchReference,
  type ReferenceOptions,
} from '../references/fetch-reference.ts';
import { pause } from '../timers.ts';
import type { ClientEnvironment, JobNotifications } from './client-context.ts';
import { createFairSemaphore, type FairSemaphore } from './fair-semaphore.ts';
import type { JobRecord } from './job-record.ts';

/** Results that wait for a download or are being downloaded, per addressed job and per open job. */
const maxKnown = { addressed: 3, open: 200 } as const;
/** Concurrent downloads of one job. */
const maxPerJob = 8;
/** Concurrent downloads of a client, each of which may hold as many bytes as the limit. */
const maxDownloads = 8;
/** Delays before retries, in ms. */
const retryDelaysMs = [1_000, 5_000, 15_000];
/**
 * Time limits of the attempts to download a result for an open job, in ms. The first is short, so that servers that do
 * not answer hold up the results of other providers only for a moment.
 */
const openLimitsMs = [3_000, 10_000, 30_000];

/** Downloads referenced results for all jobs of a client. */
export interface Downloads {
  readonly fetchReference: FetchReference;
  /** Permits of addressed jobs: strangers, who answer open jobs, cannot take them. By job. */
  readonly addressed: FairSemaphore;
  /** Permits of open jobs, by job. */
  readonly open: FairSemaphore;
}

/** Creates the downloads of a client. */
export function createDownloads(references: ReferenceOptions | undefined): Downloads {
  return {
    fetchReference: createReferenceFetcher(references),
    addressed: createFairSemaphore(maxDownloads),
    open: createFairSemaphore(maxDownloads),
  };
}

/** Returns a result as if its event contained it, or null when its file cannot be fetched. */
export type FetchContent = (result: ParsedResult) => Promise<ParsedResult | null>;

/**
 * Creates a function that downloads the content of a result by reference, guarded, with the announced size and hash, and
 * returns the result as if its event contained it. Returns null when the file cannot be fetched: that fails an addressed
 * job, and is ignored for an open one.
 */
export function createContentFetcher(
  environment: Pick<ClientEnvironment, 'clock' | 'timers' | 'config' | 'logger'>,
  services: {
    readonly downloads: Downloads;
    readonly notify: JobNotifications;
    /** Aborts when the client closes. */
    readonly lifetime: AbortSignal;
  },
  record: JobRecord,
): FetchContent {
  const { clock, timers, config, logger } = environment;
  const { downloads, notify, lifetime } = services;
  /** By event: it may arrive from several relays. */
  const underWay = new Map<string, Promise<ParsedResult | null>>();
  const stop = () =>
    isFinal(record.job.state) ? lifetime : AbortSignal.any([lifetime, record.stopSignal()]);

  /** Shares the downloads of this job among providers. */
  const ofJob = createFairSemaphore(maxPerJob);

  /** Runs one attempt when permits are free: of this job by provider, of the client by job. */
  const attempt = ({ provider, reference }: ParsedResult, limitMs: number | null, stopped: AbortSignal) => {
    const permits = limitMs === null ? downloads.addressed : downloads.open;
    const work = async () => {
      const within = limitMs === null ? stopped : AbortSignal.any([stopped, AbortSignal.timeout(limitMs)]);
      const { url = '', sha256 = null, size = 0 } = reference ?? {};
      return textOf(await downloads.fetchReference(url, { sha256, size, signal: within }));
    };
    return ofJob.run(provider, () => permits.run(record.job.jobId, work, stopped), stopped);
  };

  const isPassing = (error: unknown) =>
    isBonafideError(error)
      ? error.code === 'REFERENCE_UNAVAILABLE'
      : error instanceof Error && error.name === 'TimeoutError';

  const download = async (result: ParsedResult): Promise<string> => {
    const until = clock() + config.resultTimeoutMs;
    const stopped = stop();
    const isOpen = record.job.provider === null;
    for (let turn = 0; ; turn += 1) {
      try {
        return await attempt(result, isOpen ? (openLimitsMs[turn] ?? null) : null, stopped);
      } catch (error) {
        const delayMs = isOpen && turn + 1 >= openLimitsMs.length ? undefined : retryDelaysMs[turn];
        if (!isPassing(error) || delayMs === undefined || clock() + delayMs > until) throw error;
        const { jobId } = record.job;
        logger.warn({ err: error, jobId, eventId: result.id }, 'Result not fetched, retrying');
        if (!(await pause(timers, delayMs, stopped))) throw error;
      }
    }
  };

  const fetchContent = async (result: ParsedResult): Promise<ParsedResult | null> => {
    const isAddressed = record.job.provider !== null;
    // The provider has answered; only its result is missing.
    if (isAddressed && record.job.successAt === null)
      await record.apply({ type: 'success', at: clock(), eventId: result.id });
    try {
      return withContent(result, await download(result));
    } catch (error) {
      if (stop().aborted) return null;
      logger.warn({ err: error, jobId: record.job.jobId, eventId: result.id }, 'Result not fetched');
      if (!isAddressed) {
        notify.ignored('unavailable', result.event, record.job);
        return null;
      }
      const why = isBonafideError(error) ? error.message : 'It could not be fetched.';
      await record.insist({
        type: 'failed',
        at: clock(),
        reason: 'provider-error',
        message: `The result is not in the event. ${why}`,
        eventId: result.id,
      });
      return null;
    }
  };

  return (result) => {
    const known = underWay.get(result.id);
    if (known !== undefined) return known;
    if (isFinal(record.job.state) && !isClaimable(record.job)) return Promise.resolve(null);
    if (underWay.size >= maxKnown[record.job.provider === null ? 'open' : 'addressed']) {
      notify.ignored('flood', result.event, record.job);
      return Promise.resolve(null);
    }
    const work = fetchContent(result).finally(() => underWay.delete(result.id));
    underWay.set(result.id, work);
    return work;
  };
}

/** Decodes UTF-8; throws `REFERENCE_INVALID` for other bytes. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new JobError('REFERENCE_INVALID', 'The referenced file is not text.', { cause: error });
  }
}
