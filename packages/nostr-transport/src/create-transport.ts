import { type Logger, silentLogger } from '@bonafide/internal';
import { type AddressGuardOptions, createAddressGuard } from './address-guard.ts';
import { createAdmission } from './admission.ts';
import { type BackoffPolicy, defaultBackoff } from './backoff.ts';
import { createBoundedSet } from './bounded-set.ts';
import {
  type Connection,
  type ConnectionContext,
  type ConnectionLimits,
  createConnection,
  defaultConnectionLimits,
} from './connection.ts';
import { TransportError } from './errors.ts';
import type { Filter, NostrEvent } from './event.ts';
import { checkEventShape, defaultEventCaps, type EventCaps } from './event-check.ts';
import { copyFilter, filterKey, isSatisfiable, newestFirst, splitFilter } from './filter.ts';
import { createReader, type PositionStore, type Reader, type ReaderEvents } from './reader.ts';
import { createRelayInfoCache, createRelayInfoFetcher, type FetchRelayInfo } from './relay-info.ts';
import { normalizeRelayUrl } from './relay-url.ts';
import type { Signer } from './signer.ts';
import { connectWithWs, type SocketFactory } from './socket.ts';
import type {
  PublishOutcome,
  RelayStatus,
  SubscribeHandlers,
  Subscription,
  Transport,
  Watermarks,
} from './transport.ts';
import { createPureVerifier, type Verifier } from './verifier.ts';
import { createWatermarkWriter, type WatermarkWriter } from './watermark-writer.ts';

/** Upper bounds of one transport. */
export interface TransportLimits extends ConnectionLimits, EventCaps {
  /** Relays at once. Default 64. */
  readonly maxConnections: number;
  /** Event ids that one subscription remembers, so that it gives each event once. Default 10,000. */
  readonly maxSeen: number;
  /** Signatures whose verdict is remembered. Default 20,000, about 5 MB. */
  readonly maxVerdicts: number;
  /** Events that one query gives at most. Default 10,000. */
  readonly maxQueryEvents: number;
}

export const defaultLimits: TransportLimits = {
  ...defaultConnectionLimits,
  ...defaultEventCaps,
  maxConnections: 64,
  maxSeen: 10_000,
  maxVerdicts: 20_000,
  maxQueryEvents: 10_000,
};

/** How to build a {@link Transport}. Everything is optional. */
export interface TransportOptions {
  /** Which addresses are permitted. Default: public relays over TLS, nothing else. */
  readonly addresses?: AddressGuardOptions;
  /** What checks signatures. Default: pure JavaScript; `await selectVerifier()` is several times as fast. */
  readonly verifier?: Verifier;
  /** Who to be when a relay demands NIP-42, and at which relays. At all others nothing is ever signed. */
  readonly auth?: { readonly signer: Signer; readonly allow: readonly string[] };
  /** Opens sockets. Default: `ws`. */
  readonly connect?: SocketFactory;
  /**
   * Gets NIP-11 documents; `false`: never. Default: over HTTPS through the same guard, but never when `connect` is
   * given, since that may lead through a proxy which must not be passed by.
   */
  readonly relayInfo?: FetchRelayInfo | false;
  readonly limits?: Partial<TransportLimits>;
  /** How long to wait before connecting again. */
  readonly backoff?: Partial<BackoffPolicy>;
  readonly logger?: Logger;
  /** Ms since epoch. Default `Date.now`. */
  readonly clock?: () => number;
  /** Numbers of [0, 1). Default `Math.random`. */
  readonly random?: () => number;
}

const defaultTimeoutMs = 5_000;
/** A REQ with many filters stays below what the strictest relays take in one message, in characters. */
const maxRequestChars = 32_768;
const maxRefusals = 256;

/**
 * Makes the {@link Transport} (NET-1): one connection per relay, made when needed and kept while needed. Close it
 * when done, or declare it with `await using`.
 */
