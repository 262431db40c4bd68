import {
  type Check,
  isAmount,
  isEither,
  isFunction,
  isListOf,
  isLogger,
  isOptions,
  isRecord,
  isText,
  type Logger,
  optional,
  requireRuntime,
  silentLogger,
} from '@bonafide/internal';
import { type AddressGuardOptions, createAddressGuard } from './address/address-guard.ts';
import { normalizeRelayUrl } from './address/relay-url.ts';
import { TransportError } from './errors.ts';
import { createAdmission } from './event/admission.ts';
import type { NostrEvent } from './event/event.ts';
import { checkEventShape, defaultEventCaps, type EventCaps } from './event/event-check.ts';
import { copyFilter } from './event/filter.ts';
import { isSignedHere } from './event/signed-events.ts';
import { createPureVerifier, type Verifier } from './event/verifier.ts';
import { runQuery } from './reading/query.ts';
import { planReading } from './reading/relay-reader.ts';
import { type OpenSubscription, openSubscription } from './reading/subscribe.ts';
import { defaultOverlap, type OverlapPolicy } from './reading/watermark.ts';
import { type BackoffPolicy, defaultBackoff } from './relay/backoff.ts';
import { createTransportMeter } from './relay/metrics.ts';
import { createRelayInfoCache, createRelayInfoFetcher, type FetchRelayInfo } from './relay/nip11-info.ts';
import { type ConnectionLimits, defaultConnectionLimits } from './relay/relay-connection.ts';
import { canonicalRelayUrl, canonicalRelayUrls, createRelayPool } from './relay/relay-pool.ts';
import { connect as connectByDefault, type SocketFactory } from './relay/socket.ts';
import type { Signer } from './signers/signer.ts';
import type { PublishOutcome, Transport } from './transport.ts';
import {
  isAddressOptions,
  isHandlers,
  isQueryRequest,
  isReconciliation,
  isSigner,
  isVerifier,
  isWaiting,
  requireConfig,
  requireInput,
} from './valid.ts';

/** Limits of one transport. */
export interface TransportLimits extends ConnectionLimits, EventCaps {
  /** Connections at the same time. Default 64. */
  readonly maxConnections: number;
  /** Event ids remembered per subscription for deduplication. Default 10,000. */
  readonly maxSeen: number;
  /** Remembered results of signature checks. Default 20,000, about 5 MB. */
  readonly maxVerdicts: number;
  /**
   * Events returned by one query. Default 10,000; a relay that was not read to the end is reported as `cut`.
   */
  readonly maxQueryEvents: number;
  /**
   * Full pages read per filter and relay; a small page counts as a tenth. Default 200; a relay with more is
   * reported as `cut`.
   */
  readonly maxPages: number;
}

/** Default limits of a transport. */
export const defaultLimits: TransportLimits = {
  ...defaultConnectionLimits,
  ...defaultEventCaps,
  maxConnections: 64,
  maxSeen: 10_000,
  maxVerdicts: 20_000,
  maxQueryEvents: 10_000,
  maxPages: 200,
};

/** Options of {@link createTransport}. All are optional. */
export interface TransportOptions {
  /** Permitted addresses. Default: public relays over TLS only. */
  readonly addresses?: AddressGuardOptions;
  /** Verifier of signatures. Default: pure JavaScript; {@link selectVerifier} returns a faster one. */
  readonly verifier?: Verifier;
  /**
   * The signer for NIP-42 authentication and the relays that may receive it. Nothing is signed for any other
   * relay.
   */
  readonly auth?: { readonly signer: Signer; readonly allow: readonly string[] };
  /** Opens sockets. Default: `ws`. */
  readonly connect?: SocketFactory;
  /**
   * Fetches NIP-11 documents; `false` disables it. Default: over HTTPS through the address guard, and
   * disabled with a custom `connect`, because that may use a proxy which a direct request would bypass.
   */
  readonly relayInfo?: FetchRelayInfo | false;
  readonly limits?: Partial<TransportLimits>;
  /** How much is read again after a gap. `kinds` is merged into the default. */
  readonly overlap?: Partial<OverlapPolicy>;
  /** Delays between connection attempts. */
  readonly backoff?: Partial<BackoffPolicy>;
  readonly logger?: Logger;
  /** Ms since epoch. Default `Date.now`. */
  readonly clock?: () => number;
  /** Numbers of [0, 1). Default `Math.random`. */
  readonly random?: () => number;
}

