import { isBlank, sanitizeRemoteText, shortId } from '@bonafide/internal';
import { npubEncode } from 'nostr-tools/nip19';
import type { Paint } from './io.ts';

/** Formats a time to the minute, in UTC with a `Z`. */
export function moment(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}Z`;
}

/** Formats a count: `1 peer`, `2 peers`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Formats a trust score with its sign; a dash for none. */
export function signed(trust: number | null): string {
  if (trust === null) return '–';
  return trust > 0 ? `+${trust}` : String(trust);
}

/** Formats a trust score in its color. */
export function trustCell(trust: number | null, paint: Paint): string {
  if (trust === null) return paint('dim', signed(trust));
  if (trust === 0) return signed(trust);
  return paint(trust > 0 ? 'green' : 'red', signed(trust));
}

/** Returns the npub of a Nostr public key in hex; null for ids of other channels. */
export function npubOf(peerId: string): string | null {
  return /^[0-9a-f]{64}$/u.test(peerId) ? npubEncode(peerId) : null;
}

/** Returns how a platform is shown: the name that it gives itself, and always its short id, which it cannot choose. */
export function platformName({
  name,
  platform: { pubkey, d },
}: {
  readonly name: string | null;
  readonly platform: { readonly pubkey: string; readonly d: string };
}): string {
  const key = npubOf(pubkey) ?? sanitizeRemoteText(pubkey, 40);
  const id = `${shortId(key)}:${sanitizeRemoteText(d, 40)}`;
  const shown = sanitizeRemoteText(name ?? '', 40);
  return isBlank(shown) ? id : `${shown} (${id})`;
}

/** Returns a peer's name for tables: its alias, if any, and always its handle, which the peer cannot choose. */
export function peerName(peer: { readonly handle: string; readonly alias: string | null }): string {
  const handle = sanitizeRemoteText(peer.handle, 60);
  const alias = peer.alias === null ? '' : sanitizeRemoteText(peer.alias, 32);
  return isBlank(alias) ? handle : `${alias} (${handle})`;
}
