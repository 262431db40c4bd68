import { type Logger, silentLogger } from '@bonafide/internal';
import { type AddressGuardOptions, createAddressGuard } from './address/address-guard.ts';
import { normalizeRelayUrl } from './address/relay-url.ts';
import { TransportError } from './errors.ts';
import { createAdmission } from './event/admission.ts';
import type { NostrEvent } from './event/event.ts';
import { checkEventShape, defaultEventCaps, type EventCaps } from './event/event-check.ts';
import { createPureVerifier, type Verifier } from './event/verifier.ts';
import { runQuery } from './reading/query.ts';
import { planReading } from './reading/relay-reader.ts';
import { type OpenSubscription, openSubscription } from './reading/subscribe.ts';
import { type BackoffPolicy, defaultBackoff } from './relay/backoff.ts';
import { createTransportMeter } from './relay/metrics.ts';
import { createRelayInfoCache, createRelayInfoFetcher, type FetchRelayInfo } from './relay/nip11-info.ts';
import { type ConnectionLimits, defaultConnectionLimits } from './relay/relay-connection.ts';
import { createRelayPool, spelling, spellings } from './relay/relay-pool.ts';
import { connect as connectByDefault, type SocketFactory } from './relay/socket.ts';
import type { Signer } from './signers/signer.ts';
import type { PublishOutcome, Transport } from './transport.ts';

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
  /** Pages of stored events that are followed for one filter at one relay. Default 200. */
  readonly maxPages: number;
}

/** How much of everything a transport takes on by default. */
export const defaultLimits: TransportLimits = {
  ...defaultConnectionLimits,
  ...defaultEventCaps,
  maxConnections: 64,
  maxSeen: 10_000,
  maxVerdicts: 20_000,
  maxQueryEvents: 10_000,
  maxPages: 200,
};

/** How to build a {@link Transport}. Everything is optional. */
export interface TransportOptions {
  /** Which addresses are permitted. Default: public relays over TLS, nothing else. */
  readonly addresses?: AddressGuardOptions;
  /** What checks signatures. Default: pure JavaScript; see {@link selectVerifier} for faster ones. */
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

/**
 * Makes the {@link Transport} (NET-1): one connection per relay, made when needed and kept while needed. Close it
 * when done, or declare it with `await using`.
 *
 * @throws TransportError `RELAY_URL_INVALID` when `auth.allow` holds something that is no relay
 */
export function createTransport(options: TransportOptions = {}): Transport {
  const {
    connect = connectByDefault,
    verifier = createPureVerifier(),
    logger = silentLogger,
    clock = Date.now,
    random = Math.random,
    auth,
  } = options;
  const limits: TransportLimits = { ...defaultLimits, ...options.limits };
  const guard = createAddressGuard(options.addresses);
  const fetchInfo =
    options.relayInfo ?? (options.connect === undefined ? createRelayInfoFetcher(guard) : false);
  const infos = fetchInfo === false ? null : createRelayInfoCache({ fetch: fetchInfo, clock });
  const mayKnowUs = new Set(auth?.allow.map(normalizeRelayUrl));
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
    signerFor: (relay) => (mayKnowUs.has(relay) ? (auth?.signer ?? null) : null),
    maxConnections: limits.maxConnections,
  });
  const subscriptions = new Set<OpenSubscription>();
  const closing = new AbortController();
  let closed: Promise<void> | null = null;

  function assertOpen(): void {
    if (closed !== null)
      throw new TransportError('TRANSPORT_CLOSED', 'This transport was closed; make a new one.');
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
      const plan = planReading(filters, limits.maxFilters);
      const { maxSeen, maxPages } = limits;
      const context = { maxSeen, maxPages, clock, logger };
      const subscription = openSubscription(pool, spellings(relays), plan, handlers, context);
      subscriptions.add(subscription);
      void subscription.ended.then(() => subscriptions.delete(subscription));
      return { close: subscription.close };
    },
    async query(relays, filters, request = {}) {
      assertOpen();
      const plan = planReading(filters, limits.maxFilters);
      return runQuery(
        pool,
        spellings(relays),
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
    async publish(event, relays, request = {}) {
      assertOpen();
      const checked = checkEventShape(event, limits);
      if (!checked.ok || !verifier.verify(checked.event)) {
        throw new TransportError('EVENT_INVALID', 'The event is malformed, or not signed by its author.');
      }
      const deliveries = new Map(
        spellings(relays).map((relay) => [relay, publishTo(relay, checked.event, request)]),
      );
      return Promise.all(relays.flatMap((relay) => deliveries.get(spelling(relay)) ?? []));
    },
    status: pool.status,
    close,
    [Symbol.asyncDispose]: close,
  };
}
