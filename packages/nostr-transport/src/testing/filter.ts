import type { Filter } from '../event/event.ts';
import { isHex64 } from '../event/event-check.ts';
import type { EventRecord } from './record.ts';

/** A filter made ready for matching many events. */
export interface Matcher {
  readonly filter: Filter;
  readonly ids: ReadonlySet<string> | null;
  readonly authors: ReadonlySet<string> | null;
  readonly kinds: ReadonlySet<number> | null;
  /** One set of `e:<value>` keys for each tag that the filter names: an event needs one of every set. */
  readonly tags: readonly ReadonlySet<string>[];
  readonly since: number;
  readonly until: number;
}

/** A filter that can be matched, or why it can't, with a machine-readable prefix. */
export type ParsedFilter =
  | { readonly ok: true; readonly matcher: Matcher }
  | { readonly ok: false; readonly reason: string };

const tagName = /^#[a-zA-Z]$/;
const isNatural = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const isKind = (value: unknown): value is number => isNatural(value) && value <= 65_535;
const isString = (value: unknown): value is string => typeof value === 'string';

/** What each field of a filter must be (NIP-01), or the complaint. */
function complaint(name: string, value: unknown): string | null {
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

/** Makes a filter that is known to be well formed ready for matching. */
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

/** Reads a filter as a client sent it, strictly: an unknown or ill-formed element refuses the whole. */
export function parseFilter(value: unknown): ParsedFilter {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, reason: 'invalid: a filter is a JSON object' };
  }
  for (const [name, element] of Object.entries(value)) {
    const reason = complaint(name, element);
    if (reason !== null) return { ok: false, reason };
  }
  return { ok: true, matcher: compileFilter(value as Filter) };
}

/**
 * All elements of the filter hold for the event; `limit` is no part of that (NIP-01). `ignore` is how a
 * relay fails that overlooks the tags, or the whole filter.
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
