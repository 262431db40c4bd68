import { bytesToHex, hmacBase32 } from '@bonafide/internal';
import { tokenCeiling } from './prompt-budget.ts';

const plainCharacters = /^[A-Za-z0-9.:-]{1,24}$/;
const derived = /^p-[a-z2-7]{8,}$/;
const plainTokens = 14;
const minDerivedLength = 8;
const keyBytes = 32;
/** Name under which a store keeps the key of handles. */
export const handleKeyName = 'secret';

/**
 * Returns the peerId itself when it can serve as handle: at most 24 characters of `[A-Za-z0-9.:-]` and at most 14
 * tokens. Null for every other peerId, which needs a derived handle.
 */
export function plainHandle(peerId: string): string | null {
  // Every peerId but a Nostr key has a colon, and a derived handle has none: the two kinds never collide.
  const isPlain =
    plainCharacters.test(peerId) && !derived.test(peerId) && tokenCeiling(peerId) <= plainTokens;
  return isPlain ? peerId : null;
}

/** Returns true for a text with the form of a derived handle: `p-` and at least 8 base32 characters. */
export function isDerivedHandle(text: string): boolean {
  return derived.test(text);
}

/**
 * Yields the handles of a peerId, shortest first: `p-` and 8 or more base32 characters of an HMAC. Without the key, a
 * peer cannot search for an id whose handle equals another peer's.
 *
 * @param key - 64 hex digits, secret
 */
export function* derivedHandles(key: string, peerId: string): Generator<string> {
  const code = hmacBase32(key, peerId);
  for (let length = minDerivedLength; length <= code.length; length++) yield `p-${code.slice(0, length)}`;
}

/** Creates a key for {@link derivedHandles}: 64 hex digits of the runtime's cryptographic generator. */
export function createHandleKey(): string {
  return bytesToHex(globalThis.crypto.getRandomValues(new Uint8Array(keyBytes)));
}
