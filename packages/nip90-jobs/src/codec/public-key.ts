import { decode } from 'nostr-tools/nip19';
import * as z from 'zod';
import { isHex64 } from './event.ts';

/**
 * Parses a public key from hex, npub or nprofile into 64 lower-case hex digits. Returns null for other text.
 */
export function readPublicKey(text: string): string | null {
  const written = text.trim().toLowerCase();
  const key = /^(npub|nprofile)1/.test(written) ? decodeKey(written) : written;
  return isHex64(key) ? key : null;
}

function decodeKey(bech32: string): string | undefined {
  try {
    const decoded = decode(bech32);
    if (decoded.type === 'npub') return decoded.data;
    return decoded.type === 'nprofile' ? decoded.data.pubkey : undefined;
  } catch {
    return undefined;
  }
}

/** Schema of a public key in any form that {@link readPublicKey} parses. */
export const publicKeySchema = z.string().transform((text, context) => {
  const key = readPublicKey(text);
  if (key !== null) return key;
  context.addIssue({ code: 'custom', message: 'must be a public key: 64 hex digits or an npub' });
  return z.NEVER;
});
