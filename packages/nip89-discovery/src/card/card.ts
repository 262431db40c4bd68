import type { AddressPolicy, NostrEvent, Verifier } from '@bonafide/nostr-transport';
import { assessCardEvent, identifierOf, type Rejected, reject } from './assess.ts';
import { type CapabilitySet, reconcileCapabilities } from './capabilities.ts';
import { type CardContent, readCardContent } from './content.ts';
import { canonicalIdentifier } from './identity.ts';
import { type RelayHints, readRelayHints } from './relay-hints.ts';

/** A capability card (NIP-89, kind 31990), verified and read. Apart from keys and times everything in it was written by a stranger. */
export interface CapabilityCard extends Omit<CardContent, 'kinds' | 'capabilities'>, CapabilitySet {
  /** The platform's key: 64 lower-case hex digits. */
  readonly pubkey: string;
  /** Its identifier, as it spells it. */
  readonly d: string;
  /** {@link canonicalIdentifier} of it. */
  readonly canonicalD: string;
  readonly eventId: string;
  /** When it was signed, ms since epoch. */
  readonly createdAt: number;
  /** Relays at which it can be reached, at most 10. */
  readonly relayHints: readonly string[];
  /** Relay hints that the address guard refused. */
  readonly refusedHints: RelayHints['refused'];
  /** Values of its `t` tags. */
  readonly topics: readonly string[];
}

/** How a card is read. */
export interface ParseCardOptions {
  /** Now, ms since epoch: a card that is dated more than an hour ahead is then rejected. */
  readonly now?: number;
  /** Which relay hints are permitted. @default public relays over TLS */
  readonly addresses?: AddressPolicy;
  /** Checks the signature; `null` when whoever delivered the event has. @default pure JavaScript */
  readonly verifier?: Verifier | null;
}

/** What {@link parseCapabilityCard} finds. */
export type ParsedCard = { readonly ok: true; readonly card: CapabilityCard } | Rejected;

/**
 * Reads a capability card out of anything, after it was verified (DIS-3 to DIS-9). Never throws: what is no card
 * is rejected with a reason. Pure.
 */
export function parseCapabilityCard(event: unknown, options: ParseCardOptions = {}): ParsedCard {
  const { now, addresses, verifier } = options;
  const assessed = assessCardEvent(event, {
    ...(now === undefined ? {} : { now }),
    ...(verifier === undefined ? {} : { verifier }),
  });
  return assessed.ok ? readCard(assessed.event, addresses) : assessed;
}

/** Reads a card whose event was assessed. */
export function readCard(event: NostrEvent, addresses: AddressPolicy = {}): ParsedCard {
  const d = identifierOf(event);
  if (d === null) return reject('no-identifier', "The card has no usable 'd' tag.");
  const read = readCardContent(event.content);
  if (!read.ok) return reject('content-malformed', read.message);
  const { kinds, capabilities, ...content } = read.content;
  const valuesOf = (name: string) =>
    event.tags.flatMap((tag) => (tag[0] === name && tag[1] !== undefined ? [tag[1]] : []));
  const declared = reconcileCapabilities(valuesOf('k'), kinds, capabilities);
  if (declared.kinds.length + declared.labels.length + declared.patterns.length === 0) {
    return reject('no-capability', "No 'k' tag says anything that can be read.");
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
      topics: valuesOf('t').slice(0, 64),
    },
  };
}
