import { sha256Hex } from '@bonafide/internal';
import { TransportError } from '../errors.ts';
import type { Filter, NostrEvent } from './event.ts';
import { isHex64 } from './event-check.ts';

const tagKey = /^#[a-zA-Z]$/;

/**
 * A deep, frozen copy of a caller's filter, so that nothing the caller or a relay's connection does
 * later changes it for anybody else.
 *
 * @throws TransportError `FILTER_INVALID` naming the field: relays answer a wrong filter with silence or a NOTICE.
 */
export function copyFilter(filter: Filter): Filter {
  if (typeof filter !== 'object' || filter === null) fail('A filter must be an object.');
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(filter)) {
    if (value === undefined) continue;
    if (key === 'ids' || key === 'authors') {
      copy[key] = listOf(key, value, isHex64, '64 lower-case hex digits');
    } else if (key === 'kinds') {
      copy[key] = listOf(key, value, isKind, 'integers from 0 to 65535');
    } else if (key === 'since' || key === 'until' || key === 'limit') {
      if (!Number.isSafeInteger(value) || (value as unknown as number) < 0) {
        fail(`'${key}' must be a whole number from 0 on.`);
      }
      copy[key] = value;
    } else if (tagKey.test(key)) {
      copy[key] = listOf(key, value, isString, 'strings');
    } else {
      fail(`'${key}' is no field of a filter; relays index tags of one letter only.`);
    }
  }
  return Object.freeze(copy) as Filter;
}

function listOf<Item>(
  key: string,
  value: unknown,
  isItem: (item: unknown) => item is Item,
  what: string,
): readonly Item[] {
  if (!Array.isArray(value) || !value.every(isItem)) fail(`'${key}' must be a list of ${what}.`);
  return Object.freeze([...new Set(value as Item[])]);
}

const isString = (value: unknown): value is string => typeof value === 'string';
const isKind = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535;

function fail(message: string): never {
  throw new TransportError('FILTER_INVALID', message);
}

/** Whether an event is one that the filter asks for (NIP-01); `limit` plays no part. Relays are not trusted to know. */
export function matchesFilter(filter: Filter, event: Omit<NostrEvent, 'sig' | 'content'>): boolean {
  if (filter.ids !== undefined && !filter.ids.includes(event.id)) return false;
  if (filter.authors !== undefined && !filter.authors.includes(event.pubkey)) return false;
  if (filter.kinds !== undefined && !filter.kinds.includes(event.kind)) return false;
  if (filter.since !== undefined && event.created_at < filter.since) return false;
  if (filter.until !== undefined && event.created_at > filter.until) return false;
  for (const key in filter) {
    if (key.charCodeAt(0) !== 35 /* # */) continue;
    const wanted = filter[key as `#${string}`];
    const name = key.slice(1);
    if (wanted !== undefined && !event.tags.some((tag) => tag[0] === name && wanted.includes(tag[1] ?? '\0')))
      return false;
  }
  return true;
}

/** False for a filter that no event can match, since one of its lists is empty or it ends before it begins. */
export function isSatisfiable(filter: Filter): boolean {
  if (Object.values(filter).some((value) => Array.isArray(value) && value.length === 0)) return false;
  return filter.since === undefined || filter.until === undefined || filter.since <= filter.until;
}

/**
 * Cuts a filter with a very long list of ids, authors or tag values into several that together ask for
 * the same, each small enough for one REQ. With a `limit`, each part has it.
 */
export function splitFilter(filter: Filter, maxValues = 500): readonly Filter[] {
  let longest: string | undefined;
  let length = maxValues;
  for (const [key, value] of Object.entries(filter)) {
    if (Array.isArray(value) && value.length > length) {
      longest = key;
      length = value.length;
    }
  }
  if (longest === undefined) return [filter];
  const values = (filter as Readonly<Record<string, readonly unknown[]>>)[longest] ?? [];
  const parts: Filter[] = [];
  for (let at = 0; at < values.length; at += maxValues) {
    const part: Filter = Object.freeze({
      ...filter,
      [longest]: Object.freeze(values.slice(at, at + maxValues)),
    });
    parts.push(...splitFilter(part, maxValues));
  }
  return parts;
}

/**
 * Names what a filter asks for, whatever the order of its lists and whatever its `since` and `limit`
 * are: 32 hex digits. The key under which its watermark is kept.
 */
export function filterKey(filter: Filter): string {
  const canonical = Object.entries(filter)
    .filter(([key, value]) => value !== undefined && key !== 'since' && key !== 'limit')
    .map(([key, value]) => [key, Array.isArray(value) ? [...value].map(String).sort() : value] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256Hex(JSON.stringify(canonical)).slice(0, 32);
}

/**
 * What a query gives: newest first, of equal seconds the lowest id first (NIP-01), and no more than each
 * filter's `limit`, although several relays answered.
 */
export function newestFirst(events: Iterable<NostrEvent>, filters: readonly Filter[]): NostrEvent[] {
  const sorted = [...events].sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1));
  if (filters.every((filter) => filter.limit === undefined)) return sorted;
  const room = filters.map((filter) => filter.limit ?? Number.POSITIVE_INFINITY);
  return sorted.filter((event) => {
    let wanted = false;
    filters.forEach((filter, index) => {
      const left = room[index] ?? 0;
      if (left > 0 && matchesFilter(filter, event)) {
        room[index] = left - 1;
        wanted = true;
      }
    });
    return wanted;
  });
}
