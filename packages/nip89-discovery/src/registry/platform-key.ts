import { normalizeRelayUrl } from '@bonafide/nostr-transport';
import { decode } from 'nostr-tools/nip19';
import { DiscoveryError } from '../errors.ts';

/** Parses a public key: hex, npub or nprofile. @throws DiscoveryError `INVALID_INPUT` */
export function parsePubkey(text: string): string {
  const key = text.trim();
  if (/^[0-9a-f]{64}$/i.test(key)) return key.toLowerCase();
  try {
    const decoded = decode(key);
    if (decoded.type === 'npub') return decoded.data;
    if (decoded.type === 'nprofile') return decoded.data.pubkey;
  } catch {
    // The error below does not repeat the text, since it may be a secret key that was pasted by mistake.
  }
  throw new DiscoveryError('INVALID_INPUT', 'Not a public key: give 64 hex digits, an npub or an nprofile.');
}

/** Normalizes a relay URL. @throws DiscoveryError `INVALID_CONFIG` */
export function parseRelayUrl(relay: string): string {
  try {
    return normalizeRelayUrl(relay);
  } catch (cause) {
    throw new DiscoveryError('INVALID_CONFIG', `'${relay}' is not a relay URL.`, { cause });
  }
}
