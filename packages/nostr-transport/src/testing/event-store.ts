import type { Archive } from './archive.ts';
import { EventIndex, newestFirst } from './event-index.ts';
import type { Matcher } from './filter.ts';
import { classifyKind, type EventRecord, isExpired } from './record.ts';

/** The result of storing an event. */
export interface Admission {
  /** The third element of the OK message (NIP-01). */
  readonly accepted: boolean;
  /** True if the event is new to this relay, so that live subscriptions receive it. */
  readonly fresh: boolean;
  /** The text of the OK: '' or a reason with a machine-readable prefix. */
  readonly message: string;
}

const sweepEverySeconds = 60;
const fresh: Admission = { accepted: true, fresh: true, message: '' };
const refused = (message: string): Admission => ({ accepted: false, fresh: false, message });

/**
 * The stored events, by the rules of NIP-01 (replaceable, addressable, ephemeral), NIP-09 (deletions kept and
 * enforced) and NIP-40 (expiration). They are in memory; an archive receives every change first, and the same
 * rules rebuild the state from it.
 */
export class EventStore {
  readonly #index = new EventIndex();
  readonly #archive: Archive | null;
  /** The current version by address. */
  readonly #current = new Map<string, EventRecord>();
  /** Authors of deletions by id (NIP-09); a deletion applies to events of its author only. */
  readonly #deletedIds = new Map<string, Set<string>>();
  /** The `created_at` up to which versions of an address are deleted. */
  readonly #deletedAddresses = new Map<string, number>();
  readonly #expiring = new Set<EventRecord>();
  #sweptAt = 0;

  constructor(archive: Archive | null) {
    this.#archive = archive;
    for (const record of archive?.load() ?? []) {
      const plan = this.#plan(record, 0);
      if (plan.admission.fresh) this.#apply(record, plan.remove);
    }
  }

  get size(): number {
    return this.#index.size;
  }

  /** Stores an event that was checked before, or returns the reason for refusing it. */
  admit(record: EventRecord, nowSeconds: number): Admission {
    this.#sweep(nowSeconds);
    const { admission, remove } = this.#plan(record, nowSeconds);
    if (!admission.fresh || record.kindClass === 'ephemeral') return admission;
    this.#archive?.write(record, remove);
    this.#apply(record, remove);
    return admission;
  }

  /** Returns the newest `limit` events that match one filter, newest first, without expired ones. */
  query(
    matcher: Matcher,
    limit: number,
    nowSeconds: number,
    visible: (record: EventRecord) => boolean = () => true,
  ): EventRecord[] {
    return this.#index.query(matcher, limit, (record) => !isExpired(record, nowSeconds) && visible(record));
  }

  /** Plans what `admit` does, without doing it. */
  #plan(record: EventRecord, nowSeconds: number): { admission: Admission; remove: EventRecord[] } {
    const { event, address } = record;
    const no = (admission: Admission) => ({ admission, remove: [] });
    if (isExpired(record, nowSeconds)) return no(refused('invalid: event has expired'));
    if (record.kindClass === 'ephemeral') return no(fresh);
    if (this.#index.get(event.id)) {
      return no({ accepted: true, fresh: false, message: 'duplicate: already have this event' });
    }
    if (this.#isDeleted(record)) return no(refused('blocked: this event was deleted'));
    if (event.kind === 5) return { admission: fresh, remove: this.#targets(record) };
    const current = address === null ? undefined : this.#current.get(address);
    if (current === undefined) return no(fresh);
    if (newestFirst(current, record) < 0) return no(refused('duplicate: a newer version is stored'));
    return { admission: fresh, remove: [current] };
  }

  #apply(record: EventRecord, remove: readonly EventRecord[]): void {
    for (const old of remove) this.#forget(old);
    this.#index.add(record);
    if (record.address !== null) this.#current.set(record.address, record);
    // An expired deletion is hidden but never thrown away: what it deleted stays deleted.
    if (record.expiresAt !== null && record.event.kind !== 5) this.#expiring.add(record);
    if (record.event.kind === 5) this.#noteDeletion(record);
  }

  #forget(record: EventRecord): void {
    this.#index.remove(record);
    this.#expiring.delete(record);
    if (record.address !== null && this.#current.get(record.address) === record) {
      this.#current.delete(record.address);
    }
  }

  /**
   * Returns true if the author, or the recipient of a gift wrap (NIP-59), has deleted it. A deletion cannot
   * be deleted (NIP-09).
   */
  #isDeleted({ event, address, recipients }: EventRecord): boolean {
    if (event.kind === 5) return false;
    const until = address === null ? undefined : this.#deletedAddresses.get(address);
    if (until !== undefined && event.created_at <= until) return true;
    const deleters = this.#deletedIds.get(event.id);
    if (deleters === undefined) return false;
    return (
      deleters.has(event.pubkey) || (event.kind === 1059 && recipients.some((pubkey) => deleters.has(pubkey)))
    );
  }

  /** Returns the stored events that `deletion` removes. */
  #targets(deletion: EventRecord): EventRecord[] {
    const { pubkey, created_at } = deletion.event;
    const targets = new Set<EventRecord>();
    for (const id of references(deletion, 'e')) {
      const target = this.#index.get(id);
      if (target === undefined || target.event.kind === 5) continue;
      const wrapped = target.event.kind === 1059 && target.recipients.includes(pubkey);
      if (target.event.pubkey === pubkey || wrapped) targets.add(target);
    }
    for (const address of references(deletion, 'a')) {
      const target = isOwnAddress(address, pubkey) ? this.#current.get(address) : undefined;
      if (target !== undefined && target.event.created_at <= created_at) targets.add(target);
    }
    return [...targets];
  }

  #noteDeletion(deletion: EventRecord): void {
    const { pubkey, created_at } = deletion.event;
    for (const id of references(deletion, 'e')) {
      const deleters = this.#deletedIds.get(id) ?? new Set();
      this.#deletedIds.set(id, deleters.add(pubkey));
    }
    for (const address of references(deletion, 'a')) {
      if (!isOwnAddress(address, pubkey)) continue;
      this.#deletedAddresses.set(address, Math.max(created_at, this.#deletedAddresses.get(address) ?? 0));
    }
  }

  /** Removes expired events, which are hidden already. */
  #sweep(nowSeconds: number): void {
    if (Math.abs(nowSeconds - this.#sweptAt) < sweepEverySeconds) return;
    this.#sweptAt = nowSeconds;
    const expired = [...this.#expiring].filter((record) => isExpired(record, nowSeconds));
    if (expired.length === 0) return;
    this.#archive?.remove(expired);
    for (const record of expired) this.#forget(record);
  }
}

function references(record: EventRecord, name: 'a' | 'e'): string[] {
  return record.tagKeys.flatMap((key) => (key.startsWith(`${name}:`) ? [key.slice(2)] : []));
}

/** Returns true if `pubkey` owns an address of an addressable or replaceable kind. */
function isOwnAddress(address: string, pubkey: string): boolean {
  const [kind = '', author] = address.split(':', 2);
  const kindClass = classifyKind(Number(kind));
  return author === pubkey && (kindClass === 'replaceable' || kindClass === 'addressable');
}
