import { npubEncode } from 'nostr-tools/nip19';

/** What a platform is known by: a key and an identifier under it (DIS-8). */
export interface PlatformKey {
  /** 64 lower-case hex digits. */
  readonly pubkey: string;
  /** The identifier as the platform spells it; it is looked up by its canonical form. */
  readonly d: string;
}

/**
 * One form for all spellings of an identifier (DIS-8): Unicode NFC, without case, trimmed, with single spaces. For
 * the index only; people are shown the original.
 */
export function canonicalIdentifier(d: string): string {
  // Most are written so already.
  if (/^[a-z0-9._:/-]*$/.test(d)) return d;
  // Up and down again: ẞ, ß and SS then fold to one.
  const folded = d.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
  return folded.replace(/\s+/gu, ' ').trim();
}

/**
 * A name for each platform that no other in the list has (DIS-8): its identifier, and where identifiers of different keys read
 * the same, the beginning of the npub beside it. In the order given.
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
