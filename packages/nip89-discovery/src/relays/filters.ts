import type { Filter } from '@bonafide/nostr-transport';
import { cardKind } from '../card/assess.ts';
import { deletionKind } from '../card/deletion.ts';
import { recommendationKind } from '../card/recommendation.ts';

/**
 * Returns the filters for relays: cards, recommendations and deletion requests. They have no limit, since the
 * transport requests pages.
 *
 * @param k - Values of the `k` tag of cards; empty requests everything.
 */
export function filtersFor(k: readonly string[]): readonly Filter[] {
  const only = (tag: '#k' | '#d') => (k.length === 0 ? {} : { [tag]: [...k] });
  return [
    { kinds: [cardKind], ...only('#k') },
    // The `d` tag of a recommendation is the recommended kind.
    { kinds: [recommendationKind], ...only('#d') },
    { kinds: [deletionKind], '#k': [String(cardKind), String(recommendationKind)] },
  ];
}
