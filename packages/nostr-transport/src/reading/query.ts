import type { Logger } from '@bonafide/internal';
import { TransportError } from '../errors.ts';
import type { NostrEvent } from '../event/event.ts';
import { newestFirst } from '../event/filter.ts';
import type { RelayPool } from '../relay/relay-pool.ts';
import type { RejectedEvent } from '../transport.ts';
import type { PositionStore, Reader, ReaderEvents } from './filter-reader.ts';
import { type ReadingPlan, readRelay } from './relay-reader.ts';

export interface QueryOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly graceMs?: number;
  readonly onRejected?: (rejected: RejectedEvent) => void;
}

/** How one relay of a query is getting on. */
export type QueryProgress = 'reading' | 'read' | 'unreachable' | 'closed';

/**
 * Whether a query may end. A relay that cannot be reached for the moment is worth waiting for only while no other has
 * answered.
 */
export function isQueryDone(progress: Iterable<QueryProgress>): boolean {
  const states = new Set(progress);
  if (states.has('reading')) return false;
  return states.has('read') || !states.has('unreachable');
}

/** A query never resumes: it reads all there is. */
const noPositions: PositionStore = { get: () => null, set() {} };

/** Reads what the relays have stored: `Transport.query`. `closing` is the transport's own end. */
export async function runQuery(
  pool: RelayPool,
  relays: readonly string[],
  plan: ReadingPlan,
  options: QueryOptions & { readonly timeoutMs: number },
  context: {
    readonly maxEvents: number;
    readonly maxPages: number;
    readonly closing: AbortSignal;
    readonly clock: () => number;
    readonly logger: Logger;
  },
): Promise<NostrEvent[]> {
  const { signal, timeoutMs, graceMs, onRejected } = options;
  const { clock, logger, closing, maxEvents, maxPages } = context;
  signal?.throwIfAborted();
  if (plan.groups.length === 0 || relays.length === 0) return [];

  const found = new Map<string, NostrEvent>();
  const progress = new Map<string, QueryProgress>(relays.map((relay) => [relay, 'reading']));
  const readers: Reader[] = [];
  const { promise: done, resolve: finish, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(finish, timeoutMs);
  let graceTimer: NodeJS.Timeout | undefined;
  const onAbort = () => reject(signal?.reason);
  const onClosing = () =>
    reject(new TransportError('TRANSPORT_CLOSED', 'The transport was closed during a query.'));
  signal?.addEventListener('abort', onAbort, { once: true });
  closing.addEventListener('abort', onClosing, { once: true });

  function note(relay: string, state: QueryProgress): void {
    progress.set(relay, state);
    if (isQueryDone(progress.values())) finish();
    else if (state === 'read' && graceMs !== undefined) graceTimer ??= setTimeout(finish, graceMs);
  }

  function start(relay: string): void {
    const reached = pool.reach(relay);
    if (!reached.ok) {
      note(relay, 'closed');
      return;
    }
    const events: ReaderEvents = {
      onEvent(event) {
        if (found.has(event.id) || found.size >= maxEvents) return false;
        found.set(event.id, event);
        if (found.size === maxEvents) {
          logger.warn({ relay, maxEvents }, 'A query found too much and was cut');
          finish();
        }
        return true;
      },
      onRejected(reason, event) {
        try {
          onRejected?.({ relay, reason, event });
        } catch (error) {
          logger.error({ err: error, handler: 'onRejected' }, 'onRejected failed');
        }
      },
      onEose: () => note(relay, 'read'),
      onUnreachable: () => note(relay, 'unreachable'),
      onClosed: () => note(relay, 'closed'),
    };
    const { groups } = plan;
    const reading = { groups, live: false, maxPages, positions: noPositions, clock, logger };
    readers.push(readRelay(reached.connection, reading, events));
  }

  try {
    for (const relay of relays) start(relay);
    await done;
    return newestFirst(found.values(), plan.filters);
  } finally {
    clearTimeout(timer);
    clearTimeout(graceTimer);
    signal?.removeEventListener('abort', onAbort);
    closing.removeEventListener('abort', onClosing);
    for (const reader of readers) reader.close();
  }
}
