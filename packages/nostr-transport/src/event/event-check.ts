import { sha256Hex } from '@bonafide/internal';
import type { NostrEvent } from './event.ts';

/** Size limits of one event, checked before any expensive check. */
export interface EventCaps {
  /** Characters of the content and all tag values together. */
  readonly maxEventChars: number;
  readonly maxTags: number;
}

/**
 * Default size limits: above the 64 to 100 KB that public relays accept, and small enough to hold thousands
 * of events in memory.
 */
export const defaultEventCaps: EventCaps = { maxEventChars: 262_144, maxTags: 5_000 };

/** Reasons why a value is not a well-formed event. */
export type EventFault = 'malformed' | 'too-large';

/** The result of {@link checkEventShape}. */
export type EventCheck =
  | { readonly ok: true; readonly event: NostrEvent }
  | { readonly ok: false; readonly fault: EventFault };

const hex64 = /^[0-9a-f]{64}$/;
const hex128 = /^[0-9a-f]{128}$/;

/** Returns true for 64 lower-case hex digits: an event id or a public key (NIP-01). */
export function isHex64(value: unknown): value is string {
  return typeof value === 'string' && hex64.test(value);
}

const malformed: EventCheck = { ok: false, fault: 'malformed' };
const tooLarge: EventCheck = { ok: false, fault: 'too-large' };

/**
 * Checks the form of an event and **rebuilds it from its seven fields**, deeply frozen, so that unknown
 * fields and verification marks of libraries are dropped. Stricter than nostr-tools, which accepts a kind of
 * −1 or 1.5 and a `created_at` of NaN. Does not check the id and the signature: see {@link eventId} and
 * `Verifier`.
 */
export function checkEventShape(value: unknown, caps: EventCaps = defaultEventCaps): EventCheck {
  try {
    return rebuild(value, caps);
  } catch {
    // A getter or a proxy of the caller.
    return malformed;
  }
}

function rebuild(value: unknown, caps: EventCaps): EventCheck {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return malformed;
  const { id, pubkey, sig, kind, created_at, tags, content } = value as Readonly<Record<string, unknown>>;
  if (!isHex64(id) || !isHex64(pubkey)) return malformed;
  if (typeof sig !== 'string' || !hex128.test(sig)) return malformed;
  if (!isIntegerIn(kind, 0, 65_535) || !isIntegerIn(created_at, 0, Number.MAX_SAFE_INTEGER)) return malformed;
  if (typeof content !== 'string' || !Array.isArray(tags)) return malformed;
  if (tags.length > caps.maxTags) return tooLarge;

  let chars = content.length;
  const rebuilt: (readonly string[])[] = [];
  for (const tag of tags as readonly unknown[]) {
    if (!Array.isArray(tag)) return malformed;
    const values: readonly unknown[] = [...tag];
    for (const part of values) {
      if (typeof part !== 'string') return malformed;
      chars += part.length;
    }
    if (values.length > caps.maxTags) return tooLarge;
    rebuilt.push(Object.freeze(values as readonly string[]));
  }
  if (chars > caps.maxEventChars) return tooLarge;

  // A copy of the exact length: an array that has grown keeps room for a dozen more.
  const event: NostrEvent = {
    id,
    pubkey,
    created_at,
    kind,
    tags: Object.freeze([...rebuilt]),
    content,
    sig,
  };
  return { ok: true, event: Object.freeze(event) };
}

function isIntegerIn(value: unknown, least: number, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

/** Computes the event id: SHA-256 over the NIP-01 serialization, as lower-case hex. */
export function eventId(event: Omit<NostrEvent, 'id' | 'sig'>): string {
  const { pubkey, created_at, kind, tags, content } = event;
  return sha256Hex(JSON.stringify([0, pubkey, created_at, kind, tags, content]));
}

/** Returns true if the NIP-40 expiration of an event has passed. `now` is in ms since epoch. */
export function isExpired(event: Pick<NostrEvent, 'tags'>, now: number): boolean {
  const expiration = event.tags.find((tag) => tag[0] === 'expiration')?.[1];
  if (expiration === undefined || !/^\d{1,15}$/.test(expiration)) return false;
  return Number(expiration) * 1000 <= now;
}
