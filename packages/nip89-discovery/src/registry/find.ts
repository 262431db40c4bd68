import { isStale } from '../card/assess.ts';
import { matchCapability, type Synonyms, searchSteps } from '../card/match.ts';
import type { FindQuery, Found } from '../discovery.ts';
import { DiscoveryError } from '../errors.ts';
import type { PlatformStatus } from './status.ts';
import type { DiscoveryStore } from './store.ts';
import { iteratePages, pageSize } from './store-access.ts';

/** Those that may be worked with. */
const open: readonly PlatformStatus[] = ['discovered', 'candidate', 'evaluating', 'partner'];

/**
 * Who offers what is wanted, the surest match first, then the most trusted (DIS-10, DIS-14): step by step through the index,
 * from what matches exactly to what is inferred.
 *
 * @throws DiscoveryError `INVALID_INPUT`, `STORE_FAILED`
 */
export async function* findPlatforms(
  { capability, kind, minConfidence = 0.5, statuses = open, limit = Number.POSITIVE_INFINITY }: FindQuery,
  context: { readonly store: DiscoveryStore; readonly synonyms: Synonyms; readonly now: number },
): AsyncGenerator<Found> {
  const { store, synonyms, now } = context;
  const wants = [capability, kind].filter((want) => want !== undefined);
  if (wants.length === 0) throw new DiscoveryError('INVALID_INPUT', 'find: name a capability or a kind');
  const [rarest = ''] = wants;
  let left = limit;
  for (const { confidence, terms } of searchSteps(rarest, synonyms)) {
    if (confidence < minConfidence || left <= 0) return;
    const atOnce = Math.min(left, pageSize);
    for await (const entry of iteratePages((cursor) =>
      store.find({ terms, statuses, limit: atOnce, ...cursor }),
    )) {
      // Between two sweeps a card may have become stale.
      if (statuses === open && isStale(entry.card.createdAt, now)) continue;
      const matches = wants.map((want) => matchCapability(entry.card, want, synonyms));
      const [first] = matches;
      const weakest = matches.reduce((least, match) => (match.confidence < least.confidence ? match : least));
      // A surer match has been given in the step before.
      if (first?.confidence !== confidence || weakest.match === 'none') continue;
      yield { entry, match: weakest };
      left -= 1;
      if (left <= 0) return;
    }
  }
}
