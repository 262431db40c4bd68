import type { Matcher } from './filter.ts';
import { matches } from './filter.ts';
import type { EventRecord } from './record.ts';

/**
 * Compares records: newest first, of the same second by lowest id (NIP-01). Negative if `a` comes before `b`.
 */
export function newestFirst(a: EventRecord, b: EventRecord): number {
  if (a.event.created_at !== b.event.created_at) return b.event.created_at - a.event.created_at;
  return a.event.id < b.event.id ? -1 : a.event.id > b.event.id ? 1 : 0;
}

/** The largest number of records per block; a larger one is split. */
const maxBlock = 1024;

/**
 * Events in order of age, in blocks, so that an insertion into the middle of a hundred thousand moves few
 * neighbours. The newest is at the end, where most events are added and every query starts.
 */
class Timeline {
  /** Non-empty blocks, oldest first, each oldest first. */
  readonly #blocks: EventRecord[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(record: EventRecord): void {
    this.#size += 1;
    const isOlder = (other: EventRecord) => newestFirst(other, record) > 0;
    // The last block takes what is newer than everything.
    const at = Math.min(this.#firstBlock(isOlder), this.#blocks.length - 1);
    const block = this.#blocks[at];
    if (block === undefined) {
      this.#blocks.push([record]);
      return;
    }
    const position = countWhile(block, isOlder);
    if (position === block.length) block.push(record);
    else block.splice(position, 0, record);
    if (block.length > maxBlock) this.#blocks.splice(at + 1, 0, block.splice(maxBlock / 2));
  }

  remove(record: EventRecord): void {
    const isOlder = (other: EventRecord) => newestFirst(other, record) > 0;
    const at = this.#firstBlock(isOlder);
    const block = this.#blocks[at];
    const position = block === undefined ? 0 : countWhile(block, isOlder);
    if (block?.[position] !== record) return;
    this.#size -= 1;
    block.splice(position, 1);
    if (block.length === 0) this.#blocks.splice(at, 1);
  }

  /** Returns events newest first, from `until` back to `since`, both inclusive. */
  *between(since: number, until: number): Generator<EventRecord> {
    const isInTime = (record: EventRecord) => record.event.created_at <= until;
    const first = Math.min(this.#firstBlock(isInTime), this.#blocks.length - 1);
    for (let at = first; at >= 0; at -= 1) {
      const block = this.#blocks[at] ?? [];
      const end = at === first ? countWhile(block, isInTime) : block.length;
      for (let position = end - 1; position >= 0; position -= 1) {
        const record = block[position];
        if (record === undefined || record.event.created_at < since) return;
        yield record;
      }
    }
  }

  /** Returns the first block with a record for which `isBefore` is false. */
  #firstBlock(isBefore: (record: EventRecord) => boolean): number {
    return countWhile(this.#blocks, (block) => {
      const last = block.at(-1);
      return last !== undefined && isBefore(last);
    });
  }
}

/** Counts the leading items of an ordered list for which `holds` is true. */
function countWhile<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && holds(item)) low = middle + 1;
    else high = middle;
  }
  return low;
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

/** An index of events by id, kind, author and tag. A query uses the index with the fewest candidates. */
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

  /** Returns the newest `limit` events that match and that `visible` accepts, newest first. */
  query(matcher: Matcher, limit: number, visible: (record: EventRecord) => boolean): EventRecord[] {
    if (matcher.ids) {
      return [...matcher.ids]
        .flatMap((id) => this.#byId.get(id) ?? [])
        .filter((record) => matches(matcher, record) && visible(record))
        .sort(newestFirst)
        .slice(0, limit);
    }
    const timelines = this.#cheapest(matcher, limit);
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

  /** Returns the timelines with the fewest candidates; together they hold every match. */
  #cheapest(matcher: Matcher, limit: number): Timeline[] {
    const candidates = matcher.tags.map((keys) => this.#byTag.timelines(keys));
    if (matcher.authors) candidates.push(this.#byAuthor.timelines(matcher.authors));
    if (matcher.kinds) candidates.push(this.#byKind.timelines(matcher.kinds));
    let best = [this.#all];
    for (const candidate of candidates) if (total(candidate) < total(best)) best = candidate;
    // Of many timelines each gives up to `limit`; where most events match, walking through all is shorter.
    const toMerge = best.reduce((sum, { size }) => sum + Math.min(size, limit), 0);
    const toWalk = (limit * this.#all.size) / total(best);
    return toWalk < toMerge ? [this.#all] : best;
  }
}
