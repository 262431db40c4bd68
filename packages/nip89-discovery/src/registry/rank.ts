import type { RegistryEntry, RelayExperience } from './entry.ts';

/** The parts of an entry that decide its place among equally good matches. */
export type RankedEntry = Pick<RegistryEntry, 'trustScore' | 'stale' | 'recommendation' | 'experience'> & {
  readonly card: Pick<RegistryEntry['card'], 'expiresAt' | 'createdAt'>;
};

/** Number of failures from which a platform that fails more often than not counts as failing. */
const enoughFailures = 2;

/**
 * Returns the sort key of an entry in `find`, ascending: 0 ≤ rank < 1 for fresh cards, 1 ≤ rank < 2 for stale ones. The order is:
 * recommendations by known recommenders, liveness, trust. Recommendations and liveness are rounded to a few levels, so
 * that the next criterion decides between similar entries. Pure.
 */
export function rankOf(entry: RankedEntry): number {
  const rank =
    (3 - recommendationLevel(entry.recommendation)) * 0.25 +
    (2 - livenessOf(entry)) * 0.08 +
    (1 - (entry.trustScore ?? 0)) * 0.07;
  return (entry.stale ? 1 : 0) + rank;
}

/** Returns 0 for no known recommender, 3 for several trusted ones. */
function recommendationLevel(signal: number): number {
  if (signal >= 0.6) return 3;
  if (signal >= 0.3) return 2;
  return signal > 0.02 ? 1 : 0;
}

/** A card that expires within this time of its date has to be renewed soon, which is a sign of life, ms. */
const maxHeartbeatMs = 7 * 86_400_000;

/** Returns 2 for signs of life (a card that expires soon, or successes), 0 for repeated failures, else 1. */
function livenessOf({ card, experience }: Pick<RankedEntry, 'card' | 'experience'>): 0 | 1 | 2 {
  const sum = (count: (each: RelayExperience) => number) =>
    experience.reduce((all, each) => all + count(each), 0);
  const successes = sum((each) => each.successes);
  const failures = sum((each) => each.failures);
  if (failures >= enoughFailures && failures > successes) return 0;
  const isHeartbeat = card.expiresAt !== null && card.expiresAt - card.createdAt <= maxHeartbeatMs;
  return isHeartbeat || successes > 0 ? 2 : 1;
}
