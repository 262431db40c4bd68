import type { NostrEvent } from '../event/event.ts';

/** How long and how singly a kind is kept (NIP-01). */
export type KindClass = 'regular' | 'replaceable' | 'ephemeral' | 'addressable';

/** Which class `kind` (0…65535) belongs to (NIP-01). */
export function classifyKind(kind: number): KindClass {
  if (kind === 0 || kind === 3 || (kind >= 10_000 && kind < 20_000)) return 'replaceable';
  if (kind >= 20_000 && kind < 30_000) return 'ephemeral';
  if (kind >= 30_000 && kind < 40_000) return 'addressable';
  return 'regular';
}

/** Kinds that only their `p` recipient may read: the gift wrap and its ephemeral sister (NIP-59). */
export const giftWrapKinds: ReadonlySet<number> = new Set([1059, 21_059]);

/** An event and what storing, matching and sending it needs to know, computed once. */
export interface EventRecord {
  readonly event: NostrEvent;
  readonly kindClass: KindClass;
  /** `kind:pubkey:d` of a replaceable or addressable event, else null. */
  readonly address: string | null;
  /** From when on it is hidden, in seconds (NIP-40); null when never. */
  readonly expiresAt: number | null;
  /** `e:<value>` for the first value of each single-letter tag: only that one is indexed (NIP-01). */
  readonly tagKeys: readonly string[];
  /** The `p` recipients. */
  readonly recipients: readonly string[];
  /** The event as JSON, as it goes over the wire and into the file. */
  readonly json: string;
}

const singleLetter = /^[a-zA-Z]$/;
const wholeNumber = /^\d{1,15}$/;

/** True for the name of a tag that relays index (NIP-01). */
export function isIndexedTag(name: string | undefined): name is string {
  return name !== undefined && singleLetter.test(name);
}

/** The first value of the first tag called `name`. */
export function tagValue(event: NostrEvent, name: string): string | undefined {
  return event.tags.find((tag) => tag[0] === name)?.[1];
}

/** `kind:pubkey:d` under which only one version is kept; null for kinds of which all are kept. */
function addressOf(event: NostrEvent): string | null {
  const kindClass = classifyKind(event.kind);
  if (kindClass === 'replaceable') return `${event.kind}:${event.pubkey}:`;
  if (kindClass === 'addressable') return `${event.kind}:${event.pubkey}:${tagValue(event, 'd') ?? ''}`;
  return null;
}

/** The event's `expiration` in seconds (NIP-40), null when it has none that is a number. */
function expirationOf(event: NostrEvent): number | null {
  const value = tagValue(event, 'expiration');
  return value !== undefined && wholeNumber.test(value) ? Number(value) : null;
}

/** Computes what is kept beside `event`. */
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

/** Expired at `nowSeconds` (NIP-40). */
export function isExpired(record: EventRecord, nowSeconds: number): boolean {
  return record.expiresAt !== null && record.expiresAt <= nowSeconds;
}
