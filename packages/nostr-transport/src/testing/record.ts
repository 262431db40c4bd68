import type { NostrEvent } from '../event/event.ts';

/** The storage rule of a kind (NIP-01). */
export type KindClass = 'regular' | 'replaceable' | 'ephemeral' | 'addressable';

/** Returns the storage rule of `kind` (0…65535; NIP-01). */
export function classifyKind(kind: number): KindClass {
  if (kind === 0 || kind === 3 || (kind >= 10_000 && kind < 20_000)) return 'replaceable';
  if (kind >= 20_000 && kind < 30_000) return 'ephemeral';
  if (kind >= 30_000 && kind < 40_000) return 'addressable';
  return 'regular';
}

/** Kinds that only their `p` recipient may read: gift wraps and ephemeral gift wraps (NIP-59). */
export const giftWrapKinds: ReadonlySet<number> = new Set([1059, 21_059]);

/** An event with precomputed values for storing, matching and sending. */
export interface EventRecord {
  readonly event: NostrEvent;
  readonly kindClass: KindClass;
  /** `kind:pubkey:d` of a replaceable or addressable event, else null. */
  readonly address: string | null;
  /** The time from which it is hidden, in seconds (NIP-40); null for never. */
  readonly expiresAt: number | null;
  /** `e:<value>` for the first value of each single-letter tag: only that one is indexed (NIP-01). */
  readonly tagKeys: readonly string[];
  /** The `p` recipients. */
  readonly recipients: readonly string[];
  /** The event as JSON. */
  readonly json: string;
}

const singleLetter = /^[a-zA-Z]$/;
const wholeNumber = /^\d{1,15}$/;

/** Returns true for a tag name that relays index (NIP-01). */
export function isIndexedTag(name: string | undefined): name is string {
  return name !== undefined && singleLetter.test(name);
}

/** Returns the first value of the first tag with this name. */
export function tagValue(event: NostrEvent, name: string): string | undefined {
  return event.tags.find((tag) => tag[0] === name)?.[1];
}

/** Returns `kind:pubkey:d` for kinds of which one version is kept, else null. */
function addressOf(event: NostrEvent): string | null {
  const kindClass = classifyKind(event.kind);
  if (kindClass === 'replaceable') return `${event.kind}:${event.pubkey}:`;
  if (kindClass === 'addressable') return `${event.kind}:${event.pubkey}:${tagValue(event, 'd') ?? ''}`;
  return null;
}

/** Returns the event's `expiration` in seconds (NIP-40), null if there is no numeric one. */
function expirationOf(event: NostrEvent): number | null {
  const value = tagValue(event, 'expiration');
  return value !== undefined && wholeNumber.test(value) ? Number(value) : null;
}

/** Computes the record of `event`. */
export function toRecord(event: NostrEvent): EventRecord {
  const tagKeys = new Set<string>();
  const recipients = new Set<string>();
  for (const [name, value] of event.tags) {
    if (!isIndexedTag(name) || value === undefined) continue;
    tagKeys.add(`${name}:${value}`);
    if (name === 'p') recipients.add(value);
  }
  return {
    event,
    kindClass: classifyKind(event.kind),
    address: addressOf(event),
    expiresAt: expirationOf(event),
    tagKeys: [...tagKeys],
    recipients: [...recipients],
    json: JSON.stringify(event),
  };
}

/** Returns true if the event is expired at `nowSeconds` (NIP-40). */
export function isExpired(record: EventRecord, nowSeconds: number): boolean {
  return record.expiresAt !== null && record.expiresAt <= nowSeconds;
}
