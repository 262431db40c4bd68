import type { Logger } from '@bonafide/internal';
import type {
  Filter,
  NostrEvent,
  RejectedEvent,
  RelayReadResult,
  Transport,
} from '@bonafide/nostr-transport';

/** Page size, events, and the largest number of pages per relay. */
const pageEvents = 1_000;
const maxPages = 1_100;

/** A position in stored events. Reading resumes from it. */
export interface PageCursor {
  /** Everything newer than this second was read. */
  until: number | undefined;
}

/** One page of stored events. */
export interface Page {
  readonly events: readonly NostrEvent[];
  /** True if no older events need to be requested. */
  readonly isLast: boolean;
  /** The second at which the transport ended the page before its end: the next page starts there. */
  readonly resumeUntil?: number;
  /** The second up to which the relay was read, of a full page. Events that are older came out of order. */
  readonly readUntil?: number;
}

/**
 * Reads all stored events of a relay for a filter, newest first, each once, page by page. The next page is
 * requested after the previous one was processed, so memory stays bounded.
 *
 * @param place - Updated after each page.
 */
export async function* readPages(
  request: (filter: Filter) => Promise<Page>,
  filter: Filter,
  place: PageCursor,
  onCut: (why: string) => void,
): AsyncGenerator<readonly NostrEvent[]> {
  let before: ReadonlySet<string> = new Set();
  for (let pages = 0; pages < maxPages; pages += 1) {
    const { until } = place;
    const {
      events: page,
      isLast,
      resumeUntil,
      readUntil,
    } = await request({
      ...filter,
      limit: pageEvents,
      ...(until === undefined ? {} : { until }),
    });
    // Both pages contain the second at which they meet.
    const fresh = page.filter(({ id }) => !before.has(id));
    yield fresh;
    if (resumeUntil !== undefined) {
      // Rejected events filled the page: reading goes on behind them.
      const next = until !== undefined && resumeUntil >= until ? until - 1 : resumeUntil;
      if (next < 0) return;
      place.until = next;
      before = new Set(page.map(({ id }) => id));
      continue;
    }
    if (isLast) return;
    const oldest =
      readUntil ??
      page.reduce((least, { created_at }) => Math.min(least, created_at), Number.POSITIVE_INFINITY);
    if (fresh.length === 0) {
      // A second with more events than a page: skip the rest of it, and continue with older events.
      if (page.length < pageEvents || oldest <= 0) return;
      onCut('Relay has more events in one second than a page holds; the rest of that second was not read');
      place.until = oldest - 1;
    } else place.until = oldest;
    before = new Set(page.map(({ id }) => id));
  }
  onCut('Relay has more pages than the limit; older events were not read');
}

/**
 * Reads one page and waits for EOSE. Rejects when the relay is silent for `timeoutMs`, closes the
 * subscription, or `signal` aborts.
 */
export function readPage(
  transport: Pick<Transport, 'subscribe'>,
  relay: string,
  filter: Filter,
  options: {
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
    readonly onRejected: (rejected: RejectedEvent) => void;
  },
): Promise<Page> {
  const { timeoutMs, signal, onRejected } = options;
  return new Promise((resolve, reject) => {
    const events: NostrEvent[] = [];
    const giveUp = (why: string) => () => end(() => reject(new Error(why)));
    const onSilence = giveUp('the relay was silent');
    let timer = setTimeout(onSilence, timeoutMs);
    const onAbort = giveUp('reading was aborted');
    const subscription = transport.subscribe([relay], [filter], {
      onEvent(event) {
        events.push(event);
        clearTimeout(timer);
        timer = setTimeout(onSilence, timeoutMs);
      },
      onRejected,
      onEose: (_, result) =>
        end(() =>
          resolve({ events, isLast: isEnd(result, events.length, filter.limit), ...placeOf(result) }),
        ),
      onClosed: (_, reason) => giveUp(reason)(),
    });
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();

    function end(then: () => void): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      subscription.close();
      then();
    }
  });
}

/** Returns true if a relay proved that it has no more events: an answer that is complete and smaller than the limit. */
function isEnd(result: Pick<RelayReadResult, 'status'> | undefined, received: number, limit = 0): boolean {
  return result?.status === 'complete' && received < limit;
}

/** Returns where a page ended. */
function placeOf(
  result: Pick<RelayReadResult, 'resumeUntil' | 'readUntil'> | null | undefined,
): Pick<Page, 'resumeUntil' | 'readUntil'> {
  const { resumeUntil, readUntil } = result ?? {};
  return {
    ...(resumeUntil === undefined ? {} : { resumeUntil }),
    ...(readUntil === undefined ? {} : { readUntil }),
  };
}

/** Returns a function that logs a part of a relay that was not read. */
export const warnOf = (logger: Logger, relay: string) => (why: string) => logger.warn({ relay }, why);
