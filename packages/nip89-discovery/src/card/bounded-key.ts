import { byteLength, sha256Hex } from '@bonafide/internal';

/** Length of the hash and the character before it, bytes. */
const hashBytes = 65;

/**
 * Returns a key of at most `maxBytes` UTF-8 bytes for an index: the text itself, or its beginning and the SHA-256 hash of the
 * whole. Databases limit the size of indexed values. Equal texts give equal keys, and a key is its own key. Pure.
 */
export function boundKey(text: string, maxBytes: number): string {
  // A UTF-16 unit takes three bytes at most.
  if (text.length * 3 <= maxBytes || byteLength(text) <= maxBytes) return text;
  let beginning = '';
  let used = hashBytes;
  for (const char of text.slice(0, maxBytes)) {
    used += byteLength(char);
    if (used > maxBytes) break;
    beginning += char;
  }
  return `${beginning}#${sha256Hex(text)}`;
}
