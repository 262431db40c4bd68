import { readPublicKey } from '@bonafide/internal';

/** Characters that are not seen: an id that differs by them alone is the same. */
const invisible = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\s]+/gu;

/** Returns the public key that an id denotes (64 hex digits or an npub, also as `nostr:` address), in lower-case hex; null for a name. */
export const keyOf = (id: string): string | null =>
  readPublicKey(id.replaceAll(invisible, '').replace(/^nostr:/iu, ''));

/** Returns one spelling of an id: keys in hex, names without regard to case, white space and invisible characters. */
export function canonicalId(id: string): string {
  return keyOf(id) ?? id.normalize('NFKC').replaceAll(invisible, '').toLowerCase();
}

/** Compares two ids by {@link canonicalId}. */
export function isSameAgent(left: string, right: string): boolean {
  return canonicalId(left) === canonicalId(right);
}
