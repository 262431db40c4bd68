import { decodeBech32 } from './bech32.ts';
import { bytesToHex } from './sha256.ts';

/** Type of the TLV entry of an nprofile that holds the public key (NIP-19). */
const profileKeyEntry = 0;
const hexKey = /^[0-9a-f]{64}$/u;

/**
 * Parses a public key from hex, npub or nprofile (NIP-19) into 64 lower-case hex digits. Returns null for other text.
 */
export function readPublicKey(text: string): string | null {
  // The same text, so that thousands of jobs for one provider share it.
  if (hexKey.test(text)) return text;
  const written = text.trim().toLowerCase();
  if (hexKey.test(written)) return written;
  if (!/^(?:npub|nprofile)1/u.test(written)) return null;
  const decoded = decodeBech32(written);
  if (decoded === null) return null;
  const { prefix, bytes } = decoded;
  const key = prefix === 'npub' ? bytes : keyOfProfile(bytes);
  return key?.length === 32 ? bytesToHex(key) : null;
}

function keyOfProfile(bytes: Uint8Array): Uint8Array | null {
  for (let at = 0; at + 2 <= bytes.length; ) {
    const [type, length = 0] = bytes.subarray(at, at + 2);
    const value = bytes.subarray(at + 2, at + 2 + length);
    if (value.length !== length) return null;
    if (type === profileKeyEntry) return value;
    at += 2 + length;
  }
  return null;
}
