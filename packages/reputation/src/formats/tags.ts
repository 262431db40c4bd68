import { readPublicKey } from '@bonafide/internal';
import type { NostrEvent } from '@bonafide/nostr-transport';
import { type RejectedReview, reject } from './rejection.ts';

/** Values of all tags with this name. */
export function tagValues(event: Pick<NostrEvent, 'tags'>, name: string): readonly string[] {
  return event.tags.flatMap(([tag, value]) => (tag === name && value !== undefined ? [value] : []));
}

/** Returns the value of a tag, undefined without one, or a rejection when tags of this name have different values. */
export function singleTag(
  event: Pick<NostrEvent, 'tags'>,
  name: string,
): string | undefined | RejectedReview {
  const values = new Set(tagValues(event, name));
  if (values.size > 1) return reject('duplicate-tag', `There are ${values.size} different '${name}' tags.`);
  return [...values][0];
}

/** The subject of an event with its relay hint, or a rejection. */
export function subjectOf(
  event: Pick<NostrEvent, 'tags' | 'pubkey'>,
  names: readonly string[],
): { readonly subject: string; readonly relay: string | null } | RejectedReview {
  const tags = event.tags.filter(([name, value]) => names.includes(name ?? '') && value !== undefined);
  const keys = new Set(tags.map(([, value = '']) => readPublicKey(value)));
  const [subject] = keys;
  if (subject == null)
    return reject('no-subject', `No ${names.map((name) => `'${name}'`).join(' or ')} tag has a public key.`);
  if (keys.size > 1) return reject('conflicting-subject', 'The tags name different subjects.');
  if (subject === event.pubkey) return reject('self-review', 'The author reviews its own key.');
  const hints = tags.map(([, , hint = '']) => hint).filter((hint) => /^wss?:\/\/\S{1,490}$/u.test(hint));
  return { subject, relay: hints[0] ?? null };
}

/** A tag that refers to a public key, with the relay hint when there is one. */
export const keyTag = (name: string, subject: string, relay: string | null): readonly string[] =>
  relay === null ? [name, subject] : [name, subject, relay];