const isRelayInfo = isEither(
  isFunction,
  (value, path) => (value === false ? [] : [path]),
  'a function or false',
);
const isTransportOptions = isOptions({
  addresses: optional(isAddressOptions),
  verifier: optional(isVerifier),
  auth: optional(isOptions({ signer: isSigner, allow: isListOf(isText) })),
  connect: optional(isFunction),
  relayInfo: optional(isRelayInfo),
  limits: optional(isOptions(allOf(defaultLimits))),
  overlap: optional(isOptions({ defaultMs: optional(isAmount), kinds: optional(isRecord({})) })),
  backoff: optional(isOptions(allOf(defaultBackoff))),
  logger: optional(isLogger),
  clock: optional(isFunction),
  random: optional(isFunction),
});

/** Every one of these numbers may be given. */
function allOf(defaults: object): Readonly<Record<string, Check>> {
  return Object.fromEntries(Object.keys(defaults).map((name) => [name, optional(isAmount)]));
}

const defaultTimeoutMs = 5_000;
/** A reconciliation takes several round trips. */
const defaultReconcileTimeoutMs = 30_000;

/**
 * Creates a {@link Transport} with one connection per relay, opened on demand and closed when idle. Close it
 * after use, or declare it with `await using`.
 *
 * @throws TransportError `RUNTIME_TOO_OLD` before Node 22.13, `INVALID_CONFIG` for a wrong or an unknown option
 */
