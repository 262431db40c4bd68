import { readPublicKey } from '@bonafide/internal';

/** Compares two ids: keys in any form, names without regard to case and outer white space. */
export function isSameAgent(left: string, right: string): boolean {
  const plain = (id: string) => readPublicKey(id) ?? id.trim().toLowerCase();
  return plain(left) === plain(right);
}
