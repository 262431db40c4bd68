import { normalizeRelayUrl } from '@bonafide/nostr-transport';
import { decode } from 'nostr-tools/nip19';
import { canonicalIdentifier } from '../card/identity.ts';
import { DiscoveryError } from '../errors.ts';

/** Parses a public key: hex, npub or nprofile. @throws DiscoveryError `INVALID_INPUT` */
export function parsePubkey(text: string): string {
  const key = typeof text === 'string' ? text.trim() : '';
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

/** Returns the canonical form of an identifier in any spelling. @throws DiscoveryError `INVALID_INPUT` */
export function parseIdentifier(d: string): string {
  if (typeof d === 'string') return canonicalIdentifier(d);
  throw new DiscoveryError('INVALID_INPUT', "An identifier must be text: the 'd' tag of a card.");
}

/** Normalizes a relay URL. @throws DiscoveryError with the given code */
export function parseRelayUrl(relay: string, code: 'INVALID_CONFIG' | 'INVALID_INPUT'): string {
  try {
    return normalizeRelayUrl(relay);
  } catch (cause) {
    const given = typeof relay === 'string' ? `'${relay}'` : 'A value that is no text';
    throw new DiscoveryError(code, `${given} is not a relay URL.`, { cause });
  }
}
