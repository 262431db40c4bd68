import { byteLength } from '@bonafide/internal';
import { getEventHash } from 'nostr-tools/pure';
import type { NostrEvent } from '../event/event.ts';
import { isHex64 } from '../event/event-check.ts';
import type { Verifier } from '../event/verifier.ts';
import type { RelayLimits } from './limits.ts';
import { classifyKind, isIndexedTag } from './record.ts';

const hex128 = /^[0-9a-f]{128}$/;

/** The event rebuilt from its seven fields, or the reason for rejection (`invalid: …`). */
export type CheckedEvent =
  | { readonly ok: true; readonly event: NostrEvent }
  | { readonly ok: false; readonly reason: string };

const refuse = (reason: string): CheckedEvent => ({ ok: false, reason: `invalid: ${reason}` });

const isText = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed();

/**
 * Checks the form of an event strictly (NIP-01). The result is a new frozen object of the seven fields,
 * without anything that a client or a library attached.
 */
export function checkShape(value: unknown): CheckedEvent {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse('an event is a JSON object');
  }
  const { id, pubkey, created_at, kind, tags, content, sig } = value as Record<string, unknown>;
  if (!isHex64(id)) return refuse('id must be 64 lower-case hex digits');
  if (!isHex64(pubkey)) return refuse('pubkey must be 64 lower-case hex digits');
  if (typeof sig !== 'string' || !hex128.test(sig)) return refuse('sig must be 128 lower-case hex digits');
  if (typeof created_at !== 'number' || !Number.isSafeInteger(created_at) || created_at < 0) {
    return refuse('created_at must be whole seconds since 1970');
  }
  if (typeof kind !== 'number' || !Number.isInteger(kind) || kind < 0 || kind > 65_535) {
    return refuse('kind must be a whole number from 0 to 65535');
  }
  if (!isText(content)) return refuse('content must be well-formed text');
  if (!Array.isArray(tags)) return refuse('tags must be an array');
  const copies: (readonly string[])[] = [];
  for (const tag of tags as unknown[]) {
    if (!Array.isArray(tag) || tag.length === 0 || !tag.every(isText)) {
      return refuse('each tag must be an array of one or more strings');
    }
    copies.push(Object.freeze([...tag]));
  }
  const event = { id, pubkey, created_at, kind, tags: Object.freeze(copies), content, sig };
  return { ok: true, event: Object.freeze(event) };
}

/**
 * Checks `event` against the limits at `nowMs`; returns null or the reason (`invalid: …`). `e` and `p` values
 * that are not hex are refused, as by strfry: no filter can find them.
 */
export function checkLimits(
  event: NostrEvent,
  json: string,
  limits: RelayLimits,
  nowMs: number,
): string | null {
  if (event.tags.length > limits.maxEventTags) return `invalid: more than ${limits.maxEventTags} tags`;
  // Code points are counted only when the cheaper length in code units leaves doubt.
  if (event.content.length > limits.maxContentLength && [...event.content].length > limits.maxContentLength) {
    return `invalid: content is longer than ${limits.maxContentLength} characters`;
  }
  for (const [name, value] of event.tags) {
    if (!isIndexedTag(name) || value === undefined) continue;
    if (byteLength(value) > limits.maxTagValueBytes) {
      return `invalid: the value of a single-letter tag is longer than ${limits.maxTagValueBytes} bytes`;
    }
    if ((name === 'e' || name === 'p') && !isHex64(value)) {
      return `invalid: the '${name}' tag must hold 64 lower-case hex digits`;
    }
  }
  if (byteLength(json) > limits.maxEventBytes)
    return `invalid: event is longer than ${limits.maxEventBytes} bytes`;
  const aheadMs = event.created_at * 1000 - nowMs;
  if (aheadMs > limits.maxFutureMs) return 'invalid: created_at is too far in the future';
  if (limits.maxPastMs !== null && -aheadMs > limits.maxPastMs)
    return 'invalid: created_at is too far in the past';
  if (classifyKind(event.kind) === 'ephemeral' && -aheadMs > limits.maxEphemeralAgeMs) {
    return 'invalid: ephemeral event is too old';
  }
  return null;
}

/** Checks id and signature; returns null or the reason (`invalid: …`). */
export function checkSignature(event: NostrEvent, verifier: Verifier): string | null {
  // By nostr-tools and not by the client's own hash: if one of the two were wrong, tests should see it.
  if (getEventHash({ ...event, tags: event.tags as string[][] }) !== event.id) {
    return 'invalid: id does not match the event';
  }
  return verifier.verify(event) ? null : 'invalid: bad signature';
}
