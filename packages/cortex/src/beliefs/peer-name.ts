import { modelNote } from './model-note.ts';

/** Handles, keys and ids of ordinary channels. Without spaces, so that a name is no sentence. */
const plainName = /^[\w.:@+/-]{1,80}$/u;
const maxBytes = 80;

/**
 * Formats the name of a peer for one line of a prompt. A plain name is shown unchanged, so that what a model reads resolves to
 * the peer. Peers choose their names on some channels: any other name stands between delimiters.
 */
export function shownName(name: string): string {
  return plainName.test(name) ? name : modelNote(name, maxBytes);
}
