import { normalizeRelayUrl } from '../address/relay-url.ts';
import { TransportError } from '../errors.ts';
import { isHex64 } from '../event/event-check.ts';

/** The parts of a `bunker://` address (NIP-46). */
export interface BunkerAddress {
  /** The public key of the remote signer; it can differ from the key that signs events. */
  readonly pubkey: string;
  readonly relays: readonly string[];
  /** A one-time secret that authenticates the client to the remote signer. */
  readonly secret: string | null;
}

/**
 * Parses `bunker://<public key>?relay=…&relay=…&secret=…`.
 *
 * @throws TransportError `INVALID_INPUT`; the message does not quote the address, which may hold a secret
 */
export function parseBunkerUri(uri: string): BunkerAddress {
  const trimmed = uri.trim();
  if (!trimmed.startsWith('bunker://') || !URL.canParse(trimmed)) invalid('It must begin with bunker://.');
  const url = new URL(trimmed);
  const pubkey = url.host.toLowerCase();
  if (!isHex64(pubkey)) invalid('A public key of 64 hex digits must follow bunker://.');
  let relays: readonly string[];
  try {
    relays = [...new Set(url.searchParams.getAll('relay').map(normalizeRelayUrl))];
  } catch {
    return invalid('Each relay= must be the address of a relay.');
  }
  if (relays.length === 0 || relays.length > 10) invalid('It must name one to ten relays.');
  return { pubkey, relays, secret: url.searchParams.get('secret') || null };
}

function invalid(why: string): never {
  throw new TransportError('INVALID_INPUT', `The address of the remote signer is malformed. ${why}`);
}
