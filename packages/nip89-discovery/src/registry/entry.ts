import type { NostrEvent } from '@bonafide/nostr-transport';
import type { CapabilityCard } from '../card/card.ts';
import type { JsonValue } from '../card/content.ts';
import type { CardDiff } from '../card/diff.ts';
import type { PlatformStatus, StatusState } from './status.ts';

/** The times at which a relay sent a platform's card. */
export interface Sighting {
  readonly relay: string;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
}

/** Successes and failures of reaching a platform over a relay. */
export interface RelayExperience {
  readonly relay: string;
  readonly successes: number;
  readonly failures: number;
  /** Moving average of the latency of successes, ms; `null` before the first. */
  readonly latencyMs: number | null;
}

/** The profile of a key (kind 0), used for cards without content (NIP-89). Remote text. */
export interface AuthorProfile {
  readonly name: string | null;
  readonly about: string | null;
  readonly picture: string | null;
  readonly website: string | null;
  readonly lud16: string | null;
  /** Id of the profile event; `null` if none was found. */
  readonly eventId: string | null;
  /** Date of the profile, or of the look-up if none was found. */
  readonly createdAt: number;
}

/** The relay list of an author (NIP-65). */
export interface AuthorRelays {
  /** Relays that the author reads from. Requests go there. */
  readonly urls: readonly string[];
  /** Relays that the author writes to. Its cards are found there. */
  readonly writeUrls: readonly string[];
  /** Date of the list, ms since epoch; `null` if the author has none. */
  readonly createdAt: number | null;
  /** Time of the last successful look-up, ms since epoch; 0 if it is due again. */
  readonly checkedAt: number;
}

/** A platform in the registry. Times in ms since epoch. */
export interface RegistryEntry extends StatusState {
  readonly pubkey: string;
  /** Identifier in the spelling of its newest card. */
  readonly d: string;
  readonly canonicalD: string;
  readonly discoveredAt: number;
  /** Time at which its newest card was last received. */
  readonly lastSeenAt: number;
  /** Kinds of its card. */
  readonly supportedKinds: readonly number[];
  /** Relay hints of its card, best first. See `relaysFor` for more. */
  readonly relayHints: readonly string[];
  /** Copy of the routing matrix's trust for display, 0..0.9 (routeTrust); `null` if none was set. */
  readonly trustScore: number | null;
  readonly card: CapabilityCard;
  /** The signed event of its newest card. */
  readonly event: NostrEvent;
  /** Profile of its key, for a card without content; `null` before the look-up. */
  readonly profile: AuthorProfile | null;
  /** Relays that sent the newest card, at most 16. */
  readonly sightings: readonly Sighting[];
  /** Relays over which it was contacted, at most 32. */
  readonly experience: readonly RelayExperience[];
  /** Relays of its author (NIP-65); `null` before the first successful look-up. */
  readonly authorRelays: AuthorRelays | null;
  /** True if its card was older than 30 days at the last sweep or arrival. */
  readonly stale: boolean;
  /** Signal of the recommendations by recommenders with a known standing, 0..1; see `weighRecommendations`. */
  readonly recommendation: number;
  /** Number of entries that its key had when it was discovered, this one included. */
  readonly ordinal: number;
  /** Index terms of its card and profile, see `termsOf`. */
  readonly terms: readonly string[];
  /** Date up to which its cards are deleted; `null` if none is. */
  readonly deletedAt: number | null;
  /** Number that rises with every change. The store refuses writes of other revisions than the next. */
  readonly revision: number;
}

/** One change of an entry. */
export interface AuditRow {
  readonly at: number;
  readonly what: 'discovered' | 'updated' | 'status' | 'trust' | 'stale';
  /** Id of the event that caused it; `null` for a call of the API. */
  readonly eventId: string | null;
  readonly status: { readonly before: PlatformStatus | null; readonly after: PlatformStatus } | null;
  readonly trust: { readonly before: number | null; readonly after: number | null } | null;
  /** Differences between the cards. */
  readonly diff: CardDiff | null;
  readonly reason: string;
  /** Evidence from the caller. */
  readonly evidence: JsonValue;
}

const maxSightings = 16;

/** Returns the sightings after `relay` sent the card at `at`. Drops the oldest beyond the limit. */
export function withSighting(sightings: readonly Sighting[], relay: string, at: number): readonly Sighting[] {
  const before = sightings.find((sighting) => sighting.relay === relay);
  const seen = { relay, firstSeenAt: before?.firstSeenAt ?? at, lastSeenAt: at };
  const others = sightings.filter((sighting) => sighting.relay !== relay);
  return [...others, seen].slice(-maxSightings);
}

const maxExperience = 32;
/** Weight of the newest latency in the average. */
const smoothing = 0.3;

/** Returns the experience after one more attempt over `relay`. */
export function withExperience(
  experience: readonly RelayExperience[],
  relay: string,
  result: { readonly ok: boolean; readonly latencyMs?: number | null },
): readonly RelayExperience[] {
  const before = experience.find((each) => each.relay === relay);
  const latency = result.ok ? (result.latencyMs ?? null) : null;
  const known = before?.latencyMs ?? null;
  const after: RelayExperience = {
    relay,
    successes: (before?.successes ?? 0) + (result.ok ? 1 : 0),
    failures: (before?.failures ?? 0) + (result.ok ? 0 : 1),
    latencyMs: latency === null ? known : known === null ? latency : known + smoothing * (latency - known),
  };
  return [...experience.filter((each) => each.relay !== relay), after].slice(-maxExperience);
}

/**
 * Returns the display name of a platform: its card's name, else its profile's, else its identifier. Remote
 * text. Pure.
 */
export function platformName({ card, profile, d }: Pick<RegistryEntry, 'card' | 'profile' | 'd'>): string {
  return card.name || profile?.name || d;
}

/** Returns the card for searching. The profile of its key stands in for a missing name or description. Pure. */
export function searchableCard({ card, profile }: Pick<RegistryEntry, 'card' | 'profile'>): CapabilityCard {
  if (profile === null || (card.name !== null && card.about !== null)) return card;
  return { ...card, name: card.name ?? profile.name, about: card.about ?? profile.about };
}
