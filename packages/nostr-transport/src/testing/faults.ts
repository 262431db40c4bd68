import type { NostrEvent } from '../event/event.ts';
import { TestRelayError } from './errors.ts';

/** A way to cut a connection: a TCP reset, or a WebSocket close with a code (default 1001) and a reason. */
export type Cut =
  | { readonly how: 'reset' }
  | { readonly how: 'close'; readonly code?: number; readonly reason?: string };

/** Conditions for cutting connections. Without a condition each is cut on opening. */
export type DropFault = Cut & {
  /**
   * The number of messages after which a connection is cut, counted from when the fault was set or the
   * connection opened.
   */
  readonly afterMessages?: number;
  /**
   * The time after which a connection is cut, in ms, counted from when the fault was set or the connection
   * opened.
   */
  readonly afterMs?: number;
  /** The chance, 0…1, after each message. */
  readonly probability?: number;
};

/** A copy with the genuine id that is sent before the genuine event. */
export interface ForgeFault {
  /**
   * The altered part: the signature, or a field that the id no longer covers. `created_at` is set ten years
   * ahead.
   */
  readonly alter: 'signature' | 'content' | 'created_at' | 'pubkey';
  /** The chance, 0…1, for each event. Default 1. */
  readonly probability?: number;
  /** True sends the forgery instead of the genuine event. */
  readonly withhold?: boolean;
}

/**
 * Kinds of garbage. `wrong-shape` is JSON of wrong types, `huge` a NOTICE of `hugeBytes`, `deep` JSON nested
 * 50,000 times.
 */
export type GarbageKind = 'not-json' | 'wrong-shape' | 'unknown-type' | 'binary' | 'huge' | 'deep';

/** Garbage sent before an ordinary message. */
export interface GarbageFault {
  /** The kinds to choose from at random. Default all except `huge`. */
  readonly kinds?: readonly [GarbageKind, ...GarbageKind[]];
  /** The chance, 0…1, before each message. Default 1. */
  readonly probability?: number;
  /** Default 8 MiB. */
  readonly hugeBytes?: number;
}

/** Events that no client published. */
export interface FloodFault {
  /** Events per second for each connection with a subscription. */
  readonly perSecond: number;
  /**
   * `valid`: signed by throwaway keys, about a thousand per second and core; `invalid`: with made-up ids and
   * signatures; or a list of events, sent in a loop.
   */
  readonly events: 'valid' | 'invalid' | readonly [NostrEvent, ...NostrEvent[]];
  /** True sends events of kind 1 and ignores the filter. By default the events match it, except for ids and authors. */
  readonly unsolicited?: boolean;
  /** The time by which their `created_at` is ahead of the relay's clock, in ms. Default 0. */
  readonly aheadMs?: number;
}

/**
 * Faults of the relay, each independent of the others and changeable at any time. All are off by default.
 * Random choices use the relay's `random`, so a seed repeats them.
 */
export interface RelayFaults {
  /**
   * Refuses connections: the port does not listen, or resets connections, or answers the handshake with this
   * HTTP status.
   */
  readonly refuse?: 'port' | 'reset' | { readonly status: number };
  /**
   * Sends nothing: `handshake` is never answered; `messages` are accepted without an answer, while pings are
   * answered; `everything` does not answer pings either, like a half-open connection. Messages received
   * meanwhile are lost.
   */
  readonly stall?: 'handshake' | 'messages' | 'everything';
  readonly drop?: DropFault;
  /** The delay of every message in ms, in order; a pair is a random range. */
  readonly delayMs?: number | readonly [min: number, max: number];
  /** The number of extra copies of every EVENT. */
  readonly duplicate?: number;
  /** The number of EVENT messages that are held, for up to 20 ms, and sent in a random order. */
  readonly reorder?: number;
  readonly forge?: ForgeFault;
  readonly garbage?: GarbageFault;
  readonly flood?: FloodFault;
  /** Sends EOSE before the stored events, late or never. */
  readonly eose?: 'early' | 'never' | { readonly lateMs: number };
  /** Each REQ ends in CLOSED with this reason, at once (default) or after EOSE. */
  readonly closed?: { readonly reason: string; readonly after?: 'request' | 'eose' };
  /**
   * The offset of the relay's clock in ms (negative: behind): events from the future are accepted, expiration
   * is early, the ten minutes of AUTH are shifted, events of a flood are dated ahead.
   */
  readonly clockSkewMs?: number;
  /**
   * The operations that require authentication, and the reason with which every AUTH is refused, such as
   * `restricted: not on the list`.
   */
  readonly auth?: { readonly required?: 'read' | 'write' | 'all'; readonly refuse?: string };
  /**
   * Answers EVENT with OK false and `reason`, with a NOTICE, or not at all. The event is stored only with
   * `store`.
   */
  readonly publish?: {
    readonly answer: 'refuse' | 'notice' | 'silence';
    readonly reason?: string;
    readonly store?: boolean;
  };
  /** Sends live events to subscriptions whose tags, or whole filters, they do not match, like some relays. */
  readonly ignoreFilters?: 'tags' | 'all';
  /** Replaces fields of the NIP-11 document, or its whole body. */
  readonly information?: string | Readonly<Record<string, unknown>>;
}

