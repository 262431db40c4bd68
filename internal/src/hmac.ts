import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base32nopad } from '@scure/base';

/**
 * Returns the HMAC-SHA-256 (RFC 2104) of a text's UTF-8 bytes as 52 lower-case base32 characters (RFC 4648). Works in
 * every runtime.
 *
 * @param key - hex digits
 */
export function hmacBase32(key: string, text: string): string {
  return base32nopad.encode(hmac(sha256, hexToBytes(key), utf8ToBytes(text))).toLowerCase();
}
