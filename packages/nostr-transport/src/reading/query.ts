import type { Logger } from '@bonafide/internal';
import { TransportError } from '../errors.ts';
import type { Filter, NostrEvent } from '../event/event.ts';
import { newestFirst, splitFilter } from '../event/filter.ts';
import type { KnownEvent } from '../relay/nip77-negentropy.ts';
import type { Connection } from '../relay/relay-connection.ts';
import type { RelayPool } from '../relay/relay-pool.ts';
import type { RejectedEvent, RelayReadResult, RelayReadStatus } from '../transport.ts';
import type { PositionStore, ReaderEvents } from './filter-reader.ts';
import { limitOf, placeOf, type ReadingPlan, type RelayReader, readRelay } from './relay-reader.ts';

export interface QueryOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly graceMs?: number;
  readonly onRejected?: (rejected: RejectedEvent) => void;
  readonly onRelayResult?: (result: RelayReadResult) => void;
  readonly known?: readonly KnownEvent[];
}

/** The progress of one relay of a query. */
export type QueryProgress = 'reading' | 'read' | 'unreachable' | 'closed';

/**
 * Returns true if a query can end. A relay that is currently unreachable is waited for only while no other
 * relay has answered.
 */
export function isQueryDone(progress: Iterable<QueryProgress>): boolean {
  const states = new Set(progress);
  if (states.has('reading')) return false;
  return states.has('read') || !states.has('unreachable');
}

/** Watermarks of a query: none, because it reads all stored events. */
const noPositions: PositionStore = { get: () => null, set() {} };

/** Runs `Transport.query`. `closing` aborts when the transport is closed. */
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
  const { signal, timeoutMs, graceMs, onRejected, onRelayResult, known } = options;
  const { clock, logger, closing, maxEvents, maxPages } = context;
  signal?.throwIfAborted();
  const report = (result: RelayReadResult) => guarded('onRelayResult', () => onRelayResult?.(result), logger);
  if (plan.groups.length === 0) {
    for (const relay of relays) report({ relay, status: 'complete', received: 0, taken: 0, message: '' });
    return [];
  }
  if (relays.length === 0) return [];

  const found = new Map<string, NostrEvent>();
  const readings = new Map<string, Reading>();
  const { promise: done, resolve: finish, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => finish(`no end of stored events within ${timeoutMs} ms`), timeoutMs);
  let graceTimer: NodeJS.Timeout | undefined;
  let isFull = false;
  const over = new AbortController();
  const reconcilable = known === undefined ? null : singleFilter(plan);
  const onAbort = () => reject(signal?.reason);
  const onClosing = () => reject(new TransportError('CLOSED', 'The transport was closed during a query.'));
  signal?.addEventListener('abort', onAbort, { once: true });
  closing.addEventListener('abort', onClosing, { once: true });

  function settle(reading: Reading, progress: QueryProgress, message: string): void {
    reading.progress = progress;
    reading.message = message;
    if (isQueryDone([...readings.values()].map((each) => each.progress))) finish('');
    else if (progress === 'read' && graceMs !== undefined) {
      graceTimer ??= setTimeout(
        () => finish(`no end of stored events ${graceMs} ms after another relay's`),
        graceMs,
      );
    }
  }

  function start(relay: string, reading: Reading): void {
    const reached = pool.reach(relay);
    if (!reached.ok) {
      reading.status = reached.status;
      reading.progress = 'closed';
      reading.message = reached.message;
      return;
    }
    reading.connection = reached.connection;
    const events: ReaderEvents = {
      onEvent(event) {
        if (found.has(event.id) || found.size >= maxEvents) return false;
        found.set(event.id, event);
        if (found.size === maxEvents) {
          isFull = true;
          logger.warn({ relay, maxEvents }, 'Query cut: maxQueryEvents was reached');
          finish(`the query stopped at ${maxEvents} events`);
        }
        return true;
      },
      onRejected(reason, event) {
        guarded('onRejected', () => onRejected?.({ relay, reason, event }), logger);
      },
      onEose(cut) {
        reading.status = cut === null ? 'complete' : 'cut';
        settle(reading, 'read', cut ?? '');
      },
      onUnreachable: () => settle(reading, 'unreachable', ''),
      onClosed(reason) {
        reading.status = 'refused';
        settle(reading, 'closed', reason);
      },
    };
    const { connection } = reached;
    const read = (groups: ReadingPlan['groups'], readerEvents: ReaderEvents) => {
      const readerOptions = { groups, live: false, maxPages, positions: noPositions, clock };
      reading.reader = readRelay(connection, readerOptions, readerEvents);
    };
    if (reconcilable === null || known === undefined) {
      read(plan.groups, events);
      return;
    }
    void connection.reconcile(reconcilable, known, over.signal).then((reconciled) => {
      if (over.signal.aborted) return;
      if (!reconciled.ok) {
        logger.debug({ relay, reason: reconciled.reason }, 'No reconciliation; all events are read');
        read(plan.groups, events);
        return;
      }
      reading.known = reconciled.shared.length;
      const { missing } = reconciled;
      if (missing.length === 0) events.onEose(null);
      else read(groupsOfIds(reconcilable, missing), checkAllArrived(events, missing));
    });
  }

  try {
    for (const relay of relays) {
      readings.set(relay, {
        progress: 'reading',
        status: null,
        message: '',
        connection: null,
        reader: null,
        known: null,
      });
    }
    for (const [relay, reading] of readings) start(relay, reading);
    if (isQueryDone([...readings.values()].map(({ progress }) => progress))) finish('');
    const why = await done;
    for (const [relay, reading] of readings) report(resultOf(relay, reading, { why, isFull }));
    return newestFirst(found.values(), plan.filters);
  } finally {
    over.abort();
    clearTimeout(timer);
    clearTimeout(graceTimer);
    signal?.removeEventListener('abort', onAbort);
    closing.removeEventListener('abort', onClosing);
    for (const { reader } of readings.values()) reader?.close();
  }
}

