import { TestRelayError } from './errors.ts';

/**
 * Limits of the relay. The defaults are those of the strictest relay in common use, so that a client which
 * works here works with others. The NIP-11 document states them.
 */
export interface RelayLimits {
  /** Longest message from a client, in bytes. Default 131,072. */
  readonly maxMessageBytes: number;
  /** The largest event as JSON, in UTF-8 bytes. Default 65,536, as in strfry. */
  readonly maxEventBytes: number;
  /** Longest `content`, in Unicode characters. Default 65,536. */
  readonly maxContentLength: number;
  /** Most tags of one event. Default 2,000. */
  readonly maxEventTags: number;
  /**
   * The longest first value of a single-letter tag, in UTF-8 bytes: longer ones cannot be indexed. Default
   * 1,024, as in strfry.
   */
  readonly maxTagValueBytes: number;
  /** Most open subscriptions of one connection. Default 20. */
  readonly maxSubscriptions: number;
  /** Most filters of one REQ or COUNT. Default 10. */
  readonly maxFilters: number;
  /** A filter's `limit` is clamped to this. Default 500. */
  readonly maxLimit: number;
  /** The `limit` of a filter that names none. Default 500. */
  readonly defaultLimit: number;
  /** Longest subscription id, in characters. Default 64 (NIP-01). */
  readonly maxSubscriptionIdLength: number;
  /** The largest time by which `created_at` may be in the future, in ms. Default 15 minutes. */
  readonly maxFutureMs: number;
  /** The largest age of `created_at`, in ms; null, the default, for no limit. */
  readonly maxPastMs: number | null;
  /** The largest age of an ephemeral event, in ms. Default 60,000, as in strfry. */
  readonly maxEphemeralAgeMs: number;
}

/** Default limits. */
export const defaultLimits: RelayLimits = {
  maxMessageBytes: 131_072,
  maxEventBytes: 65_536,
  maxContentLength: 65_536,
  maxEventTags: 2000,
  maxTagValueBytes: 1024,
  maxSubscriptions: 20,
  maxFilters: 10,
  maxLimit: 500,
  defaultLimit: 500,
  maxSubscriptionIdLength: 64,
  maxFutureMs: 900_000,
  maxPastMs: null,
  maxEphemeralAgeMs: 60_000,
};

/**
 * Merges `overrides` into the defaults. Throws `INVALID_CONFIG` for an unknown name or a value that is not an
 * integer of at least 0.
 */
export function resolveLimits(overrides: Partial<RelayLimits> = {}): RelayLimits {
  for (const [name, value] of Object.entries(overrides)) {
    if (!(name in defaultLimits)) {
      throw new TestRelayError('INVALID_CONFIG', `There is no limit called '${name}'`);
    }
    const unbounded = value === null && name === 'maxPastMs';
    if (!unbounded && (!Number.isSafeInteger(value) || Number(value) < 0)) {
      throw new TestRelayError('INVALID_CONFIG', `The limit '${name}' must be a whole number of at least 0`);
    }
  }
  return { ...defaultLimits, ...overrides };
}