/** The faults of a running relay. */
export interface FaultSwitches {
  /** The current faults. */
  readonly current: RelayFaults;
  /**
   * Sets the named faults and keeps the others; `undefined` removes one. Takes effect at once, except for
   * `refuse: 'port'`, which does when the promise resolves. Throws `INVALID_CONFIG`.
   */
  set(faults: { readonly [Name in keyof RelayFaults]: RelayFaults[Name] | undefined }): Promise<void>;
  /** Switches everything off. */
  clear(): Promise<void>;
}

const isCount = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isChance = (value: unknown) => value === undefined || (isCount(value) && Number(value) <= 1);
const isOptionalCount = (value: unknown) => value === undefined || isCount(value);

/** Checks of values, by fault. */
const sense: {
  readonly [Name in keyof Required<RelayFaults>]: (value: NonNullable<RelayFaults[Name]>) => boolean;
} = {
  refuse: (value) => value === 'port' || value === 'reset' || Number.isInteger(value.status),
  stall: (value) => ['handshake', 'messages', 'everything'].includes(value),
  drop: (value) =>
    ['reset', 'close'].includes(value.how) &&
    isOptionalCount(value.afterMessages) &&
    isOptionalCount(value.afterMs) &&
    isChance(value.probability),
  delayMs: (value) =>
    typeof value === 'number' ? isCount(value) : value.every(isCount) && value[0] <= value[1],
  duplicate: isCount,
  reorder: isCount,
  forge: (value) =>
    ['signature', 'content', 'created_at', 'pubkey'].includes(value.alter) && isChance(value.probability),
  garbage: (value) =>
    isChance(value.probability) && isOptionalCount(value.hugeBytes) && value.kinds?.length !== 0,
  flood: (value) => isCount(value.perSecond) && value.events.length > 0,
  eose: (value) => value === 'early' || value === 'never' || isCount(value.lateMs),
  closed: (value) => typeof value.reason === 'string',
  clockSkewMs: (value) => Number.isFinite(value),
  auth: (value) => value.required === undefined || ['read', 'write', 'all'].includes(value.required),
  publish: (value) => ['refuse', 'notice', 'silence'].includes(value.answer),
  ignoreFilters: (value) => value === 'tags' || value === 'all',
  information: (value) => typeof value === 'string' || typeof value === 'object',
};

/**
 * Merges `faults` into `current` and removes undefined ones. Throws `INVALID_CONFIG` for a value out of
 * range.
 */
export function mergeFaults(
  current: RelayFaults,
  faults: { readonly [Name in keyof RelayFaults]: RelayFaults[Name] | undefined },
): RelayFaults {
  for (const [name, value] of Object.entries(faults)) {
    const makesSense = Object.hasOwn(sense, name) ? sense[name as keyof RelayFaults] : undefined;
    if (makesSense === undefined)
      throw new TestRelayError('INVALID_CONFIG', `There is no fault called '${name}'`);
    if (value !== undefined && !makesSense(value as never)) {
      throw new TestRelayError('INVALID_CONFIG', `The fault '${name}' cannot be ${JSON.stringify(value)}`);
    }
  }
  const merged = Object.entries({ ...current, ...faults }).filter(([, value]) => value !== undefined);
  return Object.freeze(Object.fromEntries(merged));
}