/** The state of one relay during a query. */
interface Reading {
  progress: QueryProgress;
  /** Null until the relay has finished or refused. */
  status: RelayReadStatus | null;
  message: string;
  connection: Connection | null;
  reader: RelayReader | null;
  /** Events that a reconciliation found on both sides; null without one. */
  known: number | null;
}

function resultOf(
  relay: string,
  { status, message, connection, reader, known }: Reading,
  end: { readonly why: string; readonly isFull: boolean },
): RelayReadResult {
  const shared = known === null ? {} : { known };
  const counts = { relay, received: reader?.received ?? 0, taken: reader?.taken ?? 0, ...shared };
  if (status === 'cut') return { ...counts, ...placeOf(reader), status, message };
  if (status === 'complete') return { ...counts, ...limitOf(reader), status, message };
  if (status !== null) return { ...counts, status, message };
  if (end.isFull) return { ...counts, ...placeOf(reader), status: 'cut', message: end.why };
  const { state, lastError } = connection?.status() ?? { state: 'closed', lastError: null };
  if (state === 'open') return { ...counts, status: 'timed-out', message: end.why };
  return { ...counts, status: 'unreachable', message: lastError ?? 'no connection yet' };
}

function guarded(handler: string, call: () => void, logger: Logger): void {
  try {
    call();
  } catch (error) {
    logger.error({ err: error, handler }, `${handler} failed`);
  }
}

/** Returns the filter of a query that can be reconciled: one without a `limit`, in one piece. */
function singleFilter({ filters, groups }: ReadingPlan): Filter | null {
  const [filter] = filters;
  const isOne = filters.length === 1 && groups.flat().length === 1;
  return isOne && filter !== undefined && filter.limit === undefined && filter.ids === undefined
    ? filter
    : null;
}

/** Asks for events by id; the other conditions of the filter stay. */
function groupsOfIds(filter: Filter, ids: readonly string[]): ReadingPlan['groups'] {
  return splitFilter(Object.freeze({ ...filter, ids: Object.freeze([...ids]) })).map((part) => [part]);
}

/** Reports a cut if the relay did not send every event that it listed. */
function checkAllArrived(events: ReaderEvents, ids: readonly string[]): ReaderEvents {
  const missing = new Set(ids);
  return {
    ...events,
    onEvent(event) {
      missing.delete(event.id);
      return events.onEvent(event);
    },
    onRejected(reason, value) {
      // A rejected event was sent, too.
      missing.delete(String((value as Partial<NostrEvent> | null)?.id));
      events.onRejected?.(reason, value);
    },
    onEose: (cut) =>
      events.onEose(cut ?? (missing.size === 0 ? null : `${missing.size} listed events were not sent`)),
  };
}
