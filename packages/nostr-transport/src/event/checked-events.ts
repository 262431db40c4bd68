import { type Check, isAmount, isRecord, isText, optional } from '@bonafide/internal';
import { isTagList, requireInput } from '../valid.ts';
import type { Filter, NostrEvent } from './event.ts';
import * as checks from './event-check.ts';
import { matchesFilter as matches } from './filter.ts';

// Checked for callers only: the transport itself has checked the events that it compares.
const isList: Check = (value, path) => (Array.isArray(value) ? [] : [`${path}: must be a list`]);
const isFilter: Check = (value, path) =>
  isRecord({ ids: optional(isList), authors: optional(isList), kinds: optional(isList) })(value, path).concat(
    Object.entries(value as object).flatMap(([name, wanted]) =>
      name.startsWith('#') ? optional(isList)(wanted, `${path}.${name}`) : [],
    ),
  );
const isTagged = isRecord({ tags: isTagList });

/**
 * Returns true if the event matches the filter (NIP-01), ignoring `limit`. Used because some relays ignore
 * parts of a filter.
 *
 * @throws TransportError `INVALID_INPUT`
 */
export function matchesFilter(filter: Filter, event: Omit<NostrEvent, 'sig' | 'content'>): boolean {
  requireInput(filter, isFilter, 'filter');
  requireInput(event, isTagged, 'event');
  return matches(filter, event);
}

const isHashed = isRecord({
  pubkey: isText,
  created_at: isAmount,
  kind: isAmount,
  tags: isTagList,
  content: isText,
});

/**
 * Computes the event id: SHA-256 over the NIP-01 serialization, as lower-case hex.
 *
 * @throws TransportError `INVALID_INPUT`
 */
export function eventId(event: Omit<NostrEvent, 'id' | 'sig'>): string {
  return checks.eventId(requireInput(event, isHashed, 'event'));
}

/**
 * Returns true if the NIP-40 expiration of an event has passed. `now` is in ms since epoch.
 *
 * @throws TransportError `INVALID_INPUT`
 */
export function isExpired(event: Pick<NostrEvent, 'tags'>, now: number): boolean {
  requireInput(event, isTagged, 'event');
  requireInput(now, isAmount, 'now');
  return checks.isExpired(event, now);
}
