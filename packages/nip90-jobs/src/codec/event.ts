import { byteLength } from '@bonafide/internal';
import type { EventTemplate, NostrEvent } from '@bonafide/nostr-transport';
import * as z from 'zod';

/** Maximum size of an event on common relays, in bytes. */
export const MAX_EVENT_BYTES = 65_536;
/** Bytes that id, key, signature and their field names add to a template. */
const signatureBytes = 320;

/** Returns the size that a template will have when it is signed, in bytes. */
export function signedBytes(template: EventTemplate): number {
  return byteLength(JSON.stringify(template)) + signatureBytes;
}

/** Maximum length of a content; common relays accept 64–256 KiB for the whole event. */
const maxContentLength = 512 * 1024;
/** Maximum number of tags, and of values in one tag. */
const maxTags = 2_000;

const hex64 = z.string().regex(/^[0-9a-f]{64}$/);

/** Tags as they arrive. */
export const tagsSchema = z.array(z.array(z.string()).max(maxTags)).max(maxTags);

/** Shape of an event to sign. */
export const eventTemplate = z.looseObject({
  kind: z.int(),
  created_at: z.number(),
  tags: tagsSchema,
  content: z.string(),
});

/**
 * A signed event as received (NIP-01), within size limits. Validates the shape only; the transport verifies
 * ids and signatures.
 */
const wireEventSchema = z.object({
  id: hex64,
  pubkey: hex64,
  created_at: z.int().nonnegative(),
  kind: z.int().min(0).max(65_535),
  tags: tagsSchema,
  content: z.string().max(maxContentLength),
  sig: z.string().regex(/^[0-9a-f]{128}$/),
});

/** True for 64 lower-case hex digits, as ids and public keys are written on the wire. */
export function isHex64(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{64}$/.test(text);
}

/** Reason why an event was rejected before its content was parsed. */
export type WireProblem =
  /** Not a Nostr event: a field is missing, has the wrong type, or exceeds the size limits. */
  | 'malformed-event'
  /** An event of a different kind. */
  | 'wrong-kind';

/** A rejection. `message` is human-readable. */
export interface Refusal<Reason extends string> {
  readonly ok: false;
  readonly reason: Reason;
  readonly message: string;
}

export function refused<Reason extends string>(reason: Reason, message: string): Refusal<Reason> {
  return { ok: false, reason, message };
}

/** Reads the seven fields of an event and nothing else. */
export function readEvent(
  event: unknown,
): { readonly ok: true; readonly event: NostrEvent } | Refusal<'malformed-event'> {
  try {
    const parsed = wireEventSchema.safeParse(event);
    if (parsed.success) return { ok: true, event: parsed.data };
    const [issue] = parsed.error.issues;
    return refused(
      'malformed-event',
      `${issue?.path.join('.') || 'event'}: ${issue?.message ?? 'not an event'}`,
    );
  } catch (error) {
    // An object whose properties throw when they are read.
    return refused('malformed-event', `The event cannot be read: ${String(error)}`);
  }
}
