import { byteLength, maxIdentifierChars } from '@bonafide/internal';
import {
  checkEventShape,
  createPureVerifier,
  eventId,
  type NostrEvent,
  type Verifier,
} from '@bonafide/nostr-transport';

import * as z from 'zod';
import { readInput, verifier as verifierSchema } from '../valid.ts';

/** The kind of a capability card (NIP-89). */
export const cardKind = 31_990;

/** Reason for which an event was rejected. Stable: the reasons name counters. */
export type CardRejection =
  | 'malformed'
  | 'too-large'
  | 'wrong-kind'
  | 'no-identifier'
  | 'no-capability'
  | 'wrong-id'
  | 'wrong-signature'
  | 'from-future'
  | 'expired'
  | 'superseded'
  | 'deleted'
  | 'too-many-cards'
  /** The store refused this card, although it stores others. */
  | 'not-stored';

/** A rejection with a message for logs. */
export interface Rejected {
  readonly ok: false;
  readonly reason: CardRejection;
  readonly message: string;
}

/** The result of {@link assessCardEvent}. */
export type CardAssessment =
  | {
      readonly ok: true;
      /** The event, rebuilt from its seven fields and frozen. */
      readonly event: NostrEvent;
      /** True if the card is older than 30 days. */
      readonly stale: boolean;
    }
  | Rejected;

/** Tags of which a card needs at least one. Without `k` it is only listed. */
const capabilityTags = new Set(['k', 't', 'web']);

/** Largest content, bytes. */
export const maxContentBytes = 65_536;
/** Largest number of tags. */
const maxTags = 1_000;
/** Largest total length of content and tags, characters. */
const maxEventChars = 262_144;
/** Longest tag value, characters. */
const maxTagChars = 4_096;
/** Largest difference by which the date of a card may be ahead of the clock, ms. */
export const maxFutureMs = 3_600_000;
/** Age from which a card is stale, ms. */
export const staleAfterMs = 30 * 86_400_000;

/** Options of {@link assessCardEvent}. */
export interface AssessOptions {
  /** Current time, ms since epoch. Without it, the checks of dates are skipped. */
  readonly now?: number;
  /** The stored card of the same platform, if there is one. */
  readonly current?: Pick<NostrEvent, 'created_at' | 'id'> | null;
  /** Checks the signature; `null` if the event is verified already. @default pure JavaScript */
  readonly verifier?: Verifier | null;
}

const optionsSchema = z.strictObject({
  now: z.number().min(0).optional(),
  current: z.looseObject({ id: z.string(), created_at: z.number() }).nullish(),
  verifier: verifierSchema.nullish(),
});

let pure: Verifier | undefined;

/**
 * Checks whether an event is an acceptable capability card: size, kind, structure, id and signature, time,
 * and replaceable order. The checks run in this order, so that expensive ones run last. Pure.
 */
export function assessCardEvent(event: unknown, options: AssessOptions = {}): CardAssessment {
  readInput(optionsSchema, options);
  const shape = checkEventShape(event, { maxTags, maxEventChars });
  if (shape.ok) return assessShaped(shape.event, options);
  return shape.fault === 'too-large'
    ? tooLarge
    : reject('malformed', 'This is not a Nostr event: a field is missing or invalid (NIP-01).');
}

/** Checks an event whose shape is known to be valid, see {@link assessCardEvent}. */
export function assessShaped(card: NostrEvent, options: AssessOptions): CardAssessment {
  const size = assessSize(card);
  if (size !== null) return size;
  if (card.kind !== cardKind) return reject('wrong-kind', `Kind ${card.kind} is not ${cardKind}.`);
  const d = identifierOf(card);
  if (d === null) return reject('no-identifier', "The card has no valid 'd' tag.");
  if (!card.tags.some(([name, value = '']) => capabilityTags.has(name ?? '') && value.trim() !== '')) {
    return reject('no-capability', "The card has no 'k', 't' or 'web' tag.");
  }

  if (options.verifier !== null) {
    if (eventId(card) !== card.id) return reject('wrong-id', 'The id is not the hash of the event.');
    pure ??= createPureVerifier();
    if (!(options.verifier ?? pure).verify(card)) {
      return reject('wrong-signature', 'The signature does not match the public key.');
    }
  }

  const { now, current } = options;
  const createdAt = card.created_at * 1_000;
  if (now !== undefined && createdAt > now + maxFutureMs) {
    return reject('from-future', 'The card is dated more than an hour ahead.');
  }
  const expiresAt = expirationOf(card);
  if (now !== undefined && expiresAt !== null && expiresAt <= now) {
    return reject('expired', 'The card is expired (NIP-40).');
  }
  if (current != null && !supersedes(card, current)) {
    return reject('superseded', 'A newer card of this platform is stored.');
  }
  return { ok: true, event: card, stale: isStale(createdAt, now) };
}

function assessSize({ content, tags }: NostrEvent): Rejected | null {
  // A UTF-16 unit takes at most three bytes, so most content need not be measured.
  if (content.length * 3 > maxContentBytes && byteLength(content) > maxContentBytes) {
    return reject('too-large', `The content has more than ${maxContentBytes} bytes.`);
  }
  if (tags.length > maxTags) return tooLarge;
  let chars = content.length;
  for (const tag of tags) {
    if (tag.length > maxTags) return tooLarge;
    for (const { length } of tag) {
      if (length > maxTagChars) {
        return reject('too-large', `A tag value has more than ${maxTagChars} characters.`);
      }
      chars += length;
    }
  }
  return chars > maxEventChars ? tooLarge : null;
}

/** Returns the expiration of an event (NIP-40), ms since epoch; `null` if it has none or it is malformed. */
export function expirationOf(event: Pick<NostrEvent, 'tags'>): number | null {
  const value = event.tags.find(([name]) => name === 'expiration')?.[1];
  return value !== undefined && /^\d{1,12}$/u.test(value) ? Number(value) * 1_000 : null;
}

/** Returns the identifier of a card, or `null` if it is missing, too long or malformed. */
export function identifierOf(event: Pick<NostrEvent, 'tags'>): string | null {
  const d = event.tags.find((tag) => tag[0] === 'd')?.[1];
  return d !== undefined && isIdentifier(d) ? d : null;
}

/** Returns true if an identifier can be stored. */
export function isIdentifier(d: string): boolean {
  return d.length <= maxIdentifierChars && d.isWellFormed() && !d.includes('\0');
}

/** Returns true if `candidate` replaces `current`: newer, or the lower id within one second (NIP-01). */
function supersedes(
  candidate: Pick<NostrEvent, 'created_at' | 'id'>,
  current: Pick<NostrEvent, 'created_at' | 'id'>,
): boolean {
  if (candidate.created_at !== current.created_at) return candidate.created_at > current.created_at;
  return candidate.id < current.id;
}

/** Returns true if a card of this date is stale at `now`, both in ms since epoch. */
export function isStale(createdAt: number, now: number | undefined): boolean {
  return now !== undefined && now - createdAt > staleAfterMs;
}

export function reject(reason: CardRejection, message: string): Rejected {
  return { ok: false, reason, message };
}

const tooLarge = reject('too-large', 'The event is too large for a capability card.');
