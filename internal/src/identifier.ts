import { sha256Hex } from './sha256.ts';
import { byteLength } from './text.ts';

/**
 * Longest identifier that others chose and that is accepted, characters: a `d` tag, for example. Ids that are composed of several
 * are longer: what is stored under them is found by their hash.
 */
export const maxIdentifierChars = 1_024;

/** Longest composed id, UTF-8 bytes. An index entry of Postgres holds several of them. */
export const maxComposedIdBytes = 512;

/** Characters that no separator, no store and no log line gives a meaning to. */
const plain = /^[\w.@+/-]*$/u;

/**
 * Composes an id from its kind and the parts that make it unique. Parts may be chosen by others: different parts give different
 * ids, and the result never exceeds {@link maxComposedIdBytes} nor contains a control character. It is `kind:part:part` while every
 * part is plain and all of it is short, else `kind:#` and a hash of the parts.
 *
 * @param kind - A constant of the program: letters, digits and hyphens.
 */
export function composeId(kind: string, ...parts: readonly string[]): string {
  const readable = [kind, ...parts].join(':');
  if (parts.every((part) => plain.test(part)) && readable.length <= maxComposedIdBytes) return readable;
  return `${kind}:#${sha256Hex(JSON.stringify(parts))}`;
}

/** Returns an id as it is, or its hash when an index cannot hold it. */
export function boundedId(id: string): string {
  return byteLength(id) <= maxComposedIdBytes ? id : `#${sha256Hex(id)}`;
}

/** Returns true for text that may be an id: not empty, within its bytes, well-formed, without control characters. */
export function isStorableId(text: string): boolean {
  return text !== '' && byteLength(text) <= maxComposedIdBytes && !/[\p{Cc}\p{Cs}]/u.test(text);
}
