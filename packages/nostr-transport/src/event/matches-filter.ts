import { type Check, isRecord, optional } from '@bonafide/internal';
import { isTagList, requireInput } from '../valid.ts';
import type { Filter, NostrEvent } from './event.ts';
import { matchesFilter as matches } from './filter.ts';

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
