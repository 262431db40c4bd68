import type { NostrEvent } from '@bonafide/nostr-transport';
import type { CapabilityCard } from '../card/card.ts';
import type { JsonValue } from '../card/content.ts';
import type { CardDiff } from '../card/diff.ts';
import type { PlatformStatus, StatusState } from './status.ts';

/** When a relay showed a platform's card. */
export interface Sighting {
  readonly relay: string;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
}

/** How reaching a platform over a relay went. */
export interface RelayExperience {
  readonly relay: string;
  readonly successes: number;
  readonly failures: number;
  /** Moving average of the latency of successes, ms; `null` before the first. */
  readonly latencyMs: number | null;
}

/** What a platform's key says of itself in general (kind 0), for a card that says nothing (NIP-89). A stranger's words. */
export interface AuthorProfile {
  readonly name: string | null;
  readonly about: string | null;
  readonly picture: string | null;
  readonly website: string | null;
  readonly lud16: string | null;
  /** `null`: it was looked for, and there is none. */
  readonly eventId: string | null;
  /** When it was signed, ms since epoch; when it was looked for, if there is none. */
  readonly createdAt: number;
}

/** A platform in the registry (DIS-11). Times in ms since epoch. */
export interface RegistryEntry extends StatusState {
  readonly pubkey: string;
  /** Its identifier, as its newest card spells it. */
  readonly d: string;
  readonly canonicalD: string;
  readonly discoveredAt: number;
  /** When its newest card was last received. */
  readonly lastSeenAt: number;
  /** Capability kinds of its card. */
  readonly supportedKinds: readonly number[];
  /** Relays at which its card says it can be reached, best first; see `relaysFor` for more. */
  readonly relayHints: readonly string[];
  /** A copy of the routing matrix's trust for display, 0..0.9 (routeTrust); `null`: none was set. */
  readonly trustScore: number | null;
  readonly card: CapabilityCard;
  /** The newest card as it was signed. */
  readonly event: NostrEvent;
  /** The profile of its key, if its card has no content of its own; `null`: not looked up. */
  readonly profile: AuthorProfile | null;
  /** Relays that showed the newest card, at most 16. */
  readonly sightings: readonly Sighting[];
  /** Relays over which it was tried to be reached, at most 32. */
  readonly experience: readonly RelayExperience[];
  /** Relays of its author's relay list (NIP-65), with the date of the list; `null`: not looked up. */
  readonly authorRelays: { readonly urls: readonly string[]; readonly createdAt: number | null } | null;
  /** When it deleted its card: cards up to this date don't bring it back. `null`: never. */
  readonly deletedAt: number | null;
  /** Rises with every change: the store refuses a write that did not see the last one. */
  readonly revision: number;
}

/** One change of an entry (DIS-12). */
export interface AuditRow {
  readonly at: number;
  readonly what: 'discovered' | 'updated' | 'status' | 'trust';
  /** The event that brought it about; `null` when it came from outside. */
  readonly eventId: string | null;
  readonly status: { readonly before: PlatformStatus | null; readonly after: PlatformStatus } | null;
  readonly trust: { readonly before: number | null; readonly after: number | null } | null;
  /** What changed in the card. */
  readonly diff: CardDiff | null;
  readonly reason: string;
  /** What the caller gave as evidence. */
  readonly evidence: JsonValue;
}

const maxSightings = 16;

/** The sightings after `relay` showed the card at `at`; the oldest make room. */
export function withSighting(sightings: readonly Sighting[], relay: string, at: number): readonly Sighting[] {
  const before = sightings.find((sighting) => sighting.relay === relay);
  const seen = { relay, firstSeenAt: before?.firstSeenAt ?? at, lastSeenAt: at };
  const others = sightings.filter((sighting) => sighting.relay !== relay);
  return [...others, seen].slice(-maxSightings);
}

const maxExperience = 32;
/** Weight of the newest latency in the average. */
const smoothing = 0.3;

/** The experience after one more attempt over `relay`. */
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

/** What to call a platform: its card's name, else its profile's, else its identifier. A stranger's words. Pure. */
export function platformName({ card, profile, d }: Pick<RegistryEntry, 'card' | 'profile' | 'd'>): string {
  return card.name || profile?.name || d;
}
