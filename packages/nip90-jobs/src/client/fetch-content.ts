import { isBonafideError } from '@bonafide/internal';
import { type ParsedResult, withContent } from '../codec/index.ts';
import { JobError } from '../errors.ts';
import { isFinal } from '../job.ts';
import { pause } from '../timers.ts';
import type { ClientContext } from './client-context.ts';
import type { JobRecord } from './job-record.ts';

/** Results of one job that are fetched at the same time; more are looked at when the relays are asked again. */
const maxPerJob = 3;
/** Waits before a server that did not answer is asked again. */
const retryDelaysMs = [1_000, 5_000, 15_000];

/**
 * Fetches what a result refers to (JOB-3, JOB-16), guarded, of the announced size and hash, and gives the result as if its
 * event had borne it. Null when it cannot be had: that ends a job that was addressed, as any other failure of its provider;
 * what one of many refers to is ignored.
 */
export function createContentFetcher(
  context: ClientContext,
  record: JobRecord,
): (result: ParsedResult) => Promise<ParsedResult | null> {
  const { clock, timers, config, fetchReference, logger } = context;
  /** By event: it may come from several relays. */
  const underWay = new Map<string, Promise<ParsedResult | null>>();

  const download = async ({ id, reference }: ParsedResult): Promise<string> => {
    const until = clock() + config.resultTimeoutMs;
    for (let turn = 0; ; turn += 1) {
      try {
        return await context.fetching(async () => {
          record.stop.throwIfAborted();
          const { url = '', sha256 = null, size = 0 } = reference ?? {};
          return textOf(await fetchReference(url, { sha256, size, signal: record.stop }));
        });
      } catch (error) {
        const delayMs = retryDelaysMs[turn];
        const isPassing = isBonafideError(error) && error.code === 'REFERENCE_UNAVAILABLE';
        if (!isPassing || delayMs === undefined || clock() + delayMs > until) throw error;
        logger.warn(
          { err: error, jobId: record.job.jobId, eventId: id },
          'A result could not be fetched yet',
        );
        if (!(await pause(timers, delayMs, record.stop))) throw error;
      }
    }
  };

  const fetchContent = async (result: ParsedResult): Promise<ParsedResult | null> => {
    const isAddressed = record.job.provider !== null;
    // The provider has answered; what is left to wait for is its result.
    if (isAddressed && record.job.successAt === null)
      await record.apply({ type: 'success', at: clock(), eventId: result.id });
    try {
      return withContent(result, await download(result));
    } catch (error) {
      if (record.stop.aborted) return null;
      logger.warn(
        { err: error, jobId: record.job.jobId, eventId: result.id },
        'A result could not be fetched',
      );
      if (isAddressed) {
        const why = error instanceof JobError ? error.message : 'It could not be fetched.';
        await record.insist({
          type: 'failed',
          at: clock(),
          reason: 'provider-error',
          message: `The result is not in the event. ${why}`,
          eventId: result.id,
        });
      } else context.onIgnored('unavailable', result.event, record.job);
      return null;
    }
  };

  return (result) => {
    const known = underWay.get(result.id);
    if (known !== undefined) return known;
    if (isFinal(record.job.state)) return Promise.resolve(null);
    if (underWay.size >= maxPerJob) {
      context.onIgnored('flood', result.event, record.job);
      return Promise.resolve(null);
    }
    const work = fetchContent(result).finally(() => underWay.delete(result.id));
    underWay.set(result.id, work);
    return work;
  };
}

/** @throws {JobError} `REFERENCE_INVALID` when the bytes are no text */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new JobError('REFERENCE_INVALID', 'What a reference points to is no text.', { cause: error });
  }
}
