import { type Check, isRecord, sha256Hex } from '@bonafide/internal';
import { TransportError } from '../errors.ts';
import { requireInput } from '../valid.ts';
import type { Filter, NostrEvent } from './event.ts';
import { isHex64 } from './event-check.ts';

const tagKey = /^#[a-zA-Z]$/;

/**
 * Returns a deep, frozen copy of a filter, so that later changes by the caller have no effect.
 *
 * @throws TransportError `INVALID_INPUT` naming the field: relays answer a malformed filter with silence or a
 *   NOTICE
 */
export function copyFilter(filter: Filter): Filter {
  try {
    return frozenCopy(filter);
  } catch (cause) {
    if (cause instanceof TransportError) throw cause;
    // A getter or a proxy of the caller.
    throw new TransportError('INVALID_INPUT', 'The filter cannot be read.', { cause });
  }
}

function frozenCopy(filter: Filter): Filter {
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
        fail(`'${key}' must be an integer of at least 0.`);
      }
      copy[key] = value;
    } else if (tagKey.test(key)) {
      copy[key] = listOf(key, value, isString, 'strings');
    } else {
      fail(`'${key}' is not a field of a filter. Relays index tags of one letter only.`);
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
  if (!Array.isArray(value) || !Array.from(value).every(isItem)) fail(`'${key}' must be a list of ${what}.`);
  return Object.freeze([...new Set(value as Item[])]);
}

const isString = (value: unknown): value is string => typeof value === 'string';
const isKind = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535;

function fail(message: string): never {
  throw new TransportError('INVALID_INPUT', message);
}

/**
 * Returns true if the event matches the filter (NIP-01), ignoring `limit`. Used because some relays ignore
 * parts of a filter.
 */
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

/**
 * Returns false for a filter that no event can match: one of its lists is empty, or `since` is after `until`.
 */
export function isSatisfiable(filter: Filter): boolean {
  if (Object.values(filter).some((value) => Array.isArray(value) && value.length === 0)) return false;
  return filter.since === undefined || filter.until === undefined || filter.since <= filter.until;
}

/**
 * Splits a filter with a very long list of ids, authors or tag values into several filters, each small enough
 * for one REQ. Each part keeps the `limit`.
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

/** Fields that a filter may have; their values are those that JSON can hold. */
const isFilter: Check = (value, path) =>
  isRecord({})(value, path).concat(
    Object.values(value as object).every((field) => isJson(field)) ? [] : [`${path}: cannot be read`],
  );

function isJson(field: unknown): boolean {
  return Array.isArray(field)
    ? Array.from(field).every((one) => isString(one) || typeof one === 'number')
    : field === undefined || typeof field === 'number';
}

/**
 * Returns the key under which the watermark of a filter is stored: 32 hex digits, independent of the order of
 * its lists and of `since` and `limit`.
 */
export function filterKey(filter: Filter): string {
  requireInput(filter, isFilter, 'filter');
  const canonical = Object.entries(filter)
    .filter(([key, value]) => value !== undefined && key !== 'since' && key !== 'limit')
    .map(([key, value]) => [key, Array.isArray(value) ? [...value].map(String).sort() : value] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256Hex(JSON.stringify(canonical)).slice(0, 32);
}

/**
 * Sorts events newest first, of the same second by lowest id (NIP-01), and applies each filter's `limit` to
 * the merged list.
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
