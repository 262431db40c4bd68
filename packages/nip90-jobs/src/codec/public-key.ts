import { decode } from 'nostr-tools/nip19';
import * as z from 'zod';
import { isHex64 } from './event.ts';

/** A public key as 64 lower-case hex digits, from hex, npub or nprofile; null for anything else (rule X-10). */
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

/** A public key as a person or a program gives it, read by {@link readPublicKey}. */
export const publicKeySchema = z.string().transform((text, context) => {
  const key = readPublicKey(text);
  if (key !== null) return key;
  context.addIssue({ code: 'custom', message: 'must be a public key: 64 hex digits or an npub' });
  return z.NEVER;
});
