import { normalizeRelayUrl } from '../address/relay-url.ts';
import { TransportError } from '../errors.ts';
import { isHex64 } from '../event/event-check.ts';

/** What a `bunker://` address says (NIP-46). */
export interface BunkerAddress {
  /** The key that speaks for the bunker; not necessarily the one that signs. */
  readonly pubkey: string;
  readonly relays: readonly string[];
  /** Proves to the bunker that the address was meant for us. Used once. */
  readonly secret: string | null;
}

/**
 * Reads `bunker://<public key>?relay=…&relay=…&secret=…`.
 *
 * @throws TransportError `BUNKER_URI_INVALID`, which does not quote the address: it may hold a secret
 */
export function parseBunkerUri(uri: string): BunkerAddress {
  const trimmed = uri.trim();
  if (!trimmed.startsWith('bunker://') || !URL.canParse(trimmed)) invalid('It begins with bunker://.');
  const url = new URL(trimmed);
  const pubkey = url.host.toLowerCase();
  if (!isHex64(pubkey)) invalid('After bunker:// comes a public key of 64 hex digits.');
  let relays: readonly string[];
  try {
    relays = [...new Set(url.searchParams.getAll('relay').map(normalizeRelayUrl))];
  } catch {
    return invalid('Each relay= is the address of a relay.');
  }
  if (relays.length === 0 || relays.length > 10) invalid('It names one to ten relays.');
  return { pubkey, relays, secret: url.searchParams.get('secret') || null };
}

function invalid(why: string): never {
  throw new TransportError('BUNKER_URI_INVALID', `This is not the address of a bunker. ${why}`);
}
