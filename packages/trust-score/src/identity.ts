import { decodeBech32 } from '@bonafide/internal';

/** Returns the public key that an id denotes (64 hex digits or an npub), in lower-case hex; null for a name. */
export function keyOf(id: string): string | null {
  const text = id.trim();
  if (/^[0-9a-f]{64}$/iu.test(text)) return text.toLowerCase();
  const decoded = /^npub1/iu.test(text) ? decodeBech32(text.toLowerCase()) : null;
  if (decoded === null || decoded.prefix !== 'npub' || decoded.bytes.length !== 32) return null;
  return Array.from(decoded.bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Compares two ids: keys in any form, names without regard to case and outer white space. */
export function isSameAgent(left: string, right: string): boolean {
  const plain = (id: string) => keyOf(id) ?? id.trim().toLowerCase();
  return plain(left) === plain(right);
}
