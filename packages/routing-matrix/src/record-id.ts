import { sha256Hex } from '@bonafide/internal';

/** Longest id of a record, characters: databases limit the size of indexed text. */
const longestId = 512;

/**
 * Returns the id of a record from its kind and the parts that make it unique. One that would be too long for a database is
 * replaced by its hash, because keys, identifiers and job ids may be chosen by others.
 */
export function recordId(kind: string, unique: string): string {
  const id = `${kind}:${unique}`;
  // Four bytes per character at most.
  return new TextEncoder().encode(id).length <= longestId ? id : `${kind}:sha256:${sha256Hex(unique)}`;
}
