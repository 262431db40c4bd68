import type { NostrEvent } from '../event/event.ts';
import { TestRelayError } from './errors.ts';

/** How a connection is cut: a TCP reset, or a WebSocket close with a code (default 1001) and a reason. */
export type Cut =
  | { readonly how: 'reset' }
  | { readonly how: 'close'; readonly code?: number; readonly reason?: string };

/** When connections are cut. Without any condition each is cut as soon as it opens. */
export type DropFault = Cut & {
  /** After so many messages to a connection, counted from when the fault was set or the connection opened. */
  readonly afterMessages?: number;
  /** So long after the fault was set or the connection opened. */
  readonly afterMs?: number;
  /** The chance, 0…1, after each message. */
  readonly probability?: number;
};

/** A copy with the genuine id that is sent before the genuine event. */
export interface ForgeFault {
  /** What is wrong with the copy: its signature, or a field that the id no longer covers. `created_at` lies ten years ahead. */
  readonly alter: 'signature' | 'content' | 'created_at' | 'pubkey';
  /** The chance, 0…1, for each event. Default 1. */
  readonly probability?: number;
  /** True sends the forgery instead of the genuine event. */
  readonly withhold?: boolean;
}

/** The sorts of garbage. `wrong-shape` is JSON of every wrong sort, `huge` a NOTICE of `hugeBytes`, `deep` JSON nested 50,000 times. */
export type GarbageKind = 'not-json' | 'wrong-shape' | 'unknown-type' | 'binary' | 'huge' | 'deep';

/** What is sent before an ordinary message. */
export interface GarbageFault {
  /** One of these, at random. Default all but `huge`. */
  readonly kinds?: readonly [GarbageKind, ...GarbageKind[]];
  /** The chance, 0…1, before each message. Default 1. */
  readonly probability?: number;
  /** Default 8 MiB. */
  readonly hugeBytes?: number;
}

/** Events that nobody published. */
export interface FloodFault {
  /** How many a second, for each connection that has a subscription. */
  readonly perSecond: number;
  /**
   * `valid`: signed by throwaway keys, which one core manages about a thousand times a second; `invalid`: with
   * made-up ids and signatures; or events of your own, sent round and round.
   */
  readonly events: 'valid' | 'invalid' | readonly [NostrEvent, ...NostrEvent[]];
  /** True sends events of kind 1 whatever the filter asks for; by default they match it, as far as a forger can. */
  readonly unsolicited?: boolean;
  /** How far ahead of the relay's time their `created_at` lies, in ms. Default 0. */
  readonly aheadMs?: number;
}

/**
 * What the relay does wrong, each switch on its own or with others, changeable at any time (NET-3). All of
 * it is off by default. What is random comes from the relay's `random`, so a seed repeats it.
 */
export interface RelayFaults {
  /** Connections: the port does not listen, or resets whoever connects, or answers the handshake with this HTTP status. */
  readonly refuse?: 'port' | 'reset' | { readonly status: number };
  /**
   * Says nothing: the handshake is never answered; or messages are taken and never answered, while pings are; or
   * not even pings are, as with a half-open connection. What comes meanwhile is lost.
   */
  readonly stall?: 'handshake' | 'messages' | 'everything';
  readonly drop?: DropFault;
  /** Every message leaves so much later, in order; a pair is a range to choose from at random. */
  readonly delayMs?: number | readonly [min: number, max: number];
  /** So many extra copies of every EVENT. */
  readonly duplicate?: number;
  /** EVENT messages are held until there are so many, or 20 ms have passed, and leave in a random order. */
  readonly reorder?: number;
  readonly forge?: ForgeFault;
  readonly garbage?: GarbageFault;
  readonly flood?: FloodFault;
  /** EOSE comes before the stored events, or late, or never. */
  readonly eose?: 'early' | 'never' | { readonly lateMs: number };
  /** Each REQ ends in CLOSED with this reason, at once (default) or after EOSE. */
  readonly closed?: { readonly reason: string; readonly after?: 'request' | 'eose' };
  /**
   * The relay's clock is so far ahead (negative: behind): events from the future are taken and passed on,
   * expiration comes early, AUTH's ten minutes are wrong, a flood's events are dated ahead.
   */
  readonly clockSkewMs?: number;
  /** Who must authenticate, and the reason with which every AUTH is refused, such as `restricted: not on the list`. */
  readonly auth?: { readonly required?: 'read' | 'write' | 'all'; readonly refuse?: string };
  /** EVENT is answered by OK false with `reason`, by a NOTICE with `reason` or not at all. It is stored all the same only with `store`. */
  readonly publish?: {
    readonly answer: 'refuse' | 'notice' | 'silence';
    readonly reason?: string;
    readonly store?: boolean;
  };
  /** Live events are sent to subscriptions whose tags, or whose whole filters, they do not match, as some relays do. */
  readonly ignoreFilters?: 'tags' | 'all';
  /** What the NIP-11 document claims: fields over the true ones, or a body that is sent as it is. */
  readonly information?: string | Readonly<Record<string, unknown>>;
}

/** The switchboard of a running relay. */
export interface FaultSwitches {
  /** What is switched on now. */
  readonly current: RelayFaults;
  /**
   * Switches on what is named and leaves the rest; `undefined` switches one off. In force at once, but for
   * `refuse: 'port'`, which is when the promise resolves. Throws `INVALID_OPTIONS`.
   */
  set(faults: { readonly [Name in keyof RelayFaults]: RelayFaults[Name] | undefined }): Promise<void>;
  /** Switches everything off. */
  clear(): Promise<void>;
}

const isCount = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isChance = (value: unknown) => value === undefined || (isCount(value) && Number(value) <= 1);
const isOptionalCount = (value: unknown) => value === undefined || isCount(value);

/** For each switch, whether a value makes sense. */
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

/** `faults` over `current`, without what is undefined. Throws `INVALID_OPTIONS` for what makes no sense. */
export function mergeFaults(
  current: RelayFaults,
  faults: { readonly [Name in keyof RelayFaults]: RelayFaults[Name] | undefined },
): RelayFaults {
  for (const [name, value] of Object.entries(faults)) {
    const makesSense = Object.hasOwn(sense, name) ? sense[name as keyof RelayFaults] : undefined;
    if (makesSense === undefined)
      throw new TestRelayError('INVALID_OPTIONS', `There is no fault called '${name}'`);
    if (value !== undefined && !makesSense(value as never)) {
      throw new TestRelayError('INVALID_OPTIONS', `The fault '${name}' cannot be ${JSON.stringify(value)}`);
    }
  }
  const merged = Object.entries({ ...current, ...faults }).filter(([, value]) => value !== undefined);
  return Object.freeze(Object.fromEntries(merged));
}
