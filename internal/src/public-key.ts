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

/**
 * Parses a public key like {@link readPublicKey}.
 *
 * @param fail - Creates the error of the package from a sentence that says which forms are accepted.
 * @throws the error from `fail` for any other value
 */
export function requirePublicKey(value: unknown, fail: (message: string) => Error): string {
  const key = typeof value === 'string' ? readPublicKey(value) : null;
  if (key !== null) return key;
  // What a caller passes may have no text.
  const text = typeof value === 'object' && value !== null ? 'an object' : String(value).trim();
  // Messages are logged: a secret key is not repeated.
  const given = /^nsec1/iu.test(text) ? 'A secret key' : `'${text.slice(0, 80)}'`;
  throw fail(`${given} is not a public key. Pass 64 hex digits or an npub.`);
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