export function createTransport(options: TransportOptions = {}): Transport {
  requireRuntime((message) => new TransportError('RUNTIME_TOO_OLD', message));
  requireConfig(options, isTransportOptions);
  const {
    connect = connectByDefault,
    verifier = createPureVerifier(),
    logger = silentLogger,
    clock = Date.now,
    random = Math.random,
    auth,
  } = options;
  const limits: TransportLimits = { ...defaultLimits, ...options.limits };
  const overlap = resolveOverlap(options.overlap);
  const guard = createAddressGuard(options.addresses);
  const fetchInfo =
    options.relayInfo ?? (options.connect === undefined ? createRelayInfoFetcher(guard) : false);
  const infos = fetchInfo === false ? null : createRelayInfoCache({ fetch: fetchInfo, clock });
  const authRelays = new Set(auth?.allow.map(parseAllowedRelay));
  const meter = createTransportMeter();
  const pool = createRelayPool({
    shared: {
      meter,
      guard,
      connect,
      admission: createAdmission({ verifier, clock, remembered: limits.maxVerdicts, caps: limits }),
      info: (relay) => infos?.get(relay) ?? Promise.resolve(null),
      backoff: { ...defaultBackoff, ...options.backoff },
      limits,
      clock,
      random,
      logger,
    },
    signerFor: (relay) => (authRelays.has(relay) ? (auth?.signer ?? null) : null),
    maxConnections: limits.maxConnections,
  });
  const subscriptions = new Set<OpenSubscription>();
  const closing = new AbortController();
  let closed: Promise<void> | null = null;

  function assertOpen(): void {
    if (closed !== null) throw new TransportError('CLOSED', 'The transport was closed. Create a new one.');
  }

  async function publishTo(
    relay: string,
    event: NostrEvent,
    { timeoutMs = defaultTimeoutMs, signal }: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
  ): Promise<PublishOutcome> {
    const startedAt = performance.now();
    const reached = pool.reach(relay);
    const { status, message } = reached.ok
      ? await reached.connection.publish(event, { timeoutMs, signal })
      : reached;
    meter.published(status);
    return { relay, status, message, latencyMs: Math.round(performance.now() - startedAt) };
  }

  async function closeAll(): Promise<void> {
    closing.abort();
    const ending = [...subscriptions].map((subscription) => {
      subscription.close();
      return subscription.ended;
    });
    infos?.close();
    await Promise.all([pool.close(), ...ending]);
  }

  function close(): Promise<void> {
    closed ??= closeAll();
    return closed;
  }

  return {
    subscribe(relays, filters, handlers) {
      assertOpen();
      requireInput(handlers, isHandlers, 'handlers');
      const plan = planReading(filters, limits.maxFilters);
      const { maxSeen, maxPages } = limits;
      const context = { maxSeen, maxPages, overlap, clock, logger };
      const subscription = openSubscription(pool, canonicalRelayUrls(relays), plan, handlers, context);
      subscriptions.add(subscription);
      void subscription.ended.then(() => subscriptions.delete(subscription));
      return { close: subscription.close };
    },
    async query(relays, filters, request = {}) {
      assertOpen();
      requireInput(request, isQueryRequest, 'options');
      const plan = planReading(filters, limits.maxFilters);
      return runQuery(
        pool,
        canonicalRelayUrls(relays),
        plan,
        { timeoutMs: defaultTimeoutMs, ...request },
        {
          maxEvents: limits.maxQueryEvents,
          maxPages: limits.maxPages,
          closing: closing.signal,
          clock,
          logger,
        },
      );
    },
    async reconcile(relay, filter, known, waiting = {}) {
      assertOpen();
      requireInput({ relay, known, options: waiting }, isReconciliation, 'reconcile');
      const { signal, timeoutMs = defaultReconcileTimeoutMs } = waiting;
      signal?.throwIfAborted();
      const checked = copyFilter(filter);
      const reached = pool.reach(canonicalRelayUrl(relay));
      if (!reached.ok) return null;
      const ends = [
        closing.signal,
        AbortSignal.timeout(timeoutMs),
        ...(signal === undefined ? [] : [signal]),
      ];
      const result = await reached.connection.reconcile(checked, known, AbortSignal.any(ends));
      signal?.throwIfAborted();
      if (result.ok) return { missing: result.missing, shared: result.shared };
      logger.debug({ relay, reason: result.reason }, 'Relay was not reconciled');
      return null;
    },
    async publish(event, relays, request = {}) {
      assertOpen();
      requireInput(request, isWaiting, 'options');
      const checked = checkEventShape(event, limits);
      if (!checked.ok || !(isSignedHere(event) || verifier.verify(checked.event))) {
        throw new TransportError(
          'INVALID_INPUT',
          'The event is malformed or not signed by its author. Sign it with a Signer, and publish it unchanged.',
        );
      }
      const deliveries = new Map(
        canonicalRelayUrls(relays).map((relay) => [relay, publishTo(relay, checked.event, request)]),
      );
      return Promise.all(relays.flatMap((relay) => deliveries.get(canonicalRelayUrl(relay)) ?? []));
    },
    status: pool.status,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function parseAllowedRelay(relay: string): string {
  try {
    return normalizeRelayUrl(relay);
  } catch (cause) {
    throw new TransportError('INVALID_CONFIG', `auth.allow holds '${relay}', which is not a relay address.`, {
      cause,
    });
  }
}

function resolveOverlap({
  defaultMs = defaultOverlap.defaultMs,
  kinds = {},
}: Partial<OverlapPolicy> = {}): OverlapPolicy {
  for (const ms of [defaultMs, ...Object.values(kinds)]) {
    if (!Number.isFinite(ms) || ms < 0)
      throw new TransportError('INVALID_CONFIG', `overlap: ${ms} is not a duration in ms.`);
  }
  return { defaultMs, kinds: { ...defaultOverlap.kinds, ...kinds } };
}
