import type { Filter } from '@bonafide/nostr-transport';
import { cardKind } from '../card/assess.ts';
import { deletionKind } from '../card/deletion.ts';
import { recommendationKind } from '../card/recommendation.ts';

/**
 * What relays are asked for (DIS-2). Without a limit of their own: the transport asks page by page, and a first look is
 * bounded by its date. Pure.
 *
 * @param k - values of a card's `k` tag; of none, everything is asked for and matched here
 */
export function filtersFor(k: readonly string[]): readonly Filter[] {
  const only = (tag: '#k' | '#d') => (k.length === 0 ? {} : { [tag]: [...k] });
  return [
    { kinds: [cardKind], ...only('#k') },
    // A recommendation says in `d` for which kind it is.
    { kinds: [recommendationKind], ...only('#d') },
    { kinds: [deletionKind], '#k': [String(cardKind), String(recommendationKind)] },
  ];
}
