import { decodeBech32 } from '@bonafide/internal';

/** A text without the private keys that stood in it. */
export interface Redacted {
  readonly text: string;
  /** True when a key was removed. */
  readonly redacted: boolean;
}

// An nsec is exactly 63 characters; whether it is valid is for its checksum to say. An ncryptsec is taken out on sight:
// with the password that follows it in the next message, a damaged one may still be mended.
const candidate =
  /nsec1(?=([023456789acdefghjklmnpqrstuvwxyz]{58}))|ncryptsec1[023456789acdefghjklmnpqrstuvwxyz]{32,}/giu;

/**
 * Takes private Nostr keys out of a text: every `nsec1…` with a valid checksum (NIP-19) and every
 * `ncryptsec1…` (NIP-49), wherever they stand and in upper or lower case. Nothing else of the text changes.
 */
export function redactKeys(text: string): Redacted {
  let redacted = '';
  let from = 0;
  for (const match of text.matchAll(candidate)) {
    const key = match[1] === undefined ? match[0] : match[0] + match[1];
    const encrypted = match[1] === undefined;
    if (!encrypted && !isSecretKey(key)) continue;
    redacted += `${text.slice(from, match.index)}[${encrypted ? 'ncryptsec' : 'nsec'} redacted]`;
    from = match.index + key.length;
  }
  return from === 0 ? { text, redacted: false } : { text: redacted + text.slice(from), redacted: true };
}

function isSecretKey(text: string): boolean {
  // In mixed case it is no valid bech32, but a reader can convert it to lower case.
  const decoded = decodeBech32(text.toLowerCase());
  return decoded?.prefix === 'nsec' && decoded.bytes.length === 32;
}
