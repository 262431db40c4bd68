import type { AddressPolicy, NostrEvent, Verifier } from '@bonafide/nostr-transport';
import * as z from 'zod';
import { addresses as addressesSchema, readInput, verifier as verifierSchema } from '../valid.ts';
import { assessCardEvent, expirationOf, identifierOf, type Rejected, reject } from './assess.ts';
import { type CapabilitySet, reconcileCapabilities } from './capabilities.ts';
import { type CardContent, readCardContent } from './content.ts';
import { canonicalIdentifier } from './identity.ts';
import { type RelayHints, readRelayHints } from './relay-hints.ts';

/** A verified capability card (NIP-89, kind 31990). Everything except keys and times is remote text. */
export interface CapabilityCard extends Omit<CardContent, 'kinds' | 'capabilities'>, CapabilitySet {
  /** Public key of the platform, 64 lower-case hex digits. */
  readonly pubkey: string;
  /** Identifier in its original spelling. */
  readonly d: string;
  /** Identifier in its canonical form, see {@link canonicalIdentifier}. */
  readonly canonicalD: string;
  readonly eventId: string;
  /** Date of the signature, ms since epoch. */
  readonly createdAt: number;
  /** Relays on which the platform can be reached, at most 10. */
  readonly relayHints: readonly string[];
  /** Relay hints that the address policy refused. */
  readonly refusedHints: RelayHints['refused'];
  /** Values of its `t` tags. */
  readonly topics: readonly string[];
  /** True if it declares no kind, label or pattern. It is found by topic, name and description only. */
  readonly isListingOnly: boolean;
  /** Time of its expiration (NIP-40), ms since epoch; `null` if it does not expire. */
  readonly expiresAt: number | null;
}

/** Options of {@link parseCapabilityCard}. */
export interface ParseCardOptions {
  /** Current time, ms since epoch. With it, cards that are dated more than an hour ahead are rejected. */
  readonly now?: number;
  /** Policy for relay hints. @default public relays over TLS */
  readonly addresses?: AddressPolicy;
  /** Checks the signature; `null` if the event is verified already. @default pure JavaScript */
  readonly verifier?: Verifier | null;
}

/** The result of {@link parseCapabilityCard}. */
export type ParsedCard = { readonly ok: true; readonly card: CapabilityCard } | Rejected;

const optionsSchema = z.strictObject({
  now: z.number().min(0).optional(),
  addresses: addressesSchema.optional(),
  verifier: verifierSchema.nullish(),
});

/**
 * Verifies and parses a capability card. Anything else is rejected with a reason. Pure.
 *
 * @throws DiscoveryError `INVALID_INPUT` for wrong options only
 */
export function parseCapabilityCard(event: unknown, options: ParseCardOptions = {}): ParsedCard {
  readInput(optionsSchema, options);
  const { now, addresses, verifier } = options;
  const assessed = assessCardEvent(event, {
    ...(now === undefined ? {} : { now }),
    ...(verifier === undefined ? {} : { verifier }),
  });
  return assessed.ok ? readCard(assessed.event, addresses) : assessed;
}

/** Parses a card whose event was checked. */
export function readCard(event: NostrEvent, addresses: AddressPolicy = {}): ParsedCard {
  const d = identifierOf(event);
  if (d === null) return reject('no-identifier', "The card has no valid 'd' tag.");
  const { kinds, capabilities, ...content } = readCardContent(event.content);
  const valuesOf = (name: string) =>
    event.tags.flatMap((tag) => (tag[0] === name && tag[1] !== undefined ? [tag[1]] : []));
  const declared = reconcileCapabilities(valuesOf('k'), kinds, capabilities);
  const isListingOnly = declared.kinds.length + declared.labels.length + declared.patterns.length === 0;
  const topics = valuesOf('t').slice(0, 64);
  if (isListingOnly && topics.length === 0 && valuesOf('web').length === 0) {
    return reject('no-capability', "No 'k' tag has a valid value, and there is no 't' or 'web' tag.");
  }
  const hints = readRelayHints(event, addresses);
  return {
    ok: true,
    card: {
      pubkey: event.pubkey,
      d,
      canonicalD: canonicalIdentifier(d),
      eventId: event.id,
      createdAt: event.created_at * 1_000,
      ...content,
      ...declared,
      relayHints: hints.accepted,
      refusedHints: hints.refused,
      topics,
      isListingOnly,
      expiresAt: expirationOf(event),
    },
  };
}
