import type { NostrEvent } from '@bonafide/nostr-transport';
import { readCardContent } from '../card/content.ts';
import type { AuthorProfile } from './entry.ts';

/** The kind of a profile (NIP-01). */
export const profileKind = 0;

/** Parses a **verified** profile like the content of a card. Pure, never throws. */
export function readProfile(event: NostrEvent): AuthorProfile {
  const { name, about, picture, website, lud16 } = readCardContent(event.content);
  return { name, about, picture, website, lud16, eventId: event.id, createdAt: event.created_at * 1_000 };
}
