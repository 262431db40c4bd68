import { bech32 } from '@scure/base';

/** A decoded bech32 string: its human-readable prefix and its data as bytes. */
export interface Bech32 {
  readonly prefix: string;
  readonly bytes: Uint8Array;
}

/**
 * Decodes a bech32 string of any length (BIP-173 without its limit of 90 characters, as NIP-19 uses it). Returns null
 * for a wrong character or checksum, mixed case, and non-zero padding.
 */
export function decodeBech32(text: string): Bech32 | null {
  const decoded = bech32.decodeUnsafe(text, false);
  if (!decoded) return null;
  const bytes = bech32.fromWordsUnsafe(decoded.words);
  return bytes ? { prefix: decoded.prefix, bytes } : null;
}

/** Encodes bytes as bech32 of any length, as NIP-19 uses it. */
export const encodeBech32 = (prefix: string, bytes: Uint8Array): string =>
  bech32.encode(prefix, bech32.toWords(bytes), false);
