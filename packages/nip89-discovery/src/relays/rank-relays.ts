import type { RegistryEntry, RelayExperience } from '../registry/entry.ts';

/** Source of a relay address, in order of preference. */
export type RelaySource = 'card' | 'seen' | 'author' | 'recommendation' | 'pool';

/** A relay over which a platform may be reached. */
export interface RankedRelay {
  readonly relay: string;
  readonly source: RelaySource;
  readonly experience: RelayExperience | null;
}

/** Number of failures from which a relay that fails more often than not is ranked last. */
const enoughFailures = 2;

/**
 * Ranks the relays of a platform, best first: hints of the card, relays that sent the card, the author's
 * relay list, hints of recommendations, relays of this registry. Measured success overrides this order:
 * relays that worked come first, relays that keep failing come last.
 */
export function rankRelays(
  entry: Pick<RegistryEntry, 'relayHints' | 'sightings' | 'authorRelays' | 'experience'>,
  pool: readonly string[],
  hints: readonly string[] = [],
): RankedRelay[] {
  const sources: readonly (readonly [RelaySource, readonly string[]])[] = [
    ['card', entry.relayHints],
    ['seen', [...entry.sightings].sort((a, b) => b.lastSeenAt - a.lastSeenAt).map(({ relay }) => relay)],
    ['author', entry.authorRelays?.urls ?? []],
    ['recommendation', hints],
    ['pool', pool],
  ];
  const experience = new Map(entry.experience.map((each) => [each.relay, each]));
  const ranked = new Map<string, RankedRelay>();
  for (const [source, relays] of sources) {
    for (const relay of relays) {
      if (!ranked.has(relay)) ranked.set(relay, { relay, source, experience: experience.get(relay) ?? null });
    }
  }
  return [...ranked.values()].sort((a, b) => standing(a) - standing(b) || merit(b) - merit(a));
}

/** Returns 0 if it worked, 1 if it is unknown, 2 if it keeps failing. */
function standing({ experience }: RankedRelay): number {
  if (experience === null) return 1;
  const { successes, failures } = experience;
  if (failures >= enoughFailures && failures > successes) return 2;
  return successes > 0 ? 0 : 1;
}

/** Returns the posterior mean of success, reduced for latency. Equal for relays that were never tried. */
function merit({ experience }: RankedRelay): number {
  if (experience === null) return 0;
  const { successes, failures, latencyMs } = experience;
  return (1 + successes) / (2 + successes + failures) / (1 + (latencyMs ?? 1_000) / 10_000);
}
