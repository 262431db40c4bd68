import { sha256Hex } from '@bonafide/internal';
import type { NostrEvent } from './event.ts';

/** Upper bounds on one event, checked before anything costly is done with it. */
export interface EventCaps {
  /** Characters of content and of all tag values together. */
  readonly maxEventChars: number;
  readonly maxTags: number;
}

/** Wide enough for every event that a public relay takes (nostr-facts: 64 KB to 100 KB), small enough to hold thousands. */
export const defaultEventCaps: EventCaps = { maxEventChars: 262_144, maxTags: 5_000 };

/** Why something does not have the form of an event, in the words that counters use. */
export type EventFault = 'malformed' | 'too-large';

/** What a check of an event's form finds. */
export type EventCheck =
  | { readonly ok: true; readonly event: NostrEvent }
  | { readonly ok: false; readonly fault: EventFault };

const hex64 = /^[0-9a-f]{64}$/;
const hex128 = /^[0-9a-f]{128}$/;

/** True for 64 lower-case hex digits: an event id or a public key (NIP-01). */
export function isHex64(value: unknown): value is string {
  return typeof value === 'string' && hex64.test(value);
}

const malformed: EventCheck = { ok: false, fault: 'malformed' };
const tooLarge: EventCheck = { ok: false, fault: 'too-large' };

/**
 * Reads an event out of anything and **rebuilds it from its seven fields**, frozen through and through:
 * unknown fields and a verified-mark that object spread copied (rule X-5b) do not come along. Stricter than
 * nostr-tools, which takes a kind of −1 or 1.5 and a `created_at` of NaN. Neither the id nor the
 * signature is checked: {@link eventId} and a `Verifier` do that.
 */
export function checkEventShape(value: unknown, caps: EventCaps = defaultEventCaps): EventCheck {
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

  const event: NostrEvent = { id, pubkey, created_at, kind, tags: Object.freeze(rebuilt), content, sig };
  return { ok: true, event: Object.freeze(event) };
}

function isIntegerIn(value: unknown, least: number, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

/** The id that the fields of an event have: SHA-256 over NIP-01's serialisation, as lower-case hex. */
export function eventId(event: Omit<NostrEvent, 'id' | 'sig'>): string {
  const { pubkey, created_at, kind, tags, content } = event;
  return sha256Hex(JSON.stringify([0, pubkey, created_at, kind, tags, content]));
}

/** True when the event asks to be forgotten at a time that has passed (NIP-40). `now` in ms since epoch. */
export function isExpired(event: Pick<NostrEvent, 'tags'>, now: number): boolean {
  const expiration = event.tags.find((tag) => tag[0] === 'expiration')?.[1];
  if (expiration === undefined || !/^\d{1,15}$/.test(expiration)) return false;
  return Number(expiration) * 1000 <= now;
}
