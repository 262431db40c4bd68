import type { Filter } from '../event/event.ts';
import { isHex64 } from '../event/event-check.ts';
import type { EventRecord } from './record.ts';

/** A compiled filter. */
export interface Matcher {
  readonly filter: Filter;
  readonly ids: ReadonlySet<string> | null;
  readonly authors: ReadonlySet<string> | null;
  readonly kinds: ReadonlySet<number> | null;
  /** One set of `e:<value>` keys per tag of the filter: an event must have a key of each set. */
  readonly tags: readonly ReadonlySet<string>[];
  readonly since: number;
  readonly until: number;
}

/** A compiled filter, or the reason for refusing it, with a machine-readable prefix. */
export type ParsedFilter =
  | { readonly ok: true; readonly matcher: Matcher }
  | { readonly ok: false; readonly reason: string };

const tagName = /^#[a-zA-Z]$/;
const isNatural = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const isKind = (value: unknown): value is number => isNatural(value) && value <= 65_535;
const isString = (value: unknown): value is string => typeof value === 'string';

/** Checks one field of a filter (NIP-01); returns null or the reason. */
function describeProblem(name: string, value: unknown): string | null {
  const isList = (check: (item: unknown) => boolean) => Array.isArray(value) && value.every(check);
  switch (name) {
    case 'ids':
    case 'authors':
    case '#e':
    case '#p':
      return isList(isHex64) ? null : `invalid: '${name}' must be a list of 64 lower-case hex digits`;
    case 'kinds':
      return isList(isKind) ? null : "invalid: 'kinds' must be a list of whole numbers from 0 to 65535";
    case 'since':
    case 'until':
    case 'limit':
      return isNatural(value) ? null : `invalid: '${name}' must be a whole number of at least 0`;
    default:
      if (!tagName.test(name)) return 'unsupported: filter contains unknown elements';
      return isList(isString) ? null : `invalid: '${name}' must be a list of strings`;
  }
}

/** Compiles a well-formed filter. */
export function compileFilter(filter: Filter): Matcher {
  const tags: Set<string>[] = [];
  for (const [name, values] of Object.entries(filter)) {
    if (!tagName.test(name) || values === undefined) continue;
    tags.push(new Set((values as readonly string[]).map((value) => `${name.slice(1)}:${value}`)));
  }
  return {
    filter,
    ids: filter.ids ? new Set(filter.ids) : null,
    authors: filter.authors ? new Set(filter.authors) : null,
    kinds: filter.kinds ? new Set(filter.kinds) : null,
    tags,
    since: filter.since ?? 0,
    until: filter.until ?? Number.POSITIVE_INFINITY,
  };
}

/** Parses a filter of a client strictly: an unknown or malformed element refuses the whole filter. */
export function parseFilter(value: unknown): ParsedFilter {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, reason: 'invalid: a filter is a JSON object' };
  }
  for (const [name, element] of Object.entries(value)) {
    const reason = describeProblem(name, element);
    if (reason !== null) return { ok: false, reason };
  }
  return { ok: true, matcher: compileFilter(value as Filter) };
}

/**
 * Returns true if all elements of the filter match, ignoring `limit` (NIP-01). `ignore` simulates a relay
 * that ignores tags, or the whole filter.
 */
export function matches(matcher: Matcher, record: EventRecord, ignore?: 'tags' | 'all'): boolean {
  if (ignore === 'all') return true;
  const { event } = record;
  if (matcher.kinds && !matcher.kinds.has(event.kind)) return false;
  if (matcher.authors && !matcher.authors.has(event.pubkey)) return false;
  if (matcher.ids && !matcher.ids.has(event.id)) return false;
  if (event.created_at < matcher.since || event.created_at > matcher.until) return false;
  return ignore === 'tags' || matcher.tags.every((keys) => record.tagKeys.some((key) => keys.has(key)));
}
