import type { NostrEvent } from '@bonafide/nostr-transport';
import { cardKind, isIdentifier } from './assess.ts';
import { canonicalIdentifier } from './identity.ts';

/** The kind of a deletion request (NIP-09). */
export const deletionKind = 5;

/** Largest number of targets in one request. The rest is ignored. */
const maxTargets = 100;

/** The cards of its author that a deletion request deletes. */
export interface CardDeletion {
  readonly pubkey: string;
  /** Canonical identifiers whose cards up to `at` are deleted. */
  readonly identifiers: readonly string[];
  /** Ids of single cards. */
  readonly eventIds: readonly string[];
  /** Ms since epoch. */
  readonly at: number;
}

/** Parses a verified deletion request (NIP-09). Returns `null` if it deletes no card. Pure. */
export function readDeletion(event: NostrEvent): CardDeletion | null {
  if (event.kind !== deletionKind) return null;
  const prefix = `${cardKind}:${event.pubkey}:`;
  const identifiers = new Set<string>();
  const eventIds = new Set<string>();
  for (const [name, value = ''] of event.tags.slice(0, maxTargets)) {
    if (name === 'a' && value.startsWith(prefix)) {
      const d = value.slice(prefix.length);
      if (isIdentifier(d)) identifiers.add(canonicalIdentifier(d));
    }
    if (name === 'e' && /^[0-9a-f]{64}$/u.test(value)) eventIds.add(value);
  }
  if (identifiers.size + eventIds.size === 0) return null;
  const at = event.created_at * 1_000;
  return { pubkey: event.pubkey, identifiers: [...identifiers], eventIds: [...eventIds], at };
}
