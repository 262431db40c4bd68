import { TestRelayError } from './errors.ts';

/**
 * What the relay will take. The defaults are those of the strictest relay in common use for each row, so
 * that a client which gets along here gets along outside. The NIP-11 document states exactly these.
 */
export interface RelayLimits {
  /** Longest message from a client, in bytes. Default 131,072. */
  readonly maxMessageBytes: number;
  /** Longest event as JSON, in UTF-8 bytes. Default 65,536, as strfry has it. */
  readonly maxEventBytes: number;
  /** Longest `content`, in Unicode characters. Default 65,536. */
  readonly maxContentLength: number;
  /** Most tags of one event. Default 2,000. */
  readonly maxEventTags: number;
  /** Longest first value of a single-letter tag, in UTF-8 bytes: longer ones cannot be indexed. Default 1,024, as strfry has it. */
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
  /** How far `created_at` may lie ahead, in ms. Default 15 minutes. */
  readonly maxFutureMs: number;
  /** How far `created_at` may lie behind, in ms; null for no bound, which is the default. */
  readonly maxPastMs: number | null;
  /** How old an ephemeral event may be, in ms. Default 60,000, as strfry has it. */
  readonly maxEphemeralAgeMs: number;
}

/** The limits of a relay that was started without any. */
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

/** `overrides` over the defaults. Throws `INVALID_OPTIONS` for a name that is none or a number that is no limit. */
export function resolveLimits(overrides: Partial<RelayLimits> = {}): RelayLimits {
  for (const [name, value] of Object.entries(overrides)) {
    if (!(name in defaultLimits)) {
      throw new TestRelayError('INVALID_OPTIONS', `There is no limit called '${name}'`);
    }
    const unbounded = value === null && name === 'maxPastMs';
    if (!unbounded && (!Number.isSafeInteger(value) || Number(value) < 0)) {
      throw new TestRelayError('INVALID_OPTIONS', `The limit '${name}' must be a whole number of at least 0`);
    }
  }
  return { ...defaultLimits, ...overrides };
}