export function createTransport(options: TransportOptions = {}): Transport {
  const {
    connect = connectWithWs,
    verifier = createPureVerifier(),
    logger = silentLogger,
    clock = Date.now,
    random = Math.random,
  } = options;
  const limits: TransportLimits = { ...defaultLimits, ...options.limits };
  const guard = createAddressGuard(options.addresses);
  const fetchInfo =
    options.relayInfo ?? (options.connect === undefined ? createRelayInfoFetcher(guard) : false);
  const infos = fetchInfo === false ? null : createRelayInfoCache({ fetch: fetchInfo, clock });
  const mayKnowUs = new Set(options.auth?.allow.map(normalizeRelayUrl));
  const shared: Omit<ConnectionContext, 'signer'> = {
    guard,
    connect,
    admission: createAdmission({ verifier, clock, remembered: limits.maxVerdicts, caps: limits }),
    info: (relay) => infos?.get(relay) ?? Promise.resolve(null),
    backoff: { ...defaultBackoff, ...options.backoff },
    limits,
    clock,
    random,
    logger,
  };
  const connections = new Map<string, Connection>();
  const refusals = new Map<string, string>();
  const closers = new Set<() => void>();
  const writers = new Set<WatermarkWriter>();
  let isClosed = false;

  function assertOpen(): void {
    if (isClosed) throw new TransportError('TRANSPORT_CLOSED', 'This transport was closed; make a new one.');
  }

  type Reached =
    | { readonly ok: true; readonly connection: Connection }
    | { readonly ok: false; readonly status: 'refused' | 'unreachable'; readonly message: string };

  function reach(relay: string): Reached {
    const known = connections.get(relay);
    if (known !== undefined) return { ok: true, connection: known };
    const assessment = guard.assess(relay);
    if (!assessment.ok) {
      if (refusals.size < maxRefusals) refusals.set(relay, assessment.message);
      return { ok: false, status: 'refused', message: assessment.message };
    }
    if (connections.size >= limits.maxConnections && !evictDormant()) {
      const message = `${connections.size} relays are in use already`;
      return { ok: false, status: 'unreachable', message };
    }
    const signer = mayKnowUs.has(relay) ? (options.auth?.signer ?? null) : null;
    const connection = createConnection(relay, { ...shared, signer });
    connections.set(relay, connection);
    return { ok: true, connection };
  }

  function evictDormant(): boolean {
    for (const [relay, connection] of connections) {
      if (!connection.isDormant()) continue;
      connections.delete(relay);
      void connection.close();
      return true;
    }
    return false;
  }

  /** Reads `groups` of filters from one relay, and answers for them as one. */
  function read(
    connection: Connection,
    groups: readonly (readonly Filter[])[],
    mode: { readonly live: boolean; readonly positions: PositionStore; readonly events: ReaderEvents },
  ): Reader {
    let unread = groups.length;
    const readers: Reader[] = [];
    const close = () => {
      for (const reader of readers) reader.close();
    };
    for (const filters of groups) {
      readers.push(
        createReader(connection, {
          filters,
          live: mode.live,
          positions: mode.positions,
          clock,
          events: {
            ...mode.events,
            onEose() {
              unread -= 1;
              if (unread === 0) mode.events.onEose();
            },
            onClosed(reason) {
              close();
              mode.events.onClosed(reason);
            },
          },
          onPagesCut: (filter) =>
            logger.warn(
              { relay: connection.relay, filter },
              'The relay returned too many pages; the rest was left',
            ),
        }),
      );
    }
    return { close };
  }

  function call(what: string, handler: () => unknown): void {
    const blame = (error: unknown) =>
      logger.error({ err: error, handler: what }, `A handler of '${what}' failed`);
    try {
      const returned = handler();
      if (returned instanceof Promise) returned.catch(blame);
    } catch (error) {
      blame(error);
    }
  }

  function subscribe(
    relays: readonly string[],
    filters: readonly Filter[],
    handlers: SubscribeHandlers,
  ): Subscription {
    assertOpen();
    const copies = copyFilters(filters);
    const groups = groupFilters(copies, limits.maxFilters);
    const seen = createBoundedSet(limits.maxSeen);
    const readers = new Map<string, Reader>();
    const writer = handlers.watermarks && createWatermarkWriter(handlers.watermarks, logger);
    if (writer !== undefined) writers.add(writer);
    let isOver = false;

    function close(): void {
      if (isOver) return;
      isOver = true;
      closers.delete(close);
      handlers.signal?.removeEventListener('abort', close);
      for (const reader of readers.values()) reader.close();
      if (writer !== undefined) void writer.flush().then(() => writers.delete(writer));
    }

    const tell = (what: 'onEose' | 'onClosed', relay: string, reason = '') => {
      if (!isOver) call(what, () => handlers[what]?.(relay, reason));
    };

    async function start(relay: string): Promise<void> {
      const reached = reach(relay);
      // Told later, so that the caller has its subscription in hand first.
      await Promise.resolve();
      if (isOver) return;
      if (!reached.ok) return tell('onClosed', relay, `${reached.status}: ${reached.message}`);
      if (groups.length === 0) return tell('onEose', relay);
      const marks = await loadMarks(handlers.watermarks, relay, groups.flat());
      if (isOver) return;
      const positions: PositionStore = {
        get: (key) => marks.get(key) ?? null,
        set: (key, seconds) => writer?.set(relay, key, seconds),
      };
      const events: ReaderEvents = {
        onEvent(event) {
          if (isOver || !seen.add(event.id)) return false;
          call('onEvent', () => handlers.onEvent(event, relay));
          return true;
        },
        onEose: () => tell('onEose', relay),
        onUnreachable() {},
        onClosed: (reason) => tell('onClosed', relay, reason),
      };
      readers.set(relay, read(reached.connection, groups, { live: true, positions, events }));
    }

    if (handlers.signal?.aborted) {
      isOver = true;
      return { close };
    }
    handlers.signal?.addEventListener('abort', close, { once: true });
    closers.add(close);
    for (const relay of spellings(relays)) void start(relay);
    return { close };
  }

  /** Marks that cannot be read are as if there were none: reading twice is better than not at all. */
  async function loadMarks(
    watermarks: Watermarks | undefined,
    relay: string,
    filters: readonly Filter[],
  ): Promise<ReadonlyMap<string, number>> {
    const marks = new Map<string, number>();
    if (watermarks === undefined) return marks;
    for (const filter of filters) {
      const key = filterKey(filter);
      try {
        const seconds = await watermarks.get(relay, key);
        if (Number.isSafeInteger(seconds)) marks.set(key, seconds as number);
      } catch (error) {
        logger.error({ err: error, relay, key }, 'A watermark could not be read; reading from the start');
      }
    }
    return marks;
  }

  function query(
    relays: readonly string[],
    filters: readonly Filter[],
    request: QueryOptions = {},
  ): Promise<NostrEvent[]> {
    const { signal, timeoutMs = defaultTimeoutMs, graceMs } = request;
    return new Promise((resolve, reject) => {
      assertOpen();
      signal?.throwIfAborted();
      const copies = copyFilters(filters);
      const groups = groupFilters(copies, limits.maxFilters);
      const found = new Map<string, NostrEvent>();
      const progress = new Map<string, 'reading' | 'read' | 'unreachable' | 'closed'>();
      const readers: Reader[] = [];
      let graceTimer: NodeJS.Timeout | undefined;

      const end = (settle: () => void) => {
        clearTimeout(timer);
        clearTimeout(graceTimer);
        signal?.removeEventListener('abort', onAbort);
        closers.delete(onClose);
        for (const reader of readers) reader.close();
        settle();
      };
      const finish = () => end(() => resolve(newestFirst(found.values(), copies)));
      const onAbort = () => end(() => reject(signal?.reason));
      const onClose = () =>
        end(() => reject(new TransportError('TRANSPORT_CLOSED', 'The transport was closed during a query.')));
      const timer = setTimeout(finish, timeoutMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      closers.add(onClose);

      const note = (relay: string, state: 'read' | 'unreachable' | 'closed') => {
        progress.set(relay, state);
        const states = [...progress.values()];
        if (states.includes('reading')) {
          if (state === 'read' && graceMs !== undefined) graceTimer ??= setTimeout(finish, graceMs);
          return;
        }
        // A relay that is down for the moment is worth waiting for only when no other has answered.
        if (states.includes('read') || !states.includes('unreachable')) finish();
      };

      const names = groups.length === 0 ? [] : spellings(relays);
      for (const relay of names) progress.set(relay, 'reading');
      if (names.length === 0) return finish();
      for (const relay of names) {
        const reached = reach(relay);
        if (!reached.ok) {
          queueMicrotask(() => note(relay, 'closed'));
          continue;
        }
        const events: ReaderEvents = {
          onEvent(event) {
            if (found.has(event.id)) return false;
            found.set(event.id, event);
            if (found.size >= limits.maxQueryEvents) {
              logger.warn({ relay, maxQueryEvents: limits.maxQueryEvents }, 'A query was cut');
              finish();
            }
            return true;
          },
          onEose: () => note(relay, 'read'),
          onUnreachable: () => note(relay, 'unreachable'),
          onClosed: () => note(relay, 'closed'),
        };
        readers.push(read(reached.connection, groups, { live: false, positions: noPositions, events }));
      }
    });
  }

  async function publish(
    event: NostrEvent,
    relays: readonly string[],
    request: { readonly signal?: AbortSignal; readonly timeoutMs?: number } = {},
  ): Promise<PublishOutcome[]> {
    assertOpen();
    const checked = checkEventShape(event, limits);
    if (!checked.ok || !verifier.verify(checked.event)) {
      throw new TransportError(
        'EVENT_INVALID',
        'The event is malformed or its signature is not its author’s.',
      );
    }
    const deliveries = new Map<string, Promise<PublishOutcome>>();
    for (const relay of spellings(relays)) deliveries.set(relay, publishTo(relay, checked.event, request));
    const outcomes = relays.map((relay) => deliveries.get(spelling(relay)));
    return Promise.all(outcomes.filter((outcome) => outcome !== undefined));
  }

  async function publishTo(
    relay: string,
    event: NostrEvent,
    request: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
  ): Promise<PublishOutcome> {
    const startedAt = performance.now();
    const reached = reach(relay);
    const delivery = reached.ok
      ? await reached.connection.publish(event, {
          timeoutMs: request.timeoutMs ?? defaultTimeoutMs,
          signal: request.signal,
        })
      : { status: reached.status, message: reached.message };
    return { relay, ...delivery, latencyMs: Math.round(performance.now() - startedAt) };
  }

  function status(): RelayStatus[] {
    const refused = [...refusals].map(
      ([relay, lastError]): RelayStatus => ({
        relay,
        state: 'refused',
        connectedAt: null,
        lastError,
        counters: { events: 0, duplicates: 0, rejected: {}, reconnects: 0, publishes: 0 },
      }),
    );
    return [...[...connections.values()].map((connection) => connection.status()), ...refused];
  }

  let closing: Promise<void> | null = null;
  async function closeAll(): Promise<void> {
    isClosed = true;
    for (const closer of [...closers]) closer();
    infos?.close();
    await Promise.all([...connections.values()].map((connection) => connection.close()));
    await Promise.all([...writers].map((writer) => writer.flush()));
  }
  const close = () => (closing ??= closeAll());

  return { subscribe, publish, query, status, close, [Symbol.asyncDispose]: close };
}

interface QueryOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly graceMs?: number;
}

const noPositions: PositionStore = { get: () => null, set() {} };

function copyFilters(filters: readonly Filter[]): readonly Filter[] {
  if (filters.length === 0) throw new TransportError('FILTER_INVALID', 'At least one filter is needed.');
  return filters.map(copyFilter);
}

/** Splits and groups filters so that each group fits in one REQ. Filters that nothing can match are left out. */
function groupFilters(filters: readonly Filter[], maxFilters: number): readonly (readonly Filter[])[] {
  const groups: Filter[][] = [];
  let chars = 0;
  for (const filter of filters.filter(isSatisfiable).flatMap((each) => splitFilter(each))) {
    const size = JSON.stringify(filter).length;
    const last = groups.at(-1);
    if (last === undefined || last.length >= maxFilters || chars + size > maxRequestChars) {
      groups.push([filter]);
      chars = size;
    } else {
      last.push(filter);
      chars += size;
    }
  }
  return groups;
}

/** Each relay once, in the spelling that all share; what cannot be read stays as it is, for the guard to refuse. */
function spellings(relays: readonly string[]): readonly string[] {
  return [...new Set(relays.map(spelling))];
}

function spelling(relay: string): string {
  try {
    return normalizeRelayUrl(relay);
  } catch {
    return String(relay);
  }
}
