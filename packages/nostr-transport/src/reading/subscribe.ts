import type { Logger } from '@bonafide/internal';
import type { Filter } from '../event/event.ts';
import { filterKey } from '../event/filter.ts';
import type { RelayPool } from '../relay/relay-pool.ts';
import type { SubscribeHandlers, Subscription, Watermarks } from '../transport.ts';
import { createBoundedSet } from './bounded-set.ts';
import type { PositionStore } from './filter-reader.ts';
import { limitOf, placeOf, type ReadingPlan, type RelayReader, readRelay } from './relay-reader.ts';
import type { OverlapPolicy } from './watermark.ts';
import { createWatermarkWriter } from './watermark-writer.ts';

/** A subscription with a promise for its end. */
export interface OpenSubscription extends Subscription {
  /** Resolves after the subscription is closed and its watermarks are written. */
  readonly ended: Promise<void>;
}

/** Opens one subscription at several relays: `Transport.subscribe`. */
export function openSubscription(
  pool: RelayPool,
  relays: readonly string[],
  plan: ReadingPlan,
  handlers: SubscribeHandlers,
  context: {
    readonly maxSeen: number;
    readonly maxPages: number;
    readonly overlap: OverlapPolicy;
    readonly clock: () => number;
    readonly logger: Logger;
  },
): OpenSubscription {
  const { logger, clock, maxPages, overlap } = context;
  const { signal, watermarks } = handlers;
  const seen = createBoundedSet(context.maxSeen);
  const readers = new Map<string, RelayReader>();
  const writer = watermarks && createWatermarkWriter(watermarks, logger);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let isOver = false;

  function close(): void {
    if (isOver) return;
    isOver = true;
    signal?.removeEventListener('abort', close);
    for (const reader of readers.values()) reader.close();
    if (writer === undefined) end();
    else void writer.flush().then(end);
  }

  function call(
    name: 'onEvent' | 'onRejected' | 'onEose' | 'onCut' | 'onClosed',
    handler: () => unknown,
  ): void {
    if (isOver) return;
    const blame = (error: unknown) => logger.error({ err: error, handler: name }, `${name} failed`);
    try {
      const returned = handler();
      if (returned instanceof Promise) returned.catch(blame);
    } catch (error) {
      blame(error);
    }
  }

  async function start(relay: string): Promise<void> {
    const reached = pool.reach(relay);
    // Nothing is told before the caller has its subscription in hand.
    await Promise.resolve();
    if (!reached.ok) {
      call('onClosed', () => handlers.onClosed?.(relay, `${reached.status}: ${reached.message}`));
      return;
    }
    if (plan.groups.length === 0) {
      call('onEose', () =>
        handlers.onEose?.(relay, { relay, status: 'complete', received: 0, taken: 0, message: '' }),
      );
      return;
    }
    const marks = await loadMarks(watermarks, relay, plan.groups.flat(), logger);
    if (isOver) return;
    const positions: PositionStore = {
      get: (key) => marks.get(key) ?? null,
      set: (key, seconds) => writer?.set(relay, key, seconds),
    };
    const events: Parameters<typeof readRelay>[2] = {
      onEvent(event) {
        if (isOver || !seen.add(event.id)) return false;
        call('onEvent', () => handlers.onEvent(event, relay));
        return true;
      },
      ...(handlers.onRejected === undefined
        ? {}
        : {
            onRejected: (reason, event) =>
              call('onRejected', () => handlers.onRejected?.({ relay, reason, event })),
          }),
      onEose(cut) {
        const reader = readers.get(relay);
        const { received = 0, taken = 0 } = reader ?? {};
        const place = cut === null ? limitOf(reader) : placeOf(reader);
        const status = cut === null ? 'complete' : 'cut';
        call('onEose', () =>
          handlers.onEose?.(relay, { relay, status, received, taken, ...place, message: cut ?? '' }),
        );
      },
      onCut(message) {
        const seconds = readers.get(relay)?.cutSeconds ?? [];
        logger.warn({ relay, reason: message, seconds }, 'Stored events of a relay were not read completely');
        call('onCut', () => handlers.onCut?.(relay, { seconds, message }));
      },
      onUnreachable() {},
      onClosed: (reason) => call('onClosed', () => handlers.onClosed?.(relay, reason)),
    };
    const { groups } = plan;
    readers.set(
      relay,
      readRelay(reached.connection, { groups, live: true, maxPages, overlap, positions, clock }, events),
    );
  }

  if (signal?.aborted) close();
  signal?.addEventListener('abort', close, { once: true });
  if (!isOver) for (const relay of relays) void start(relay);
  return { close, ended };
}

/**
 * Loads the watermarks of a relay. One that cannot be read counts as missing: reading twice is better than a
 * gap.
 */
async function loadMarks(
  watermarks: Watermarks | undefined,
  relay: string,
  filters: readonly Filter[],
  logger: Logger,
): Promise<ReadonlyMap<string, number>> {
  const marks = new Map<string, number>();
  if (watermarks === undefined) return marks;
  for (const filter of filters) {
    const key = filterKey(filter);
    try {
      const seconds = await watermarks.get(relay, key);
      if (seconds !== undefined && Number.isSafeInteger(seconds)) marks.set(key, seconds);
    } catch (error) {
      logger.error(
        { err: error, relay, key },
        'Reading a watermark failed; stored events are read from the start',
      );
    }
  }
  return marks;
}
