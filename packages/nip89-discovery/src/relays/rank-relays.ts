import type { RegistryEntry, RelayExperience } from '../registry/entry.ts';

/** Where the address of a relay comes from, the best source first (DIS-9). */
export type RelaySource = 'card' | 'seen' | 'author' | 'recommendation' | 'pool';

/** A relay over which a platform may be reached. */
export interface RankedRelay {
  readonly relay: string;
  readonly source: RelaySource;
  readonly experience: RelayExperience | null;
}

/** A relay that failed at least this often, and more often than not, goes last. */
const enoughFailures = 2;

/**
 * The relays over which to reach a platform, best first (DIS-9): hints of the card in its order, relays that showed the card, the
 * author's own list, hints of those who recommend it, our own pool. What was measured overrides that: relays that worked go first, the surest and
 * quickest of them first of all; relays that keep failing go last. Pure.
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

/** 0: worked. 1: unknown. 2: keeps failing. */
function standing({ experience }: RankedRelay): number {
  if (experience === null) return 1;
  const { successes, failures } = experience;
  if (failures >= enoughFailures && failures > successes) return 2;
  return successes > 0 ? 0 : 1;
}

/** The posterior mean of success, less a little for slowness; equal for relays that were never tried. */
function merit({ experience }: RankedRelay): number {
  if (experience === null) return 0;
  const { successes, failures, latencyMs } = experience;
  return (1 + successes) / (2 + successes + failures) / (1 + (latencyMs ?? 1_000) / 10_000);
}
