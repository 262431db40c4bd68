import { isStale } from '../card/assess.ts';
import { type CapabilityMatch, matchCapability, type Synonyms, searchSteps } from '../card/match.ts';
import { DiscoveryError } from '../errors.ts';
import type { RegistryEntry } from './entry.ts';
import type { PlatformStatus } from './status.ts';
import type { DiscoveryStore } from './store.ts';
import { iteratePages, pageSize } from './store-access.ts';

/** A query for platforms: by capability, by kind, or by both. */
export interface FindQuery {
  /** A label such as `benchmark-task`. */
  readonly capability?: string;
  /** A job kind such as 5000. */
  readonly kind?: number;
  /** Lowest confidence, 0..1. @default 0.5, which includes inferred matches */
  readonly minConfidence?: number;
  /** Statuses to include. @default discovered, candidate, evaluating, partner */
  readonly statuses?: readonly PlatformStatus[];
  /** Largest number of results. @default no limit */
  readonly limit?: number;
}

/** A platform that matches a query. */
export interface Found {
  readonly entry: RegistryEntry;
  readonly match: CapabilityMatch;
}

/** Results ordered by confidence, then by trust. Iterating reads page by page; `toArray` reads all. */
export interface FindResult extends AsyncIterable<Found> {
  toArray(): Promise<Found[]>;
}

/** Default statuses: platforms that can be given work. */
const open: readonly PlatformStatus[] = ['discovered', 'candidate', 'evaluating', 'partner'];

/**
 * Finds platforms step by step, from exact to inferred matches, and by rank within a step.
 *
 * @throws DiscoveryError `INVALID_INPUT`, `STORE_FAILED`
 */
export async function* findPlatforms(
  { capability, kind, minConfidence = 0.5, statuses = open, limit = Number.POSITIVE_INFINITY }: FindQuery,
  context: { readonly store: DiscoveryStore; readonly synonyms: Synonyms; readonly now: number },
): AsyncGenerator<Found> {
  const { store, synonyms, now } = context;
  const wants = [capability, kind].filter((want) => want !== undefined);
  if (wants.length === 0) throw new DiscoveryError('INVALID_INPUT', 'find needs a capability or a kind.');
  const [rarest = ''] = wants;
  let left = limit;
  for (const { confidence, terms } of searchSteps(rarest, synonyms)) {
    if (confidence < minConfidence || left <= 0) return;
    const atOnce = Math.min(left, pageSize);
    for await (const entry of iteratePages((cursor) =>
      store.find({ terms, statuses, limit: atOnce, ...cursor }),
    )) {
      // A card may become stale between sweeps.
      if (statuses === open && isStale(entry.card.createdAt, now)) continue;
      const matches = wants.map((want) => matchCapability(entry.card, want, synonyms));
      const [first] = matches;
      const weakest = matches.reduce((least, match) => (match.confidence < least.confidence ? match : least));
      // An earlier step returned better matches.
      if (first?.confidence !== confidence || weakest.match === 'none') continue;
      yield { entry, match: weakest };
      left -= 1;
      if (left <= 0) return;
    }
  }
}
