import { npubEncode } from 'nostr-tools/nip19';
import { boundKey } from './bounded-key.ts';

/** The key of a platform: a public key and an identifier under it. */
export interface PlatformKey {
  /** 64 lower-case hex digits. */
  readonly pubkey: string;
  /** Identifier in its original spelling. Look-ups use its canonical form. */
  readonly d: string;
}

/** Largest canonical form, bytes. */
const maxCanonicalBytes = 256;

/**
 * Returns the canonical form of an identifier: Unicode NFC, case-folded, trimmed, with single spaces; a form of more than 256
 * bytes is cut and ends with its hash. Used as index key; users see the original.
 */
export function canonicalIdentifier(d: string): string {
  return boundKey(foldIdentifier(d), maxCanonicalBytes);
}

function foldIdentifier(d: string): string {
  // Most identifiers are canonical already.
  if (/^[a-z0-9._:/-]*$/.test(d)) return d;
  // Upper and lower case again, so that ẞ, ß and SS fold to one form.
  const folded = d.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
  return folded.replace(/\s+/gu, ' ').trim();
}

/**
 * Returns a unique name for each platform, in the order of the argument: its identifier, followed by the
 * start of its npub where several keys use the same identifier.
 */
export function platformLabels(platforms: readonly PlatformKey[]): string[] {
  const owners = new Map<string, Set<string>>();
  for (const { pubkey, d } of platforms) {
    const canonical = canonicalIdentifier(d);
    owners.set(canonical, (owners.get(canonical) ?? new Set()).add(pubkey));
  }
  return platforms.map(({ pubkey, d }) => {
    const shared = (owners.get(canonicalIdentifier(d))?.size ?? 0) > 1;
    return shared ? `${d} (${npubEncode(pubkey).slice(0, 13)})` : d;
  });
}
