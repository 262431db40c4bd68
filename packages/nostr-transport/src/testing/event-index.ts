import type { Matcher } from './filter.ts';
import { matches } from './filter.ts';
import type { EventRecord } from './record.ts';

/** Newest first; of equal age the lowest id first (NIP-01). Negative when `a` comes before `b`. */
export function newestFirst(a: EventRecord, b: EventRecord): number {
  if (a.event.created_at !== b.event.created_at) return b.event.created_at - a.event.created_at;
  return a.event.id < b.event.id ? -1 : a.event.id > b.event.id ? 1 : 0;
}

/**
 * Events in order of age. The newest is kept at the array's end, where nearly every event is added and
 * where every query begins.
 */
class Timeline {
  readonly #records: EventRecord[] = [];

  get size(): number {
    return this.#records.length;
  }

  add(record: EventRecord): void {
    const last = this.#records.at(-1);
    if (last === undefined || newestFirst(record, last) < 0) this.#records.push(record);
    else this.#records.splice(this.#position(record), 0, record);
  }

  remove(record: EventRecord): void {
    const position = this.#position(record);
    if (this.#records[position] === record) this.#records.splice(position, 1);
  }

  /** Newest first, from `until` back to `since`, both inclusive. */
  *between(since: number, until: number): Generator<EventRecord> {
    for (let at = this.#after(until) - 1; at >= 0; at -= 1) {
      const record = this.#records[at];
      if (record === undefined || record.event.created_at < since) return;
      yield record;
    }
  }

  /** The first position whose record does not come after `record` in the array's (ascending) order. */
  #position(record: EventRecord): number {
    return this.#search((other) => newestFirst(other, record) > 0);
  }

  /** The first position whose record is younger than `until`. */
  #after(until: number): number {
    return this.#search((other) => other.event.created_at <= until);
  }

  /** The number of records at the array's beginning for which `before` holds. */
  #search(before: (record: EventRecord) => boolean): number {
    let low = 0;
    let high = this.#records.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const record = this.#records[middle];
      if (record !== undefined && before(record)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The timelines of one property: one for each kind, author or tag value. */
class Shelf<Key> {
  readonly #timelines = new Map<Key, Timeline>();

  add(key: Key, record: EventRecord): void {
    let timeline = this.#timelines.get(key);
    if (timeline === undefined) {
      timeline = new Timeline();
      this.#timelines.set(key, timeline);
    }
    timeline.add(record);
  }

  remove(key: Key, record: EventRecord): void {
    const timeline = this.#timelines.get(key);
    timeline?.remove(record);
    if (timeline?.size === 0) this.#timelines.delete(key);
  }

  timelines(keys: Iterable<Key>): Timeline[] {
    const found: Timeline[] = [];
    for (const key of keys) {
      const timeline = this.#timelines.get(key);
      if (timeline !== undefined) found.push(timeline);
    }
    return found;
  }
}

const total = (timelines: readonly Timeline[]) => timelines.reduce((sum, { size }) => sum + size, 0);

/** Events by id, kind, author and tag. A query walks whichever of these has fewest events to look at. */
export class EventIndex {
  readonly #byId = new Map<string, EventRecord>();
  readonly #all = new Timeline();
  readonly #byKind = new Shelf<number>();
  readonly #byAuthor = new Shelf<string>();
  readonly #byTag = new Shelf<string>();

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): EventRecord | undefined {
    return this.#byId.get(id);
  }

  add(record: EventRecord): void {
    this.#byId.set(record.event.id, record);
    this.#all.add(record);
    this.#byKind.add(record.event.kind, record);
    this.#byAuthor.add(record.event.pubkey, record);
    for (const key of record.tagKeys) this.#byTag.add(key, record);
  }

  remove(record: EventRecord): void {
    if (!this.#byId.delete(record.event.id)) return;
    this.#all.remove(record);
    this.#byKind.remove(record.event.kind, record);
    this.#byAuthor.remove(record.event.pubkey, record);
    for (const key of record.tagKeys) this.#byTag.remove(key, record);
  }

  /** The newest `limit` events that match and that `visible` lets through, newest first. */
  query(matcher: Matcher, limit: number, visible: (record: EventRecord) => boolean): EventRecord[] {
    if (matcher.ids) {
      return [...matcher.ids]
        .flatMap((id) => this.#byId.get(id) ?? [])
        .filter((record) => matches(matcher, record) && visible(record))
        .sort(newestFirst)
        .slice(0, limit);
    }
    const timelines = this.#cheapest(matcher);
    const found = new Set<EventRecord>();
    for (const timeline of timelines) {
      // The newest `limit` of the union are among the newest `limit` of each part.
      let taken = 0;
      for (const record of timeline.between(matcher.since, matcher.until)) {
        if (taken >= limit) break;
        if (!matches(matcher, record) || !visible(record)) continue;
        found.add(record);
        taken += 1;
      }
    }
    // One timeline is in order already.
    return timelines.length === 1 ? [...found] : [...found].sort(newestFirst).slice(0, limit);
  }

  #cheapest(matcher: Matcher): Timeline[] {
    const candidates = matcher.tags.map((keys) => this.#byTag.timelines(keys));
    if (matcher.authors) candidates.push(this.#byAuthor.timelines(matcher.authors));
    if (matcher.kinds) candidates.push(this.#byKind.timelines(matcher.kinds));
    let best = [this.#all];
    for (const candidate of candidates) if (total(candidate) < total(best)) best = candidate;
    return best;
  }
}
