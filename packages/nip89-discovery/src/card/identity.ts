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

/** Letters of other scripts, each with the Latin letter that it looks like, in lower case. */
const lookAlikes = new Map(
  'аa бb вb сc ԁd еe єe гr һh іi јj кk ӏl мm нh оo рp ԛq ѕs тt цu ѵv ԝw хx уy зz үy αa βb εe ζz ηn ιi κk μu νv οo πn ρp σo τt υu χx γy ωw ɑa ɡg ıi ʟl ɴn ꜱs'
    .split(' ')
    .map(([letter = '', latin = '']) => [letter, latin] as const),
);

/** Returns a text that is the same for identifiers that look alike to a reader. */
function appearanceOf(d: string): string {
  const letters = d
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}\p{Cc}\s]+/gu, '')
    .toLowerCase();
  return [...letters]
    .map((letter) => lookAlikes.get(letter) ?? letter)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replace(/[1l|!]/gu, 'i')
    .replaceAll('0', 'o');
}

/**
 * Returns a unique name for each platform, in the order of the argument: its identifier, followed by the start of its npub where
 * several keys use the same identifier, or identifiers that look alike, and where an identifier contains an npub itself.
 */
export function platformLabels(platforms: readonly PlatformKey[]): string[] {
  const owners = new Map<string, Set<string>>();
  const looks = platforms.map(({ d }) => appearanceOf(canonicalIdentifier(d)));
  for (const [at, { pubkey }] of platforms.entries()) {
    const look = looks[at] ?? '';
    owners.set(look, (owners.get(look) ?? new Set()).add(pubkey));
  }
  return platforms.map(({ pubkey, d }, at) => {
    const look = looks[at] ?? '';
    const isShared = (owners.get(look)?.size ?? 0) > 1 || look.includes(npubLook);
    return isShared ? `${d} (${npubEncode(pubkey).slice(0, 13)})` : d;
  });
}

const npubLook = appearanceOf('npub1');
