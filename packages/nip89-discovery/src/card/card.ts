import type { AddressPolicy, NostrEvent, Verifier } from '@bonafide/nostr-transport';
import { assessCardEvent, identifierOf, type Rejected, reject } from './assess.ts';
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

/** Verifies and parses a capability card. Never throws: anything else is rejected with a reason. Pure. */
export function parseCapabilityCard(event: unknown, options: ParseCardOptions = {}): ParsedCard {
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
  const read = readCardContent(event.content);
  if (!read.ok) return reject('content-malformed', read.message);
  const { kinds, capabilities, ...content } = read.content;
  const valuesOf = (name: string) =>
    event.tags.flatMap((tag) => (tag[0] === name && tag[1] !== undefined ? [tag[1]] : []));
  const declared = reconcileCapabilities(valuesOf('k'), kinds, capabilities);
  if (declared.kinds.length + declared.labels.length + declared.patterns.length === 0) {
    return reject('no-capability', "No 'k' tag has a valid value.");
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
