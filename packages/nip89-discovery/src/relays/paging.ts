import type { Logger } from '@bonafide/internal';
import type { Filter, NostrEvent, RejectedEvent, Transport } from '@bonafide/nostr-transport';

/** Events of one page, and how many pages of one relay are followed. */
const pageEvents = 1_000;
const maxPages = 1_100;

/** Where the reading of stored events stands: handed back, it goes on from there. */
export interface PageCursor {
  /** Everything newer than this was read, s. */
  until: number | undefined;
}

/**
 * All that a relay has stored for a filter, newest first, each event once, page by page: the next is asked for when the one
 * before has been dealt with, so that nothing piles up. `ask` gives one page, or rejects.
 *
 * @param place - moved on when a page was dealt with
 */
export async function* readPages(
  ask: (filter: Filter) => Promise<readonly NostrEvent[]>,
  filter: Filter,
  place: PageCursor,
  onCut: (why: string) => void,
): AsyncGenerator<readonly NostrEvent[]> {
  let before: ReadonlySet<string> = new Set();
  for (let pages = 0; pages < maxPages; pages += 1) {
    const { until } = place;
    const page = await ask({ ...filter, limit: pageEvents, ...(until === undefined ? {} : { until }) });
    // The second where two pages meet is in both.
    const fresh = page.filter(({ id }) => !before.has(id));
    yield fresh;
    const oldest = page.reduce(
      (least, { created_at }) => Math.min(least, created_at),
      Number.POSITIVE_INFINITY,
    );
    if (fresh.length === 0) {
      // One second that is longer than a page: what it has more is not reached, what is older is.
      if (page.length < pageEvents || oldest <= 0) return;
      onCut('A relay has more of one second than a page holds');
      place.until = oldest - 1;
    } else place.until = oldest;
    before = new Set(page.map(({ id }) => id));
  }
  onCut('A relay has more than very many pages');
}

/**
 * One page of which it is certain that it is whole: the relay has said so. Rejects when it falls silent for `timeoutMs`,
 * hangs up for good, or on `signal`.
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
): Promise<readonly NostrEvent[]> {
  const { timeoutMs, signal, onRejected } = options;
  return new Promise((resolve, reject) => {
    const events: NostrEvent[] = [];
    const giveUp = (why: string) => () => end(() => reject(new Error(why)));
    const onSilence = giveUp('the relay fell silent');
    let timer = setTimeout(onSilence, timeoutMs);
    const onAbort = giveUp('reading was ended');
    const subscription = transport.subscribe([relay], [filter], {
      onEvent(event) {
        events.push(event);
        clearTimeout(timer);
        timer = setTimeout(onSilence, timeoutMs);
      },
      onRejected,
      onEose: () => end(() => resolve(events)),
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

/** Notes that something of a relay was left unread. */
export const warnOf = (logger: Logger, relay: string) => (why: string) => logger.warn({ relay }, why);
