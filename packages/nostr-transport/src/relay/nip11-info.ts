import { download } from '@bonafide/internal';
import { LRUCache } from 'lru-cache';
import type { AddressGuard } from '../address/address-guard.ts';

/**
 * The fields of a NIP-11 document that matter to a client. They are claims; measured values take precedence.
 */
export interface RelayInfo {
  readonly name: string | null;
  readonly software: string | null;
  readonly supportedNips: readonly number[];
  readonly maxSubscriptions: number | null;
  readonly maxFilters: number | null;
  readonly maxLimit: number | null;
  readonly defaultLimit: number | null;
  /** The largest message in bytes. */
  readonly maxMessageLength: number | null;
  readonly authRequired: boolean;
  readonly paymentRequired: boolean;
}

/** Fetches a relay's information document as parsed JSON; rejects if there is none. */
export type FetchRelayInfo = (relay: string, options: { readonly signal: AbortSignal }) => Promise<unknown>;

const maxBytes = 65_536;
const timeoutMs = 5_000;
const cacheMs = 60 * 60 * 1000;

/**
 * Creates a fetcher that requests the document over HTTP(S) through the address guard: at most 64 KB, no
 * redirects (they would bypass the guard), 5 seconds.
 */
export function createRelayInfoFetcher(guard: AddressGuard): FetchRelayInfo {
  return async (relay, { signal }) => {
    const url = new URL(relay);
    url.protocol = url.protocol === 'wss:' ? 'https:' : 'http:';
    const bytes = await download(url, {
      lookup: guard.lookup,
      maxBytes,
      headers: { accept: 'application/nostr+json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    return JSON.parse(new TextDecoder().decode(bytes));
  };
}

/** Parses a NIP-11 document tolerantly: a missing field or one of the wrong type is unknown. */
export function parseRelayInfo(document: unknown): RelayInfo {
  const root = record(document);
  const limitation = record(root.limitation);
  return {
    name: text(root.name),
    software: text(root.software),
    supportedNips: Array.isArray(root.supported_nips)
      ? root.supported_nips.filter((nip): nip is number => Number.isInteger(nip)).slice(0, 200)
      : [],
    maxSubscriptions: count(limitation.max_subscriptions),
    maxFilters: count(limitation.max_filters),
    maxLimit: count(limitation.max_limit),
    defaultLimit: count(limitation.default_limit),
    maxMessageLength: count(limitation.max_message_length),
    authRequired: limitation.auth_required === true,
    paymentRequired: limitation.payment_required === true,
  };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}
const text = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, 200) : null);
const count = (value: unknown): number | null =>
  Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : null;

/** Caches information documents for one hour, missing ones included. */
export interface RelayInfoCache {
  /** Returns null if the relay has no readable document. Never rejects. */
  get(relay: string): Promise<RelayInfo | null>;
  close(): void;
}

export function createRelayInfoCache(options: {
  readonly fetch: FetchRelayInfo;
  readonly clock: () => number;
}): RelayInfoCache {
  const cache = new LRUCache<string, { readonly at: number; readonly info: Promise<RelayInfo | null> }>({
    max: 256,
  });
  const stop = new AbortController();
  return {
    get(relay) {
      const known = cache.get(relay);
      if (known !== undefined && options.clock() - known.at < cacheMs) return known.info;
      const info = options.fetch(relay, { signal: stop.signal }).then(parseRelayInfo, () => null);
      cache.set(relay, { at: options.clock(), info });
      return info;
    },
    close: () => stop.abort(),
  };
}
